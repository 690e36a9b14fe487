"""The columns of labels.csv, the same wherever labels are written."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

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


def write_table(path: Path, columns: Mapping[str, Sequence[object]]) -> None:
    """Write columns as csv, with cells that no spreadsheet takes for formulas."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in zip(*columns.values(), strict=True):
            writer.writerow(map(guarded, row))
