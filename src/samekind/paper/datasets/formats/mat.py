"""MATLAB files: samples as rows beside their classes, or one cell of pictures per class."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import issparse

from samekind.app.inputs.columns import Columns
from samekind.app.inputs.errors import InputError, reading
from samekind.app.inputs.mat_file import mat_reader
from samekind.app.inputs.matlab import read_mat
from samekind.paper.datasets.records import Arrays

_LABELS = ("gnd", "Y", "y")


def read_rows(path: Path) -> Arrays:
    """Read X or fea, one row per sample, and gnd, Y or y."""
    with mat_reader() as reader:
        there = [name for name, *_ in reader.variables(path)]
        labels = [name for name in _LABELS if name in there]
        if not labels:
            names = ", ".join(_LABELS)
            reason = f"it has no classes under the names {names}, but {', '.join(there)}"
            raise InputError(path, reason, "use the file that has both")
        samples = read_mat(path, Columns(truth=labels[0]))
    X = samples.X.toarray() if issparse(samples.X) else samples.X
    return Arrays(X, np.asarray(samples.truth))


def read_one(paths: Sequence[Path]) -> Arrays:
    """Read the only file."""
    return read_rows(paths[0])


def read_cells(path: Path, name: str) -> Arrays:
    """Read a cell array that holds, for each class, its pictures (height, width, number)."""
    with mat_reader() as reader:
        there = [name for name, *_ in reader.variables(path)]
        if name not in there:
            reason = f"it has no cells under the name {name}, but {', '.join(there) or 'nothing'}"
            raise InputError(path, reason, "use the file that has them")
        cells = reader.load(path, name)
    with reading(path, "a MATLAB file"):
        # Pictures first, then row by row; MATLAB counts pictures last.
        X = [np.moveaxis(stack, 2, 0).reshape(stack.shape[2], -1) for stack in cells]
        y = np.repeat(np.arange(len(X)), [len(rows) for rows in X])
        return Arrays(np.vstack(X), y)
