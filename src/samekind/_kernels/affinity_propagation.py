"""Pairs that change a whole affinity: a Gaussian process conditioned on which values agree.

Let f be a random function on the samples with covariance A. A must-link says that f_i - f_j
is zero up to some noise, a cannot-link, where there are two classes of opposite sign, that
f_i + f_j is. What is known of f afterwards has covariance (A^-1 + P)^-1, with P the sum over
the pairs of (e_i -+ e_j)(e_i -+ e_j)' / noise: the new affinity, in which samples near a pair
follow it (Lu and Carreira-Perpinan, 2008).

For more than two classes that use of cannot-links would be wrong: two samples that both
differ from a third would become the same. The published heuristic could not be found; what
``weakened_between`` does is our interpretation. A cannot-link there weakens the affinities between
the neighborhoods of its two ends, in proportion to how near they are, to zero at the ends.
"""

import numpy as np
from scipy.linalg import eigh, solve_triangular
from scipy.sparse import csr_array, diags_array

from samekind._kernels.spectral import bottom_eigenvectors
from samekind._kernels.status import Status
from samekind._typing import FloatArray, IntArray
from samekind.graph import laplacian

# Eigenvalues of P that are zero but for rounding, relative to the largest.
RANK_TOL = 1e-12
# A share x of a neighbor's affinity this small leaves 1 - x at 1.
WITHOUT_EFFECT = 2.0**-54
# Entries of the product processed together: they stay in the cache.
BLOCK_ENTRIES = 1 << 16


def covariance(W: csr_array, margin: float) -> tuple[FloatArray, Status]:
    """A = I + W / delta with delta = margin - lambda_min(W), a positive definite W + delta I.

    Divided by delta, its diagonal is 1 as that of a correlation; W has a zero diagonal.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> covariance(csr_array([[0.0, 3.0], [3.0, 0.0]]), margin=1.0)[0]
    array([[1.  , 0.75],
           [0.75, 1.  ]])
    """
    smallest = bottom_eigenvectors(W, 1)
    A = W.toarray() / (margin - smallest.values[0])
    np.fill_diagonal(A, 1.0)
    return A, smallest.status


def precision(M: csr_array, C: csr_array, noise: float) -> csr_array:
    """P: what the pairs of M say of differences and those of C of sums, each with this variance.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> pair, none = csr_array([[0.0, 1.0], [1.0, 0.0]]), csr_array((2, 2))
    >>> precision(pair, none, 0.5).toarray()
    array([[ 2., -2.],
           [-2.,  2.]])
    >>> precision(none, pair, 0.5).toarray()
    array([[2., 2.],
           [2., 2.]])
    """
    sums = diags_array(np.asarray(C.sum(axis=1)).ravel()) + C
    return csr_array((laplacian(M) + sums) / noise)


def posterior(A: FloatArray, P: csr_array) -> FloatArray:
    """(A^-1 + P)^-1 as A - A F (I + F'A F)^-1 F'A with P = F F', A never inverted.

    F has as many columns as there are samples in pairs, so that pairs which follow from
    others cost nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> P = csr_array(1e6 * np.array([[1.0, -1.0], [-1.0, 1.0]]))
    >>> posterior(np.eye(2), P).round(5)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    rows = np.unique(P.nonzero()[0])
    if len(rows) == 0:
        return A
    values, vectors = eigh(P[rows][:, rows].toarray())
    F = vectors * np.sqrt(np.where(values > RANK_TOL * values[-1], values, 0.0))
    AF = A[:, rows] @ F
    lower = np.linalg.cholesky(np.eye(len(rows)) + F.T @ AF[rows])
    half = solve_triangular(lower, AF.T, lower=True)
    return np.asarray(A - half.T @ half)


def correlation(A: FloatArray) -> FloatArray:
    """A_ij / sqrt(A_ii A_jj), with negative values at zero and a diagonal of one.

    Examples
    --------
    >>> import numpy as np
    >>> correlation(np.array([[4.0, 1.0, -1.0], [1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]))
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0. ],
           [0. , 0. , 1. ]])
    """
    root = np.sqrt(np.maximum(A.diagonal(), np.finfo(float).eps))
    R: FloatArray = np.clip(A / np.outer(root, root), 0.0, 1.0)
    np.fill_diagonal(R, 1.0)
    return R


def weakened_between(R: FloatArray, group_of: IntArray, linked: IntArray) -> FloatArray:
    """R with weaker affinities between the neighborhoods of groups that are marked different.

    R_st is multiplied by (1 - u_s v_t)(1 - v_s u_t) for every pair of linked groups, u being
    the affinity of each sample to the first group and v to the second.

    Parameters
    ----------
    R : ndarray, (n_samples, n_samples)
        Symmetric, values in [0, 1], ones on the diagonal.
    group_of : ndarray, (n_samples,)
        Must-link group of each sample, numbered from 0. The affinity to a group is the
        largest to any of its members; they hardly differ where must-links were used.
    linked : ndarray, (m, 2)
        Pairs of groups with a cannot-link between them, each once.

    Examples
    --------
    >>> import numpy as np
    >>> R = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, 0.5], [0.1, 0.5, 1.0]])
    >>> weakened_between(R, np.arange(3), np.array([[0, 2]])).round(3)
    array([[0.81 , 0.238, 0.   ],
           [0.238, 0.562, 0.238],
           [0.   , 0.238, 0.81 ]])
    """
    order = np.argsort(group_of, kind="stable")
    first = np.searchsorted(group_of[order], np.arange(group_of.max() + 1))
    U = np.maximum.reduceat(R[order], first)
    factor = np.ones_like(R)  # of one order of each pair; its transpose is that of the other
    for group in np.unique(linked[:, 0]):
        near = np.flatnonzero(U[group] > WITHOUT_EFFECT)
        _multiply(factor, near, U[group, near], U[linked[linked[:, 0] == group, 1]])
    return np.asarray(R * (factor * factor.T))  # symmetric to the last digit


def _multiply(factor: FloatArray, rows: IntArray, u: FloatArray, others: FloatArray) -> None:
    """Multiply rows of the factor by 1 - u v' for every v of the other groups, in place."""
    step = max(1, BLOCK_ENTRIES // factor.shape[1])
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        block = factor[rows[part]]
        share = np.empty_like(block)
        for v in others:
            np.multiply.outer(-u[part], v, out=share)
            share += 1.0
            block *= share
        factor[rows[part]] = block
