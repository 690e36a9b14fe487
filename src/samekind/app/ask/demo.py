"""Pictures to try the questions on: handwritten digits."""

from pathlib import Path

import numpy as np

from samekind._folder import replace_together

N_PICTURES, ENLARGED = 500, 6


def digits_in(folder: Path) -> Path:
    """Write digits as PNG files below a folder, unless they are there; gives their folder."""
    from PIL import Image
    from sklearn.datasets import load_digits

    pictures = folder / "digits"

    def fill(new: Path) -> None:
        for i, digit in enumerate(load_digits().images[:N_PICTURES]):
            pixels = np.kron(255 - digit * 15.9375, np.ones((ENLARGED, ENLARGED)))
            Image.fromarray(pixels.round().astype(np.uint8)).save(new / f"{i:03d}.png")

    if not pictures.is_dir():
        replace_together(pictures, (), fill)
    return pictures
