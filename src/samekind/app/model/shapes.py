"""Whether the arrays of a model fit each other."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from samekind.constraints import Supervision

# Shapes of attributes: n samples, m columns that rows are compared in, k clusters, None for any.
SHAPES: dict[str, tuple[str | None, ...]] = {
    "labels_": ("n",),
    "_fit_X": ("n", "m"),
    "affinity_matrix_": ("n", "n"),
    "probabilities_": ("n", "k"),
    "label_distributions_": ("n", "k"),
    "embedding_": ("n", None),
}


def misfit(
    estimator: Any,
    names: Sequence[str] | None,
    ids: Sequence[str] | None,
    known: Supervision | None,
) -> str | None:
    """What does not fit, as the reason in an error; None if all does.

    Examples
    --------
    >>> from samekind import SC
    >>> model = SC(2, n_neighbors=3).fit([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    >>> misfit(model, ("a", "b"), ("x", "y"), None)
    'it has 2 ids, expected 6'
    """
    labels = np.asarray(estimator.labels_)
    n, k = len(labels), _n_clusters(estimator, names)
    components = getattr(getattr(estimator, "_scaling", None), "components", None)
    n_columns = estimator.n_features_in_ if components is None else components.shape[1]
    sizes = {"n": n, "m": n_columns, "k": k, None: None}
    for name, expected in SHAPES.items():
        value = getattr(estimator, name, None)
        wanted = tuple(sizes[size] for size in expected)
        if value is not None and not _fits(value.shape, wanted):
            return f"{name} has the shape {value.shape}, expected {wanted}"
    if ids is not None and len(ids) != n:
        return f"it has {len(ids)} ids, expected {n}"
    if known is not None and known.n_samples != n:
        return f"it knows of {known.n_samples} rows, expected {n}"
    classes = getattr(estimator, "classes_", None)
    numbers = range(n if k is None else k)
    valid = np.isin(labels, numbers if classes is None or names is not None else classes)
    if labels.dtype.kind not in "iu" or not valid.all():
        return "its labels are no clusters of the model"
    return None


def _n_clusters(estimator: Any, names: Sequence[str] | None) -> int | None:
    """The number of clusters, where the model says it."""
    if names is not None:
        return len(names)
    for name in ("probabilities_", "label_distributions_"):
        if hasattr(estimator, name):
            return int(getattr(estimator, name).shape[1])
    return None


def _fits(shape: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    return len(shape) == len(wanted) and all(
        size in (None, found) for found, size in zip(shape, wanted, strict=True)
    )
