"""What files say of rows in many files, without the names of all rows in one place."""

# mypy: allow-untyped-calls

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from dask.delayed import delayed

from samekind._csv import unguarded
from samekind._files import InputError
from samekind._typing import IntArray
from samekind.app.partitioned.rows import Rows
from samekind.constraints import tables
from samekind.dask._known import labels_of
from samekind.dask._running import OnProgress, run


@dataclass(frozen=True)
class Known:
    """Pairs and labels by row numbers, as ``samekind.dask.SameKind.fit`` takes them."""

    must_link: IntArray
    cannot_link: IntArray
    y: Mapping[int, object] = field(default_factory=dict)

    @property
    def n_classes(self) -> int:
        return len(set(self.y.values()))


def known_of(
    rows: Rows, pairs: Path | None, labels: str | None, most: int, on_progress: OnProgress
) -> Known:
    """Read what is known: a file of pairs, a file of labels or a column of the rows.

    Parameters
    ----------
    rows : Rows
    pairs : Path, optional
        csv with the columns a,b,kind.
    labels : str, optional
        csv with the columns row,label, unless ``rows.columns.labels`` names a column.
    most : int
        Labels that are read of a column at most, and one more.
    on_progress : callable
    """
    must: IntArray = np.empty((0, 2), dtype=np.int64)
    cannot = must
    y: Mapping[int, object] = {}
    if pairs is not None:
        numbers, names = _rows_named_in(pairs, ("a", "b"), rows, on_progress)
        table = tables.csv_table(pairs)
        lines = tables.read_pairs(table, rows.n_rows if names is None else len(names), names)
        found = lines.pairs if numbers is None else numbers[lines.pairs]
        must, cannot = found[lines.is_must], found[~lines.is_must]
    if rows.columns.labels is not None:
        y = _column(rows, most, on_progress)
    elif labels is not None:
        numbers, names = _rows_named_in(Path(labels), ("row",), rows, on_progress)
        table = tables.csv_table(labels)
        if not table.has(tables.LABEL_COLUMNS) and table.has(tables.PAIR_COLUMNS):
            reason = "it holds pairs, expected the columns row,label"
            raise InputError(labels, reason, "give it as --pairs")
        given = tables.labels_by_row(table, rows.n_rows if names is None else len(names), names)
        y = given if numbers is None else {int(numbers[at]): one for at, one in given.items()}
    return Known(must, cannot, y)


def _column(rows: Rows, most: int, on_progress: OnProgress) -> Mapping[int, object]:
    name = rows.columns.labels
    found, values = labels_of(rows.column(name), rows.n_rows, most, on_progress)
    if not len(found):
        raise InputError(
            rows.path,
            f"column '{name}' (--labels) has a label in every row, or in none",
            f"label some rows; for scores alone give it as --truth {name}",
        )
    return dict(zip(found.tolist(), values, strict=True))


def _rows_named_in(
    path: Path, columns: Iterable[str], rows: Rows, on_progress: OnProgress
) -> tuple[IntArray | None, list[str] | None]:
    """Row numbers and ids of the rows that a file names; None where rows have no ids."""
    if rows.columns.id is None:
        return None, None
    table = tables.csv_table(path)
    at = [table.header.index(name) for name in columns if name in table.header]
    asked = set[str]()
    for _, cells in table.rows:
        for text in (str(cells[i]) for i in at):
            asked |= {text, text.strip(), unguarded(text), unguarded(text.strip())}
    blocks = rows.column(rows.columns.id).to_delayed().ravel()
    found = run([delayed(_places)(block, asked) for block in blocks], "finding rows", on_progress)
    numbers, names, start = list[int](), list[str](), 0
    for part, here in zip(rows.parts, found, strict=True):
        for place, name in here:
            if name in names:
                first = numbers[names.index(name)]
                reason = f"rows {first} and {start + place} have the same id {name!r} (--id)"
                raise InputError(rows.path, reason, "rows in pairs or with labels need their own")
            numbers.append(start + place)
            names.append(name)
        start += part.size
    if not names:
        raise InputError(path, f"no row has any of its ids (--id {rows.columns.id})", "check both")
    return np.array(numbers), names


def names_of(rows: Rows, numbers: IntArray, on_progress: OnProgress) -> tuple[str, ...]:
    """What rows are called, by their ids or else by their numbers; these are rising."""
    if rows.columns.id is None:
        return tuple(map(str, numbers.tolist()))
    ends = np.cumsum([part.size for part in rows.parts])
    wanted = np.split(numbers, np.searchsorted(numbers, ends[:-1]))
    blocks = rows.column(rows.columns.id).to_delayed().ravel()
    tasks = [
        delayed(_taken)(block, here - (end - part.size))
        for block, here, end, part in zip(blocks, wanted, ends, rows.parts, strict=True)
        if len(here)
    ]
    return tuple(name for names in run(tasks, "naming rows", on_progress) for name in names)


def _taken(ids: Any, at: IntArray) -> list[str]:
    return [str(one) for one in ids[at]]


def _places(ids: Any, asked: set[str]) -> list[tuple[int, str]]:
    return [(place, str(one)) for place, one in enumerate(ids) if str(one) in asked]
