"""MATLAB: a variable of a mat file (version 4 to 7) becomes Samples."""

from pathlib import Path
from typing import Any

from scipy.io import loadmat, whosmat
from scipy.sparse import issparse

from samekind.app.inputs.columns import Columns
from samekind.app.inputs.errors import InputError, reading
from samekind.app.inputs.named_arrays import Described, samples_from_arrays
from samekind.app.inputs.samples import Samples

_NUMERIC = {"double", "single", "logical", "sparse"} | {
    f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


def read_mat(path: Path, columns: Columns) -> Samples:
    """Read the variable X or fea, or the only one that can be X."""
    _refuse_hdf5(path)
    with reading(path, "a MATLAB file"):
        described = {
            name: Described(tuple(shape), kind in _NUMERIC)
            for name, shape, kind in whosmat(path, appendmat=False)
        }
    return samples_from_arrays(
        path,
        described,
        lambda name: _load(path, name),
        preferred=("X", "fea"),
        columns=columns,
    )


def _refuse_hdf5(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(16)
    if start.startswith((b"MATLAB 7.3", b"\x89HDF")):
        raise InputError(
            path,
            "it is a MATLAB file of version 7.3 (HDF5), which is not read",
            "save it in MATLAB with: save(file, 'X', '-v7')",
        )


def _load(path: Path, name: str) -> Any:
    with reading(path, "a MATLAB file"):
        array = loadmat(path, appendmat=False, variable_names=[name])[name]
    if not issparse(array) and array.dtype.kind == "O":
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
