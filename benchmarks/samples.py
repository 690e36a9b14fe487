"""The samples of the large runs, as float32 files that are mapped into memory.

MNIST comes from the folder named by SAMEKIND_DATA. The other set is synthetic: 20 classes in 64
features, each made of three flat patches of four dimensions with noise around them. The patches
of a class lie no nearer to each other than to those of other classes, so that k-means on the
features mixes them up; the few labels say which belong together.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

FOLDER = Path(tempfile.gettempdir()) / "samekind-benchmarks"
CLASSES, FEATURES = 20, 64
PATCHES, DIMENSIONS = 3, 4  # patches of a class, and their dimensions
# Sizes: of the differences between classes and between patches, of a patch, and of the noise.
BETWEEN_CLASSES, BETWEEN_PATCHES, WITHIN, NOISE = 0.0625, 0.075, 0.125, 0.125
BLOCK = 50_000


def prepare(name: str, n: int) -> None:
    """Write the first n samples of "mnist" or of "patches" to files, unless they are there."""
    X_file, y_file = _files(name, n)
    if X_file.exists() and y_file.exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    X, y = _mnist(n) if name == "mnist" else patches(n)
    np.save(y_file, y)
    half_written = X_file.with_suffix(".part.npy")
    np.save(half_written, X)
    half_written.replace(X_file)


def load(name: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """X, mapped into memory and read only, and y."""
    X_file, y_file = _files(name, n)
    return np.load(X_file, mmap_mode="r"), np.load(y_file)


def _files(name: str, n: int) -> tuple[Path, Path]:
    return FOLDER / f"{name}_{n}.npy", FOLDER / f"{name}_{n}_y.npy"


def _mnist(n: int) -> tuple[np.ndarray, np.ndarray]:
    folder = os.environ.get("SAMEKIND_DATA")
    if not folder:
        sys.exit("set SAMEKIND_DATA to the folder with the paper's data sets")
    with np.load(Path(folder) / "mnist.npz") as file:
        X, y = file["X"], file["y"]
    # All of them in their order; fewer: a random subset, so that all classes have their share.
    rows = np.sort(np.random.default_rng(0).permutation(len(X))[:n])
    return (X[rows] / np.float32(255)).astype(np.float32), y[rows].astype(np.int64)


def patches(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """n samples on flat patches with noise, and their classes.

    >>> X, y = patches(1000)
    >>> X.shape, X.dtype, len(np.unique(y))
    ((1000, 64), dtype('float32'), 20)
    """
    rng = np.random.default_rng(seed)
    y, patch = rng.integers(CLASSES, size=n), rng.integers(PATCHES, size=n)
    center = BETWEEN_PATCHES * rng.standard_normal((CLASSES, PATCHES, FEATURES))
    center += BETWEEN_CLASSES * rng.standard_normal((CLASSES, 1, FEATURES))
    frame = WITHIN * rng.standard_normal((CLASSES, PATCHES, DIMENSIONS, FEATURES))
    X = np.empty((n, FEATURES), dtype=np.float32)
    for start in range(0, n, BLOCK):
        block = slice(start, start + BLOCK)
        kind = y[block], patch[block]
        place = rng.uniform(-1, 1, (len(kind[0]), DIMENSIONS))
        noise = NOISE * rng.standard_normal((len(kind[0]), FEATURES))
        X[block] = center[kind] + np.einsum("ir,irf->if", place, frame[kind]) + noise
    return X, y
