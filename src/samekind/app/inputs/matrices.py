"""Matrices: one array of a file becomes X, dense or sparse, or is refused with a reason."""

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from samekind.app.inputs.errors import InputError, reading, require_memory
from samekind.app.inputs.samples import require_rows

NUMERIC = "fiub"  # dtype kinds: floats, integers, unsigned integers, booleans
AT_ONCE = 10**7  # numbers that are looked at together
SUMS = 4  # of columns, such as means, that a method keeps of a sparse matrix

_REFUSED = {
    "O": (
        "Python objects, which are not read because loading them can run foreign code",
        "save plain numbers: np.asarray(X, dtype=float)",
    ),
    "c": ("complex numbers", "save their real parts or their magnitudes"),
    "U": ("text", "save numbers, and text as row ids or labels only"),
    "S": ("text", "save numbers, and text as row ids or labels only"),
    "V": ("records with named fields", "save the numbers as one plain array"),
}


def check_numeric(path: str | PathLike[str], name: str, dtype: np.dtype[Any]) -> None:
    """Refuse an array that does not hold real numbers."""
    if dtype.kind not in NUMERIC:
        what, remedy = _REFUSED.get(dtype.kind, (f"values of type {dtype}", "save plain numbers"))
        raise InputError(path, f"{name} holds {what}", remedy)


def dense_matrix(
    path: str | PathLike[str], name: str, array: NDArray[Any]
) -> tuple[NDArray[Any], tuple[int, int] | None]:
    """X and the shape of its pictures, if the array is a stack (n, height, width) of them."""
    check_numeric(path, name, array.dtype)
    if array.ndim not in (2, 3):
        shape = _sizes(array) or "a single number"
        raise InputError(
            path,
            f"{name} is {array.ndim}-dimensional ({shape}), expected rows x columns, or "
            "pictures x height x width",
            "save one row per sample: X.reshape(len(X), -1)",
        )
    require_rows(path, len(array))
    if not array.size:
        raise InputError(path, f"{name} has rows without numbers", "save at least one column")
    with np.errstate(over="ignore"):  # a long double too large for us: reported below
        X = np.ascontiguousarray(array.reshape(len(array), -1), dtype=_float_type(array.dtype))
    step = max(1, AT_ONCE // X.shape[1])
    for start in range(0, len(X), step):  # X may be on the disk, and larger than memory
        rows = X[start : start + step]
        if not np.isfinite(rows).all():
            row, column = np.argwhere(~np.isfinite(rows))[0]
            inside = np.unravel_index(column, array.shape[1:])
            raise _not_finite(path, name, (start + row, *inside), rows[row, column])
    return X, (array.shape[1], array.shape[2]) if array.ndim == 3 else None


def sparse_matrix(path: str | PathLike[str], name: str, matrix: Any) -> csr_array:
    """X from a two-dimensional sparse matrix of any format."""
    check_numeric(path, name, matrix.dtype)
    require_rows(path, matrix.shape[0])
    if not matrix.shape[1]:
        raise InputError(path, f"{name} has rows without numbers", "save at least one column")
    needed = SUMS * 8 * matrix.shape[1] + 16 * matrix.nnz  # and another copy
    require_memory(path, needed, f"{name}, {_sizes(matrix)},")
    with reading(path, "a sparse matrix"):
        if hasattr(matrix, "check_format"):  # before compiled code follows its indices
            matrix.check_format(full_check=True)
        X = csr_array(matrix.astype(_float_type(matrix.dtype)))
        X.sum_duplicates()
    bad = np.flatnonzero(~np.isfinite(X.data))
    if len(bad):
        row = int(np.searchsorted(X.indptr, bad[0], side="right")) - 1
        raise _not_finite(path, name, (row, X.indices[bad[0]]), X.data[bad[0]])
    return X


def _sizes(array: Any) -> str:
    return " x ".join(map(str, array.shape))


def _float_type(dtype: np.dtype[Any]) -> type[np.float32] | type[np.float64]:
    single = dtype.kind == "f" and dtype.itemsize == 4  # in either byte order
    return np.float32 if single else np.float64


def _not_finite(path: str | PathLike[str], name: str, where: Any, value: Any) -> InputError:
    place = ", ".join(str(int(i)) for i in where)
    return InputError(
        path,
        f"the entry [{place}] of {name}, counted from 0, is {value}, expected a finite number",
        "fill in a value or remove the row",
    )
