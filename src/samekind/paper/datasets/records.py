"""Records: what the package knows of a data set before any file is opened."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind._typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Arrays:
    """What a file holds: samples and classes in the file's own units, and what else is there."""

    X: NDArray[Any]
    y: NDArray[Any]
    extras: dict[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Scale:
    """From the values of a file to those of an experiment.

    Where published values are whole multiples of ``1 / steps``, files that keep them as float32
    round them elsewhere, and rounding to the steps gives the published numbers back.
    """

    words: str  # what is done, for people
    dtype: str  # in which the values are kept in files
    steps: float | None = None
    divisor: float = 1.0

    def published(self, X: NDArray[Any]) -> FloatArray:
        """The published values as float64."""
        values = X.astype(np.float64)
        if self.steps is not None and X.dtype.kind == "f":
            values *= self.steps
            np.rint(values, out=values)
            values /= self.steps
        return values

    def scaled(self, X: NDArray[Any]) -> FloatArray:
        """The values of an experiment as float64."""
        values = self.published(X)
        if self.divisor != 1.0:
            values /= self.divisor
        return values

    def kept(self, X: NDArray[Any]) -> NDArray[Any]:
        """The values as files keep them."""
        return X if X.dtype == self.dtype else self.published(X).astype(self.dtype)


GRAY = Scale("gray levels from 0 to 255, divided by 255", "uint8", steps=1, divisor=255)


@dataclass(frozen=True)
class File:
    """A public file: the name it is recognized by, its address, and its digest.

    ``checksum`` is "md5:...", "sha256:..." or "git:...", the name under which git keeps a
    file. A file without an address can only be placed by hand.
    """

    name: str
    address: str | None = None
    checksum: str | None = None


@dataclass(frozen=True)
class Files:
    """Public files that together make the data set; `read` receives their paths in order."""

    files: tuple[File, ...]
    read: Callable[[Sequence[Path]], Arrays]
    tried: bool = False  # whether anybody has fetched it from there by this package

    @property
    def place(self) -> str | None:
        """Address for people, None where there is none."""
        addresses = [file.address for file in self.files if file.address]
        if len(addresses) < len(self.files):
            return None
        more = f" and {len(addresses) - 1} more" if len(addresses) > 1 else ""
        return addresses[0] + more


@dataclass(frozen=True)
class OpenML:
    """A data set of openml.org; `arrange` brings its rows in order where they are not."""

    data_id: int
    arrange: Callable[[Arrays], Arrays] = lambda arrays: arrays
    tried: bool = False

    @property
    def place(self) -> str:
        """Address for people."""
        return f"https://www.openml.org/d/{self.data_id}"


@dataclass(frozen=True)
class Part:
    """Rows of another data set."""

    parent: str
    rows: Callable[[Arrays], IntArray]


@dataclass(frozen=True)
class Record:
    """The facts about one data set.

    Attributes
    ----------
    shape : (n_samples, n_features)
    source : str
        Where the samples come from, for `Dataset.source`.
    sha256 : str, optional
        Digest of the file NAME.npz that needs no further check.
    extras : tuple of str
        Arrays besides X and y that belong to the data set.
    sources : tuple
        Where it can be downloaded, the best place first.
    by_hand : str
        How a person obtains it: a sentence without its full stop.
    part : Part, optional
        How it is cut out of another data set.
    embedded : callable, optional
        Gives the arrays of a data set that comes with scikit-learn.
    mistaken : (name, sentence), optional
        Another data set that is easily taken for this one, and how to tell a user.
    """

    name: str
    _: KW_ONLY
    about: str
    shape: tuple[int, int]
    n_classes: int
    scale: Scale
    source: str
    sha256: str | None = None
    image_shape: tuple[int, int] | None = None
    column_major: bool = False
    extras: tuple[str, ...] = ()
    sources: tuple[Files | OpenML, ...] = ()
    by_hand: str = ""
    part: Part | None = None
    embedded: Callable[[], Arrays] | None = None
    mistaken: tuple[str, str] | None = None
