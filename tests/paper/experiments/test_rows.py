import json

import pytest

from samekind.paper.experiments.rows import (
    FILE,
    KEY,
    append_row,
    key_of,
    mend,
    read_missing,
    read_rows,
    write_missing,
)

ROW = dict.fromkeys(KEY, "") | {"text": "a line that is long enough"}


def numbers(folder):
    return [row["number"] for row in read_rows(folder).rows]


def test_rows_come_back_in_order(tmp_path):
    for number in range(3):
        append_row(tmp_path / "new", ROW | {"number": number, "nested": {"b": 1, "a": None}})
    assert numbers(tmp_path / "new") == [0, 1, 2]
    assert not read_rows(tmp_path / "new").notes


def test_a_folder_without_rows_is_empty(tmp_path):
    assert read_rows(tmp_path).rows == ()


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_torn_last_line_is_dropped_and_reported(tmp_path, cut):
    for number in range(2):
        append_row(tmp_path, ROW | {"number": number})
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-cut])
    kept = [0, 1] if cut == 1 else [0]  # with only the line break missing, the row is whole
    assert numbers(tmp_path) == kept
    assert ["torn" in note for note in read_rows(tmp_path).notes] == [True] * (2 - len(kept))
    mend(tmp_path)
    append_row(tmp_path, ROW | {"number": 7})
    assert numbers(tmp_path) == [*kept, 7]
    assert not read_rows(tmp_path).notes


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"a": ', "not JSON"),
        ("[1, 2]", "not a table"),
        ('{"dataset": "yale"}', "without experiment, setting, "),
    ],
)
def test_a_line_amid_others_that_is_no_row_is_an_error(tmp_path, line, why):
    row = json.dumps(ROW)
    (tmp_path / FILE).write_text(f"{row}\n{line}\n{row}\n")
    with pytest.raises(ValueError, match=rf"line 2 of .* is no row \({why}"):
        read_rows(tmp_path)


def test_the_key_does_not_depend_on_the_order_of_names():
    rows = [{"setting": {"a": 1, "b": 2}}, json.loads('{"setting": {"b": 2, "a": 1}}')]
    assert len({key_of(row, ["setting"]) for row in rows}) == 1


def test_what_was_missing_is_kept_until_nothing_is(tmp_path):
    assert read_missing(tmp_path) == {}
    write_missing(tmp_path / "new", {"orl": "not there"})
    assert read_missing(tmp_path / "new") == {"orl": "not there"}
    write_missing(tmp_path / "new", {})
    assert not list((tmp_path / "new").iterdir())


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_a_broken_list_of_missing_data_sets_is_named(tmp_path, text):
    (tmp_path / "missing.json").write_text(text)
    with pytest.raises(ValueError, match=r"missing\.json is no list of missing data sets"):
        read_missing(tmp_path)
