"""Checks of what Questions is given."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from samekind.estimators import SameKind


def checked_samples(samples: Any) -> tuple[Any, tuple[str, ...]]:
    """The rows as scikit-learn checks them, and their ids."""
    X, ids = named(samples)
    X = SameKind()._checked_rows(X, reset=True, smallest=2)
    return X, checked_ids(ids, X.shape[0])


def belonging(X: Any, ids: Sequence[str]) -> dict[str, Any]:
    """What a journal says of the samples it belongs to."""
    return {"digest": digest_of(X, ids), "n": X.shape[0]}


def named(samples: Any) -> tuple[Any, Any]:
    """The rows, and their ids where they have some; a frame has a column X, perhaps."""
    if hasattr(samples, "X") and hasattr(samples, "ids") and not hasattr(samples, "__array__"):
        return samples.X, samples.ids
    return samples, None


def checked_ids(ids: Any, n: int) -> tuple[str, ...]:
    if ids is None:
        return tuple(str(row) for row in range(n))
    found = tuple(str(one) for one in ids)
    if len(found) != n or len(set(found)) != n:
        raise ValueError(f"ids holds {len(set(found))} different names for {n} rows; give one each")
    return found


def digest_of(X: Any, ids: Sequence[str]) -> str:
    digest = hashlib.sha256(repr((X.shape, str(X.dtype))).encode())
    parts = (X.data, X.indices, X.indptr) if issparse(X) else (X,)
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    digest.update(repr(list(ids)).encode())
    return digest.hexdigest()


def place_in(same: Any, n_beside: int) -> int:
    if isinstance(same, bool) or not isinstance(same, int | np.integer):
        raise ValueError(f"same is {same!r}, expected a place in ask.beside, a whole number")
    if not 0 <= same < n_beside:
        raise ValueError(f"same is {same}, expected a place in ask.beside, 0 to {n_beside - 1}")
    return int(same)


def whole(value: Any, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is {value!r}, expected a whole number of {least} or more")
    return int(value)
