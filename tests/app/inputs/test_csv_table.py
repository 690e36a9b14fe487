"""Csv: every way in which a table of text can be wrong names its line."""

import gzip

import numpy as np
import pytest

from samekind.app.inputs import InputError, read_samples


def write(folder, text, name="data.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_table_with_ids_and_labels_is_read(tmp_path):
    path = write(tmp_path, "a, name,kind,b\n1, ant ,x,2.5\n-3e2,bee,y, 4\n")
    samples = read_samples(path, id_column="name", truth_column="kind")
    np.testing.assert_array_equal(samples.X, [[1, 2.5], [-300, 4]])
    assert samples.X.dtype == np.float64
    assert samples.X.flags.c_contiguous
    assert samples.ids == ("ant", "bee")
    assert samples.feature_names == ("a", "b")
    assert samples.truth.tolist() == ["x", "y"]
    assert samples.image_shape is None
    assert samples.source == "data.csv"
    assert samples.notes == ()
    assert samples.name_of(1) == "bee"


def test_rows_without_ids_are_counted_from_zero(tmp_path):
    samples = read_samples(write(tmp_path, "a\n1\n2\n"))
    assert samples.ids is None
    assert samples.truth is None
    assert samples.name_of(0) == "row 0"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data.tsv", b"a\tb\n1\t2\n3\t4\n"),
        ("DATA.CSV", b"a,b\n1,2\n3,4\n"),
        ("data.csv.gz", gzip.compress(b"a,b\n1,2\n3,4\n", mtime=0)),
        ("data.tsv.gz", gzip.compress(b"a\tb\n1\t2\n3\t4\n", mtime=0)),
        ("windows.csv", b"\xef\xbb\xbfa,b\r\n1,2\r\n3,4\r\n"),
        ("quoted.csv", b'"a","b"\n"1","2"\n"3","4"\n'),
        ("empty_lines_at_the_end.csv", b"a,b\n1,2\n3,4\n\n\n"),
    ],
)
def test_spellings_of_the_same_table_agree(tmp_path, name, text):
    samples = read_samples(write(tmp_path, text, name))
    np.testing.assert_array_equal(samples.X, [[1, 2], [3, 4]])
    assert samples.feature_names == ("a", "b")
    assert samples.notes == ()


def test_large_numbers_whose_sum_overflows_are_read(tmp_path):
    samples = read_samples(write(tmp_path, "a,b\n1e308,1e308\n1,2\n"))
    assert samples.X[0].tolist() == [1e308, 1e308]


def test_every_double_survives(tmp_path):
    X = np.random.default_rng(0).standard_normal((50, 4)) * 10.0 ** np.arange(-200, 200, 100)
    rows = "".join(",".join(map(repr, row)) + "\n" for row in X.tolist())
    np.testing.assert_array_equal(read_samples(write(tmp_path, "a,b,c,d\n" + rows)).X, X)


def test_an_open_last_line_is_noted(tmp_path):
    samples = read_samples(write(tmp_path, "a,b\n1,2\n3,4"))
    assert samples.X.shape == (2, 2)
    assert "does not end with a line break" in samples.notes[0]


BAD_CELLS = [
    ("red", "holds the text 'red', expected a number"),
    ("1_000", "holds the text '1_000'"),
    ("1.2.3", "holds the text '1.2.3'"),
    ("x" * 60, "holds the text 'x{37}\\.\\.\\.'"),
    ("", "column 'b' is empty"),
    ("  ", "column 'b' is empty"),
    ("nan", "holds 'nan', which is no finite number"),
    ("NA", "holds 'NA', which is no finite number"),
    ("-inf", "holds '-inf', which is no finite number"),
    ("1e999", "holds '1e999', which is no finite number"),
]


@pytest.mark.parametrize(("cell", "reason"), BAD_CELLS)
def test_a_bad_cell_names_line_and_column(tmp_path, cell, reason):
    path = write(tmp_path, f'a,b,c\n1,2,3\n"4",{cell},6\n7,8,9\n')
    with pytest.raises(InputError, match=rf"data\.csv: line 3: .*{reason}.*; \w+") as caught:
        read_samples(path)
    assert caught.value.line == 3
    assert caught.value.path == str(path)
    assert "column 'b'" in str(caught.value)


def test_text_suggests_id_or_label(tmp_path):
    path = write(tmp_path, "a,name\n1,ant\n2,bee\n")
    with pytest.raises(
        InputError, match=r"line 2: .*--id 'name', --truth 'name' or --labels 'name'"
    ):
        read_samples(path)


def test_lines_are_counted_through_quoted_line_breaks(tmp_path):
    path = write(tmp_path, 'name,b\n"two\nlines",1\nbee,red\n')
    with pytest.raises(InputError, match=r"line 4: .*'red'"):
        read_samples(path, id_column="name")


