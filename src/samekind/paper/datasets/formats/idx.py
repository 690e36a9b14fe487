"""Idx: the format of the MNIST files, an array of bytes behind a short header, often gzipped."""

from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samekind.app.inputs.errors import reading
from samekind.paper.datasets.formats.bounds import unpacked
from samekind.paper.datasets.records import Arrays

_BYTES = 0x08  # the header's code for unsigned bytes, the only type that occurs here


def read_idx(path: Path) -> NDArray[np.uint8]:
    """Read one array of bytes, gzipped or not."""
    with reading(path, "an idx file"):
        raw = unpacked(path)
        if len(raw) < 4 or raw[:3] != bytes([0, 0, _BYTES]):
            raise ValueError("its header is not that of an array of bytes")
        start = 4 + 4 * raw[3]
        shape = tuple(int(size) for size in np.frombuffer(raw[4:start], dtype=">u4"))
        if len(shape) != raw[3] or len(raw) - start != prod(shape):
            raise ValueError(f"{prod(shape)} values are announced, and {len(raw) - start} follow")
        return np.frombuffer(raw, dtype=np.uint8, offset=start).reshape(shape)


def read_pictures_and_labels(paths: Sequence[Path]) -> Arrays:
    """Read pictures, labels, pictures, labels, ..., and put them one below the other."""
    pictures = [read_idx(path) for path in paths[0::2]]
    X = np.vstack([stack.reshape(len(stack), -1) for stack in pictures])
    return Arrays(X, np.concatenate([read_idx(path) for path in paths[1::2]]))
