"""InputError: what is wrong with a user's file, where, and what to do about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike


class InputError(ValueError):
    """A file that cannot be used as it is.

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
        path: str | PathLike[str],
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
        line = "" if self.line is None else f"line {self.line}: "
        row = "" if self.row is None else f"row {self.row}: "
        return f"{self.path}: {line}{row}{self.reason}; {self.remedy}"


@contextmanager
def reading(path: str | PathLike[str], kind: str) -> Iterator[None]:
    """Report whatever a decoder raises inside as an InputError of this file.

    Decoders of binary formats meet damaged bytes with a dozen exception types, none of
    them documented as complete; hence the broad clause, kept around single calls.
    """
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(path, "there is no such file", "check the name") from error
    except PermissionError as error:
        raise InputError(path, "reading it is not permitted", "check its permissions") from error
    except MemoryError as error:
        raise InputError(
            path,
            "it asks for more memory than there is",
            "check that the file is not damaged, or use fewer rows",
        ) from error
    except Exception as error:
        reason = f"it cannot be read as {kind} ({str(error).rstrip('. ') or type(error).__name__})"
        raise InputError(
            path, reason, "it seems damaged or half-written: save or copy it again"
        ) from error


def needs_extra(path: str | PathLike[str], kind: str, package: str) -> InputError:
    """The error for a file that only an optional package can read."""
    return InputError(
        path,
        f"reading {kind} needs the package {package}, which is not installed",
        'install it with: pip install "samekind[app]"',
    )
