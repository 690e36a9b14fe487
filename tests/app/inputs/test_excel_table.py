"""Excel: values with types, rows as Excel numbers them."""

import datetime

import numpy as np
import openpyxl
import pytest

from samekind.app.inputs import InputError, read_samples

DAYS = [datetime.datetime(2024, 1, day) for day in (1, 2, 3, 8)]


def write(folder, rows, name="data.xlsx", more=()):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for title in more:
        book.create_sheet(title)
    book.save(folder / name)
    return folder / name


def test_a_sheet_is_read(tmp_path):
    rows = [("name", "size", "day", "kind", "flag")]
    rows += [(f"n{i}", i * 1.5, DAYS[i], "ab"[i % 2], i > 1) for i in range(4)]
    samples = read_samples(write(tmp_path, rows, more=["Notes"]), id_column="name")
    assert samples.ids == ("n0", "n1", "n2", "n3")
    assert samples.feature_names == ("size", "day", "kind: b", "flag: true")
    np.testing.assert_allclose(samples.X[:, 0], np.array([-3, -1, 1, 3]) / np.sqrt(5))
    assert samples.notes[0] == "Sheet 'Sheet' was read, and not 'Notes'."
    assert samples.table["day"].tolist() == DAYS


def test_empty_rows_and_columns_around_are_left_out(tmp_path):
    rows = [(None,), ("a", "b", None), (1, 2, None), (None, None), (3, None, None), (4, 7, "  ")]
    samples = read_samples(write(tmp_path, rows))
    assert samples.X[:, :2].tolist() == [[1, 2], [3, 4.5], [4, 7]]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "the workbook is empty"),
        ([("a", "b")], "it holds no rows"),
        ([("a", None), (1, 2), (3, 4)], "column 2 has no name"),
        (
            [("a", "b"), (1, 2), (3, "#DIV/0!"), (5, 6)],
            r"column 'b' holds numbers, and the text '#DIV/0!' in row 3",
        ),
    ],
)
def test_a_bad_sheet_is_refused(tmp_path, rows, reason):
    with pytest.raises(InputError, match=rf"data\.xlsx: .*{reason}"):
        read_samples(write(tmp_path, rows))


def test_what_is_no_workbook_is_refused(tmp_path):
    (tmp_path / "data.xlsx").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"cannot be read as an xlsx file .*save or copy"):
        read_samples(tmp_path / "data.xlsx")


def test_a_title_and_a_sheet_of_remarks_are_left_out(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Info"
    for remark in ("Export of May", "by the shop", "in EUR"):
        book.active.append((remark,))
    sheet = book.create_sheet("Sales")
    for row in [("Sales of 2024",), (), ("name", "a", "b"), ("ann", 1, 2), ("bob", 3, 5)]:
        sheet.append(row)
    book.save(tmp_path / "data.xlsx")
    samples = read_samples(tmp_path / "data.xlsx", id_column="name")
    assert samples.X.tolist() == [[1, 2], [3, 5]]
    assert samples.notes == (
        "Sheet 'Sales' was read, and not 'Info'.",
        "Above the names of the columns, rows 1 to 2 were left out: 'Sales of 2024'.",
    )


def test_a_sheet_of_one_column_is_read_where_there_is_no_table(tmp_path):
    samples = read_samples(write(tmp_path, [("a",), (1,), (3,)], more=["Notes"]))
    assert samples.X.tolist() == [[1], [3]]
