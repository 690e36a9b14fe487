"""Csv: a text file with a header line and numbers becomes Samples."""

from array import array
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

import numpy as np

from samekind.app.inputs.columns import (
    assign_roles,
    check_filled,
    check_unique,
    missing_cell,
    text_cell,
)
from samekind.app.inputs.errors import InputError
from samekind.app.inputs.records import ends_inside_a_line, read_records
from samekind.app.inputs.samples import Samples, require_rows

# How other programs write "no value"; float() already knows nan.
_MISSING = {"", "na", "n/a", "#n/a", "null", "none", "?", "-"}


def read_csv(path: Path, *, id_column: str | None, label_column: str | None) -> Samples:
    """Read a comma-separated file, or a tab-separated one if it is named .tsv."""
    records = read_records(path)
    header_line, header = next(records)
    names = tuple(name.strip() for name in header)
    _refuse_numbers_as_names(path, header_line, names)
    roles = assign_roles(path, names, id_column, label_column, header_line)
    features = tuple(names[i] for i in roles.features)
    taken = sorted((i for i in (roles.id, roles.label) if i is not None), reverse=True)

    numbers, lines = array("d"), array("q")
    ids: list[str] = []
    labels: list[str] = []
    for line, cells in records:
        lines.append(line)
        if roles.id is not None:
            ids.append(cells[roles.id].strip())
        if roles.label is not None:
            labels.append(cells[roles.label].strip())
        for i in taken:
            del cells[i]
        numbers.extend(_numbers(path, line, features, cells))

    require_rows(path, len(lines))
    if id_column is not None:
        check_filled(path, id_column, ids, lines, "line")
        check_unique(path, id_column, ids, lines, "line")
    if label_column is not None:
        check_filled(path, label_column, labels, lines, "line")
    return Samples(
        X=np.frombuffer(numbers, dtype=np.float64).reshape(len(lines), len(features)),
        source=path.name,
        ids=tuple(ids) if id_column is not None else None,
        feature_names=features,
        labels=np.array(labels) if label_column is not None else None,
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
