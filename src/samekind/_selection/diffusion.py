"""Diffusion on a graph: (I - alpha S)^-1 B with S = D^-1/2 W D^-1/2 (Zhou et al., 2004).

Only the columns that are asked for are solved. Up to a few thousand samples one Cholesky factor
serves all of them; beyond, conjugate gradients work on all columns together, and the eigenvalues
of the system lie between 1 - alpha and 1 + alpha, so that some thirty steps do.
"""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs, spotrf, spotrs
from scipy.sparse import csr_array

from samekind._threads import each
from samekind._typing import FloatArray, IntArray
from samekind.graph._by_rows import ByRows, squares
from samekind.graph._matrices import compact, in_order, order_in_memory

FACTORED_UP_TO, FACTORED_DOUBLE_UP_TO = 2500, 5000  # samples; in double for very many columns
MAX_STEPS = 1000
BLOCK_ENTRIES = 1 << 23  # of columns that are solved together


class Diffusion:
    """The system of one graph, ready to be solved for any columns.

    Parameters
    ----------
    W : csr_array, (n_samples, n_samples)
        Symmetric, weights of 0 or more.
    alpha : float
        How far it reaches, below 1.
    single : bool
        In single precision, where the result is only compared.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> path = csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> Diffusion(path, alpha=0.5).solve(np.array([[1.0], [0.0], [0.0]])).ravel().round(3)
    array([1.167, 0.471, 0.167])
    """

    def __init__(self, W: csr_array, alpha: float = 0.99, *, single: bool = False) -> None:
        self.n_samples = W.shape[0]
        self.dtype = np.float32 if single else np.float64
        S = _normalized(W)
        S.data *= alpha
        self._S: ByRows | None = None
        if self.n_samples <= (FACTORED_UP_TO if single else FACTORED_DOUBLE_UP_TO):
            self._root = self._factor(S)
        else:
            self._order = order_in_memory(S)
            self._S = ByRows(in_order(compact(csr_array(S.astype(self.dtype))), self._order))

    def solve(self, B: FloatArray, tol: float = 1e-6) -> FloatArray:
        """(I - alpha S)^-1 B for dense B, (n_samples, m); ``tol`` matters to iterations alone."""
        B = np.asarray(B, dtype=self.dtype)
        if self._S is not None:
            if self._order is None:
                return _conjugate_gradients(self._S, B, tol)
            F = np.empty_like(B)
            F[self._order] = _conjugate_gradients(self._S, B[self._order], tol)
            return F
        back = dpotrs if self.dtype is np.float64 else spotrs
        return np.asarray(back(self._root, B, lower=0)[0])

    def columns(self, samples: IntArray, tol: float = 1e-6) -> FloatArray:
        """The columns of (I - alpha S)^-1 that belong to some samples."""
        B = np.zeros((self.n_samples, len(samples)), dtype=self.dtype)
        B[samples, np.arange(len(samples))] = 1.0
        return self.solve(B, tol)

    def among(self, samples: IntArray, tol: float = 1e-6) -> tuple[FloatArray, FloatArray]:
        """These columns at the rows of the same samples, and their sums over all rows."""
        step = max(1, BLOCK_ENTRIES // self.n_samples)
        inside, total = np.empty((len(samples), len(samples))), np.empty(len(samples))
        for start in range(0, len(samples), step):
            block = slice(start, start + step)
            K = self.columns(samples[block], tol)
            inside[:, block] = K[samples]
            total[block] = K.sum(axis=0, dtype=np.float64)
        return inside, total

    def _factor(self, S: csr_array) -> FloatArray:
        n = self.n_samples
        A = np.zeros((n, n), dtype=self.dtype, order="F")
        A[np.repeat(np.arange(n), np.diff(S.indptr)), S.indices] = -S.data
        A[np.arange(n), np.arange(n)] += 1.0
        # Positive definite: the eigenvalues of S lie in [-1, 1] and alpha is below 1.
        factor = dpotrf if self.dtype is np.float64 else spotrf
        return np.asarray(factor(A, lower=0, overwrite_a=1)[0])


def _normalized(W: csr_array) -> csr_array:
    degree = np.asarray(W.sum(axis=1)).ravel()
    root = 1 / np.sqrt(np.where(degree > 0, degree, 1.0))
    data = W.data * np.repeat(root, np.diff(W.indptr)) * root[W.indices]
    return csr_array((data, W.indices, W.indptr), shape=W.shape)


def _conjugate_gradients(S: ByRows, B: FloatArray, tol: float) -> FloatArray:
    """Solve (I - S) X = B, each column with steps of its own, all of them in one product."""
    X, R = np.zeros_like(B), B.copy()
    P, AP, square = R.copy(), np.empty_like(B), squares(R)
    goal = tol**2 * square
    smallest = np.finfo(B.dtype).tiny

    def multiply(part: tuple[slice, csr_array]) -> FloatArray:
        b, rows = part
        np.subtract(P[b], rows @ P, out=AP[b])
        return np.asarray(np.einsum("ij,ij->j", P[b], AP[b]))

    def move(b: slice) -> FloatArray:
        X[b] += P[b] * step
        R[b] -= AP[b] * step
        return np.asarray(np.einsum("ij,ij->j", R[b], R[b]))

    def turn(b: slice) -> None:
        P[b] *= ratio
        P[b] += R[b]

    for _ in range(MAX_STEPS):
        if (square <= goal).all():
            break
        step = square / np.maximum(np.sum(each(multiply, S.parts), axis=0), smallest)
        previous, square = square, np.sum(each(move, S.blocks), axis=0)
        ratio = square / np.maximum(previous, smallest)
        each(turn, S.blocks)
    return X
