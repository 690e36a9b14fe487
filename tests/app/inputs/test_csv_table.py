"""Csv: every way in which a table of text can be wrong names its line."""

import gzip
import io

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
    ("red", "holds numbers, and the text 'red' in line 3"),
    ("1_000", "and the text '1_000' in line 3"),
    ("1.2.3", "and the text '1.2.3' in line 3"),
    ("x" * 60, "and the text 'x{37}\\.\\.\\.' in line 3"),
    ("-inf", "holds -inf in line 3, expected finite numbers"),
    ("1e999", "holds inf in line 3"),
]


@pytest.mark.parametrize(("cell", "reason"), BAD_CELLS)
def test_a_bad_cell_names_line_and_column(tmp_path, cell, reason):
    path = write(tmp_path, f'a,b,c\n1,2,3\n"4",{cell},6\n7,8,9\n')
    with pytest.raises(InputError, match=rf"data\.csv: column 'b' .*{reason}.*--drop b") as caught:
        read_samples(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize("cell", ["", "  ", "nan", "NA", "n/a", "-", "?", "NULL"])
def test_a_blank_is_filled_by_the_median(tmp_path, cell):
    samples = read_samples(write(tmp_path, f"a,b\n1,2\n4,{cell}\n7,8\n"))
    assert samples.feature_names == ("a", "b", "b is blank")
    assert samples.X.tolist() == [[1, 2, 0], [4, 5, 3], [7, 8, 0]]
    assert "blanks in 1 filled by the median" in samples.notes[0]


def test_lines_are_counted_through_quoted_line_breaks(tmp_path):
    path = write(tmp_path, 'name,b\n"two\nlines",1\nbee,2\nant,red\n')
    with pytest.raises(InputError, match=r"the text 'red' in line 5"):
        read_samples(path, id_column="name")


def test_all_bad_columns_are_named(tmp_path):
    path = write(tmp_path, "a,b,c\n1,2,1\nx,1,2\n3,y,inf\n4,5,6\n")
    with pytest.raises(InputError, match=r"3 columns .*'a' .*line 3; .*'b' .*line 4; .*'c' .*4"):
        read_samples(path)


@pytest.mark.parametrize(
    ("text", "X", "said"),
    [
        ("a;b\n1;2\n3;4\n", [[1, 2], [3, 4]], "separated by semicolons"),
        ("a\tb\n1\t2\n3\t4\n", [[1, 2], [3, 4]], "separated by tabs"),
        ("a|b\n1|2\n3|4\n", [[1, 2], [3, 4]], "separated by vertical bars"),
        ("a;b\n1,5;2\n1.250,25;4\n", [[1.5, 2], [1250.25, 4]], "decimal comma"),
        ("a;b\n1,500;2\n1,250;4\n", [[1.5, 2], [1.25, 4]], "decimal comma"),
        ('a,b\n"1,500",2\n"3,250.5",4\n', [[1500, 2], [3250.5, 4]], "thousands"),
        ('a,b\n"1,5",2\n"3,25",4\n', [[1.5, 2], [3.25, 4]], "decimal comma"),
    ],
)
def test_separators_and_decimal_commas_are_found_out(tmp_path, text, X, said):
    samples = read_samples(write(tmp_path, text))
    assert samples.X.tolist() == X
    assert any(said in note for note in samples.notes)


def test_the_table_keeps_its_cells(tmp_path):
    samples = read_samples(write(tmp_path, "a;name\n01,50; ant\n-2,25;bee \n"), id_column="name")
    assert samples.X.tolist() == [[1.5], [-2.25]]
    assert samples.table["a"].tolist() == ["01,50", "-2,25"]
    assert samples.table["name"].tolist() == [" ant", "bee "]


def test_commas_in_text_are_no_decimals(tmp_path):
    samples = read_samples(write(tmp_path, 'a,b\n"x, y",2\n"z, 1",4\n"x, y",3\n'))
    assert samples.notes[0].startswith("The columns (1 number, 1 category) became 2 features")


def test_columns_are_chosen(tmp_path):
    path = write(tmp_path, "id,a,b,c\n" + "".join(f"{i},{i * i},x,{-2 * i}\n" for i in range(30)))
    assert read_samples(path).feature_names == ("a", "c")
    assert read_samples(path, drop=["c"]).feature_names == ("a",)
    assert read_samples(path, columns=["id", "c"]).feature_names == ("id", "c")
    assert read_samples(path, columns=["id", "c"], drop=["c"]).feature_names == ("id",)
    assert list(read_samples(path, drop=["c"]).table.columns) == ["id", "a", "b", "c"]
    with pytest.raises(InputError, match=r"no column 'A' \(--columns\) and no column 'q' \(--drop"):
        read_samples(path, columns=["A"], drop=["q"])
    with pytest.raises(InputError, match=r"--columns names 'a', which .*take out"):
        read_samples(path, columns=["a"], id_column="a")


def test_a_text_decides_alone_unless_columns_are_named(tmp_path):
    rows = [f"{i},{('green tea', 'black coffee', 'black tea')[i % 3]}\n" for i in range(30)]
    path = write(tmp_path, "a,t\n" + "".join(rows))
    samples = read_samples(path, text=["t"])
    assert all(name.startswith("t: ") for name in samples.feature_names)
    both = read_samples(path, text=["t"], columns=["a"])
    assert both.feature_names == ("a", *samples.feature_names)


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a;b\n1;2\n3;5\n")))
    samples = read_samples("-")
    assert samples.X.tolist() == [[1, 2], [3, 5]]
    assert samples.source == "standard input"


def test_new_rows_are_read_as_the_old_ones(tmp_path):
    old = read_samples(write(tmp_path, "a,b\n1,x\n3,y\n5,x\n"))
    with pytest.warns(UserWarning, match="another order"):
        new = read_samples(write(tmp_path, "b;a\ny;3,0\n"), encoder=old.encoder)
    assert (new.X == old.X[1]).all()


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
    (",a,b\nx,1,2\ny,3,4\n", 1, "column 1 has no name; name it.*index=False"),
    (",a,b\n7,1,2\n7,3,4\n", 1, "column 1 has no name; name it.*index=False"),
    ("a,,b\n7,1,2\n8,3,4\n", 1, "column 2 has no name"),
    ("1,2.5\n3,4\n5,6\n", 1, "only numbers, expected the names .*such as x1,x2$"),
    ("1,2,3,4,5\n" * 3, 1, "such as x1,x2,...,x5$"),
    ("ann,0.2,0.2\nbob,1,2\neve,3,4\n", 1, "a number twice, .*such as x1,x2,x3$"),
    ("Sales of 2024\na;b\n1;2,5\n3;4,5\n", 3, "2 cells, expected 1 .*: remove a title above"),
    (b"a,b\n1,2\n\x81,4\n", 3, "the line is not UTF-8 text .*; save"),
    (b"a,\xc3\xa9\n1,2\n\xe9,4\n", 3, "the line is not UTF-8 text .*; save"),
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
    with pytest.raises(InputError, match="no column is left for the features"):
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


def test_progress_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr("samekind.app.inputs.csv_table.LINES_AT_ONCE", 10)
    path = write(tmp_path, "a,b\n" + "".join(f"{i * i},{i}.5\n" for i in range(45)))
    seen = []
    read_samples(path, on_progress=lambda done, total: seen.append(done / total))
    assert len(seen) == 4
    assert seen == sorted(seen)
    assert 0.1 < seen[0] < seen[3] <= 1


@pytest.mark.parametrize(
    ("cells", "values", "said"),
    [
        (["1.250,50 €", "3,00 €", "-7 €"], [1250.5, 3, -7], "€ in 'b'"),
        (["$1,250.50", "-$3.00", "$7"], [1250.5, -3, 7], "$ in 'b'"),
        (["CHF 1'250.50", "CHF 3.00", "CHF 7"], [1250.5, 3, 7], "CHF in 'b'"),
        (["1\u202f250,50\u00a0€", "3,00\u00a0€", "7\u00a0€"], [1250.5, 3, 7], "€ in 'b'"),
        (["12,5 %", "3 %", "7%"], [12.5, 3, 7], "% in 'b'"),
        (["12kg", "3 kg", "7"], [12, 3, 7], "kg in 'b'"),
        (["1.062.500", "12.250", "7"], [1062500, 12250, 7], "1.500 as 1500"),
        (["1 062 500", "12 250", "7"], [1062500, 12250, 7], ""),
    ],
)
def test_amounts_are_numbers(tmp_path, cells, values, said):
    path = write(tmp_path, "a;b\n" + "".join(f"{i};{cell}\n" for i, cell in enumerate(cells)))
    samples = read_samples(path)
    assert samples.X[:, 1].tolist() == values
    assert said in " ".join(samples.notes)
    assert samples.table["b"].tolist() == cells


@pytest.mark.parametrize("cells", ["12 kg|500 g|3 kg", "1001A|1002A|1003A", "K1|K2|K3"])
def test_what_only_begins_or_ends_with_a_number_is_text(tmp_path, cells):
    path = write(tmp_path, "a;b\n" + "".join(f"{i};{x}\n" for i, x in enumerate(cells.split("|"))))
    assert read_samples(path).feature_names == ("a",)


def test_names_of_rows_and_classes_keep_their_units(tmp_path):
    path = write(tmp_path, "a;size;weight\n1;5 m;1.500 kg\n2;6 m;\n3;7 m;2.500 kg\n")
    samples = read_samples(path, id_column="size", labels_column="weight")
    assert samples.ids == ("5 m", "6 m", "7 m")
    assert samples.known == ["1.500 kg", "", "2.500 kg"]


def test_categories_of_new_rows_keep_their_units(tmp_path):
    old = read_samples(write(tmp_path, "a,b\n1,12 kg\n3,500 g\n5,12 kg\n"))
    new = read_samples(write(tmp_path, "a,b\n1,12 kg\n"), encoder=old.encoder)
    assert (new.X == old.X[0]).all()


def test_a_table_of_older_windows_programs_is_read(tmp_path):
    text = "name;größe\nZoë;1\nJosé;2\nEve;4\n"
    samples = read_samples(write(tmp_path, text.encode("cp1252")), id_column="name")
    assert samples.ids == ("Zoë", "José", "Eve")
    assert samples.feature_names == ("größe",)
    assert samples.notes[0] == "The text was read as Windows-1252, as it is not UTF-8."


def test_a_title_above_the_names_is_left_out(tmp_path):
    path = write(tmp_path, "Sales of 2024;;\n;;\nname;a;b\nann;1;2\nbob;3;5\n;;\n;;\n")
    samples = read_samples(path, id_column="name")
    assert samples.X.tolist() == [[1, 2], [3, 5]]
    assert samples.notes[0].endswith("lines 1 to 2 were left out: 'Sales of 2024'.")
    assert "2 lines with blank cells alone left out." in samples.notes


@pytest.mark.parametrize(("header", "said"), [("ann,5.1,3", True), ("name,2024,2025", False)])
def test_a_first_line_that_may_be_a_row_is_noted(tmp_path, header, said):
    samples = read_samples(write(tmp_path, header + "\nbob,1,2\nbob,3,5\neve,3,7\n"))
    assert ("The first line was taken for names" in samples.notes[0]) == said


def test_labels_that_mean_unknown_are_unknown(tmp_path):
    path = write(tmp_path, "a,kind\n1,ant\n2,?\n3,Unknown\n4,\n5,none\n6,NA\n7,?\n")
    samples = read_samples(path, labels_column="kind")
    assert samples.known == ["ant", None, None, "", "none", None, None]
    assert "'?' in 2 rows, 'Unknown' in 1 row, 'NA' in 1 row." in samples.notes[0]


def test_an_index_of_pandas_and_columns_of_nothing_are_left_out(tmp_path):
    samples = read_samples(write(tmp_path, ",a,b,,\n7,1,2,,\n3,3,5, ,\n"))
    assert samples.X.tolist() == [[1, 2], [3, 5]]
    assert "The first column has no name" in samples.notes[0]
    assert samples.table.to_dict("list") == {"": ["7", "3"], "a": ["1", "3"], "b": ["2", "5"]}
    new = read_samples(write(tmp_path, ",a,b\n9,1,2\n"), encoder=samples.encoder)
    assert new.X.tolist() == [[1, 2]]
