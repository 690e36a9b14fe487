"""A parquet dataset, or a folder of npy files, as a dask array that nobody has read yet."""

# mypy: allow-untyped-calls

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import delayed
from dask.utils import natural_sort_key

from samekind.app.inputs.columns import Columns, assign_roles, listed
from samekind.app.inputs.errors import InputError
from samekind.app.inputs.folder_files import find_files
from samekind.app.inputs.parquet_table import index_columns
from samekind.app.partitioned.parts import Part, npy_parts, parquet_parts

PARQUET, NPY = (".parquet", ".pq"), (".npy",)


@dataclass(frozen=True)
class Rows:
    """The rows of many files, in the order of their names (2 before 10).

    Attributes
    ----------
    path : Path
        The folder, or the file.
    parts : tuple of Part
        What is read at once.
    n_features : int
    dtype : float32 or float64
        Of the features: float32 where all files hold that.
    columns : Columns
        Which columns of parquet files name rows, or hold labels or true classes.
    names : tuple of str, optional
        Of the features, in parquet files.
    others : tuple of str
        Columns that are no features.
    """

    path: Path
    parts: tuple[Part, ...]
    n_features: int
    dtype: Any
    columns: Columns = field(default_factory=Columns)
    names: tuple[str, ...] | None = None
    others: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        return sum(part.size for part in self.parts)

    @cached_property
    def X(self) -> Any:
        """The features, a dask array with one chunk for each part."""
        call = delayed(Part.numbers, pure=True)
        blocks = [
            da.from_delayed(
                call(part, self.names, self.dtype), (part.size, self.n_features), self.dtype
            )
            for part in self.parts
        ]
        return da.concatenate(blocks)

    def column(self, name: str | None) -> Any:
        """The cells of one column, a dask array with the chunks of X; None where there is none."""
        if name is None:
            return None
        call = delayed(Part.column, pure=True)
        blocks = [da.from_delayed(call(one, name), (one.size,), object) for one in self.parts]
        return da.concatenate(blocks)


def open_rows(path: Path, columns: Columns) -> Rows:
    """Look at the files of a dataset: sizes, columns and types, none of the rows.

    Parameters
    ----------
    path : Path
        A folder with parquet files, or with npy files, in it and below; or one such file.
    columns : Columns

    Raises
    ------
    InputError
        If there are none, or they do not fit together.
    """
    path = path.absolute()
    if not path.exists():
        raise InputError(path, "there is no such file or folder", "check the name")
    tables, arrays = _files(path, PARQUET), _files(path, NPY)
    if bool(tables) == bool(arrays):
        reason = "the folder holds parquet and npy files" if tables else "no parquet or npy file"
        remedy = "with --scheduler, name a folder of parquet files or of npy files"
        raise InputError(path, reason, remedy)
    rows = _of_tables(path, tables, columns) if tables else _of_arrays(path, arrays, columns)
    if rows.n_rows < 2:
        raise InputError(path, f"the files hold {rows.n_rows} rows", "clustering needs at least 2")
    return rows


def _files(path: Path, suffixes: Sequence[str]) -> list[Path]:
    if path.is_file():
        return [path] if path.name.lower().endswith(tuple(suffixes)) else []
    return [path / name for name in sorted(find_files(path, suffixes)[0], key=natural_sort_key)]


def _of_arrays(path: Path, files: Iterable[Path], columns: Columns) -> Rows:
    columns.refuse(path, "a npy file", "leave it out, or save a parquet dataset")
    parts, width, types, first = list[Part](), 0, list[Any](), None
    for file in files:
        found, features, dtype = npy_parts(file)
        if first is not None and features != width:
            reason = f"it has {features} features, and {first.name} has {width}"
            raise InputError(file, reason, "all files need the same features")
        first, width = first or file, features
        parts += found
        types.append(dtype)
    return Rows(path, tuple(parts), width, _float_type(types))


def _of_tables(path: Path, files: Sequence[Path], columns: Columns) -> Rows:
    parts, features, first, others, types = list[Part](), [""], None, list[str](), list[Any]()
    for file in files:
        found, schema = parquet_parts(file)
        parts += found
        if first is None:
            first = file
            indices = index_columns(file, schema) - set(columns.asked(file).values())
            names = [name for name in schema.names if name not in indices]
            columns = columns.among(names)
            features = assign_roles(file, names, columns)
            others = [name for name in schema.names if name not in features]
        needed = [*features, *columns.asked(file).values()]
        if missing := [name for name in needed if name not in schema.names]:
            reason = f"there is no column {listed(missing)}, which {first.name} has"
            raise InputError(file, reason, "all files need the same columns")
        types += _types(file, schema, features)
    return Rows(
        path,
        tuple(parts),
        len(features),
        _float_type(types),
        columns,
        tuple(features),
        tuple(others),
    )


def _types(file: Path, schema: Any, features: Sequence[str]) -> list[Any]:
    """The types of the features, which have to be numbers."""
    import pyarrow as pa

    kinds = {name: schema.field(name).type for name in features}
    numbers = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)
    other = [name for name, kind in kinds.items() if not any(test(kind) for test in numbers)]
    if other:
        raise InputError(
            file,
            f"with --scheduler columns have to be numbers, and these are not: {listed(other)}",
            f"encode them as numbers, or leave them out with --drop {','.join(other[:10])}",
        )
    return [kind.to_pandas_dtype() for kind in kinds.values()]


def _float_type(types: Iterable[Any]) -> Any:
    single = all(np.dtype(one) == np.float32 for one in types)
    return np.dtype(np.float32 if single else np.float64)
