"""Pictures: a folder of image files becomes Samples, what cannot be read left out by name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from samekind.app.inputs.errors import InputError, require_memory
from samekind.app.inputs.folder_files import FolderLabels, find_files, left_out
from samekind.app.inputs.picture_encoder import (
    HOG_SIZE,
    MEAN,
    PIXELS_SIZE,
    STD,
    PictureEncoder,
    has_hog,
    square,
    usual_features,
)
from samekind.app.inputs.picture_file import SUFFIXES, open_picture, require_pillow, size_of
from samekind.app.inputs.samples import Samples, require_rows

if TYPE_CHECKING:
    from PIL.Image import Image

THUMBNAIL, SMALL_THUMBNAIL, MANY = 80, 48, 2000  # pixels, and pictures from which on they are small
LOOKED_AT = 200  # pictures whose sizes decide on the features
NO_HOG = (
    "Gray values of small pictures were compared, as scikit-image is not installed; for photos run "
    'pip install ".[photos]" in the source folder.'
)


@dataclass(frozen=True)
class PictureOptions:
    """How pictures are read; None where it depends on them."""

    size: int | None = None
    features: str | None = None
    mean: tuple[float, ...] = MEAN
    std: tuple[float, ...] = STD


def read_pictures(
    folder: Path,
    options: PictureOptions,
    labels: FolderLabels,
    *,
    encoder: PictureEncoder | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Samples:
    """Read every picture below the folder, in the order of their relative paths."""
    if options.size is not None and options.size < 1:
        raise InputError(folder, f"--image-size is {options.size}", "use 1 pixel or more")
    names, others = find_files(folder, SUFFIXES)
    require_pillow(folder)
    least = 1 if encoder is not None else 2
    require_rows(folder, len(names), least)
    notes: list[str] = []
    if encoder is None:
        encoder, notes = _encoder(folder, names, options)
    size = f"{encoder.size} x {encoder.size} pixels"
    require_memory(folder, 8 * len(names) * encoder.size**2, f"{len(names)} pictures of {size}")

    reader = _Reader(folder, names, encoder.size, on_progress)
    rows = list(encoder.rows(reader))
    if not rows:
        raise reader.skipped[names[0]]
    require_rows(folder, len(rows), least)
    kept = reader.kept
    known, truth = labels.of(folder, kept)
    return Samples(
        X=np.stack(rows),
        source=folder.resolve().name,
        ids=tuple(kept),
        image_shape=(encoder.size, encoder.size) if encoder.features == "pixels" else None,
        thumbnails=np.stack(reader.thumbnails),
        folder=folder.resolve(),
        known=known,
        truth=None if truth is None else np.array(truth),
        skipped=tuple(f"{name}: {error.reason}" for name, error in reader.skipped.items()),
        notes=(*encoder.describe(), *notes, *left_out(reader.skipped, others, "picture")),
        encoder=encoder,
    )


class _Reader:
    """Pictures one after the other; those that cannot be read are left out and remembered."""

    def __init__(
        self,
        folder: Path,
        names: list[str],
        size: int,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self._folder, self._names, self._on_progress = folder, names, on_progress
        self._side = THUMBNAIL if len(names) <= MANY else SMALL_THUMBNAIL
        self._needed = max(size, self._side)
        self.kept: list[str] = []
        self.thumbnails: list[np.ndarray] = []
        self.skipped: dict[str, InputError] = {}

    def __iter__(self) -> Iterator["Image"]:
        for done, name in enumerate(self._names, 1):
            try:
                image = open_picture(self._folder / name, self._needed)
            except InputError as error:
                self.skipped[name] = error
            else:
                self.kept.append(name)
                self.thumbnails.append(square(image, self._side))
                yield image
            if self._on_progress is not None:
                self._on_progress(done, len(self._names))


def _encoder(
    folder: Path, names: list[str], options: PictureOptions
) -> tuple[PictureEncoder, list[str]]:
    """The encoder that was asked for, or that fits the pictures, and what to say about it."""
    features, size, notes = options.features, options.size, []
    if features is None:
        sizes = map(size_of, (folder / name for name in names[:: len(names) // LOOKED_AT + 1]))
        features, size = usual_features([min(each) for each in sizes if each is not None], size)
        if features == "hog" and not has_hog():
            features, size, notes = "pixels", options.size or PIXELS_SIZE, [NO_HOG]
    elif size is None:
        size = PIXELS_SIZE if features == "pixels" else HOG_SIZE
    return PictureEncoder(features, size, options.mean, options.std), notes
