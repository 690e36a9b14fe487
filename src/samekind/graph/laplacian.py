"""Laplacians of a graph: L = D - W, and N = D^-1/2 L D^-1/2 which spectral clustering uses.

Differs from the paper: a sample without edges has degree zero, where D^-1/2 does not exist.
Its row of N is zero, as its row of L is, so that N and L have the same null space.
"""

import numpy as np
from scipy.sparse import csr_array

from samekind._typing import FloatArray


def compact(S: csr_array) -> csr_array:
    """S with 32-bit indices where they fit: faster products, and scikit-learn asks for them.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> wide = csr_array((np.ones(1), np.array([0]), np.array([0, 1])), shape=(1, 1))
    >>> compact(wide).indices.dtype
    dtype('int32')
    """
    if max(S.nnz, *S.shape) < np.iinfo(np.int32).max:
        indices, indptr = (part.astype(np.int32, copy=False) for part in (S.indices, S.indptr))
        return csr_array((S.data, indices, indptr), shape=S.shape)
    return S


def symmetrized(S: csr_array) -> csr_array:
    """(S + S') / 2.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> symmetrized(csr_array([[0.0, 2.0], [0.0, 0.0]])).toarray()
    array([[0., 1.],
           [1., 0.]])
    """
    return csr_array((S + S.T) * 0.5)


def scale_rows(S: csr_array) -> csr_array:
    """Divide each row by its largest absolute entry; rows of zeros stay zero.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> scale_rows(csr_array([[0.0, 2.0, -4.0], [0.0, 0.0, 0.0]])).toarray()
    array([[ 0. ,  0.5, -1. ],
           [ 0. ,  0. ,  0. ]])
    """
    peak = np.zeros(S.shape[0])
    filled = np.flatnonzero(np.diff(S.indptr))
    if len(filled):
        peak[filled] = np.maximum.reduceat(np.abs(S.data), S.indptr[filled])
    peak[peak == 0] = 1.0
    return csr_array((S.data / np.repeat(peak, np.diff(S.indptr)), S.indices, S.indptr), S.shape)


def laplacian(W: csr_array) -> csr_array:
    """L = D - W of a symmetric, non-negative W.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> laplacian(csr_array([[0.0, 3.0], [3.0, 0.0]])).toarray()
    array([[ 3., -3.],
           [-3.,  3.]])
    """
    return csr_array(_diagonal(_degree(W)) - W)


def normalized_laplacian(W: csr_array) -> csr_array:
    """N = D^-1/2 (D - W) D^-1/2 of a symmetric, non-negative W; eigenvalues lie in [0, 2].

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> normalized_laplacian(W).toarray()
    array([[ 1., -1.,  0.],
           [-1.,  1.,  0.],
           [ 0.,  0.,  0.]])
    """
    degree = _degree(W)
    joined = degree > 0
    inverse_root = np.zeros_like(degree)
    inverse_root[joined] = 1 / np.sqrt(degree[joined])
    scale = np.repeat(inverse_root, np.diff(W.indptr)) * inverse_root[W.indices]
    scaled = csr_array((W.data * scale, W.indices, W.indptr), shape=W.shape)
    return csr_array(_diagonal(joined.astype(np.float64)) - scaled)


def identity_minus(S: csr_array) -> csr_array:
    """I - S.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> identity_minus(csr_array([[0.5, 2.0], [0.0, 0.0]])).toarray()
    array([[ 0.5, -2. ],
           [ 0. ,  1. ]])
    """
    return csr_array(_diagonal(np.ones(S.shape[0])) - S)


def _diagonal(values: FloatArray) -> csr_array:
    n = len(values)
    places = np.arange(n + 1, dtype=np.int32)
    return csr_array((values, places[:n], places), shape=(n, n))


def _degree(W: csr_array) -> FloatArray:
    return np.asarray(W @ np.ones(W.shape[1]), dtype=np.float64)
