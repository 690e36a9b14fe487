"""MATLAB: a variable of a mat file (version 4 to 7) becomes Samples."""

from functools import partial
from pathlib import Path
from typing import Any

from samekind.app.inputs.columns import Columns
from samekind.app.inputs.errors import InputError, reading
from samekind.app.inputs.mat_file import mat_reader
from samekind.app.inputs.named_arrays import Described, samples_from_arrays
from samekind.app.inputs.samples import Samples

_NUMERIC = {"double", "single", "logical", "sparse"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def read_mat(path: Path, columns: Columns) -> Samples:
    """Read the variable X or fea, or the only one that can be X."""
    _refuse_hdf5(path)
    with mat_reader() as reader:
        described = {
            name: Described(shape, kind in _NUMERIC) for name, shape, kind in reader.variables(path)
        }
        return samples_from_arrays(
            path,
            described,
            partial(_load, reader, path),
            preferred=("X", "fea"),
            columns=columns,
        )


def _refuse_hdf5(path: Path) -> None:
    with reading(path, "a MATLAB file"), path.open("rb") as file:
        start = file.read(16)
    if start.startswith((b"MATLAB 7.3", b"\x89HDF")):
        raise InputError(
            path,
            "it is a MATLAB file of version 7.3 (HDF5), which is not read",
            "save it in MATLAB with: save(file, 'X', '-v7')",
        )


def _load(reader: Any, path: Path, name: str) -> Any:
    array = reader.load(path, name)
    if isinstance(array, list):
        raise InputError(
            path,
            f"variable '{name}' is a cell array, expected a matrix or a vector",
            "turn it into numbers first: cell2mat for numbers, grp2idx for names of classes",
        )
    if array.ndim == 3:
        # MATLAB puts the samples last, NumPy first; a wrong guess would go unnoticed.
        raise InputError(
            path,
            f"variable '{name}' has 3 dimensions, and which of them counts the samples is open",
            "save one row per sample, in MATLAB: X = reshape(X, [], size(X, 3))'",
        )
    return array
