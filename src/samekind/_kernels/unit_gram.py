"""The gram matrix of samples at unit length, and its factors."""

from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import issparse

from samekind._typing import FloatArray
from samekind.graph._matrices import unit_scaled_rows


def unit_gram(X: Any) -> FloatArray:
    """X X' for rows of X, dense or sparse, brought to unit length; rows of zeros stay zero.

    Examples
    --------
    >>> unit_gram(np.array([[3.0, 4.0], [5.0, 0.0], [0.0, 0.0]]))
    array([[1. , 0.6, 0. ],
           [0.6, 1. , 0. ],
           [0. , 0. , 0. ]])
    """
    X = unit_scaled_rows(X.astype(np.float64, copy=False))[0]  # squares stay in range
    gram = X @ X.T
    gram = np.asarray(gram.toarray() if issparse(gram) else gram)
    length = np.sqrt(np.diag(gram))
    length[length == 0] = 1.0
    return np.asarray(gram / np.outer(length, length))


def factors(gram: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvectors U and values s of a positive semidefinite matrix, without those of zero.

    Examples
    --------
    >>> factors(np.ones((2, 2)))[1].round(12)
    array([2.])
    """
    s, U = eigh(gram, check_finite=False)
    kept = s > len(s) * np.finfo(np.float64).eps * s[-1]
    return np.ascontiguousarray(U[:, kept]), s[kept]
