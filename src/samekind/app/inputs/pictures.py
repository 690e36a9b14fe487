"""Pictures: a folder of image files becomes one row of gray values per picture."""

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from samekind._files import require_regular
from samekind.app.inputs.errors import InputError, needs_extra, reading, require_memory
from samekind.app.inputs.samples import Samples, require_rows

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".pgm")
# Pillow guesses by content; without this list a file could ask for an outside program.
_FORMATS = ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP", "PPM")


def read_pictures(
    folder: Path, *, image_size: int, on_progress: Callable[[int, int], None] | None
) -> Samples:
    """Read every picture below the folder, in the order of their relative paths."""
    if image_size < 1:
        raise InputError(folder, f"--image-size is {image_size}", "use 1 pixel or more")
    names, n_skipped = _find(folder)
    if not names:
        reason = f"the folder holds no pictures ({', '.join(s[1:] for s in SUFFIXES)})"
        raise InputError(folder, reason, "name the folder that holds them")
    require_rows(folder, len(names))
    size = f"{image_size} x {image_size} pixels"
    require_memory(folder, 8 * len(names) * image_size**2, f"{len(names)} pictures of {size}")
    X = np.empty((len(names), image_size * image_size))
    for done, name in enumerate(names):
        _check_name(folder, name)
        X[done] = _gray_values(folder / name, image_size)
        if on_progress is not None:
            on_progress(done + 1, len(names))
    return Samples(
        X=X,
        source=folder.resolve().name,
        ids=tuple(names),
        image_shape=(image_size, image_size),
        notes=_notes(len(names), n_skipped, image_size),
    )


def _find(folder: Path) -> tuple[list[str], int]:
    """Relative paths of the pictures, sorted, and how many other entries there are."""
    names, n_skipped = [], 0
    for place, folders, files in os.walk(folder, onerror=_cannot_list):
        entered = [
            f for f in folders if not f.startswith(".") and not (Path(place) / f).is_symlink()
        ]
        pictures = [f for f in files if not f.startswith(".") and f.lower().endswith(SUFFIXES)]
        n_skipped += len(folders) - len(entered) + len(files) - len(pictures)
        folders[:] = entered
        names += [(Path(place) / f).relative_to(folder).as_posix() for f in pictures]
    return sorted(names), n_skipped


def _check_name(folder: Path, name: str) -> None:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:  # found out now, not when the results are written
        raise InputError(
            folder, f"the file name {name!r} cannot be written as text", "rename the file"
        ) from error


def _cannot_list(error: OSError) -> None:
    reason = f"the folder cannot be listed ({error.strerror})"
    raise InputError(error.filename, reason, "check its permissions") from error


def _gray_values(path: Path, size: int) -> NDArray[Any]:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise needs_extra(path, "pictures", "pillow") from error
    require_regular(path)
    with reading(path, "a picture"), warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(path, formats=_FORMATS) as image:
                image.verify()  # checksums, where the format has them; needs a second opening
            with Image.open(path, formats=_FORMATS) as image:
                gray = _gray(path, image).resize((size, size), Image.Resampling.BILINEAR)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise InputError(
                path, f"the picture is too large ({error})", "make it smaller"
            ) from error
        except UnidentifiedImageError as error:
            reason = f"it is not a picture of a known kind ({', '.join(_FORMATS)})"
            raise InputError(path, reason, "save it again, or remove it") from error
    return np.asarray(gray, dtype=np.float64).ravel() / 255


def _gray(path: Path, image: "Image") -> "Image":
    """The picture in 8-bit gray, upright, transparent parts as white."""
    from PIL import Image, ImageOps

    # Pillow has 16-bit gray as I;16, or as I where the file format has no other 32 bits.
    has_16_bits = image.mode.startswith("I;16") or (
        image.mode == "I" and image.format in ("PNG", "PPM")
    )
    upright = ImageOps.exif_transpose(image)
    if has_16_bits:  # convert("L") would cut everything above 255 to white
        return Image.fromarray(np.round(np.asarray(upright) / 257).astype(np.uint8))
    if image.mode in ("I", "F"):
        raise InputError(
            path, "it holds 32-bit numbers of unknown range", "save it with 8 or 16 bits per pixel"
        )
    if "A" in image.getbands() or "transparency" in image.info:
        opaque = upright.convert("RGBA")
        white = Image.new("RGBA", opaque.size, "white")
        return Image.alpha_composite(white, opaque).convert("L")
    return upright.convert("L")


def _notes(n: int, n_skipped: int, size: int) -> tuple[str, ...]:
    made = (
        f"{n} pictures were turned to gray and resized to {size} x {size} pixels; "
        "their values, 0 to 255, were divided by 255."
    )
    if not n_skipped:
        return (made,)
    return made, f"Skipped in the folder (hidden, linked or not a picture): {n_skipped}."