BAD_FILES = [
    ("", None, "the file is empty; a header line"),
    ("\n\n", None, "the file is empty"),
    ("a,b\n", None, "it holds no rows; clustering needs at least 2"),
    ("a,b", None, "it holds no rows"),
    ("a,b\n1,2\n", None, "it holds only 1 row; clustering needs at least 2"),
    ("a,b\n1,2\n3\n", 3, "the line has 1 cell, expected 2 as in the header; complete"),
    ("a,b\n1,2,3\n3,4\n", 2, "the line has 3 cells, expected 2 .*quotation marks"),
    ("a,b\n1,2\n\n3,4\n", 3, "the line is empty; remove it"),
    ("a\n1\n\n2\n", 3, "the line is empty; remove it"),
    ("a,b,a\n1,2,3\n4,5,6\n", 1, "columns 1 and 3 are both named 'a'; give each"),
    (",a,b\n0,1,2\n1,3,4\n", 1, "column 1 has no name; name it.*index=False"),
    ("1,2.5\n3,4\n5,6\n", 1, "only numbers, expected the names .*such as x1,x2$"),
    ("1,2,3,4,5\n" * 3, 1, "such as x1,x2,...,x5$"),
    ("a;b\n1;2\n3;4\n", 1, "separated by semicolons, expected commas; save"),
    ("a\tb\n1\t2\n3\t4\n", 1, "separated by tabs, expected commas"),
    (b"a,b\n1,2\n\xff\xfe,4\n", 3, "the line is not UTF-8 text .*; save"),
    ("a,b\n1,2\n3,4\n".encode("utf-16"), 1, "the line is not UTF-8 text"),
    (b"a,b\n1,2\n3,4\n\0\0\0\0", 4, "the line is not UTF-8 text .a zero byte."),
    ('a,b\n1,2\n3,"4\n5,6\n', 3, "cannot be cut into cells .unexpected end.*quotation"),
    ('a,b\n1,2\n"3"x,4\n', 3, "cannot be cut into cells"),
    ("a,b\r1,2\r3,4\r", 1, "cannot be cut into cells .new-line character"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BAD_FILES)
def test_a_bad_file_names_file_line_and_reason(tmp_path, text, line, reason):
    place = "" if line is None else f"line {line}: "
    with pytest.raises(InputError, match=rf"data\.csv: {place}.*{reason}") as caught:
        read_samples(write(tmp_path, text))
    assert caught.value.line == line


BAD_COLUMNS = [
    ({"id_column": "nam"}, "no column 'nam' .--id.; there are 'name', 'kind', 'a'; .*'name'?"),
    ({"truth_column": "zzz"}, "no column 'zzz' .--truth.; .*; use one of these"),
    ({"id_column": "name", "truth_column": "name"}, "--id and --truth both name 'name'; name two"),
]


@pytest.mark.parametrize(("options", "reason"), BAD_COLUMNS)
def test_a_wrong_column_lists_those_there_are(tmp_path, options, reason):
    path = write(tmp_path, "name,kind,a\nant,x,1\nbee,y,2\n")
    with pytest.raises(InputError, match=f"data.csv: .*{reason}"):
        read_samples(path, **options)


def test_a_long_list_of_columns_is_cut(tmp_path):
    names = ",".join(f"c{i}" for i in range(20))
    with pytest.raises(InputError, match="'c11' and 8 more; did you mean"):
        read_samples(write(tmp_path, names + "\n"), id_column="c")


def test_a_table_of_ids_and_labels_alone_is_refused(tmp_path):
    path = write(tmp_path, "name,kind\nant,x\nbee,y\n")
    with pytest.raises(InputError, match="no column is left for the numbers"):
        read_samples(path, id_column="name", truth_column="kind")


def test_an_id_for_two_rows_names_both_lines(tmp_path):
    path = write(tmp_path, "name,a\nant,1\nbee,2\n ant,3\n")
    with pytest.raises(InputError, match=r"line 4: the id 'ant' .*used before, in line 2; give"):
        read_samples(path, id_column="name")


def test_a_column_of_labels_may_have_blanks(tmp_path):
    path = write(tmp_path, "a,name,kind\n1,ant,x\n2, ,x\n3,bee,y\n")
    samples = read_samples(path, truth_column="kind", labels_column="name")
    assert samples.known == ["ant", "", "bee"]
    assert samples.X.tolist() == [[1], [2], [3]]
    with pytest.raises(InputError, match=r"no column 'nam' .--labels.*did you mean 'name'"):
        read_samples(path, labels_column="nam")


@pytest.mark.parametrize("option", ["id_column", "truth_column"])
def test_a_blank_id_or_label_is_refused(tmp_path, option):
    path = write(tmp_path, "name,a\nant,1\n ,2\n")
    with pytest.raises(InputError, match="line 3: column 'name' is empty"):
        read_samples(path, **{option: "name"})


def test_true_classes_with_gaps_lead_to_labels(tmp_path):
    path = write(tmp_path, "kind,a\nant,1\n ,2\n")
    with pytest.raises(InputError, match=r"line 3: column 'kind' is empty; .*--labels 'kind'"):
        read_samples(path, truth_column="kind")


def test_the_first_bad_line_is_reported(tmp_path):
    path = write(tmp_path, "a,b\n1,2\nx,1\n3,y\n4\n")
    with pytest.raises(InputError, match="line 3: column 'a'"):
        read_samples(path)
