"""Convert: arrays as somebody published them become those of the record, or are refused.

Copies of one data set differ in what does not matter: classes counted from 1, gray levels from
0 to 1, pictures written column by column. These are brought in line first, then the content is
compared with what the package keeps.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind._typing import IntArray
from samekind.app.inputs.errors import InputError
from samekind.paper.datasets.content import TOLERANCE, Content, describe, differences, remembered
from samekind.paper.datasets.errors import DatasetError, RefusedDataset
from samekind.paper.datasets.records import Arrays, Record


def read_as(
    record: Record, where: str, read: Callable[[], Arrays], remedy: str | None = None
) -> Arrays:
    """What `read` finds at `where`, in the units and the layout of the record, and checked.

    Raises
    ------
    RefusedDataset
        With what differs, and the remedy.
    """
    try:
        return _checked(record, belonging(record, read()))
    except InputError as error:
        file = "" if error.path == where else f"{Path(error.path).name}: "
        problem = f"{file}{error.reason}"
    except _Differs as error:
        problem = str(error)
    except (DatasetError, MemoryError):
        raise
    except Exception as error:  # files whose arrays are whole and do not fit together
        problem = f"its arrays are not those of a data set ({error})"
    sentences = [f"{where} is not the data set '{record.name}': {problem}", remedy]
    raise RefusedDataset("; ".join(filter(None, sentences)))


def belonging(record: Record, arrays: Arrays) -> Arrays:
    """The arrays without those that are no part of the data set."""
    extras = {key: array for key, array in arrays.extras.items() if key in record.extras}
    return Arrays(arrays.X, arrays.y, extras)


def numbered(labels: NDArray[Any]) -> IntArray:
    """The classes counted from 0, in the order of their numbers or names.

    Examples
    --------
    >>> import numpy as np
    >>> numbered(np.array(["10", "2", "1"]))  # as numbers: "10" is not before "2"
    array([2, 1, 0])
    """
    try:
        labels = labels.astype(np.float64)
    except ValueError:
        labels = labels.astype(str)
    order: IntArray = np.unique(labels, return_inverse=True)[1]
    return order.ravel()


class _Differs(Exception):
    """What differs, in words."""


def _checked(record: Record, arrays: Arrays) -> Arrays:
    expected = remembered(record.name)
    if expected is None:
        raise _Differs("nothing is known of it but the digest of one file")
    if problem := _unusable(arrays, expected):
        raise _Differs(problem)
    X = _laid_out(record, _in_gray_levels(record, arrays.X, expected), expected)
    usual = Arrays(X, numbered(arrays.y), arrays.extras)
    found = describe(usual)
    if problems := differences(found, expected):
        raise _Differs(_explained(record, found) or "; ".join(problems))
    return Arrays(record.scale.kept(X), usual.y, usual.extras)


def _unusable(arrays: Arrays, expected: Content) -> str | None:
    """What forbids even to compare."""
    X, n = arrays.X, arrays.y.size
    if X.dtype.kind not in "buif":
        return f"its values are of the type {X.dtype}, expected numbers"
    if X.shape != expected.shape or n != expected.shape[0]:
        sizes, wanted = " x ".join(map(str, X.shape)), " x ".join(map(str, expected.shape))
        return f"it has {sizes} values and {n} labels, expected {wanted}"
    if not np.isfinite(X).all():
        return "it holds values that are not finite"
    return None


def _in_gray_levels(record: Record, X: NDArray[Any], expected: Content) -> NDArray[Any]:
    """Gray levels from 0 to 255, also where somebody has divided them already."""
    divisor = record.scale.divisor
    return X * divisor if divisor > 1 and X.max() <= 1 < expected.range[1] else X


def _laid_out(record: Record, X: NDArray[Any], expected: Content) -> NDArray[Any]:
    """Pictures in the layout of the record, if it is the other one that fits."""
    if record.image_shape is None:
        return X
    height, width = record.image_shape
    there = (height, width) if record.column_major else (width, height)
    turned = np.arange(height * width).reshape(there).T.ravel()
    means = X.mean(axis=0, dtype=np.float64)

    def off(means: NDArray[Any]) -> float:
        return float(np.abs(means - expected.means).max())

    return X[:, turned] if off(means[turned]) <= TOLERANCE < off(means) else X


def _explained(record: Record, found: Content) -> str | None:
    """Which other data set it is, where that is known."""
    if record.mistaken is None:
        return None
    name, sentence = record.mistaken
    other = remembered(name)
    return sentence if other is not None and not differences(found, other) else None
