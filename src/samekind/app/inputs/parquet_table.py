"""Parquet: a table with types becomes Samples, one group of rows after the other."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from samekind.app.inputs.columns import Columns, check_names, listed
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.inputs.errors import needs_extra, reading, require_memory
from samekind.app.inputs.samples import Samples
from samekind.app.inputs.table import samples_of_table


def read_parquet(
    path: Path,
    columns: Columns,
    *,
    scale: str = "auto",
    encoder: TableEncoder | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Samples:
    """Read a parquet file. Rows are counted from 1 in messages."""
    try:
        import pandas as pd
        from pyarrow import parquet
    except ImportError as error:
        raise needs_extra(path, "parquet files", "pyarrow") from error
    # A handle, not a path: folder names such as "k=3" would be read as a column.
    with reading(path, "a parquet file"), path.open("rb") as file:
        opened = parquet.ParquetFile(file)
        indices = index_columns(path, opened.schema_arrow) - set(columns.asked(path).values())
        there = opened.schema_arrow.names
        check_names(path, there, None)
        names = [name for name in there if name not in indices]
        table = _rows(path, opened, names, on_progress)
    ignored = [name for name in there if name in indices]
    return samples_of_table(
        path,
        table.to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True),
        columns,
        scale=scale,
        encoder=encoder,
        notes=(f"Left out as a row index of pandas: {listed(ignored)}.",) if ignored else (),
    )


def _rows(
    path: Path,
    opened: Any,
    names: list[str],
    on_progress: Callable[[int, int], None] | None,
) -> Any:
    """The columns of these names, group by group."""
    import pyarrow as pa

    # A few bytes may stand for any number of equal values.
    require_memory(path, 2 * 8 * opened.metadata.num_rows * len(names), "the table")
    groups = []
    for i in range(opened.num_row_groups):
        groups.append(opened.read_row_group(i, columns=names))
        if on_progress is not None:
            on_progress(i + 1, opened.num_row_groups)
    empty = opened.schema_arrow.remove_metadata().empty_table().select(names)
    table = pa.concat_tables([group.replace_schema_metadata() for group in groups] or [empty])
    for name in names:  # text that is not UTF-8 comes to light here only
        kind = table.column(name).type
        with reading(path, f"a parquet file with {kind} in column '{name}'"):
            table.column(name).validate(full=True)
    return table


def index_columns(path: Path, schema: Any) -> set[str]:
    """Columns that hold the index of a pandas frame, by its own word or by their name."""
    with reading(path, "a parquet file written by pandas"):
        declared = (schema.pandas_metadata or {}).get("index_columns", [])
        return {name for name in declared if isinstance(name, str)} | {
            name for name in schema.names if re.fullmatch(r"__index_level_\d+__", name)
        }
