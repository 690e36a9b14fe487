"""Parts of files that are read at once: groups of rows of parquet files, slices of npy files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind._typing import FloatArray
from samekind.app.inputs.errors import InputError, reading

ROWS = 100_000  # of a part, where the file can be read so


@dataclass(frozen=True)
class Part:
    """Some rows of a file; of a parquet file, the numbers of its groups of rows."""

    path: Path
    size: int
    start: int = 0
    groups: tuple[int, ...] = ()

    def numbers(self, names: Sequence[str] | None, dtype: Any) -> FloatArray:
        """The features, as floats, blanks as NaN."""
        if names is not None:
            return np.asarray(self._frame(names).to_numpy(dtype=dtype))
        with reading(self.path, "a npy file"):
            rows = np.load(self.path, mmap_mode="r", allow_pickle=False)
            return np.asarray(rows[self.start : self.start + self.size], dtype=dtype)

    def column(self, name: str) -> NDArray[Any]:
        """The cells of one column as they are, None where blank."""
        cells = self._frame([name])[name].astype(object)
        return np.asarray(cells.where(cells.notna(), None), dtype=object)

    def _frame(self, names: Sequence[str]) -> Any:
        from pyarrow import parquet

        # A handle, not a path: folder names such as "k=3" would be read as a column.
        with reading(self.path, "a parquet file"), self.path.open("rb") as file:
            table = parquet.ParquetFile(file).read_row_groups(self.groups, columns=list(names))
            return table.to_pandas(ignore_metadata=True)[list(names)]


def npy_parts(path: Path) -> tuple[list[Part], int, Any]:
    """The parts of a npy file, its number of features and its type."""
    with reading(path, "a npy file"):
        rows = np.load(path, mmap_mode="r", allow_pickle=False)
    if rows.ndim != 2 or rows.dtype.kind not in "fiub" or not rows.shape[1]:
        reason = f"the array has the shape {rows.shape} and holds {rows.dtype}"
        raise InputError(path, reason, "save numbers, rows by features")
    starts = range(0, len(rows), ROWS)
    parts = [Part(path, min(ROWS, len(rows) - start), start) for start in starts]
    return parts, rows.shape[1], rows.dtype


def parquet_parts(path: Path) -> tuple[list[Part], Any]:
    """The parts of a parquet file, and its schema."""
    from pyarrow import parquet

    with reading(path, "a parquet file"), path.open("rb") as file:
        opened = parquet.ParquetFile(file)
        sizes = [opened.metadata.row_group(i).num_rows for i in range(opened.num_row_groups)]
        schema = opened.schema_arrow
    parts, groups = list[Part](), list[int]()
    for number, size in enumerate(sizes):
        groups.append(number)
        together = sum(sizes[i] for i in groups)
        following = sizes[number + 1] if number + 1 < len(sizes) else ROWS
        if together + following > ROWS:
            if together:
                parts.append(Part(path, together, groups=tuple(groups)))
            groups = []
    return parts, schema
