"""A fitted estimator as arrays, strings and numbers, and back."""

import json
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from samekind._kernels.status import Status
from samekind._selection.choice import Candidate
from samekind._selection.n_clusters import Alternative, NumberOfClusters
from samekind._selection.scaling import Scaling
from samekind._solver import Iteration, Optimality
from samekind.constraints import ConstraintReport
from samekind.estimators._base.choice import Choice

# The records that a state may hold; no other type is ever made from one.
_RECORDS = (
    Alternative,
    Candidate,
    Choice,
    ConstraintReport,
    Iteration,
    NumberOfClusters,
    Optimality,
    Scaling,
)
RECORDS = {record.__name__: record for record in _RECORDS}
TYPES = ("float32", "float64")
KIND = "kind"  # marks what is no plain value; fields of records are never called so
MOST_TEXTS = 100  # in a list; more are kept as one text, as every item of a list takes its place


def plain(value: Any) -> Any:
    """A value as dict, list, ndarray, str, int, float, bool or None.

    Examples
    --------
    >>> plain(Status.CONVERGED)
    {'kind': 'status', 'name': 'CONVERGED'}
    >>> plain((1, np.float64(0.5)))
    {'kind': 'tuple', 'items': [1, 0.5]}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Status):
        return {KIND: "status", "name": value.name}
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind != "O" else _names(value)
    if issparse(value):
        value = csr_array(value)
        parts = {name: getattr(value, name) for name in ("data", "indices", "indptr")}
        return {KIND: "csr", **parts, "shape": list(map(int, value.shape))}
    if isinstance(value, dict):
        return {KIND: "dict", "items": {name: plain(item) for name, item in value.items()}}
    if isinstance(value, list):
        if len(value) > MOST_TEXTS and all(isinstance(item, str) for item in value):
            return {KIND: "texts", "json": json.dumps(value)}
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return {KIND: "tuple", "items": [plain(item) for item in value]}
    if is_dataclass(value) and type(value).__name__ in RECORDS:
        held = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        return {KIND: type(value).__name__, **held}
    if isinstance(value, type) and value.__name__ in TYPES:
        value = np.dtype(value)
    if isinstance(value, np.dtype) and value.name in TYPES:
        return {KIND: "dtype", "name": value.name}
    raise TypeError(f"a {type(value).__name__} has no plain form")


def _names(values: Any) -> dict[str, Any]:
    if not all(isinstance(one, str) for one in values.ravel()):
        raise TypeError("an array of objects that are no text has no plain form")
    return {KIND: "names", "values": values.astype(str)}


def restored(value: Any) -> Any:
    """The value that `plain` was given.

    Examples
    --------
    >>> restored(plain((Status.CONVERGED, csr_array(np.eye(2)))))[1].shape
    (2, 2)
    """
    if isinstance(value, list):
        return [restored(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind = value[KIND]
    if kind == "status":
        return Status[value["name"]]
    if kind == "dict":
        return {name: restored(item) for name, item in value["items"].items()}
    if kind == "texts":
        return list(map(str, json.loads(value["json"])))
    if kind == "tuple":
        return tuple(restored(item) for item in value["items"])
    if kind == "names":
        return value["values"].astype(object)
    if kind == "csr":
        parts = value["data"], value["indices"], value["indptr"]
        graph = csr_array(parts, shape=tuple(value["shape"]))
        graph.check_format(full_check=True)  # before compiled code follows its indices
        return graph
    if kind == "dtype":
        return {name: np.dtype(name) for name in TYPES}[value["name"]]
    held = {name: restored(item) for name, item in value.items() if name != KIND}
    return RECORDS[kind](**held)
