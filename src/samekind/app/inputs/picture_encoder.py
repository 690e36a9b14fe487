"""PictureEncoder: pictures become rows of numbers, gray values or features."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samekind._typing import FloatArray
from samekind.app.inputs.errors import needs_extra
from samekind.app.inputs.onnx_encoder import OnnxModel

if TYPE_CHECKING:
    from PIL.Image import Image

FORMAT = 1
SMALL = 64  # pixels up to which gray values are compared
PIXELS_SIZE, HOG_SIZE = 32, 128
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet, as encoders expect
ONNX = "onnx:"


class PictureEncoder:
    """Make a row of numbers of each picture, and of new ones in the same way.

    Parameters
    ----------
    features : str
        "pixels", gray values; "hog", directions of edges (scikit-image); or "onnx:FILE", what an
        image encoder of the user makes of the picture (onnxruntime).
    size : int
        Pixels that pictures are resized to; an encoder with a size of its own has that.
    mean, std : sequence of three floats
        What an encoder expects to be subtracted from red, green and blue between 0 and 1, and then
        to be divided by.

    Notes
    -----
    `state` is made of dict, list, str, int and float alone. The file of an encoder stays where it
    is, and has to be the same for new pictures.

    Examples
    --------
    >>> from PIL import Image
    >>> encoder = PictureEncoder("pixels", 2)
    >>> list(encoder.rows([Image.new("RGB", (9, 5), "white")]))
    [array([1., 1., 1., 1.])]
    """

    standardized_ = False

    def __init__(
        self,
        features: str = "pixels",
        size: int = PIXELS_SIZE,
        mean: Sequence[float] = MEAN,
        std: Sequence[float] = STD,
        *,
        sha256: str | None = None,
    ) -> None:
        self.features, self.mean, self.std = features, tuple(mean), tuple(std)
        self.model: OnnxModel | None = None
        if features == "hog":
            _hog()  # a missing package is found out before pictures are read
        if features.lower().startswith(ONNX):
            path = Path(features[len(ONNX) :]).resolve()
            self.features, self.model = f"{ONNX}{path}", OnnxModel(path, sha256)
        self.size = size if self.model is None else self.model.size

    def rows(self, images: Iterable["Image"]) -> Iterator[FloatArray]:
        """A row for each picture."""
        if self.model is not None:
            yield from self.model.rows(map(self._normalized, images))
            return
        make = self._gray if self.features == "pixels" else self._edges
        for image in images:
            yield make(image)

    def describe(self) -> tuple[str, ...]:
        """One sentence: what was made of the pictures."""
        size = f"{self.size} x {self.size} pixels"
        if self.model is not None:
            made = f"cut to squares of {size} and encoded by {self.model.path.name}"
        elif self.features == "hog":
            made = f"cut to squares of {size} and described by the directions of their edges (hog)"
        else:
            made = (
                f"turned to gray and resized to {size}; their values, 0 to 255, were divided by 255"
            )
        return (f"The pictures were {made}.",)

    summary = describe

    def state(self) -> dict[str, Any]:
        """What has to be known for new pictures, in plain types."""
        return {
            "kind": "pictures",
            "format": FORMAT,
            "features": self.features,
            "size": self.size,
            "mean": list(self.mean),
            "std": list(self.std),
            "sha256": None if self.model is None else self.model.sha256,
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> "PictureEncoder":
        """The encoder that `state` came from."""
        if state.get("kind") != "pictures" or state.get("format") != FORMAT:
            raise ValueError(
                f"the encoder of pictures has format {state.get('format')}, and this version "
                f"reads {FORMAT}; fit again"
            )
        names = ("features", "size", "mean", "std", "sha256")
        if str(state["features"]).lower().startswith(ONNX) and not state["sha256"]:
            raise ValueError("the encoder of pictures names a file without its sha256; fit again")
        return cls(**{name: state[name] for name in names})

    def _gray(self, image: "Image") -> FloatArray:
        from PIL import Image

        small = image.convert("L").resize((self.size, self.size), Image.Resampling.BILINEAR)
        return np.asarray(small, dtype=np.float64).ravel() / 255

    def _edges(self, image: "Image") -> FloatArray:
        cell = max(self.size // 8, 1)
        found = _hog()(
            square(image, self.size),
            orientations=9,
            pixels_per_cell=(cell, cell),
            cells_per_block=(2, 2),
            channel_axis=-1,
        )
        return np.asarray(found, dtype=np.float64)

    def _normalized(self, image: "Image") -> FloatArray:
        values = (square(image, self.size) / 255.0 - self.mean) / self.std
        return np.ascontiguousarray(values.transpose(2, 0, 1), dtype=np.float32)


def square(image: "Image", size: int) -> FloatArray:
    """The middle of a picture as an array (size, size, 3) of bytes."""
    from PIL import Image, ImageOps

    return np.asarray(ImageOps.fit(image, (size, size), Image.Resampling.BILINEAR))


def usual_features(sides: Sequence[int], size: int | None) -> tuple[str, int]:
    """Features and size for pictures whose shorter sides are these: hog if they are large.

    Examples
    --------
    >>> usual_features([28, 28, 30], None), usual_features([3000, 400], None)
    (('pixels', 32), ('hog', 128))
    >>> usual_features([3000, 400], 64), usual_features([28], 96)
    (('pixels', 64), ('hog', 96))
    """
    if size is None:
        size = HOG_SIZE if len(sides) and np.median(sides) > SMALL else PIXELS_SIZE
    return ("hog" if size > SMALL else "pixels"), size


def has_hog() -> bool:
    """Whether scikit-image is installed."""
    try:
        _hog()
    except ValueError:
        return False
    return True


def _hog() -> Any:
    try:
        from skimage.feature import hog
    except ImportError as error:
        raise needs_extra("--image-features hog", "it", "scikit-image", "photos") from error
    return hog
