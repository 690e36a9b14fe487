"""Candidates: the few entries of A and Z that a sample may use, where all pairs are too many.

For sample i the A-step (18) reads a = p + z R, whatever the dictionary that represents it:

    all samples        p = row i of P, R = I - P, and a and z are restricted to the candidates
    its neighbors      x_i is represented by them and itself alone: p = row i of I - R and
                       R = lam (gram + lam I)^-1 with the gram matrix of these few samples

In the first case the coefficients are those of the exact method; but as they have to share
at most d degrees of freedom among n samples, they shrink as n grows. In the second they depend on
the neighbors alone, whatever n is.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from samekind._threads import each, row_blocks
from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import power_of_two

BLOCK_BYTES = 1 << 26  # of neighbors' features processed together
# Up to so many numbers the responses of neighbors are kept in double precision.
DOUBLE_UP_TO = 200_000


@dataclass(frozen=True)
class Candidates:
    """Where A and Z may have entries, and how A responds to a change of Z there."""

    columns: IntArray  # (n, c): row i holds samples in rising order, i itself among them
    first: FloatArray  # (n, c): A there while Z is zero
    response: FloatArray  # (n, c, c): a change of Z times this is the change of A

    def __len__(self) -> int:
        return len(self.columns)


def strongest(P: FloatArray, n_candidates: int) -> Candidates:
    """The others with the largest |P|, every sample represented by all.

    Parameters
    ----------
    P : ndarray, (n_samples, n_samples)
        From ``ridge_projection``.
    n_candidates : int
        Others for each sample; with n_samples - 1 nothing is left out.

    Examples
    --------
    >>> import numpy as np
    >>> P = np.array([[0.5, 0.1, -0.3], [0.1, 0.5, 0.2], [-0.3, 0.2, 0.5]])
    >>> strongest(P, 1).columns
    array([[0, 2],
           [1, 2],
           [0, 2]])
    """
    n = len(P)
    if n_candidates >= n - 1:
        columns = np.broadcast_to(np.arange(n), (n, n))
        return Candidates(columns, P, np.broadcast_to(np.eye(n) - P, (n, n, n)))
    size = np.abs(P)
    np.fill_diagonal(size, np.inf)  # the sample itself comes first
    columns = np.argpartition(-size, n_candidates, axis=1)[:, : n_candidates + 1]
    columns.sort(axis=1)
    response = np.empty((n, n_candidates + 1, n_candidates + 1))
    for i, among in enumerate(columns):
        response[i] = -P[np.ix_(among, among)]
    _add_to_diagonals(response, 1.0)
    return Candidates(columns, np.take_along_axis(P, columns, axis=1), response)


def neighbors(X: Any, nearest: IntArray, lam: float) -> Candidates:
    """The nearest others, every sample represented by them and itself.

    Parameters
    ----------
    X : ndarray or sparse array, (n_samples, n_features)
        Read in blocks, and never copied whole.
    nearest : ndarray, (n_samples, c)
        The others of each sample.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0], [2.0]])
    >>> found = neighbors(X, np.array([[1], [0]]), lam=5.0)
    >>> found.first.round(3)  # with all samples as neighbors, this is P
    array([[0.1, 0.2],
           [0.2, 0.4]])
    """
    n, width = len(nearest), nearest.shape[1] + 1
    columns = np.sort(np.column_stack([nearest, np.arange(n)]).astype(np.int32), axis=1)
    own = columns == np.arange(n)[:, None]
    precision = np.float64 if n * width**2 <= DOUBLE_UP_TO else np.float32
    first, response = np.empty((n, width)), np.empty((n, width, width), precision)
    unit = max(power_of_two(X), 1.0)
    # As P, the answer is the same in another unit.
    lam = max(lam / unit / unit, np.finfo(np.float64).tiny)

    def represent(block: slice) -> None:
        gram = _grams(X, columns[block], precision, unit)
        # Beside values this large, a smaller lam would be lost in rounding.
        rounding = width * np.finfo(precision).eps * np.trace(gram, axis1=1, axis2=2)
        added = np.maximum(lam, rounding)[:, None]
        _add_to_diagonals(gram, added)
        answer = added[:, :, None] * np.linalg.inv(gram)
        first[block] = -answer[own[block]]
        response[block] = answer

    each(represent, row_blocks(n, max(1, BLOCK_BYTES // (8 * width * X.shape[1]))))
    first[own] += 1.0
    return Candidates(columns, first, response)


def _grams(X: Any, columns: IntArray, precision: Any, unit: float) -> FloatArray:
    """The gram matrix of each row's samples, as precise as what is made from it."""
    height, width = columns.shape
    rows = X[columns.ravel()] / unit
    rows = np.asarray(rows.toarray() if issparse(rows) else rows, dtype=precision)
    rows = rows.reshape(height, width, -1)
    return np.asarray(rows @ rows.transpose(0, 2, 1), dtype=np.float64)


def _add_to_diagonals(stack: FloatArray, value: float | FloatArray) -> None:
    places = np.arange(stack.shape[1])
    stack[:, places, places] += value
