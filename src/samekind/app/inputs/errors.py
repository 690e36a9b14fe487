"""Whatever goes wrong with a user's file, as an InputError with what to do about it."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike

from samekind._files import InputError
from samekind._memory import available_memory, human

__all__ = ["InputError", "needs_extra", "reading", "require_memory"]


def require_memory(path: str | PathLike[str], needed: float, what: str) -> None:
    """Refuse what would not fit into memory, before it is read."""
    left = available_memory()
    if left is not None and needed > left:
        raise InputError(
            path,
            f"{what} would take about {human(needed)} of memory, and {human(left)} are left",
            "use fewer rows or columns, or check that the file is not damaged",
        )


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
        said = " ".join(str(error).split()).rstrip(". ") or type(error).__name__
        reason = f"it cannot be read as {kind} ({said})"
        raise InputError(
            path, reason, "it seems damaged or half-written: save or copy it again"
        ) from error


def needs_extra(
    path: str | PathLike[str], kind: str, package: str, extra: str = "app"
) -> InputError:
    """The error for a file that only an optional package can read."""
    return InputError(
        path,
        f"reading {kind} needs the package {package}, which is not installed",
        f'run: pip install ".[{extra}]" in the source folder',
    )
