"""The samples of the large runs, as float32 files that are mapped into memory.

MNIST comes from the folder named by SAMEKIND_DATA. The other set is drawn: 20 classes in 64
features, each a thick curve that winds through the space. Curves come close to each other and
cross, so that a few percent of the samples lie nearer to another class, and k-means cuts the
curves to pieces.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

FOLDER = Path(tempfile.gettempdir()) / "samekind-benchmarks"
CLASSES, FEATURES = 20, 64
WAVES = 3  # sines that a curve is made of
# Dimensions that the curves wind through, and how far samples lie beside them: of 15 settings tried
# on 6,000 samples one of two where a vote of 5 neighbours errs on about 3 % (the harder for DGSL).
ROOM, THICKNESS = 5, 0.25
NOISE = 0.04  # in all features
BLOCK = 50_000


def prepare(name: str, n: int) -> None:
    """Write the first n samples of "mnist" or of "curves" to files, unless they are there."""
    X_file, y_file = _files(name, n)
    if X_file.exists() and y_file.exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    X, y = _mnist(n) if name == "mnist" else curves(n)
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
    # All of them in their order; fewer: drawn, so that all classes have their share.
    rows = np.sort(np.random.default_rng(0).permutation(len(X))[:n])
    return (X[rows] / np.float32(255)).astype(np.float32), y[rows].astype(np.int64)


def curves(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """n samples on thick curves, one for each class, and their classes.

    >>> X, y = curves(1000)
    >>> X.shape, X.dtype, len(np.unique(y))
    ((1000, 64), dtype('float32'), 20)
    """
    rng = np.random.default_rng(seed)
    wave = (
        rng.standard_normal((CLASSES, 2 * WAVES, ROOM))
        / np.repeat(np.arange(1, WAVES + 1), 2)[:, None]
    )
    centre = rng.standard_normal((CLASSES, ROOM))
    into, _ = np.linalg.qr(rng.standard_normal((FEATURES, ROOM)))
    y = rng.integers(CLASSES, size=n)
    X = np.empty((n, FEATURES), dtype=np.float32)
    for start in range(0, n, BLOCK):
        kind = y[start : start + BLOCK]
        angle = np.pi * rng.random(len(kind))[:, None] * np.arange(1, WAVES + 1)
        along = np.stack([np.cos(angle), np.sin(angle)], axis=2).reshape(len(kind), -1)
        inner = centre[kind] + np.einsum("if,ifr->ir", along, wave[kind])
        inner += THICKNESS * rng.standard_normal(inner.shape)
        noise = NOISE * rng.standard_normal((len(kind), FEATURES))
        # Squared lengths about 100, as those of pictures: the defaults of DGSL suit such units.
        X[start : start + BLOCK] = 10 / np.sqrt(2 * ROOM) * (inner @ into.T + noise)
    return X, y
