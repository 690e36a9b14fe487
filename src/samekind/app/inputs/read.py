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
from samekind.app.inputs.folder_files import FolderLabels, find_files
from samekind.app.inputs.matlab import read_mat
from samekind.app.inputs.numpy_files import read_npy, read_npz
from samekind.app.inputs.parquet_table import read_parquet
from samekind.app.inputs.picture_encoder import MEAN, STD, PictureEncoder
from samekind.app.inputs.picture_file import SUFFIXES as PICTURES
from samekind.app.inputs.pictures import PictureOptions, read_pictures
from samekind.app.inputs.samples import Samples
from samekind.app.inputs.text_files import SUFFIXES as TEXTS
from samekind.app.inputs.text_files import read_texts

STDIN = "-"
STRAY = 0.1  # pictures for each text below which a folder is one of texts
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
    encoder: TableEncoder | PictureEncoder | None = None,
    image_size: int | None = None,
    image_features: str | None = None,
    image_mean: Sequence[float] = MEAN,
    image_std: Sequence[float] = STD,
    labels_from_folders: bool = False,
    truth_from_folders: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
) -> Samples:
    """Read a table, an array or a folder of pictures.

    Parameters
    ----------
    path : str or path
        A csv or tsv file with a header line (also as .gz, and "-" for standard input), an xlsx,
        parquet, npy, npz or mat file, or a folder of pictures or of .txt files.
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
    encoder : TableEncoder or PictureEncoder, optional
        That of earlier rows, to read new ones as they were.
    image_size : int, optional
        Pictures are resized to this height and width; 32, or 128 for hog.
    image_features : str, optional
        "pixels", "hog" or "onnx:FILE", as in `PictureEncoder`; by default pixels up to a size of
        64, and hog beyond.
    image_mean, image_std : sequence of three floats
        Of the colors that an ONNX model expects; by default those of ImageNet.
    labels_from_folders, truth_from_folders : bool
        Whether the first folder below the one named says what a picture or text is: a label of
        some, with unknown ones at the top or in ``unsorted``, or the true class of all.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` after each part of a table, and after each picture
        or text of a folder.

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
    folders = FolderLabels(labels_from_folders, truth_from_folders)
    if path.is_dir():
        pictures = PictureOptions(image_size, image_features, tuple(image_mean), tuple(image_std))
        return _read_folder(path, named, pictures, folders, encoder, on_progress)
    if labels_from_folders or truth_from_folders:
        option = "--labels-from-folders" if labels_from_folders else "--truth-from-folders"
        raise InputError(path, f"{option} came, and it is no folder", "name a folder")
    if isinstance(encoder, PictureEncoder):
        raise InputError(path, "expected a folder of pictures, as before", "name a folder")
    as_table: dict[str, Any] = {"scale": scale, "encoder": encoder, "on_progress": on_progress}
    if str(path) == STDIN:
        return read_csv(Path("standard input"), named, stream=sys.stdin.buffer, **as_table)
    try:
        return _reader(path, as_table)(path, named)
    except OSError as error:
        reason = f"it cannot be read ({error.strerror or error})"
        raise InputError(path, reason, "check the file and its permissions") from error


def encoder_from_state(state: dict[str, Any]) -> TableEncoder | PictureEncoder:
    """The encoder that gave this state, of a table or of pictures.

    Examples
    --------
    >>> encoder_from_state(PictureEncoder("pixels", 16).state()).size
    16
    """
    if state.get("kind") == "table":
        return TableEncoder.from_state(state)
    if state.get("kind") == "pictures":
        return PictureEncoder.from_state(state)
    raise ValueError(f"the encoder is of an unknown kind {state.get('kind')!r}; fit again")


def _read_folder(
    path: Path,
    named: Columns,
    pictures: PictureOptions,
    folders: FolderLabels,
    encoder: TableEncoder | PictureEncoder | None,
    on_progress: Callable[[int, int], None] | None,
) -> Samples:
    named.refuse(path, "a folder", "leave it out: rows are named by their files")
    n_pictures, n_texts = (len(find_files(path, suffixes)[0]) for suffixes in (PICTURES, TEXTS))
    stray = STRAY * n_texts > n_pictures and encoder is None
    if n_pictures and not stray and not isinstance(encoder, TableEncoder):
        return read_pictures(path, pictures, folders, encoder=encoder, on_progress=on_progress)
    if n_texts and not isinstance(encoder, PictureEncoder):
        return read_texts(path, folders, encoder=encoder, on_progress=on_progress)
    kinds = ", ".join(suffix[1:] for suffix in (*PICTURES, *TEXTS))
    reason = f"the folder holds no pictures or texts ({kinds})"
    remedy = "name the folder that holds them"
    if find_files(path, (".parquet", ".npy"))[0]:
        remedy = "for rows in many parquet or npy files, add --scheduler local"
    raise InputError(path, reason, remedy)


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
    remedy = f"use one of {', '.join({**_TABLES, **_ARRAYS})}, or a folder of pictures or texts"
    raise InputError(path, f"files named '{path.suffix or path.name}' are not read", remedy)
