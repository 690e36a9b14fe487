"""NumPy's npz: arrays X and y with extras, or x_train, y_train, x_test, y_test."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from samekind.app.inputs.errors import InputError, reading
from samekind.app.inputs.numpy_files import load_member
from samekind.paper.datasets.formats.bounds import refuse_larger
from samekind.paper.datasets.records import Arrays


def read_npz(path: Path) -> Arrays:
    """Read samples and classes; training samples come before test samples."""
    with reading(path, "a npz file"), path.open("rb") as file, ZipFile(file) as archive:
        members = [one for one in archive.infolist() if one.filename.endswith(".npy")]
        refuse_larger(sum(one.file_size for one in members), "it unpacks to")
    names = [one.filename.removesuffix(".npy") for one in members]
    arrays = {name: load_member(path, name) for name in names}
    if {"x_train", "y_train", "x_test", "y_test"} <= arrays.keys():
        stacks = [arrays["x_train"], arrays["x_test"]]
        X: NDArray[Any] = np.vstack([stack.reshape(len(stack), -1) for stack in stacks])
        return Arrays(X, np.concatenate([arrays["y_train"], arrays["y_test"]]))
    if not {"X", "y"} <= arrays.keys():
        there = ", ".join(sorted(arrays)) or "none"
        raise InputError(path, f"it has no arrays X and y, but {there}", "save it with both")
    return Arrays(arrays.pop("X"), arrays.pop("y"), arrays)
