"""What a person sees of a sample: a picture, a text, or the cells of a row."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from samekind._files import InputError, encoding_of
from samekind.app.inputs import Samples, TableEncoder

PICTURE, TEXT, ROW = "picture", "text", "row"
SIDE = 512  # pixels of a picture on the page, at most
LONGEST_TEXT, LONGEST_CELL, MOST_CELLS = 4000, 300, 60
KEPT_PICTURES = 256


@dataclass(frozen=True)
class Things:
    """The samples of a file or folder, ready to be shown.

    Examples
    --------
    >>> things = Things(Samples(np.array([[1.0, 2.5]]), feature_names=("a", "b"), source="x.csv"))
    >>> things.kind, things.shown(0)
    ('row', {'row': 0, 'name': 'row 0', 'cells': [['a', '1'], ['b', '2.5']]})
    """

    samples: Samples

    @property
    def kind(self) -> str:
        """How samples are shown."""
        samples = self.samples
        if samples.thumbnails is not None or samples.image_shape is not None:
            return PICTURE
        return TEXT if samples.folder is not None else ROW

    def shown(self, row: int) -> dict[str, Any]:
        """One sample as plain values; a picture is asked for by its number."""
        thing: dict[str, Any] = {"row": row, "name": self.samples.name_of(row)}
        if self.kind == TEXT:
            thing["text"] = self._text(row)
        elif self.kind == ROW:
            thing["cells"] = self._cells(row)
        return thing

    def picture(self, row: int) -> bytes:
        """The picture of a row as PNG, made anew: nothing of the file is passed on."""
        return _png(self.samples, row)

    def _text(self, row: int) -> str:
        folder, ids = self.samples.folder, self.samples.ids
        assert folder is not None
        assert ids is not None
        try:
            raw = (folder / ids[row]).read_bytes()
            return _cut(raw.decode(encoding_of(raw)), LONGEST_TEXT)
        except (OSError, ValueError) as error:  # changed since it was read
            return f"(this file cannot be read any more: {getattr(error, 'strerror', error)})"

    @cached_property
    def _columns(self) -> list[str]:
        """The columns of the table, those first that count."""
        encoder = self.samples.encoder
        of = encoder.columns_ if isinstance(encoder, TableEncoder) else ()
        used = {column.name for column in of if column.features}
        return sorted(self.samples.table.columns, key=lambda name: name not in used)

    def _cells(self, row: int) -> list[list[str]]:
        names: Sequence[object]
        values: Sequence[object]
        table = self.samples.table
        if table is not None:
            cells = table.iloc[row][self._columns]
            blank = cells.isna()
            names = self._columns
            values = ["" if gone else value for value, gone in zip(cells, blank, strict=True)]
        else:
            X = self.samples.X
            found = X[[row]].toarray()[0] if hasattr(X, "toarray") else X[row]
            names = self.samples.feature_names or [f"column {j}" for j in range(len(found))]
            values = [f"{value:.6g}" for value in found]
        named = zip(names, values, strict=True)
        return [[str(name), _cut(str(value), LONGEST_CELL)] for name, value in named][:MOST_CELLS]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + " …"


@lru_cache(maxsize=KEPT_PICTURES)
def _png(samples: Samples, row: int) -> bytes:
    from PIL import Image

    from samekind.app.inputs.picture_file import open_picture

    if samples.folder is not None and samples.ids is not None:
        try:
            image = open_picture(samples.folder / samples.ids[row], SIDE)
        except (InputError, OSError):  # changed since it was read
            image = Image.new("RGB", (64, 64), (128, 128, 128))
    else:
        assert samples.image_shape is not None
        pixels = np.asarray(samples.X[row], dtype=float).reshape(samples.image_shape)
        low, high = float(np.min(samples.X)), float(np.max(samples.X))
        scaled = 255 * (pixels - low) / ((high - low) or 1.0)
        image = Image.fromarray(scaled.round().astype(np.uint8))
    image.thumbnail((SIDE, SIDE))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
