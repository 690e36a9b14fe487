"""Arrays as pictures in data URIs, small enough to have hundreds of them on one page."""

import base64
import io
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from samekind._typing import FloatArray

LARGEST_SIDE = 48  # pixels; 900 gray pictures of this size stay below 3 MB
LARGEST_COLOR_SIDE = 80  # photos compress better


def png_uri(gray: NDArray[np.uint8]) -> str:
    """A uint8 array as an 8-bit gray PNG in a data URI.

    Written out by hand, since a gray PNG needs three chunks and is a quarter the size of
    the RGBA ones that plotting libraries write.

    Examples
    --------
    >>> png_uri(np.zeros((2, 2), dtype=np.uint8))[:30]
    'data:image/png;base64,iVBORw0K'
    """
    height, width = gray.shape
    lines = np.zeros((height, width + 1), dtype=np.uint8)  # a filter byte opens every line
    lines[:, 1:] = gray
    header = struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b"")]
    png = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in chunks)
    return _uri("png", png)


def jpeg_uri(color: NDArray[np.uint8]) -> str:
    """A uint8 array of shape (height, width, 3) as a small JPEG in a data URI.

    Examples
    --------
    >>> jpeg_uri(np.zeros((2, 2, 3), dtype=np.uint8))[:23]
    'data:image/jpeg;base64,'
    """
    image, out = Image.fromarray(color), io.BytesIO()
    image.thumbnail((LARGEST_COLOR_SIDE, LARGEST_COLOR_SIDE))
    image.save(out, format="JPEG", quality=80)
    return _uri("jpeg", out.getvalue())


def gray_levels(values: FloatArray, low: float, high: float) -> NDArray[np.uint8]:
    """Values between low and high as 0..255; what is not finite becomes 0.

    Examples
    --------
    >>> gray_levels(np.array([-1.0, 0.0, 0.5, 1.0]), -1.0, 1.0)
    array([  0, 128, 191, 255], dtype=uint8)
    """
    span = high - low
    share = (np.asarray(values, dtype=float) - low) / span if span > 0 else np.zeros(values.shape)
    return np.round(255 * np.clip(np.nan_to_num(share), 0, 1)).astype(np.uint8)


class Gallery:
    """Pictures of rows, all on the one scale of the whole set; bytes stay what they are.

    Examples
    --------
    >>> gallery = Gallery(np.arange(8.0).reshape(2, 2, 2))
    >>> gallery.uri(1) == png_uri(np.array([[146, 182], [219, 255]], dtype=np.uint8))
    True
    """

    def __init__(self, images: NDArray[Any]) -> None:
        self._images = images
        self._low, self._high = 0.0, 255.0
        if images.dtype != np.uint8:
            finite = images[np.isfinite(images)]
            self._low = float(finite.min()) if finite.size else 0.0
            self._high = float(finite.max()) if finite.size else 0.0
        self._factor = -(-max(images.shape[1:3]) // LARGEST_SIDE)

    def uri(self, row: int) -> str:
        if self._images.ndim == 4:
            return jpeg_uri(gray_levels(self._images[row], self._low, self._high))
        picture = _shrink(np.asarray(self._images[row], dtype=float), self._factor)
        return png_uri(gray_levels(picture, self._low, self._high))


def _shrink(picture: FloatArray, factor: int) -> FloatArray:
    """Means of factor x factor cells; the last ones repeat the border where it runs out."""
    height, width = picture.shape
    padded = np.pad(picture, ((0, -height % factor), (0, -width % factor)), mode="edge")
    shape = (padded.shape[0] // factor, factor, padded.shape[1] // factor, factor)
    means: FloatArray = padded.reshape(shape).mean(axis=(1, 3))
    return means


def _uri(kind: str, body: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(body).decode('ascii')}"


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
