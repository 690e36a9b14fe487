"""The A-step: each sample written as a combination of all samples, near to Z.

Row i of A solves min |x_i - a X|^2 / 2 + lam |a - z_i|^2 / 2, whose solution (18) reads

    A = (gram + lam Z) (gram + lam I)^-1 = P + Z - Z P,    P = gram (gram + lam I)^-1.

P is computed once. After that a step is one product of a sparse with a dense matrix, whatever
the number of features, and a change of Z moves A by (change) (I - P).
"""

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.sparse import csr_array, issparse

from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import power_of_two

LARGEST_UNIT = 1e75  # fourth powers stay in range
# What an entry of a sparse product costs, in entries of a dense one.
SPARSE_PRICE = 6


def ridge_projection(X: Any, lam: float) -> FloatArray:
    """P = gram (gram + lam I)^-1 with gram = X X'. Symmetric, eigenvalues in [0, 1).

    With fewer features than samples, P = X (X'X + lam I)^-1 X' needs no n x n system.

    Examples
    --------
    >>> import numpy as np
    >>> ridge_projection(np.array([[1.0], [2.0]]), lam=5.0)
    array([[0.1, 0.2],
           [0.2, 0.4]])
    """
    X, lam = in_range(X, lam)
    try:
        return _by_features(X, lam) if X.shape[1] < X.shape[0] else _by_samples(X, lam)
    except np.linalg.LinAlgError:
        # lam is lost in rounding beside values this large; singular values keep their digits.
        U, s, _ = np.linalg.svd(_dense(X), full_matrices=False)
        rounding = len(U) * np.finfo(np.float64).eps * s.max(initial=0.0)
        share = np.where(s > rounding, s**2 / (s**2 + max(lam, np.finfo(np.float64).tiny)), 0.0)
        return np.asarray((U * share) @ U.T)


def in_range(X: Any, lam: float) -> tuple[Any, float]:
    """X and lam, both in another unit where squares of X would leave the range of numbers.

    P is the same for X / u and lam / u^2.

    Examples
    --------
    >>> in_range(np.array([[2.0**300]]), 4.0)[0]
    array([[0.5]])
    """
    unit = power_of_two(X)
    return (X, lam) if unit < LARGEST_UNIT else (X / unit, lam / unit / unit)


def _by_features(X: Any, lam: float) -> FloatArray:
    inner = _dense(X.T @ X)
    inner.flat[:: len(inner) + 1] += lam
    root = np.linalg.cholesky(inner)
    half = solve_triangular(root, _dense(X.T), lower=True, check_finite=False)
    return np.asarray(half.T @ half)


def _by_samples(X: Any, lam: float) -> FloatArray:
    gram = _dense(X @ X.T)
    shifted = gram.copy()
    shifted.flat[:: len(gram) + 1] += lam
    factor = cho_factor(shifted, overwrite_a=True, check_finite=False)
    P = cho_solve(factor, gram, overwrite_b=True, check_finite=False)
    P += P.T.copy()  # rounding makes it slightly asymmetric
    P *= 0.5
    return np.ascontiguousarray(P)


def response(P: FloatArray, change: csr_array) -> FloatArray:
    """(change) (I - P): how A moves when Z moves.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> response(np.eye(2) / 2, csr_array([[0.0, 1.0], [0.0, 0.0]]))
    array([[0. , 0.5],
           [0. , 0. ]])
    """
    return np.asarray(change.toarray() - product(change, P))


def product(change: csr_array, P: FloatArray) -> FloatArray:
    """(change) P in the precision of P, for any rows of a change.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> product(csr_array([[0.0, 1.0]]), np.eye(2) / 2)
    array([[0. , 0.5]])
    """
    data, columns = change.data.astype(P.dtype, copy=False), shared_columns(change)
    if not is_shared(change, columns):
        whole = csr_array((data, change.indices, change.indptr), shape=change.shape)
        return np.asarray(whole @ P)
    position = np.empty(len(P), dtype=change.indices.dtype)
    position[columns] = np.arange(len(columns))
    row = np.repeat(np.arange(change.shape[0]), np.diff(change.indptr))
    shared = np.zeros((change.shape[0], len(columns)), dtype=P.dtype)
    shared[row, position[change.indices]] = data
    return np.asarray(shared @ (P if len(columns) == len(P) else P[columns]))


def shared_columns(change: csr_array) -> IntArray:
    """The columns in which any row has an entry."""
    return np.flatnonzero(np.bincount(change.indices, minlength=change.shape[1]))


def is_shared(change: csr_array, columns: IntArray) -> bool:
    """Whether rows share their columns so far that a dense product with these is faster."""
    return bool(change.shape[0] * len(columns) < SPARSE_PRICE * change.nnz)


def _dense(S: Any) -> FloatArray:
    return np.asarray(S.toarray() if issparse(S) else S, dtype=np.float64)
