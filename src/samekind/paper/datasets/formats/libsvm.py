"""Libsvm: one line of text per sample, its class and then index:value; often as bz2."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_svmlight_file

from samekind._typing import FloatArray
from samekind.app.inputs.errors import reading
from samekind.paper.datasets.formats.bounds import refuse_larger, unpacked
from samekind.paper.datasets.records import Arrays


def read_libsvm(paths: Sequence[Path]) -> Arrays:
    """Read the files and put their samples one below the other."""
    parts = [_read(path) for path in paths]
    width = max(X.shape[1] for X, _ in parts)  # the last values of all rows may be zero, unwritten
    n = sum(X.shape[0] for X, _ in parts)
    with reading(paths[0], "a libsvm file"):
        refuse_larger(8 * n * width, f"its {n} rows of {width} values take")
    X = np.zeros((n, width))
    start = 0
    for rows, _ in parts:
        X[start : start + rows.shape[0], : rows.shape[1]] = rows.toarray()
        start += rows.shape[0]
    return Arrays(X, np.concatenate([y for _, y in parts]))


def _read(path: Path) -> tuple[Any, FloatArray]:
    with reading(path, "a libsvm file"):
        X, y = load_svmlight_file(BytesIO(unpacked(path)), zero_based=False)
        if not len(y):
            raise ValueError("it holds no line")
        return X, y
