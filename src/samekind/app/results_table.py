"""The columns of labels.csv, the same wherever labels are written: alone, or beside a table."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from samekind._csv import guarded
from samekind._typing import FloatArray, IntArray

COLUMNS = ("row", "cluster", "name", "confidence", "runner_up")


def label_columns(
    rows: Iterable[object],
    labels: IntArray,
    names: Sequence[str] | None = None,
    probabilities: FloatArray | None = None,
) -> dict[str, list[object]]:
    """The cells of labels.csv, column by column.

    Parameters
    ----------
    rows : iterable
        Id or number of each row.
    labels : ndarray of shape (n_rows,)
        Cluster of each row, a number from 0.
    names : sequence of str, optional
        What the clusters are called; blank cells without.
    probabilities : ndarray of shape (n_rows, n_clusters), optional
        Confidence and runner-up come from these, and are blank without. The runner-up is named as
        in ``name``, or numbered as in ``cluster`` where there are no names; blank if no other
        cluster has any probability.

    Examples
    --------
    >>> label_columns("ab", np.array([1, 0]), None, np.array([[0.4, 0.6], [1.0, 0.0]]))["runner_up"]
    ['0', '']
    """
    labels = np.asarray(labels)
    blank: list[object] = [""] * len(labels)
    called = [] if names is None else [str(name) for name in names]
    cells: dict[str, list[object]] = {
        "row": list(rows),
        "cluster": labels.tolist(),
        "name": blank if names is None else [called[label] for label in labels],
        "confidence": blank,
        "runner_up": blank,
    }
    if probabilities is not None:
        share, second = confidence(probabilities, labels)
        shown = called or [str(number) for number in range(probabilities.shape[1])]
        cells["confidence"] = [f"{value:.4f}" for value in share]
        cells["runner_up"] = ["" if i < 0 else shown[i] for i in second]
    return cells


def confidence(probabilities: FloatArray, labels: IntArray) -> tuple[FloatArray, IntArray]:
    """The probability of each row's cluster, and the next most probable one, -1 if there is none.

    Examples
    --------
    >>> confidence(np.array([[0.4, 0.6], [1.0, 0.0]]), np.array([1, 0]))
    (array([0.6, 1. ]), array([ 0, -1]))
    """
    rows = np.arange(len(probabilities))
    others = probabilities.copy()
    others[rows, labels] = 0.0
    second = np.where(others.max(axis=1, initial=0.0) > 0, others.argmax(axis=1), -1)
    return probabilities[rows, labels], second


def write_csv(file: TextIO, columns: Mapping[str, Sequence[object]]) -> None:
    """Write columns as csv, with cells that no spreadsheet takes for formulas."""
    writer = csv.writer(file)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(map(guarded, row))


def labeled_name(source: str) -> str:
    """The file that a table with its labels is written to.

    Examples
    --------
    >>> labeled_name("customers.csv.gz"), labeled_name("v1.2.xlsx")
    ('customers-labeled.csv', 'v1.2-labeled.csv')
    """
    name = "stdin" if source == "standard input" else source.removesuffix(".gz")
    return f"{Path(name).stem}-labeled.csv"


def write_labeled(path: Path, table: Any, columns: Mapping[str, Sequence[object]]) -> None:
    """Write a table with the cells that it had, and the columns of labels beside them.

    Only cells that are added are made harmless for spreadsheets: those of the table are the
    user's. A column whose name the table has already is called samekind_NAME.

    Parameters
    ----------
    path : path
    table : DataFrame
        ``table.attrs`` may say what stands between the columns ("separator") and in numbers
        ("decimal"), and how its text is written ("encoding"), so that a spreadsheet reads the file
        as it reads the table.
    columns : mapping
        What `label_columns` gives.
    """
    names = [str(name) for name in table.columns]
    for name in columns:
        names.append(_free(name, names))
    cells: list[Sequence[object]] = [_texts(table[name]) for name in table.columns]
    added = {name: list(map(guarded, column)) for name, column in columns.items()}
    if table.attrs.get("decimal") == ",":
        added["confidence"] = [cell.replace(".", ",") for cell in added["confidence"]]
    cells += added.values()
    # Without a mark, Excel would take UTF-8 for what older Windows programs write.
    marked = table.attrs.get("encoding") in ("utf-8-sig", "cp1252")
    with path.open("w", newline="", encoding="utf-8-sig" if marked else "utf-8") as file:
        writer = csv.writer(file, delimiter=table.attrs.get("separator", ","))
        writer.writerow(names)
        writer.writerows(zip(*cells, strict=True))


def _free(name: str, taken: Sequence[str]) -> str:
    """The name, or one like it that the table does not have."""
    tried = (name, f"samekind_{name}", *(f"samekind_{name}_{i}" for i in range(2, len(taken) + 3)))
    return next(one for one in tried if one not in taken)


def _texts(column: Any) -> list[object]:
    """Cells for a csv file, blank where there is no value."""
    cells = column.astype(object).where(column.notna(), "").tolist()
    return [cell if isinstance(cell, str) else _shown(cell) for cell in cells]


def _shown(cell: object) -> object:
    """A value as a spreadsheet shows it: days without a time of day."""
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date()
    return cell
