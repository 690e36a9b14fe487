"""Validation of what users pass: clean index arrays and labels.

Whole floats such as 2.0 are taken for the integers they are, because a frame with one
missing cell somewhere turns whole columns into floats. Booleans and text are refused:
they are far more often a mistake (a mask, an id) than a sample index.
"""

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from samekind._typing import IntArray

ALL_KNOWN = (
    "expected ints in the range [0, inf), as every label has to be known here; "
    "np.unique(y, return_inverse=True)[1] numbers the classes"
)


def check_count(value: object, name: str, minimum: int) -> int:
    """An integer that is at least `minimum`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
        raise TypeError(f"{name} is {value!r}; expected an int in the range [{minimum}, inf)")
    if value < minimum:
        raise ValueError(f"{name} is {value}; expected an int in the range [{minimum}, inf)")
    return int(value)


def check_pairs(pairs: object, n_samples: int, name: str) -> IntArray:
    """Pairs of sample indices as an (m, 2) array, in the order given."""
    raw = _as_array([] if pairs is None else pairs, name)
    if raw.shape == (0,) or raw.shape == (0, 2):
        return np.empty((0, 2), dtype=np.int64)
    if raw.ndim != 2 or raw.shape[1] != 2:
        raise ValueError(_shape_message(pairs, raw, name))
    expected = f"expected two ints in the range [0, {n_samples}); correct or remove this pair"
    return _check_indices(raw, n_samples, name, expected)


def check_rows(rows: object, n_samples: int) -> IntArray:
    """Distinct sample indices as an (m,) array; a boolean mask is turned into them."""
    raw = _as_array(rows, "rows")
    if raw.ndim != 1:
        raise ValueError(f"rows has shape {raw.shape}; expected one row number per entry, (m,)")
    if raw.dtype == object and set(map(type, raw)) <= {bool, np.bool_} and len(raw):
        raw = raw.astype(bool)
    if raw.dtype == bool:
        if len(raw) != n_samples:
            raise ValueError(
                f"rows is a mask of {len(raw)} entries, but the constraints cover "
                f"{n_samples} samples; make the mask from the same rows"
            )
        return np.flatnonzero(raw)
    expected = f"expected distinct ints in the range [0, {n_samples})"
    chosen = _check_indices(raw, n_samples, "rows", expected)
    values, counts = np.unique(chosen, return_counts=True)
    repeated = np.isin(chosen, values[counts > 1])
    if repeated.any():
        raise ValueError(f"rows names row {chosen[repeated][0]} more than once; {expected}")
    return chosen


def check_labels(y: object) -> IntArray:
    """One class number per sample, all of them known."""
    raw = _as_array(y, "y")
    if raw.ndim != 1 or len(raw) == 0:
        raise ValueError(f"y has shape {raw.shape}; expected one label per sample, (n_samples,)")
    _refuse(_wrong_type(raw), raw, "y", ALL_KNOWN, TypeError)
    missing = np.not_equal(raw, raw)  # NaN alone differs from itself, in object arrays too
    _refuse(missing, raw, "y", ALL_KNOWN)
    _refuse(~_is_whole(raw) | (raw < 0), raw, "y", ALL_KNOWN)
    return raw.astype(np.int64)


def numbered_labels(y: Any) -> tuple[IntArray, tuple[Any, ...]]:
    """For each sample the position of its label among all names, -1 where unknown; the names.

    Unknown are None, NaN, blank text, masked entries and the number -1.
    """
    labels = clean_labels(y)
    names = tuple(sorted({label for label in labels if label is not None}, key=class_order))
    number = {name: i for i, name in enumerate(names)}
    positions = [-1 if label is None else number[label] for label in labels]
    return np.array(positions, dtype=np.int64), names


class UnclearLabel(ValueError):
    """A label that may mean a class or "unknown"."""

    reason = "the label '-1' may mean a class or 'unknown'"
    remedy = "leave it blank for unknown, or give the class another name"


def clean_labels(y: Iterable[object]) -> list[object]:
    """One label per sample, None where unknown; text and numbers are both fine."""
    if hasattr(y, "__array__") and not isinstance(y, np.ma.MaskedArray):
        y = np.asarray(y)
    if isinstance(y, np.ndarray):
        if y.ndim != 1:
            raise ValueError(f"y has shape {y.shape}; expected one label per sample, (n_samples,)")
        y = y.tolist()
    if isinstance(y, str) or not isinstance(y, Iterable):
        raise TypeError(f"y is a {type(y).__name__}; expected one label per sample")
    labels = []
    for i, value in enumerate(y):
        try:
            labels.append(clean_label(value))
        except UnclearLabel as error:
            raise ValueError(f"y[{i}]: {error.reason}; {error.remedy}") from None
        except TypeError:
            raise TypeError(f"y[{i}] is {value!r}; expected text, a number or None") from None
    if not labels:
        raise ValueError("y is empty; expected one label per sample, (n_samples,)")
    return labels


def clean_label(value: Any) -> object:
    """A label as text or number; None where it says that the class is unknown."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        text = value.strip()
        if text == "-1":  # as a class it would declare all unknown samples the same kind
            raise UnclearLabel
        return text or None
    if value is None or type(value).__name__ == "NAType" or value != value:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    hash(value)
    return None if value == -1 else value


