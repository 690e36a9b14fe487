"""Files of users: what is wrong with one, and how one is written as a whole or not at all."""

import codecs
import os
from glob import escape
from pathlib import Path
from uuid import uuid4

try:
    import fcntl
except ImportError:  # Windows: what a killed run leaves stays
    fcntl = None  # type: ignore[assignment]


class InputError(ValueError):
    """A file, folder or frame that cannot be used as it is.

    The message always reads "FILE: line N: reason; what to do". The line is there only
    where a file has lines; tables without lines name the row instead, counted from 1.

    Parameters
    ----------
    path : str or path
        The file or folder, as the user named it.
    reason, remedy : str
        What is wrong, and what to do next.
    line, row : int, optional
        Where it is wrong, counted from 1.

    Examples
    --------
    >>> print(InputError("a.csv", "column 'x' is empty", "fill it in", line=7))
    a.csv: line 7: column 'x' is empty; fill it in
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        reason: str,
        remedy: str,
        line: int | None = None,
        row: int | None = None,
    ) -> None:
        # All arguments are handed up, so that the error survives pickling.
        super().__init__(path, reason, remedy, line, row)
        self.path = str(path)
        self.reason = reason
        self.remedy = remedy
        self.line = line
        self.row = row

    def __str__(self) -> str:
        return f"{place(self.path, self.line, self.row)}: {self.reason}; {self.remedy}"


def place(path: str | os.PathLike[str], line: int | None = None, row: int | None = None) -> str:
    """A file with the line or row in it.

    Examples
    --------
    >>> place("a.csv", line=7)
    'a.csv: line 7'
    """
    in_line = "" if line is None else f": line {line}"
    in_row = "" if row is None else f": row {row}"
    return f"{path}{in_line}{in_row}"


def require_regular(path: str | os.PathLike[str]) -> None:
    """Refuse a pipe or a device, which may have no end; what is not there is for others to say.

    Examples
    --------
    >>> require_regular("/dev/null")
    Traceback (most recent call last):
        ...
    samekind._files.InputError: /dev/null: it is a pipe, a socket or a device, expected a file;
    save what it gives in a file, and name that
    """
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        reason = "it is a pipe, a socket or a device, expected a file"
        raise InputError(path, reason, "save what it gives in a file, and name that")


def encoding_of(raw: bytes) -> str:
    """How the bytes of a text are read: as UTF-8 or, if they are not, as older Windows programs
    write them (cp1252).

    Raises
    ------
    ValueError
        If they are neither.

    Examples
    --------
    >>> encoding_of("Zürich".encode()), encoding_of("Zürich".encode("cp1252"))
    ('utf-8', 'cp1252')
    """
    if b"\0" in raw or raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ValueError("a zero byte, or the mark of UTF-16")
    if raw.startswith(codecs.BOM_UTF8):  # spreadsheets put one before the first name
        return "utf-8-sig"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        try:
            raw.decode("cp1252")
        except UnicodeDecodeError:
            raise error from None
        return "cp1252"
    return "utf-8"


def replace_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write to a temporary file in the same folder, which then replaces the file.

    The content is on the disk before the old file goes. Temporary files of runs that were killed
    are removed; those of others that write now are locked, until they have their names.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     replace_file(Path(folder) / "a.txt", "all of it")
    ...     os.listdir(folder)
    ['a.txt']
    """
    path = Path(path)
    if isinstance(content, str):
        # A file name from disk may hold bytes that are not text; they become question marks.
        content = content.encode("utf-8", errors="replace")
    _remove_leftovers(path)
    while not _replaced(path, content):
        pass


def _replaced(path: Path, content: bytes) -> bool:
    """Whether it is done; not if another took the file, not yet locked, for a leftover."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    try:
        with temporary.open("wb") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
                if os.fstat(file.fileno()).st_nlink == 0:
                    return False
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            if fcntl is not None:
                os.replace(temporary, path)
        if fcntl is None:
            os.replace(temporary, path)
        return True
    finally:
        temporary.unlink(missing_ok=True)


def _remove_leftovers(path: Path) -> None:
    """Temporary files for this one that nobody holds a lock of."""
    if fcntl is None:
        return
    for left in path.parent.glob(f".{escape(path.name)}.*.tmp"):
        try:
            with left.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink(missing_ok=True)
        except OSError:  # being written, gone, or not ours
            continue
