"""A text into a file: the whole of it, or nothing."""

import os
from pathlib import Path


def replace_file(path: str | os.PathLike[str], text: str) -> None:
    """Write to a temporary name in the same folder, which then takes the place of the file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     replace_file(Path(folder) / "a.txt", "all of it")
    ...     os.listdir(folder)
    ['a.txt']
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        # A file name from disk may hold bytes that are no text; it gets a question mark.
        temporary.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
