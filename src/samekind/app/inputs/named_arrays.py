"""Named arrays: which array of a npz or mat file is X, which names rows, which holds classes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from samekind.app.inputs.columns import Columns, check_filled, check_unique, listed, misspelled
from samekind.app.inputs.errors import InputError
from samekind.app.inputs.matrices import NUMERIC, dense_matrix, sparse_matrix
from samekind.app.inputs.samples import Samples


@dataclass(frozen=True)
class Described:
    """What a file says about one of its arrays before the array is read."""

    shape: tuple[int, ...]
    is_numeric: bool


def samples_from_arrays(
    path: Path,
    described: Mapping[str, Described],
    load: Callable[[str], Any],
    *,
    preferred: Sequence[str],
    columns: Columns,
) -> Samples:
    """Pick X, ids and classes among the arrays of a file, and read only these."""
    columns.refuse_of_tables(path, "a file of arrays")
    asked = columns.asked(path)
    for option, name in asked.items():
        _check_there(path, described, name, option)
    chosen = _choose(
        path, {k: v for k, v in described.items() if k not in asked.values()}, preferred
    )
    array = load(chosen)
    name = f"array '{chosen}'"
    image_shape = None
    if issparse(array):
        X: Any = sparse_matrix(path, name, array)
    else:
        X, image_shape = dense_matrix(path, name, array)
    return Samples(
        X=X,
        source=path.name,
        ids=None if columns.id is None else _ids(path, columns.id, load(columns.id), X.shape),
        image_shape=image_shape,
        truth=(
            None
            if columns.truth is None
            else _filled(path, columns.truth, load(columns.truth), X.shape)
        ),
        known=(
            None
            if columns.labels is None
            else _vector(path, columns.labels, load(columns.labels), X.shape).tolist()
        ),
        notes=_notes(chosen, [k for k in described if k != chosen and k not in asked.values()]),
    )


def _check_there(path: Path, described: Mapping[str, Described], name: str, option: str) -> None:
    if name not in described:
        reason = f"there is no array '{name}' ({option}); there are {listed(list(described))}"
        raise InputError(path, reason, misspelled(name, described, option))


def _choose(path: Path, described: Mapping[str, Described], preferred: Sequence[str]) -> str:
    for name in preferred:
        if name in described:
            return name
    tables = [k for k, v in described.items() if v.is_numeric and len(v.shape) in (2, 3)]
    if len(tables) > 1:  # a column of labels is no table
        tables = [k for k in tables if min(described[k].shape) > 1]
    if len(tables) == 1:
        return tables[0]
    there = ", ".join(
        f"'{k}' ({' x '.join(map(str, v.shape)) or 'single value'})" for k, v in described.items()
    )
    raise InputError(
        path,
        f"which array holds the samples is not clear; there are {there or 'none'}",
        f"save the samples under the name {preferred[0]}, one row each",
    )


def _vector(path: Path, name: str, array: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """One entry per sample: numbers or text."""
    if issparse(array) or array.dtype.kind not in NUMERIC + "U":
        raise InputError(
            path,
            f"array '{name}' holds neither plain numbers nor text ({array.dtype})",
            "save a vector of numbers or of str",
        )
    n = shape[0]
    if array.size != n or max(array.shape, default=0) != n:
        turned = f"; the samples seem to be columns of X, which has shape {shape}"
        raise InputError(
            path,
            f"array '{name}' has shape {array.shape}, expected one entry for each of {n} rows"
            + (turned if array.size == shape[1] else ""),
            "save samples as rows, and one entry per row",
        )
    vector: NDArray[Any] = array.ravel()
    if vector.dtype.kind == "U":
        vector = np.char.strip(vector)  # MATLAB fills text up to equal length
    return vector


def _filled(path: Path, name: str, array: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """One entry per sample, none of them missing."""
    vector = _vector(path, name, array, shape)
    texts = ["" if value != value else str(value) for value in vector]  # NaN is no value
    check_filled(path, name, texts, range(1, len(texts) + 1), "row")
    return vector


def _ids(path: Path, name: str, array: Any, shape: tuple[int, ...]) -> tuple[str, ...]:
    vector = _filled(path, name, array, shape)
    if vector.dtype.kind == "f" and (vector == np.round(vector)).all():
        vector = vector.astype(np.int64)  # MATLAB keeps integers as doubles
    ids = tuple(str(value) for value in vector)
    check_unique(path, name, ids, range(1, len(ids) + 1), "row")
    return ids


def _notes(chosen: str, unused: Sequence[str]) -> tuple[str, ...]:
    used = f"Array '{chosen}' of the file was used."
    if not unused:
        return (used,)
    return used, f"Arrays of the file that were not used: {listed(unused)}."
