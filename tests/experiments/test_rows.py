import json

import pytest

from samekind.experiments.rows import FILE, append_row, key_of, mend, read_rows


def test_rows_come_back_in_order(tmp_path):
    for number in range(3):
        append_row(tmp_path / "new", {"number": number, "nested": {"b": 1, "a": None}})
    read = read_rows(tmp_path / "new")
    assert [row["number"] for row in read.rows] == [0, 1, 2]
    assert not read.notes


def test_a_folder_without_rows_is_empty(tmp_path):
    assert read_rows(tmp_path).rows == ()


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_torn_last_line_is_dropped_and_reported(tmp_path, cut):
    for number in range(2):
        append_row(tmp_path, {"number": number, "text": "a line that is long enough"})
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-cut])
    torn = read_rows(tmp_path)
    if cut == 1:  # only the line break is missing: the row is whole
        assert len(torn.rows) == 2
        return
    assert [row["number"] for row in torn.rows] == [0]
    assert "torn" in torn.notes[0]
    mend(tmp_path)
    append_row(tmp_path, {"number": 7})
    assert [row["number"] for row in read_rows(tmp_path).rows] == [0, 7]


def test_a_torn_line_amid_others_is_an_error(tmp_path):
    (tmp_path / FILE).write_text('{"a": 1}\n{"a": \n{"a": 3}\n')
    with pytest.raises(ValueError, match=r"line 2 of .* is no row"):
        read_rows(tmp_path)


def test_the_key_does_not_depend_on_the_order_of_names():
    rows = [{"setting": {"a": 1, "b": 2}}, json.loads('{"setting": {"b": 2, "a": 1}}')]
    assert len({key_of(row, ["setting"]) for row in rows}) == 1