def class_order(name: object) -> tuple[bool, Any, str]:
    """A key that sorts names of classes: numbers, then all else as text."""
    return (False, name, "") if isinstance(name, Real) else (True, 0, str(name))


def _as_array(values: object, name: str) -> npt.NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} has masked entries; fill them in or remove them")
    # numpy would turn [(True, 2)] into integers and [(0, "a")] into text: a list keeps
    # its own types until they have been looked at.
    if hasattr(values, "__array__"):
        return np.asarray(values)
    return np.array(values, dtype=object)


def _check_indices(raw: npt.NDArray[Any], n: int, name: str, expected: str) -> IntArray:
    _refuse(_wrong_type(raw), raw, name, expected, TypeError)
    _refuse(~_is_whole(raw), raw, name, expected)
    _refuse((raw < 0) | (raw >= n), raw, name, expected)
    return raw.astype(np.int64)


def _wrong_type(raw: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    if raw.dtype != object:
        return np.full(raw.shape, raw.dtype.kind not in "iuf")
    flat = raw.ravel().tolist()
    types = set(map(type, flat))
    wrong = {t for t in types if issubclass(t, bool | np.bool_) or not issubclass(t, Real)}
    if not wrong:
        return np.zeros(raw.shape, dtype=bool)
    return np.array([type(value) in wrong for value in flat]).reshape(raw.shape)


def _is_whole(raw: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):  # inf % 1 is nan, hence not whole
        return np.asarray(raw % 1 == 0, dtype=bool)


def _refuse(
    bad: npt.NDArray[np.bool_],
    raw: npt.NDArray[Any],
    name: str,
    expected: str,
    error: type[Exception] = ValueError,
) -> None:
    """Raise for the first entry that is marked as bad, if there is one."""
    if bad.any():
        first = int(np.argmax(bad.reshape(len(bad), -1).any(axis=1)))
        entry = raw[first : first + 1].tolist()[0]
        shown = tuple(entry) if isinstance(entry, list) else entry
        raise error(f"{name}[{first}] is {shown!r}; {expected}")


def _shape_message(pairs: object, raw: npt.NDArray[Any], name: str) -> str:
    message = (
        f"{name} is a {type(pairs).__name__} of shape {raw.shape}; expected pairs of sample "
        "indices, shape (m, 2), for example [(0, 3), (1, 2)]"
    )
    if raw.ndim == 0 or len(raw) == 0:
        return message
    first = next((k for k, entry in enumerate(raw) if not _is_pair(entry)), 0)
    return f"{message}; {name}[{first}] is {raw[first]!r}"


def _is_pair(entry: object) -> bool:
    return isinstance(entry, tuple | list | np.ndarray) and len(entry) == 2
