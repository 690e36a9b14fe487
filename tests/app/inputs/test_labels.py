"""Labels files: the classes of some rows."""

import numpy as np
import pytest

from samekind.app.inputs import InputError, Samples, read_labels

NUMBERED = Samples(np.zeros((4, 1)), source="data.npy")
NAMED = Samples(np.zeros((3, 1)), ids=("10", "bee", "cat"), source="data.csv")


def write(folder, text):
    (folder / "labels.csv").write_bytes(text.encode())
    return folder / "labels.csv"


def test_rows_by_number(tmp_path):
    labels = read_labels(write(tmp_path, "row,label\n3,red\n0, blue\n1,\n"), NUMBERED)
    assert labels.names == ("blue", "red")
    assert labels.y.tolist() == [0, -1, -1, 1]
    assert labels.y.dtype == np.int64


def test_rows_by_id(tmp_path):
    labels = read_labels(write(tmp_path, "label,more,row\nx,1,10\ny,2, cat\n"), NAMED)
    assert labels.y.tolist() == [0, -1, 1]


def test_the_order_of_the_lines_does_not_matter(tmp_path):
    lines = ["3,red\n", "0,blue\n", "2,red\n"]
    one = read_labels(write(tmp_path, "row,label\n" + "".join(lines)), NUMBERED)
    two = read_labels(write(tmp_path, "row,label\n" + "".join(lines[::-1])), NUMBERED)
    assert one.names == two.names
    np.testing.assert_array_equal(one.y, two.y)


def test_the_same_statement_twice_is_fine(tmp_path):
    labels = read_labels(write(tmp_path, "row,label\n1,a\n1,a\n1,\n"), NUMBERED)
    assert labels.y.tolist() == [-1, 0, -1, -1]


def test_blank_lines_are_skipped_and_still_counted(tmp_path):
    text = "\n \nrow,label\n\n3,red\n   \n,\n0,blue\n\n"
    labels = read_labels(write(tmp_path, text), NUMBERED)
    assert labels.y.tolist() == [0, -1, -1, 1]
    with pytest.raises(InputError, match=r"labels\.csv: line 10: .*no row '9'"):
        read_labels(write(tmp_path, text + "9,red\n"), NUMBERED)


BAD = [
    (NUMBERED, "row,label\n0,a\n1,b\n0,b\n", 4, "row 0 is labeled 'b' here and 'a' in line 2"),
    (NAMED, "row,label\nbee,a\nbee,b\n", 3, "bee is labeled 'b' here and 'a' in line 2; keep"),
    (NUMBERED, "row,label\n4,a\n", 2, "no row '4' in data.npy, expected 0 to 3; count rows from 0"),
    (NUMBERED, "row,label\n0,a\n-1,a\n", 3, "no row '-1'"),
    (NUMBERED, "row,label\n1.0,a\n", 2, "no row '1.0'"),
    (NUMBERED, "row,label\n²,a\n", 2, "no row '²'"),
    (NUMBERED, "row,label\n,a\n", 2, "no row ''"),
    (NAMED, "row,label\nbe,a\n", 2, "no row has the id 'be'; did you mean 'bee'?"),
    (NAMED, "row,label\nzzz,a\n", 2, "no row has the id 'zzz'; use the ids of data.csv"),
    (NAMED, "row,label\n0,a\n", 2, "no row has the id '0'"),
    (NUMBERED, "row,label\n0,-1\n", 2, "'-1' may mean a class or 'unknown'; leave it blank"),
    (NUMBERED, "id,label\n0,a\n", 1, "columns are 'id', 'label', expected 'row' and 'label'; name"),
    (NUMBERED, "row,row,label\n0,1,a\n", 1, "columns 1 and 2 are both named 'row'"),
    (NUMBERED, "row,label\n0\n", 2, "the line has 1 cell, expected 2"),
    (NUMBERED, "row,label\n0,\n", None, "no row has a label; label at least one"),
    (NUMBERED, "row,label\n", None, "no row has a label"),
    (NUMBERED, "", None, "the file is empty"),
]


@pytest.mark.parametrize(("samples", "text", "line", "reason"), BAD)
def test_a_bad_file_names_line_and_reason(tmp_path, samples, text, line, reason):
    place = "" if line is None else f"line {line}: "
    with pytest.raises(InputError, match=rf"labels\.csv: {place}.*{reason}") as caught:
        read_labels(write(tmp_path, text), samples)
    assert caught.value.line == line


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv: it cannot be read .No such file.*; check"):
        read_labels(tmp_path / "none.csv", NUMBERED)
