"""Write a file whole, or not at all."""

import os
from pathlib import Path
from uuid import uuid4


def replace_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write to a temporary file in the same folder, which then replaces the file.

    The content is on the disk before the old file goes.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     replace_file(Path(folder) / "a.txt", "all of it")
    ...     os.listdir(folder)
    ['a.txt']
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{uuid4().hex}.tmp")
    if isinstance(content, str):
        # A file name from disk may hold bytes that are not text; they become question marks.
        content = content.encode("utf-8", errors="replace")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
