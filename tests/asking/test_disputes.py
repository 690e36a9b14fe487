"""Answers of several people."""

import pytest

from dialogues import answer, blobs
from samekind.asking import Questions, merged_journals
from samekind.constraints import InputError

X, Y = blobs()


@pytest.fixture
def journals(tmp_path):
    """Two people; the second says "none" where the first said "same"."""
    paths = {name: tmp_path / f"{name}.ask" for name in ("ann", "bob")}
    with Questions(X, 3, paths["ann"], row=2) as q:
        answer(q, Y, 12)
    with Questions(X, 3, paths["bob"], row=2, random_state=0) as q:
        said = answer(q, Y, 12)
        wrong = next(a for a in reversed(q.answers()) if a.same is not None)
        q.change(wrong.seq, none=True)
    assert said
    return paths, wrong


def test_disagreements_are_listed_by_name(journals):
    paths, wrong = journals
    merged = merged_journals(X, paths)
    assert [one.left_out for one in merged.disagreements] == [("bob", wrong.seq)]
    assert ("ann", wrong.seq) in merged.disagreements[0].answers
    assert "bob" in merged.disagreements[0].sentence
    assert merged.n_answers == {"ann": 12, "bob": 12}
    report = merged.constraints.evaluate(Y)
    assert report.violated == 0
    same, other = wrong.must_link[0]
    assert merged.constraints.group_of[same] == merged.constraints.group_of[other]


def test_who_is_named_first_is_believed(journals):
    paths, _ = journals
    merged = merged_journals(X, [paths["bob"], paths["ann"]])
    assert {one.left_out[0] for one in merged.disagreements} == {"ann"}


def test_reading_changes_nothing_and_other_data_is_refused(journals):
    paths, _ = journals
    with paths["bob"].open("ab") as file:
        file.write(b'{"seq": 13')  # being written at this moment
    before = paths["bob"].read_bytes()
    merged_journals(X, paths)
    assert paths["bob"].read_bytes() == before
    with pytest.raises(InputError, match="other data"):
        merged_journals(X + 1, paths)
    with pytest.raises(ValueError, match="same name"):
        merged_journals(X, [paths["ann"], paths["ann"]])
