"""Matrices that a user brings, as sparse ones."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse


def real_matrix(given: Any, name: str) -> csr_array:
    """A sparse copy without entries that are zero; anything but a matrix of numbers is refused.

    Examples
    --------
    >>> real_matrix([[0, 2], [1, 0]], "graph").data
    array([2., 1.])
    """
    raw = given if issparse(given) else np.asarray(given)
    if raw.ndim != 2 or raw.dtype.kind not in "fiub":
        raise ValueError(
            f"{name} is {type(given).__name__} with {raw.ndim} dimensions of {raw.dtype}; expected "
            "a sparse or dense matrix of real weights, for instance of scipy.sparse"
        )
    S = csr_array(raw, dtype=np.float64, copy=True)
    S.sum_duplicates()
    S.eliminate_zeros()
    return S
