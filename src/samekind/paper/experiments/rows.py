"""Rows of results: lines of JSON, each written as its run ends.

New rows are appended to a plain file and packed into a compressed archive from time to time; a
folder may hold either or both. A process that is killed leaves at most one torn line, the last
one. It is dropped and reported; everything before it is used. Beside the rows stands which data
sets were missing, and why.
"""

import json
import lzma
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from samekind._files import replace_file, require_regular

try:
    import fcntl
except ImportError:  # Windows: one process at a time
    fcntl = None  # type: ignore[assignment]

Row = dict[str, Any]
FILE = "rows.jsonl"
ARCHIVE = "rows.jsonl.xz"
MISSING = "missing.json"
KEY = ("experiment", "dataset", "setting", "contender", "parameters", "repetition")


@dataclass(frozen=True)
class RowsRead:
    """The rows of a folder, and what was wrong with them."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def read_rows(folder: str | os.PathLike[str]) -> RowsRead:
    """All rows of a folder, the archive's first; none where there are none yet.

    A torn last line is left out and reported. An invalid line anywhere else is an error: then
    something else than a killed run has happened to the file.

    Examples
    --------
    >>> import tempfile
    >>> row = {"experiment": "table2", "dataset": "yale", "setting": {}, "contender": "SL"}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     append_row(folder, row | {"parameters": {}, "repetition": 0, "ACC": 0.5})
    ...     pack(folder)
    ...     append_row(folder, row | {"parameters": {}, "repetition": 1, "ACC": 0.6})
    ...     [row["ACC"] for row in read_rows(folder).rows]
    [0.5, 0.6]
    """
    rows, notes = _read(Path(folder))
    return RowsRead(tuple(rows.values()), tuple(notes))


def append_row(folder: str | os.PathLike[str], row: Mapping[str, Any]) -> None:
    """Write one row behind the others, in one piece, and have it reach the disk."""
    path = Path(folder) / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(row, sort_keys=True) + "\n"
    with _locked(path) as file:
        file.write(line.encode())
        file.flush()
        os.fsync(file.fileno())


def mend(folder: str | os.PathLike[str]) -> None:
    """Cut a torn last line off, or end a whole one, so that the next row does not continue it."""
    path = Path(folder) / FILE
    if not path.exists():
        return
    with _locked(path) as file:
        text = path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole == len(text):
            return
        try:
            _parsed(text[whole:])
        except ValueError:
            file.truncate(whole)
        else:
            file.write(b"\n")


def pack(folder: str | os.PathLike[str]) -> None:
    """Move the rows of the plain file into the archive.

    The plain file goes after the new archive has replaced the old one, so that a process that is
    killed in between leaves rows in both, which count once.
    """
    folder = Path(folder)
    path = folder / FILE
    if not path.exists():
        return
    with _locked(path):
        rows, _ = _read(folder)
        if rows:
            lines = b"".join(line + b"\n" for line in rows)
            replace_file(folder / ARCHIVE, lzma.compress(lines))
        path.unlink()


def _read(folder: Path) -> tuple[dict[bytes, Row], list[str]]:
    """Rows by their lines, so that a line in both files counts once; and notes."""
    # The plain file first: what another process packs meanwhile is then in both, not in neither.
    path = folder / FILE
    for one in (path, folder / ARCHIVE):
        require_regular(one)
    plain = path.read_bytes() if path.exists() else b""
    rows: dict[bytes, Row] = {}
    notes: list[str] = []
    for name, text in ((folder / ARCHIVE, _unpacked(folder / ARCHIVE)), (path, plain)):
        lines = text.split(b"\n")
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line in rows:
                continue
            try:
                rows[line] = _parsed(line)
            except ValueError as error:
                if number < len(lines):  # it ends in a line break, so that it was written whole
                    raise ValueError(
                        f"line {number} of {name} is not a row ({error}): {line[:60]!r}; remove "
                        "the line or the file"
                    ) from None
                notes.append(
                    f"the last line of {name} is torn and was left out; its run is repeated"
                )
    return rows, notes


def _unpacked(path: Path) -> bytes:
    if not path.exists():
        return b""
    try:
        return lzma.decompress(path.read_bytes())
    except lzma.LZMAError as error:
        raise ValueError(
            f"{path} is damaged or incomplete ({error}); restore it from a copy, or remove it to "
            "run its experiments again"
        ) from None


@contextmanager
def undisturbed(folder: str | os.PathLike[str]) -> Iterator[None]:
    """No other process writes rows meanwhile."""
    path = Path(folder) / FILE
    if not path.parent.exists():
        yield
        return
    with _locked(path):
        try:
            yield
        finally:
            if not path.stat().st_size:  # it was not there before
                path.unlink()


@contextmanager
def _locked(path: Path) -> Iterator[BinaryIO]:
    """The plain file, open for appending by one process at a time."""
    while True:
        with path.open("ab") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            # Another process may have packed and removed the file while this one waited.
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                yield file
                return


def read_missing(folder: str | os.PathLike[str]) -> dict[str, str]:
    """Which data sets were missing when they were last asked for, and why."""
    path = Path(folder) / MISSING
    if not path.exists():
        return {}
    try:
        missing = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): str(why) for name, why in missing.items()}
    except (ValueError, AttributeError):
        raise ValueError(f"{path} is not a list of missing data sets; remove it") from None


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
