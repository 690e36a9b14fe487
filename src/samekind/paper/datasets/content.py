"""Content: by which numbers a data set is recognized, whatever file it comes in.

The package keeps, in `facts`, what is expected of each data set: the number of samples of each
class, mean, variance and drift of each column, the mean of each class (labels that do not belong
to their rows change it), the range of the values, and digests of what has to agree exactly. The
drift is the mean of value times place, which other rows in the same places change. All of them are
in the units of the files, gray levels from 0 to 255 where there are pictures.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind._typing import FloatArray, IntArray
from samekind.paper.datasets.records import Arrays

FACTS = Path(__file__).parent / "facts"
TOLERANCE = 1e-4
_UNIT = 1e-5  # of the numbers kept: whole multiples take half the space of floats


@dataclass(frozen=True, eq=False)
class Content:
    """What is compared."""

    class_counts: IntArray
    range: FloatArray  # lowest and highest value
    means: FloatArray
    variances: FloatArray
    drifts: FloatArray  # means of value times place among the rows, from -1/2 to 1/2
    class_means: FloatArray
    digests: dict[str, str]  # of y and of each extra

    @property
    def shape(self) -> tuple[int, int]:
        """(n_samples, n_features)"""
        return int(self.class_counts.sum()), len(self.means)


def describe(arrays: Arrays) -> Content:
    """The content of finite samples with classes counted from 0."""
    X, y = arrays.X, arrays.y
    counts = np.bincount(y)
    means = X.mean(axis=0, dtype=np.float64)
    squares = np.einsum("ij,ij->j", X, X, dtype=np.float64)  # in pieces, never a float copy of X
    places = (np.arange(len(X)) - (len(X) - 1) / 2) / len(X)
    row_means = X.mean(axis=1, dtype=np.float64)
    return Content(
        class_counts=counts,
        range=np.array([X.min(), X.max()], dtype=np.float64),
        means=means,
        variances=squares / len(X) - means**2,
        drifts=np.einsum("i,ij->j", places, X, dtype=np.float64) / len(X),
        class_means=np.bincount(y, weights=row_means) / counts,
        digests={name: _digest(array) for name, array in {"y": y, **arrays.extras}.items()},
    )


def differences(found: Content, expected: Content) -> list[str]:
    """What differs, as parts of a sentence; empty if nothing does."""
    if found.shape != expected.shape:
        return [f"it has {_by(found.shape)} values, expected {_by(expected.shape)}"]
    return list(_differences(found, expected)) or [
        f"its values stand in other rows: {problem}"
        for problem in _numbers("column drift", "column", found.drifts, expected.drifts)
    ]


def remembered(name: str) -> Content | None:
    """What the package keeps of a data set, if anything."""
    path = FACTS / f"{name}.npz"
    if not path.exists():
        return None
    with np.load(path) as file:
        return Content(
            class_counts=file["class_counts"],
            range=file["range"] * _UNIT,
            means=file["means"] * _UNIT,
            variances=file["variances"] * _UNIT,
            drifts=file["drifts"] * _UNIT,
            class_means=file["class_means"] * _UNIT,
            digests={
                key.removeprefix("digest_"): str(file[key])
                for key in file.files
                if key.startswith("digest_")
            },
        )


def remembered_rows(name: str) -> IntArray:
    """Which rows of its parent a data set consists of."""
    with np.load(FACTS / f"{name}.npz") as file:
        rows: IntArray = file["rows"]
    return rows


def remember(name: str, content: Content, rows: IntArray | None = None) -> None:
    """Keep the content of a new data set, and its rows where it is part of another."""
    facts: dict[str, Any] = {
        key: np.rint(getattr(content, key) / _UNIT).astype(np.int64)
        for key in ("range", "means", "variances", "drifts", "class_means")
    }
    facts |= {f"digest_{key}": value for key, value in content.digests.items()}
    if rows is not None:
        facts["rows"] = rows
    np.savez_compressed(FACTS / f"{name}.npz", class_counts=content.class_counts, **facts)


def _differences(found: Content, expected: Content) -> Iterator[str]:
    if not np.array_equal(found.class_counts, expected.class_counts):
        yield _counts(found.class_counts, expected.class_counts)
    elif found.digests["y"] != expected.digests["y"]:
        yield "its rows come in another order: the classes have the right sizes, and another order"
    if np.abs(found.range - expected.range).max() > TOLERANCE:
        yield f"its values run from {_to(found.range)}, expected {_to(expected.range)}"
    yield from _numbers("column mean", "column", found.means, expected.means)
    yield from _numbers("column variance", "column", found.variances, expected.variances)
    if len(found.class_means) == len(expected.class_means):
        yield from _numbers("class mean", "class", found.class_means, expected.class_means)
    for name, digest in expected.digests.items():
        if name != "y" and found.digests.get(name) != digest:
            yield f"its array '{name}' " + ("differs" if name in found.digests else "is missing")


def _counts(found: IntArray, expected: IntArray) -> str:
    if len(found) != len(expected):
        return f"it has {len(found)} classes, expected {len(expected)}"
    at = int(np.flatnonzero(found != expected)[0])
    return f"its class {at} has {found[at]} samples, expected {expected[at]}"


def _numbers(what: str, where: str, found: FloatArray, expected: FloatArray) -> Iterator[str]:
    distance = np.abs(found - expected)
    wrong, at = int((distance > TOLERANCE).sum()), int(distance.argmax())
    if wrong:
        yield (
            f"{wrong} of {len(found)} {what}s differ, most that of {where} {at}: "
            f"{found[at]:.6g}, expected {expected[at]:.6g}"
        )


def _digest(array: NDArray[Any]) -> str:
    whole = np.ascontiguousarray(array, dtype="<i8")
    if not np.array_equal(whole, array):
        raise ValueError("an array of numbers of rows or classes holds fractions")
    return sha256(str(array.shape).encode() + whole.tobytes()).hexdigest()


def _by(shape: tuple[int, int]) -> str:
    return f"{shape[0]} x {shape[1]}"


def _to(ends: FloatArray) -> str:
    return f"{ends[0]:.6g} to {ends[1]:.6g}"
