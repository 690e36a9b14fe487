"""Pairs and labels in tables: csv files, and frames such as those of pandas and polars.

A table of pairs has the columns `a,b,kind`, one of labels has `row,label`, in any order and
beside any others. Rows are named by their number from 0 or, where ids are given, by their id, of
a file with more of its folders or fewer if that is clear; row numbers may be written as whole
floats (3.0), as pandas likes to.
"""

import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from samekind._csv import guarded, read_records, unguarded
from samekind._files import InputError, place, replace_file
from samekind._suggest import did_you_mean
from samekind._typing import IntArray
from samekind.constraints.checks import UnclearLabel, clean_label
from samekind.constraints.closure import BoolArray
from samekind.constraints.conflicts import KINDS

PAIR_COLUMNS = ("a", "b", "kind")
_WORDS = {KINDS[1]: True, "same": True, KINDS[0]: False, "different": False}
LABEL_COLUMNS = ("row", "label")


@dataclass(frozen=True)
class Table:
    """A header, and the cells of each row with the number of its line or row."""

    source: str
    header: list[str]
    rows: Iterator[tuple[int, list[Any]]]
    unit: str  # what the numbers count: "line" or "row"
    first: Mapping[str, int]  # the place of the header, if it has one

    def error(self, number: int, reason: str, remedy: str) -> InputError:
        """What is wrong with a row."""
        return InputError(self.source, reason, remedy, **{self.unit: number})

    def place(self, number: int) -> str:
        """Where a row is: "pairs.csv: line 3"."""
        return place(self.source, **{self.unit: number})

    def has(self, names: Iterable[str]) -> bool:
        """Whether all these columns are there."""
        return set(names) <= set(self.header)

    def columns(self, names: Iterable[str]) -> list[int]:
        """Positions of the columns, each of which has to be there once."""
        for name in names:
            if self.header.count(name) != 1:
                problem = "repeated" if name in self.header else "missing"
                reason = f"column {name!r} is {problem}, found {','.join(self.header)}"
                remedy = f"expected the columns {','.join(names)}, separated by commas"
                raise InputError(self.source, reason, remedy, **self.first)
        return [self.header.index(name) for name in names]


class PairLines(NamedTuple):
    """The pairs of a table, one entry for each row that holds one."""

    pairs: IntArray
    is_must: BoolArray
    origins: list[str]  # "pairs.csv: line 3"


def csv_table(path: str | os.PathLike[str]) -> Table:
    """A csv file; blank lines are left out."""
    records = read_records(Path(path), skip_blank=True)
    line, header = next(records)
    return Table(str(path), [cell.strip() for cell in header], records, "line", {"line": line})


def frame_table(frame: Any) -> Table:
    """A frame: whatever has names in ``columns`` and gives a column by ``frame[name]``."""
    kind = type(frame).__name__
    if not hasattr(frame, "columns") or not hasattr(frame, "__getitem__"):
        raise TypeError(
            f"frame is a {kind}; expected a frame of pandas or polars with the columns "
            f"{','.join(PAIR_COLUMNS)} or {','.join(LABEL_COLUMNS)}"
        )
    header = [str(name) for name in frame.columns]
    wanted = [name for name in dict.fromkeys(header) if name in PAIR_COLUMNS + LABEL_COLUMNS]
    cells = {name: list(frame[name]) for name in wanted if header.count(name) == 1}
    empty = [None] * max(map(len, cells.values()), default=0)
    rows = zip(*(cells.get(name, empty) for name in header), strict=True)
    return Table(kind, header, iter((i, list(row)) for i, row in enumerate(rows, 1)), "row", {})


def check_ids(ids: Iterable[object], n_samples: int) -> list[str]:
    """Row ids as text, one per sample, all different."""
    names = [str(name) for name in ids]
    if len(names) != n_samples:
        raise ValueError(
            f"ids has {len(names)} entries for {n_samples} samples; pass one id per row"
        )
    seen: set[str] = set()
    for row, name in enumerate(names):
        if name in seen:
            raise ValueError(f"ids[{row}] repeats the id {name!r}; pass ids that are all different")
        seen.add(name)
    return names


def read_pairs(table: Table, n_samples: int, names: list[str] | None) -> PairLines:
    """The pairs of a table; `names` come from `check_ids`."""
    a, b, kind = table.columns(PAIR_COLUMNS)
    to_row = _rows_of(table, n_samples, names)
    pairs, is_must, origins = [], [], []
    for number, cells in table.rows:
        pairs.append([to_row(number, cells[a]), to_row(number, cells[b])])
        word = str(cells[kind]).strip()
        same = _WORDS.get(re.sub("[ _]+", "-", word.lower()))
        if same is None:
            remedy = "expected must-link or same, cannot-link or different"
            raise table.error(number, f"unknown kind {word!r}", remedy)
        is_must.append(same)
        origins.append(table.place(number))
    return PairLines(
        np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(is_must, dtype=bool), origins
    )


