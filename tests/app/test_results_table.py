"""Labels beside a table, whose cells stay as they were."""

import csv
from codecs import BOM_UTF8
from datetime import datetime

import numpy as np
import pandas as pd
import pytest

from samekind._csv import unguarded
from samekind.app.inputs import read_samples
from samekind.app.results_table import COLUMNS, label_columns, write_labeled

LABELS = np.array([0, 1, 1])
SHARES = np.array([[0.9, 0.1], [0.5, 0.5], [0.0, 1.0]])


def read(path, separator=","):
    with path.open(newline="") as file:
        return list(csv.reader(file, delimiter=separator))


def test_cells_stay_as_they_were_and_only_ours_are_made_harmless(tmp_path):
    cells = {"x": ["-1.50", "=1+1", " 7"], "note": ['say "a"', "a\nb", "-"], "row": ["", "'=", "@"]}
    columns = label_columns("abc", LABELS, ["=cat", "dog"], SHARES)
    write_labeled(tmp_path / "t", pd.DataFrame(cells, dtype="string"), columns)
    header, *rows = read(tmp_path / "t")
    assert header == ["x", "note", "row", "samekind_row", *COLUMNS[1:]]
    assert [list(column) for column in zip(*rows, strict=True)][:3] == list(cells.values())
    assert [row[5] for row in rows] == ["'=cat", "dog", "dog"]
    assert unguarded(rows[0][5]) == "=cat"
    assert [row[6:] for row in rows] == [["0.9000", "dog"], ["0.5000", "'=cat"], ["1.0000", ""]]


def test_values_that_are_no_text_are_written_as_they_are_shown(tmp_path):
    table = pd.DataFrame(
        {
            "n": [1, -2, 3],
            "f": [0.5, np.nan, -3.0],
            "d": pd.to_datetime(["2024-01-31", None, "2024-02-01"]),
        }
    )
    table.attrs["separator"] = ";"
    write_labeled(tmp_path / "t", table, label_columns(range(3), LABELS))
    rows = read(tmp_path / "t", ";")
    assert [row[:2] for row in rows[1:]] == [["1", "0.5"], ["-2", ""], ["3", "-3.0"]]
    assert [row[2] for row in rows[1:]] == ["2024-01-31", "", "2024-02-01"]
    assert [row[3:] for row in rows[1:]] == [[str(i), str(LABELS[i]), "", "", ""] for i in range(3)]


def test_cells_of_excel_stay_as_they_were(tmp_path):
    cells = {
        "n": [1, None, -3] * 7,
        "x": [0.5, -5, None] * 7,
        "d": [datetime(2024, 1, 31), None, datetime(2024, 1, 31, 6, 30)] * 7,
        "t": ["+1", "-", "a"] * 7,
    }
    pd.DataFrame(cells, dtype=object).to_excel(tmp_path / "t.xlsx", index=False)
    table = read_samples(tmp_path / "t.xlsx", drop=["t"]).table
    write_labeled(tmp_path / "t", table, label_columns(range(21), np.zeros(21, dtype=int)))
    assert [row[:4] for row in read(tmp_path / "t")[1:4]] == [
        ["1", "0.5", "2024-01-31", "+1"],
        ["", "-5", "", "-"],
        ["-3", "", "2024-01-31 06:30:00", "a"],
    ]


def test_a_parquet_file_with_blanks_among_few_numbers_is_read(tmp_path):
    frame = pd.DataFrame({"x": np.arange(12.0) ** 2, "note": [None, -5.0] * 6})
    frame.to_parquet(tmp_path / "t.parquet")
    samples = read_samples(tmp_path / "t.parquet")
    assert samples.feature_names == ("x", "note: (blank)")
    write_labeled(tmp_path / "t", samples.table, label_columns(range(12), np.zeros(12, dtype=int)))
    assert [row[1] for row in read(tmp_path / "t")[1:3]] == ["", "-5.0"]


@pytest.mark.parametrize(
    ("encoding", "first"), [("utf-8", b"na"), ("utf-8-sig", BOM_UTF8), ("cp1252", BOM_UTF8)]
)
def test_excel_finds_the_letters_as_they_were(tmp_path, encoding, first):
    (tmp_path / "t.csv").write_bytes("name,a\nZoë,1\nJosé,2\nEve,4\n".encode(encoding))
    table = read_samples(tmp_path / "t.csv", id_column="name").table
    write_labeled(tmp_path / "t", table, label_columns(range(3), LABELS))
    raw = (tmp_path / "t").read_bytes()
    assert raw.startswith(first)
    assert raw.decode("utf-8-sig").splitlines()[1].startswith("Zoë,1,")
