"""Laplacians of a graph: L = D - W, and N = D^-1/2 L D^-1/2 which spectral clustering uses.

Differs from the paper: a sample without edges has degree zero, where D^-1/2 does not exist.
Its row of N is zero, as its row of L is, so that N and L have the same null space.
"""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from samekind._typing import FloatArray
from samekind.graph._matrices import diagonal, real_matrix


def laplacian(W: Any) -> csr_array:
    """L = D - W, where D holds the degrees, that is, the row sums of W.

    Parameters
    ----------
    W : array-like or sparse array, (n_samples, n_samples)
        Symmetric, non-negative weights.

    Returns
    -------
    csr_array, (n_samples, n_samples)
        Symmetric positive semidefinite; constant vectors are in its null space.

    Examples
    --------
    >>> laplacian([[0.0, 3.0], [3.0, 0.0]]).toarray()
    array([[ 3., -3.],
           [-3.,  3.]])
    """
    W = _weights(W)
    return csr_array(diagonal(_degree(W)) - W)


def normalized_laplacian(W: Any) -> csr_array:
    """N = D^-1/2 (D - W) D^-1/2, where D holds the row sums of W.

    Parameters
    ----------
    W : array-like or sparse array, (n_samples, n_samples)
        Symmetric, non-negative weights.

    Returns
    -------
    csr_array, (n_samples, n_samples)
        Symmetric, eigenvalues in [0, 2]; rows of samples without edges are zero.

    Examples
    --------
    >>> normalized_laplacian([[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]).toarray()
    array([[ 1., -1.,  0.],
           [-1.,  1.,  0.],
           [ 0.,  0.,  0.]])
    """
    W = _weights(W)
    degree = _degree(W)
    joined = degree > 0
    inverse_root = np.zeros_like(degree)
    inverse_root[joined] = 1 / np.sqrt(degree[joined])
    scale = np.repeat(inverse_root, np.diff(W.indptr)) * inverse_root[W.indices]
    scaled = csr_array((W.data * scale, W.indices, W.indptr), shape=W.shape)
    return csr_array(diagonal(joined.astype(np.float64)) - scaled)


def _weights(W: Any) -> csr_array:
    if not isinstance(W, csr_array):
        W = real_matrix(W, "W")
    if W.shape[0] != W.shape[1]:
        raise ValueError(f"W has shape {W.shape}; expected one row and one column for each sample")
    return W


def _degree(W: csr_array) -> FloatArray:
    return np.asarray(W @ np.ones(W.shape[1]), dtype=np.float64)
