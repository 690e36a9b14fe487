"""Pairs in csv files: the columns `a,b,kind`, in any order and beside any others.

`a` and `b` are row numbers from 0 or, where ids are given, row ids; `kind` is `must-link`
or `cannot-link`. Row numbers may be written as whole floats (3.0), as pandas likes to.
"""

import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from samekind._typing import IntArray
from samekind.constraints.closure import BoolArray
from samekind.constraints.conflicts import KINDS

COLUMNS = ("a", "b", "kind")


class ConstraintFileError(ValueError):
    """A file of pairs that cannot be read or written; the message says where and why.

    Examples
    --------
    >>> from samekind.constraints import PairConstraints
    >>> PairConstraints.from_csv("nowhere.csv", n_samples=10)
    Traceback (most recent call last):
    ...
    samekind.constraints.csv_files.ConstraintFileError: nowhere.csv: there is no such file;
    check its name
    """


class PairLines(NamedTuple):
    """The pairs of a file, one row for each line that holds one."""

    pairs: IntArray
    is_must: BoolArray
    origins: list[str]  # "pairs.csv: line 3"


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
            raise ValueError(
                f"ids[{row}] repeats the id {name!r}; pairs by id need ids that are all different"
            )
        seen.add(name)
    return names


def read_pairs(path: str | os.PathLike[str], n_samples: int, names: list[str] | None) -> PairLines:
    """Read a file of pairs; `names` come from `check_ids`."""
    rows = _rows(Path(path))
    place, header = next(rows, (str(path), None))
    if header is None:
        raise ConstraintFileError(f"{place}: the file is empty; expected the columns a,b,kind")
    a, b, kind = _columns(place, header)
    to_row = _row_number(n_samples) if names is None else _row_of_id(names)
    pairs, is_must, origins = [], [], []
    for place, cells in rows:
        if len(cells) != len(header):
            raise ConstraintFileError(
                f"{place}: {len(cells)} cells, but the header has {len(header)}; complete the "
                "line, or quote a cell that holds a comma"
            )
        pairs.append([to_row(place, cells[a]), to_row(place, cells[b])])
        is_must.append(_is_must(place, cells[kind]))
        origins.append(place)
    return PairLines(
        np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(is_must, dtype=bool), origins
    )


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
    writer.writerow(COLUMNS)
    for pairs, kind in ((must_link, KINDS[1]), (cannot_link, KINDS[0])):
        for i, j in pairs.tolist():
            a, b = (i, j) if names is None else (names[i], names[j])
            writer.writerow([a, b, kind])
    content = text.getvalue().encode()
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        try:
            partial.write_bytes(content)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise ConstraintFileError(f"{path}: cannot be written ({error.strerror})") from error


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The rows that are not blank, each with its place in the file."""
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield f"{path}: line {reader.line_num}", cells
    except csv.Error as error:
        raise ConstraintFileError(
            f"{path}: line {reader.line_num}: broken csv ({error}); mend its quotes"
        ) from error


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise ConstraintFileError(f"{path}: there is no such file; check its name") from error
    except OSError as error:
        raise ConstraintFileError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ConstraintFileError(
            f"{path}: line {line}: not UTF-8 text; save the file as csv in UTF-8"
        ) from error


def _columns(place: str, header: list[str]) -> list[int]:
    found = [cell.strip() for cell in header]
    for name in COLUMNS:
        if found.count(name) != 1:
            problem = "repeated" if name in found else "missing"
            raise ConstraintFileError(
                f"{place}: column {name!r} is {problem}; expected the columns a,b,kind, "
                f"separated by commas, found {','.join(found)}"
            )
    return [found.index(name) for name in COLUMNS]


def _row_number(n_samples: int) -> Callable[[str, str], int]:
    def to_row(place: str, cell: str) -> int:
        # A pattern, because int() and float() also take 1_0, 1e3, inf and more.
        match = re.fullmatch(r"([0-9]{1,18})(\.0*)?", cell.strip())
        if match is None or int(match[1]) >= n_samples:
            raise ConstraintFileError(
                f"{place}: {cell!r} is no row number; expected a whole number from 0 to "
                f"{n_samples - 1}; if the file names rows by id, name the rows (--id on the "
                "command line, ids= in Python)"
            )
        return int(match[1])

    return to_row


def _row_of_id(names: list[str]) -> Callable[[str, str], int]:
    rows = {name: row for row, name in enumerate(names)}

    def to_row(place: str, cell: str) -> int:
        row = rows.get(cell, rows.get(cell.strip()))
        if row is None:
            raise ConstraintFileError(
                f"{place}: no row has the id {cell!r}; the ids begin with {names[0]!r}"
            )
        return row

    return to_row


def _is_must(place: str, cell: str) -> bool:
    if cell.strip() not in KINDS:
        raise ConstraintFileError(
            f"{place}: unknown kind {cell!r}; expected must-link or cannot-link"
        )
    return cell.strip() == KINDS[1]
