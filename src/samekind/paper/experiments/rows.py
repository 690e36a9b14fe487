"""Rows of results: lines of JSON, each written as its run ends.

A process that is killed leaves at most one torn line, the last one. It is dropped and reported;
everything before it is used. Beside the rows stands which data sets were missing, and why.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samekind._files import replace_file

Row = dict[str, Any]
FILE = "rows.jsonl"
MISSING = "missing.json"
KEY = ("experiment", "dataset", "setting", "contender", "parameters", "repetition")


@dataclass(frozen=True)
class RowsRead:
    """The rows of a file, and what was wrong with it."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def read_rows(folder: str | os.PathLike[str]) -> RowsRead:
    """All rows below a folder; none where there are none yet.

    A torn last line is left out and reported. A line anywhere else that is no row is an error:
    then something else than a killed run has happened to the file.

    Examples
    --------
    >>> import tempfile
    >>> row = {"experiment": "table2", "dataset": "yale", "setting": {}, "contender": "SL"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     append_row(folder, row | {"parameters": {}, "repetition": 0, "ACC": 0.5})
    ...     [row["ACC"] for row in read_rows(folder).rows]
    [0.5]
    """
    path = Path(folder) / FILE
    if not path.exists():
        return RowsRead(())
    lines = path.read_bytes().split(b"\n")
    rows, notes = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            rows.append(_parsed(line))
        except ValueError as error:
            if number < len(lines):  # it ends in a line break, so that it was written whole
                raise ValueError(
                    f"line {number} of {path} is no row ({error}): {line[:60]!r}; remove the line "
                    "or the file"
                ) from None
            notes.append(f"the last line of {path} is torn and was left out; its run is repeated")
    return RowsRead(tuple(rows), tuple(notes))


def append_row(folder: str | os.PathLike[str], row: Mapping[str, Any]) -> None:
    """Write one row behind the others, in one piece, and have it reach the disk."""
    path = Path(folder) / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(row, sort_keys=True) + "\n"
    with path.open("ab") as file:
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())


def mend(folder: str | os.PathLike[str]) -> None:
    """Cut a torn last line off, or end a whole one, so that the next row does not continue it."""
    path = Path(folder) / FILE
    if not path.exists():
        return
    text = path.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole == len(text):
        return
    with path.open("r+b") as file:
        try:
            _parsed(text[whole:])
        except ValueError:
            file.truncate(whole)
        else:
            file.seek(0, os.SEEK_END)
            file.write(b"\n")


def read_missing(folder: str | os.PathLike[str]) -> dict[str, str]:
    """Which data sets were missing when they were last asked for, and why."""
    path = Path(folder) / MISSING
    if not path.exists():
        return {}
    try:
        missing = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): str(why) for name, why in missing.items()}
    except (ValueError, AttributeError):
        raise ValueError(f"{path} is no list of missing data sets; remove it") from None


def write_missing(folder: str | os.PathLike[str], missing: Mapping[str, str]) -> None:
    """Keep which data sets are missing; no file where none is."""
    path = Path(folder) / MISSING
    if not missing:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, json.dumps(missing, indent=1, sort_keys=True) + "\n")


def key_of(row: Mapping[str, Any], names: Sequence[str]) -> str:
    """What makes two rows the same run.

    Examples
    --------
    >>> key_of({"a": 1, "b": {"d": 2, "c": 3}, "ACC": 0.5}, ["a", "b"])
    '[1, {"c": 3, "d": 2}]'
    """
    return json.dumps([row.get(name) for name in names], sort_keys=True)


def _parsed(line: bytes) -> Row:
    try:
        row = json.loads(line)
    except ValueError:
        raise ValueError("not JSON") from None
    if not isinstance(row, dict):
        raise ValueError("not a table of names and values")
    if lacking := [name for name in KEY if name not in row]:
        raise ValueError(f"without {', '.join(lacking)}")
    return row
