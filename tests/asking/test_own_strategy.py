"""A strategy of one's own chooses the questions; all else stays."""

import numpy as np
import pytest

from samekind.asking import Question, Questions
from samekind.constraints import InputError

X = np.repeat([[0.0], [5.0], [9.0]], 10, axis=0) + np.linspace(0, 1, 30)[:, None]
KINDS = np.repeat(["low", "middle", "high"], 10)


def first_waiting(s):
    for x in range(s.n_samples):
        groups = [g for g in range(len(s.groups)) if g not in s.differs(x)]
        if x not in s.group_of and groups:
            return Question(x, tuple(s.exemplar(g, x) for g in groups[: s.row]), "first")
    return None


def test_it_chooses_every_question_until_nothing_is_left(tmp_path):
    asked = []
    journal = tmp_path / "a.ask"
    with Questions(X, n_clusters=3, journal=journal, strategy=first_waiting) as q:
        while ask := q.next():
            asked.append((ask.sample, ask.why))
            q.answer(ask.id, **ask.reply(KINDS))
        labels = q.labels()
    samples = [sample for sample, why in asked if why == "first"]
    assert samples == sorted(samples)
    assert len(asked) == len(samples) == 29
    assert len(set(zip(labels.tolist(), KINDS.tolist(), strict=True))) == 3
    with Questions(X, n_clusters=3, journal=journal, strategy=first_waiting) as q:
        assert q.next() is None


def test_a_journal_of_another_strategy_is_refused(tmp_path):
    with Questions(X, n_clusters=3, journal=tmp_path / "a.ask", strategy=first_waiting) as q:
        q.answer(q.next().id, none=True)
    with pytest.raises(InputError, match="first_waiting"):
        Questions(X, n_clusters=3, journal=tmp_path / "a.ask")


@pytest.mark.parametrize("chosen", [(3, ()), (3, (3,)), (3, (4, 4)), (99, (0,)), (0, (-1,))])
def test_what_cannot_be_asked_is_refused(chosen):
    with (
        Questions(X, n_clusters=3, strategy=lambda s: Question(*chosen, "")) as q,
        pytest.raises(ValueError, match=r"one sample beside|is no row"),
    ):
        q.next()


def test_a_strategy_has_to_be_callable():
    with pytest.raises(TypeError, match="takes a Situation"):
        Questions(X, strategy="hearts and borders")
