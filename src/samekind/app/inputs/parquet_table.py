"""Parquet: a table of numbers becomes Samples, by the rules that hold for csv."""

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind.app.inputs.columns import (
    Columns,
    assign_roles,
    check_filled,
    check_truth,
    check_unique,
    listed,
    missing_cell,
    name_it,
    text_cell,
)
from samekind.app.inputs.errors import InputError, needs_extra, reading, require_memory
from samekind.app.inputs.samples import Samples, require_rows


def read_parquet(path: Path, columns: Columns) -> Samples:
    """Read a parquet file. Rows are counted from 1 in messages."""
    table = _load(path)
    indices = _index_columns(path, table) - set(columns.asked(path).values())
    ignored = [name for name in table.column_names if name in indices]
    table = table.select([i for i, name in enumerate(table.column_names) if name not in indices])
    names = tuple(table.column_names)
    roles = assign_roles(path, names, columns)
    require_rows(path, table.num_rows)

    numbers = [_numbers(path, names[i], table.column(i)) for i in roles.features]
    single = all(column.dtype == np.float32 for column in numbers)
    X = np.column_stack(numbers).astype(np.float32 if single else np.float64, order="C")
    ids = truth = known = None
    if roles.id is not None:
        ids = _ids(path, names[roles.id], table.column(roles.id))
    if roles.truth is not None:
        truth = _truth(path, names[roles.truth], table.column(roles.truth))
    if roles.labels is not None:
        known = _cells(path, names[roles.labels], table.column(roles.labels))
    return Samples(
        X=X,
        source=path.name,
        ids=ids,
        feature_names=tuple(names[i] for i in roles.features),
        truth=truth,
        known=known,
        notes=(f"Left out as a row index of pandas: {listed(ignored)}.",) if ignored else (),
    )


def _load(path: Path) -> Any:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise needs_extra(path, "parquet files", "pyarrow") from error
    # A handle, not a path: folder names such as "k=3" would be read as a column.
    with reading(path, "a parquet file"), path.open("rb") as file:
        opened = parquet.ParquetFile(file)
        # A few bytes may stand for any number of equal values.
        found = opened.metadata
        require_memory(path, 2 * 8 * found.num_rows * found.num_columns, "the table")
        return opened.read()


def _index_columns(path: Path, table: Any) -> set[str]:
    """Columns that hold the index of a pandas frame, by its own word or by their name."""
    with reading(path, "a parquet file written by pandas"):
        declared = (table.schema.pandas_metadata or {}).get("index_columns", [])
        return {name for name in declared if isinstance(name, str)} | {
            name for name in table.column_names if re.fullmatch(r"__index_level_\d+__", name)
        }


def _numbers(path: Path, name: str, column: Any) -> NDArray[Any]:
    from pyarrow import types

    numeric = (
        types.is_floating,
        types.is_integer,
        types.is_boolean,
        types.is_decimal,
        types.is_null,
    )
    if not any(is_kind(column.type) for is_kind in numeric):
        raise _no_numbers(path, name, column)
    if column.null_count:
        first = column.is_null().index(True).as_py()
        raise missing_cell(path, name, "", "row", first + 1)
    values: NDArray[Any] = column.to_numpy()
    values = values if values.dtype == np.float32 else values.astype(np.float64)
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise missing_cell(path, name, str(values[bad[0]]), "row", int(bad[0]) + 1)
    return values


def _cells(path: Path, name: str, column: Any) -> list[Any]:
    # Text that is not UTF-8 and dates out of range come to light here only.
    with reading(path, f"a parquet file with {column.type} in column '{name}'"):
        values: list[Any] = column.to_pylist()
        return values


def _no_numbers(path: Path, name: str, column: Any) -> InputError:
    for row, value in enumerate(_cells(path, name, column), 1):
        if isinstance(value, str):
            return text_cell(path, name, value, "row", row)
    return InputError(
        path,
        f"column '{name}' holds values of type {column.type}, expected numbers",
        f"remove the column, or {name_it(name)}",
    )


def _ids(path: Path, name: str, column: Any) -> tuple[str, ...]:
    rows = range(1, len(column) + 1)
    ids = [None if value is None else str(value).strip() for value in _cells(path, name, column)]
    check_filled(path, name, ids, rows, "row")
    known = tuple(str(value) for value in ids)
    check_unique(path, name, known, rows, "row")
    return known


def _truth(path: Path, name: str, column: Any) -> NDArray[Any]:
    rows = range(1, len(column) + 1)
    values = _cells(path, name, column)
    # A NaN is as good as no label; it is the one value that differs from itself.
    texts = [None if value is None or value != value else str(value) for value in values]
    check_truth(path, name, texts, rows, "row")
    return np.array(values)
