"""The journal: one line of JSON for each thing that was said, durable before anyone hears of it.

The first line says what the journal belongs to; every other has the next number, and all end with
a checksum. Lines are only ever appended. A last line without its end was never acknowledged: it is
cut off, and reported. Any other damage is refused.
"""

import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from samekind._files import InputError, require_regular

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

VERSION = 1
BEGINNING = b'{"samekind": "ask journal", '
CRC_AT = len(b', "crc": "00000000"}')
ELSEWHERE = "name another file for the journal"
FAR = 1 << 62  # a place beyond the end of any journal, to lock where files are locked by bytes

Line = dict[str, Any]


class JournalInUse(OSError):
    """Another process, or another Questions, is writing this journal."""


@dataclass(frozen=True)
class Content:
    """What a journal holds."""

    header: Line | None  # None for an empty file
    lines: list[Line]
    n_whole: int  # bytes up to the end of the last whole line
    n_torn: int  # bytes behind it


class Journal:
    """A journal that is being written, by one writer at a time.

    Parameters
    ----------
    path : path, or None
        The file, which is made where it is not there; None keeps everything in memory.
    header : dict
        What the journal belongs to. One that exists has to have the same.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.ask")
    >>> journal = Journal(path, {"n": 2})
    >>> journal.append({"verb": "answer"})
    1
    >>> journal.close()
    >>> Journal(path, {"n": 2}).lines[0]["verb"]
    'answer'
    """

    def __init__(self, path: str | os.PathLike[str] | None, header: Mapping[str, Any]) -> None:
        self.lines: list[Line] = []
        self.notes: list[str] = []
        self.path = None if path is None else Path(path)
        self._handle: int | None = None
        if self.path is None:
            return
        require_regular(self.path)
        self._handle = _opened(self.path)
        try:
            if not _locked(self._handle, self.path):
                self.notes.append(f"{path}: this file system has no locks; write from one place")
            self._load(self.path, header)
        except BaseException:
            self.close()
            raise

    def _load(self, path: Path, header: Mapping[str, Any]) -> None:
        content = parsed(_all_of(self._file), path)
        if content.n_torn:
            os.ftruncate(self._file, content.n_whole)
            os.fsync(self._file)
            self.notes.append(
                f"{path}: the last line was not complete ({content.n_torn} bytes) and was removed; "
                "what it said had not been confirmed: say it again"
            )
        self.lines = content.lines
        self._size = content.n_whole
        if content.header is None:
            self._write(_encoded({"samekind": "ask journal", "version": VERSION, **header}))
            _sync_folder(path.parent)
        else:
            require_same(content.header, header, path)

    @property
    def _file(self) -> int:
        if self._handle is None:
            raise ValueError("the journal is closed; open it again with Questions(...)")
        return self._handle

    def append(self, line: Line) -> int:
        """Write a line, and return its number once the disk has it."""
        line = {"seq": len(self.lines) + 1, "at": _now(), **line}
        if self.path is not None:
            self._write(_encoded(line))
        self.lines.append(line)
        return int(line["seq"])

    def _write(self, content: bytes) -> None:
        file = self._file
        try:
            os.lseek(file, self._size, os.SEEK_SET)
            left = content
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        except BaseException:
            os.ftruncate(file, self._size)  # a disk that is full: nothing is half written
            raise
        self._size += len(content)

    def close(self) -> None:
        """Free the lock; closing twice is fine."""
        if self._handle is not None:
            _unlock(self._handle)
            os.close(self._handle)
            self._handle = None


def read_journal(path: str | os.PathLike[str]) -> Content:
    """Read a journal without locking or changing it; a last line without end is left out.

    Raises
    ------
    InputError
        With file, line and reason, if it is no journal or damaged.
    """
    require_regular(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", "check the name") from None
    return parsed(data, path)


def parsed(data: bytes, path: str | os.PathLike[str]) -> Content:
    """Check every line of a journal."""
    n_whole = data.rfind(b"\n") + 1
    torn = data[n_whole:]
    if n_whole == 0:
        if not (BEGINNING.startswith(torn) or torn.startswith(BEGINNING)):
            raise InputError(path, "it is not a journal of samekind", ELSEWHERE)
        return Content(None, [], 0, len(torn))
    lines = []
    for number, raw in enumerate(data[:n_whole].split(b"\n")[:-1]):
        if number == 0 and not raw.startswith(BEGINNING):
            raise InputError(path, "it is not a journal of samekind", ELSEWHERE)
        line = _decoded(raw)
        if line is None or line.get("seq", 0) != number:
            raise InputError(
                path,
                "the line is damaged",
                "bring back a copy of the journal, or keep the lines before it in a new file",
                line=number + 1,
            )
        lines.append(line)
    if lines[0].get("version") != VERSION:
        came = lines[0].get("version")
        reason = f"it has version {came}, expected {VERSION}"
        raise InputError(path, reason, "open it with the samekind that wrote it", line=1)
    return Content(lines[0], lines[1:], n_whole, len(torn))


def require_same(
    there: Mapping[str, Any], wanted: Mapping[str, Any], path: str | os.PathLike[str]
) -> None:
    """Refuse a journal of other data or other settings."""
    for name, value in wanted.items():
        if there.get(name) == value:
            continue
        if name in ("digest", "n"):
            reason = "it belongs to other data, or the same with other ids or in another order"
            raise InputError(path, reason, f"open the data it was begun with, or {ELSEWHERE}")
        reason = f"it was begun with {name}={there.get(name)!r}, not {value!r}"
        raise InputError(path, reason, f"use that, or {ELSEWHERE}")


def _encoded(line: Line) -> bytes:
    body = json.dumps(line).encode()
    return b'%s, "crc": "%08x"}\n' % (body[:-1], zlib.crc32(body))


def _decoded(raw: bytes) -> Line | None:
    body = raw[:-CRC_AT] + b"}"
    if raw[-CRC_AT:] != b', "crc": "%08x"}' % zlib.crc32(body):
        return None
    try:
        line = json.loads(body)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _opened(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags, 0o600)
    except OSError as error:
        reason = f"cannot be opened for writing ({error.strerror})"
        raise InputError(path, reason, ELSEWHERE) from None


def _all_of(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    blocks = []
    while block := os.read(file, 1 << 20):
        blocks.append(block)
    return b"".join(blocks)


def _locked(file: int, path: Path) -> bool:
    """Be the only writer; False where the file system has no locks."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            _lock_far_byte(file, "LK_NBLCK")
    except (BlockingIOError, PermissionError):
        raise JournalInUse(
            f"{path}: another samekind is writing this journal; end that one, or {ELSEWHERE}"
        ) from None
    except OSError:
        return False
    return True


def _unlock(file: int) -> None:
    if fcntl is None:  # elsewhere closing does it
        with suppress(OSError):
            _lock_far_byte(file, "LK_UNLCK")


def _lock_far_byte(file: int, how: str) -> None:
    import msvcrt

    os.lseek(file, FAR, os.SEEK_SET)
    msvcrt.locking(file, getattr(msvcrt, how), 1)  # type: ignore[attr-defined]


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
