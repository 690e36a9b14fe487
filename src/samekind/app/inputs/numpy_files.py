"""NumPy's own files: npy, npz, and npz written by scipy.sparse.save_npz.

An array is described by its header first. Its type, its shape and the number of bytes
that have to follow are checked before any memory is asked for.
"""

import math
import zipfile
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray
from scipy import sparse

from samekind.app.inputs.columns import Columns
from samekind.app.inputs.errors import InputError, reading, require_memory
from samekind.app.inputs.matrices import NUMERIC, SUMS, check_numeric, dense_matrix
from samekind.app.inputs.named_arrays import Described, samples_from_arrays
from samekind.app.inputs.samples import Samples

_HEADER_READERS = {
    (1, 0): npy_format.read_array_header_1_0,
    (2, 0): npy_format.read_array_header_2_0,
}
_SPARSE_PARTS = {"format", "shape", "data"}  # save_npz writes these for every format
_COMPRESSED = ("indices", "indptr")
_PARTS = {  # and these beside them
    "csr": _COMPRESSED,
    "csc": _COMPRESSED,
    "bsr": _COMPRESSED,
    "coo": ("row", "col"),
    "dia": ("offsets",),
}


def read_npy(path: Path, columns: Columns) -> Samples:
    """Read one array: rows of numbers, or a stack of pictures."""
    remedy = "leave it out, or save the arrays together: np.savez(file, X=X, y=y)"
    columns.refuse(path, "a npy file", remedy)
    with reading(path, "a npy file"), path.open("rb") as file:
        array = _read_array(path, "the array", file, path.stat().st_size, mapped=True)
    X, image_shape = dense_matrix(path, "the array", array)
    return Samples(X=X, source=path.name, image_shape=image_shape)


def read_npz(path: Path, columns: Columns) -> Samples:
    """Read the array X of several, or the only one that can be X, or a sparse matrix."""
    with reading(path, "a npz file"), zipfile.ZipFile(path) as archive:
        described = {name: _describe(archive, name) for name in _array_names(archive)}
    pick = partial(samples_from_arrays, path, preferred=("X",), columns=columns)
    if _SPARSE_PARTS <= described.keys():
        shape, kind = _sparse_shape(path, described)
        return pick(
            {"sparse matrix": Described(shape, True)}, lambda _: _load_sparse(path, shape, kind)
        )
    return pick(described, lambda name: load_member(path, name))


def _sparse_shape(path: Path, described: dict[str, Described]) -> tuple[tuple[int, ...], str]:
    """Shape and format of a sparse matrix, whose other parts have the sizes that follow."""
    with reading(path, "a sparse matrix"):
        if described["shape"].shape != (2,) or described["format"].shape:
            raise ValueError("its shape is not that of a matrix, rows x columns")
        shape = tuple(int(size) for size in load_member(path, "shape"))
        named = load_member(path, "format").item()
        kind = named.decode() if isinstance(named, bytes) else str(named)
        if kind not in _PARTS:
            raise ValueError(f"its format is {kind!r}, expected one of {', '.join(_PARTS)}")
        sizes = {name: described[name].shape for name in ("data", *_PARTS[kind])}
        n_major = shape[1] if kind == "csc" else shape[0]
        if (
            kind != "dia"
            and len({size[:1] for name, size in sizes.items() if name != "indptr"}) > 1
        ):
            raise ValueError(f"its parts have different sizes: {sizes}")
        if kind in ("csr", "csc") and sizes["indptr"] != (n_major + 1,):
            raise ValueError(f"indptr has the shape {sizes['indptr']} for {n_major} rows")
    n_numbers = sum(map(math.prod, sizes.values()))
    what = f"a sparse matrix, {' x '.join(map(str, shape))} with {n_numbers} numbers in the file,"
    require_memory(path, 16 * n_numbers + SUMS * 8 * shape[-1], what)
    return shape, kind


def _load_sparse(path: Path, shape: tuple[int, ...], kind: str) -> Any:
    data, *others = (load_member(path, name) for name in ("data", *_PARTS[kind]))
    with reading(path, "a sparse matrix"):
        parts: Any = (data, tuple(others)) if kind == "coo" else (data, *others)
        return getattr(sparse, f"{kind}_array")(parts, shape=shape)


def _array_names(archive: zipfile.ZipFile) -> list[str]:
    return [name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")]


def _describe(archive: zipfile.ZipFile, name: str) -> Described:
    with archive.open(name + ".npy") as member:
        shape, dtype = _read_header(member)
    return Described(shape, dtype.kind in NUMERIC)


def load_member(path: Path, name: str) -> NDArray[Any]:
    """One array of a npz file, whose header has to announce what the file holds."""
    with (
        reading(path, "a npz file"),
        zipfile.ZipFile(path) as archive,
        archive.open(name + ".npy") as member,
    ):
        size = archive.getinfo(name + ".npy").file_size
        return _read_array(path, f"array '{name}'", member, size)


def _read_header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    version = npy_format.read_magic(file)
    if version not in _HEADER_READERS:
        raise ValueError(f"format version {version}, expected 1.0 or 2.0")
    shape, _, dtype = _HEADER_READERS[version](file)
    return shape, dtype


def _read_array(
    path: Path, name: str, file: IO[bytes], size: int, *, mapped: bool = False
) -> NDArray[Any]:
    """An array after its header is checked; from the disk as needed if `mapped` and it can be."""
    shape, dtype = _read_header(file)
    if dtype.kind not in "US":  # text may name rows
        check_numeric(path, name, dtype)
    expected, found = math.prod(shape) * dtype.itemsize, size - file.tell()
    if expected != found:
        raise InputError(
            path,
            f"{name} should take {expected} bytes, and {found} are there",
            "it seems half-written: save or copy it again",
        )
    if mapped and dtype in (np.float32, np.float64) and expected:
        return np.load(path, mmap_mode="r", allow_pickle=False)  # type: ignore[no-any-return]
    # The array, and its numbers as float64.
    require_memory(path, expected + 8 * math.prod(shape), name)
    file.seek(0)
    array: NDArray[Any] = npy_format.read_array(file, allow_pickle=False)
    return array
