"""Half the bytes for the rows of a model, where nothing that it predicts changes."""

from copy import copy
from typing import Any

import numpy as np
from scipy.sparse import issparse

from samekind._selection.scaling import Scaling

MOST_COMPARED = 1000  # rows, and as many points between rows, whose labels are compared
LARGEST_ERROR = 1e-5  # of rounding, as a share of the deviation of a column


def in_single_precision(estimator: Any) -> Any:
    """The rows that an estimator compares new ones with, as float32 if its labels stay the same.

    Examples
    --------
    >>> from samekind import SC
    >>> X = np.array([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    >>> in_single_precision(SC(2, n_neighbors=3).fit(X)).dtype
    dtype('float32')
    >>> in_single_precision(SC(2, n_neighbors=3).fit(X + 1e9)).dtype
    dtype('float64')
    """
    X = estimator._fit_X
    if X.dtype != np.float64:
        return X
    with np.errstate(over="ignore", under="ignore"):
        rounded = X.astype(np.float32)
    if not _nearly_equal(X, rounded):
        return X
    n = X.shape[0]
    some = np.unique(np.linspace(0, n - 1, MOST_COMPARED).astype(int))
    between = (X[some] + X[np.roll(some, 1)]) / 2
    before, after = copy(estimator), copy(estimator)
    after._fit_X = rounded
    for one in (before, after):
        vars(one).pop("feature_names_in_", None)  # asks for a frame
        if hasattr(one, "_scaling"):  # these rows are scaled already
            d = one.n_features_in_ = X.shape[1]
            one._scaling = Scaling(None if issparse(X) else np.zeros(d), np.ones(d), np.float64)
    same = all((before.predict(rows) == after.predict(rows)).all() for rows in (X[some], between))
    return rounded if same else X


def _nearly_equal(X: Any, rounded: Any) -> bool:
    """Whether rounding is far smaller than what makes rows different."""
    error = rounded.astype(np.float64) - X
    if issparse(X):
        return bool(abs(error).max() <= LARGEST_ERROR * abs(X).max())
    deviation = X.std(axis=0)
    varies = deviation > 0
    largest = np.abs(error).max(axis=0)[varies]
    return bool((largest <= LARGEST_ERROR * deviation[varies]).all())
