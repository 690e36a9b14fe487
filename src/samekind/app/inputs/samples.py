"""Samples: what a user's file or folder holds, in the form that the rest of the app takes."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from samekind.app.inputs.errors import InputError

if TYPE_CHECKING:
    from samekind.app.inputs.encoding import TableEncoder
    from samekind.app.inputs.picture_encoder import PictureEncoder


@dataclass(frozen=True, eq=False)
class Samples:
    """The rows of a file, with what is known about them.

    Attributes
    ----------
    X : ndarray or csr_array, (n_samples, n_features)
        Finite numbers, float32 if the file holds float32 and float64 otherwise.
    ids : tuple of str, optional
        One different name per row.
    feature_names : tuple of str, optional
        One name per column.
    image_shape : (height, width), optional
        Set when every row is a picture.
    truth : ndarray, (n_samples,), optional
        True classes. They are no part of X and serve for scores alone.
    known : sequence, optional
        Labels of some rows, for `Supervision.from_labels`; blank or None where unknown.
    source : str
        Name of the file or folder, without the folders above it.
    notes : tuple of str
        Sentences for terminal and report: what was chosen, changed or left out while reading.
    skipped : tuple of str
        Files of a folder that could not be read, with the reason.
    thumbnails : ndarray of shape (n_samples, side, side, 3), optional
        Pictures of a folder, small and in color.
    folder : Path, optional
        The folder whose files ``ids`` are.
    encoder : TableEncoder, PictureEncoder or None
        What made X of a table or of pictures, and can make it of new ones; None for arrays.
    table : DataFrame or None
        All columns of a table, with the cells as they were: text, if the file is text. Of a folder
        of texts one column.

    Examples
    --------
    >>> import numpy as np
    >>> Samples(np.zeros((2, 1)), source="a.npy").name_of(1)
    'row 1'
    >>> Samples(np.zeros((2, 1)), ids=("ant", "bee"), source="a.csv").name_of(1)
    'bee'
    """

    X: Any  # ndarray or csr_array
    _: KW_ONLY
    ids: tuple[str, ...] | None = None
    feature_names: tuple[str, ...] | None = None
    image_shape: tuple[int, int] | None = None
    truth: NDArray[Any] | None = None
    known: Sequence[object] | None = None
    source: str
    notes: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    thumbnails: NDArray[Any] | None = None
    folder: Path | None = None
    encoder: "TableEncoder | PictureEncoder | None" = None
    table: Any = None

    def name_of(self, i: int) -> str:
        """Id of row i, counted from 0, or "row i" where rows have no ids."""
        return f"row {i}" if self.ids is None else self.ids[i]


def require_rows(path: str | PathLike[str], n: int, least: int = 2) -> None:
    """Refuse fewer than two rows, as there would be nothing to cluster; of new rows, none."""
    if n < least:
        holds = "it holds no rows" if n == 0 else "it holds only 1 row"
        raise InputError(path, holds, f"clustering needs at least {least}")
