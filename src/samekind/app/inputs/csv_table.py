"""Csv: a text file with a header line and numbers becomes Samples."""

from array import array
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

import numpy as np

from samekind._csv import ends_inside_a_line, read_records
from samekind.app.inputs.columns import (
    Columns,
    assign_roles,
    check_filled,
    check_truth,
    check_unique,
    missing_cell,
    text_cell,
)
from samekind.app.inputs.errors import InputError, require_memory
from samekind.app.inputs.samples import Samples, require_rows

CHECKED_EVERY = 50_000
# How other programs write "no value"; float() already knows nan.
_MISSING = {"", "na", "n/a", "#n/a", "null", "none", "?", "-"}


def read_csv(path: Path, columns: Columns) -> Samples:
    """Read a comma-separated file, or a tab-separated one if it is named .tsv."""
    records = read_records(path)
    header_line, header = next(records)
    names = tuple(name.strip() for name in header)
    _refuse_numbers_as_names(path, header_line, names)
    roles = assign_roles(path, names, columns, header_line)
    features = tuple(names[i] for i in roles.features)

    numbers, lines = array("d"), array("q")
    texts: dict[int, list[str]] = {i: [] for i in roles.taken}
    for line, cells in records:
        lines.append(line)
        if not len(lines) % CHECKED_EVERY:  # a few bytes of gzip may hold any number of lines
            require_memory(path, 8 * len(numbers), f"the table, up to line {line},")
        for i in roles.taken:
            texts[i].append(cells.pop(i).strip())
        numbers.extend(_numbers(path, line, features, cells))

    require_rows(path, len(lines))
    ids, truth, known = (
        None if i is None else texts[i] for i in (roles.id, roles.truth, roles.labels)
    )
    if ids is not None and columns.id is not None:
        check_filled(path, columns.id, ids, lines, "line")
        check_unique(path, columns.id, ids, lines, "line")
    if truth is not None and columns.truth is not None:
        check_truth(path, columns.truth, truth, lines, "line")
    return Samples(
        X=np.frombuffer(numbers, dtype=np.float64).reshape(len(lines), len(features)),
        source=path.name,
        ids=None if ids is None else tuple(ids),
        feature_names=features,
        truth=None if truth is None else np.array(truth),
        known=known,
        notes=_notes(path),
    )


def _numbers(path: Path, line: int, names: Sequence[str], cells: list[str]) -> list[float]:
    """Finite numbers of one line. The fast route looks at the line as a whole."""
    try:
        values = list(map(float, cells))
        suspicious = not isfinite(sum(values)) or "_" in "".join(cells)
    except ValueError:
        values, suspicious = [], True
    if suspicious:  # which cell? perhaps none: the sum of large numbers may overflow
        for name, cell in zip(names, cells, strict=True):
            _check_cell(path, line, name, cell.strip())
    return values


def _check_cell(path: Path, line: int, name: str, text: str) -> None:
    if text.lower() in _MISSING:
        raise missing_cell(path, name, text, "line", line)
    value = _number(text)
    if value is None:
        raise text_cell(path, name, text, "line", line)
    if not isfinite(value):
        raise missing_cell(path, name, text, "line", line)


def _number(text: str) -> float | None:
    """The number that a text spells; float() alone would also take 1_000."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def _refuse_numbers_as_names(path: Path, line: int, names: Sequence[str]) -> None:
    if all(_number(name) is not None for name in names):
        raise InputError(
            path,
            "the first line holds only numbers, expected the names of the columns",
            "put a header line before it, such as " + ",".join(_example_names(len(names))),
            line=line,
        )


def _example_names(n: int) -> list[str]:
    return [f"x{i + 1}" for i in range(n)] if n <= 3 else ["x1", "x2", "...", f"x{n}"]


def _notes(path: Path) -> tuple[str, ...]:
    if ends_inside_a_line(path):
        return (
            "The last line of the file does not end with a line break; "
            "if it was still being written, its last number may be cut short.",
        )
    return ()
