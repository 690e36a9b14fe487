"""One function for all kinds of files: a path becomes Samples."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from samekind._files import require_regular
from samekind.app.inputs.columns import Columns
from samekind.app.inputs.csv_table import read_csv
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.inputs.errors import InputError
from samekind.app.inputs.excel_table import read_excel
from samekind.app.inputs.matlab import read_mat
from samekind.app.inputs.numpy_files import read_npy, read_npz
from samekind.app.inputs.parquet_table import read_parquet
from samekind.app.inputs.pictures import read_pictures
from samekind.app.inputs.samples import Samples

STDIN = "-"
_Reader = Callable[..., Samples]
_TABLES: dict[str, _Reader] = {
    ".csv": read_csv,
    ".csv.gz": read_csv,
    ".tsv": read_csv,
    ".tsv.gz": read_csv,
    ".xlsx": read_excel,
    ".parquet": read_parquet,
}
_ARRAYS: dict[str, _Reader] = {".npy": read_npy, ".npz": read_npz, ".mat": read_mat}


def read_samples(
    path: str | PathLike[str],
    *,
    id_column: str | None = None,
    truth_column: str | None = None,
    labels_column: str | None = None,
    columns: Sequence[str] = (),
    drop: Sequence[str] = (),
    text: Sequence[str] = (),
    category: Sequence[str] = (),
    scale: str = "auto",
    encoder: TableEncoder | None = None,
    image_size: int = 32,
    on_progress: Callable[[int, int], None] | None = None,
) -> Samples:
    """Read a table, an array or a folder of pictures.

    Parameters
    ----------
    path : str or path
        A csv or tsv file with a header line (also as .gz, and "-" for standard input), an xlsx,
        parquet, npy, npz or mat file, or a folder of pictures.
    id_column : str, optional
        Column, or array of a npz or mat file, that names the rows.
    truth_column : str, optional
        Column or array with the true classes, for scores. It is left out of X.
    labels_column : str, optional
        Column or array with the classes of some rows. It is left out of X.
    columns, drop : sequence of str
        Columns of a table that become X, by default all others; columns that do not. One text
        may hold several names, with commas between.
    text : sequence of str
        Columns that are compared by their words. All others are left out, unless named in
        `columns`.
    category : sequence of str
        Columns whose numbers are codes.
    scale : {"auto", "none", "standard"}
        As in `TableEncoder`.
    encoder : TableEncoder, optional
        That of earlier rows, to read new ones as they were.
    image_size : int
        Pictures are resized to this height and width.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` after each picture of a folder.

    Returns
    -------
    Samples

    Raises
    ------
    InputError
        With file, line where there is one, reason, and what to do.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "animals.csv")
    ...     _ = file.write_text("name,legs,wings\\nant,6,0\\nbee,6,4\\nox,4,0\\n")
    ...     samples = read_samples(file, id_column="name")
    >>> samples.X
    array([[6., 0.],
           [6., 4.],
           [4., 0.]])
    >>> samples.ids, samples.feature_names
    (('ant', 'bee', 'ox'), ('legs', 'wings'))
    """
    path = Path(path)
    named = Columns(
        id_column,
        truth_column,
        labels_column,
        tuple(columns),
        tuple(drop),
        tuple(text),
        tuple(category),
    )
    as_table: dict[str, Any] = {"scale": scale, "encoder": encoder}
    if str(path) == STDIN:
        return read_csv(Path("standard input"), named, stream=sys.stdin.buffer, **as_table)
    try:
        if not path.is_dir():
            return _reader(path, as_table)(path, named)
    except OSError as error:
        reason = f"it cannot be read ({error.strerror or error})"
        raise InputError(path, reason, "check the file and its permissions") from error
    named.refuse(path, "a folder of pictures", "leave it out: pictures are named by their files")
    return read_pictures(path, image_size=image_size, on_progress=on_progress)


def _reader(path: Path, as_table: dict[str, Any]) -> _Reader:
    if not path.exists():
        raise InputError(path, "there is no such file or folder", "check the name")
    require_regular(path)
    for suffix, reader in _TABLES.items():
        if path.name.lower().endswith(suffix):
            return partial(reader, **as_table)
    for suffix, reader in _ARRAYS.items():
        if path.name.lower().endswith(suffix):
            return reader
    remedy = f"use one of {', '.join({**_TABLES, **_ARRAYS})}, or a folder of pictures"
    raise InputError(path, f"files named '{path.suffix or path.name}' are not read", remedy)