def read_labels(table: Table, n_samples: int, names: list[str] | None) -> list[object]:
    """A label for each sample, None where none is given; `names` come from `check_ids`."""
    known = labels_by_row(table, n_samples, names)
    return [known.get(row) for row in range(n_samples)]


def labels_by_row(table: Table, n_samples: int, names: list[str] | None) -> dict[int, object]:
    """The labels that are given, by row numbers; `names` come from `check_ids`."""
    row_at, label_at = table.columns(LABEL_COLUMNS)
    to_row = _rows_of(table, n_samples, names)
    said: dict[int, tuple[object, int]] = {}
    for number, cells in table.rows:
        row = to_row(number, cells[row_at])
        try:
            cell = cells[label_at]
            label = clean_label(unguarded(cell) if isinstance(cell, str) else cell)
        except UnclearLabel as error:
            raise table.error(number, error.reason, error.remedy) from None
        if label is None:
            continue
        earlier, at = said.setdefault(row, (label, number))
        if label != earlier:
            name = f"row {row}" if names is None else names[row]
            raise table.error(
                number,
                f"{name} is labeled '{label}' here and '{earlier}' in {table.unit} {at}",
                f"keep one of the two {table.unit}s",
            )
    if not said:
        raise InputError(table.source, "no row has a label", "label at least one row")
    return {row: label for row, (label, _) in said.items()}


def write_pairs(
    path: str | os.PathLike[str],
    must_link: IntArray,
    cannot_link: IntArray,
    names: list[str] | None,
) -> None:
    """Write must-links, then cannot-links; the file appears whole or not at all."""
    text = io.StringIO()
    # The line ending is csv's own, so that ids with a line break in them are quoted.
    writer = csv.writer(text)
    writer.writerow(PAIR_COLUMNS)
    for pairs, kind in ((must_link, KINDS[1]), (cannot_link, KINDS[0])):
        for i, j in pairs.tolist():
            a, b = (i, j) if names is None else (guarded(names[i]), guarded(names[j]))
            writer.writerow([a, b, kind])
    content = text.getvalue().encode()  # an id that is no text would not be found again
    try:
        replace_file(path, content)
    except OSError as error:
        reason = f"it cannot be written ({error.strerror})"
        raise InputError(path, reason, "check the folder and its permissions") from error


def _rows_of(table: Table, n_samples: int, names: list[str] | None) -> Callable[[int, object], int]:
    """From a cell that names a row to its number."""
    rows = {name: row for row, name in enumerate(names or [])}
    files: dict[str, list[str]] = {}  # the ids by what follows their last slash

    def in_folders(number: int, text: str) -> int | None:
        """The one row whose id is the same file, with more folders before it or fewer."""
        if not files:
            for name in rows:
                files.setdefault(name.rpartition("/")[2], []).append(name)
        path = f"/{text.replace(chr(92), '/')}"
        alike = files.get(path.rpartition("/")[2], [])
        found = [name for name in alike if path.endswith(f"/{name}") or f"/{name}".endswith(path)]
        if len(found) > 1:
            shown = ", ".join(found[:3]) + (", ..." if len(found) > 3 else "")
            reason = f"{len(found)} rows may be meant by {text!r}: {shown}"
            raise table.error(number, reason, "name the folder, too")
        return rows[found[0]] if found else None

    def by_id(number: int, cell: object) -> int:
        text = _text(cell)
        # Guarded first: so it is written here, and the other may be an id that looks like it.
        tried = (unguarded(text), text, unguarded(text.strip()), text.strip())
        row = next((rows[name] for name in tried if name in rows), None)
        if row is None:
            row = in_folders(number, tried[2])
        if row is None:
            remedy = did_you_mean(text, rows, f"the ids begin with {next(iter(rows))!r}")
            raise table.error(number, f"no row has the id {text!r}", remedy)
        return row

    def by_number(number: int, cell: object) -> int:
        # A pattern, because int() and float() also take 1_0, 1e3, inf and more.
        text = _text(cell)
        match = re.fullmatch(r"([0-9]{1,18})(\.0*)?", text.strip())
        if match is None or int(match[1]) >= n_samples:
            raise table.error(
                number,
                f"{text!r} is not a valid row number",
                f"expected an int in the range [0, {n_samples}); if the rows are named by id, "
                "give the ids (--id on the command line, ids= in Python)",
            )
        return int(match[1])

    return by_number if names is None else by_id


def _text(cell: object) -> str:
    """A cell of a frame as a file would have it."""
    return "" if cell is None else str(cell)
