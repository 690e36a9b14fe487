"""One picture file: opened, upright, in color, transparent parts as white."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from samekind._files import require_regular
from samekind.app.inputs.errors import InputError, needs_extra, reading

if TYPE_CHECKING:
    from PIL.Image import Image

HEIF = (".heic", ".heif")
SUFFIXES = (
    ".png",
    ".jpg",
    ".jpeg",
    ".bmp",
    ".gif",
    ".tif",
    ".tiff",
    ".webp",
    ".pgm",
    *HEIF,
)
# Pillow guesses by content; without this list a file could ask for an outside program.
_FORMATS = ["PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP", "PPM"]


def require_pillow(folder: Path) -> None:
    """Refuse pictures where nothing can read them."""
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        raise needs_extra(folder, "pictures", "pillow") from error


def open_picture(path: Path, needed: int) -> "Image":
    """The picture in RGB, upright; a large JPEG not much larger than ``needed`` pixels."""
    from PIL import Image

    with _problems(path):
        with Image.open(path, formats=_FORMATS) as image:
            image.verify()  # checksums, where the format has them; needs a second opening
        with Image.open(path, formats=_FORMATS) as image:
            image.draft("RGB", (2 * needed, 2 * needed))  # decodes a fraction of the pixels
            return _in_color(path, image)


def size_of(path: Path) -> tuple[int, int] | None:
    """Width and height by the head of the file; None if it cannot be read."""
    from PIL import Image

    try:
        with _problems(path), Image.open(path, formats=_FORMATS) as image:
            return image.size
    except InputError:
        return None


@contextmanager
def _problems(path: Path) -> Iterator[None]:
    """Whatever goes wrong inside, as an error that names the file."""
    from PIL import Image, UnidentifiedImageError

    require_regular(path)
    if path.suffix.lower() in HEIF:
        _register_heif(path)
    with reading(path, "a picture"), warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            yield
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise InputError(
                path, f"the picture is too large ({error})", "make it smaller"
            ) from error
        except UnidentifiedImageError as error:
            reason = f"it is not a picture of a known kind ({', '.join(_FORMATS)})"
            raise InputError(path, reason, "save it again, or remove it") from error


def _register_heif(path: Path) -> None:
    try:
        from pillow_heif import register_heif_opener
    except ImportError as error:
        raise needs_extra(path, "HEIC pictures", "pillow-heif", "photos") from error
    register_heif_opener()
    if "HEIF" not in _FORMATS:
        _FORMATS.append("HEIF")


def _in_color(path: Path, image: "Image") -> "Image":
    from PIL import Image, ImageOps

    # Pillow has 16-bit gray as I;16, or as I where the file format has no other 32 bits.
    has_16_bits = image.mode.startswith("I;16") or (
        image.mode == "I" and image.format in ("PNG", "PPM")
    )
    upright = ImageOps.exif_transpose(image)
    if has_16_bits:  # convert would cut everything above 255 to white
        gray = np.round(np.asarray(upright) / 257).astype(np.uint8)
        return Image.fromarray(gray).convert("RGB")
    if image.mode in ("I", "F"):
        raise InputError(
            path, "it holds 32-bit numbers of unknown range", "save it with 8 or 16 bits per pixel"
        )
    if "A" in image.getbands() or "transparency" in image.info:
        opaque = upright.convert("RGBA")
        white = Image.new("RGBA", opaque.size, "white")
        return Image.alpha_composite(white, opaque).convert("RGB")
    return upright.convert("RGB")
