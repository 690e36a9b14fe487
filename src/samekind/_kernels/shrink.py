"""The Z-step: shrink the entries of A by thresholds that grow with the distance in H."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from samekind._typing import FloatArray, IntArray
from samekind.graph import compact

BLOCK_ENTRIES = 1 << 17  # of A looked at together: they stay in the cache


def unit_rows(H: FloatArray) -> FloatArray:
    """Rows at unit length; rows of zeros stay zero.

    Examples
    --------
    >>> import numpy as np
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    norm = np.linalg.norm(H, axis=1, keepdims=True)
    return np.asarray(H / np.where(norm > 0, norm, 1.0))


def shrink(A: FloatArray, rows: FloatArray, factor: float, floor: float) -> csr_array:
    """Z = sgn(A) max(|A| - Theta, 0) with zero diagonal (22).

    Theta_ij = factor * |rows_i - rows_j|^2 + floor, as in (21) with the rows of H, and as in
    (25) with these rows at unit length. Neither Theta nor a dense Z is ever whole in memory.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[9.0, 3.0], [-4.0, 9.0]])
    >>> shrink(A, np.array([[0.0], [1.0]]), factor=0.5, floor=1.0).toarray()
    array([[ 0. ,  1.5],
           [-2.5,  0. ]])
    """
    thresholds, step = Thresholds(rows, factor, floor), max(1, BLOCK_ENTRIES // len(A))
    parts = [slice(start, start + step) for start in range(0, len(A), step)]
    return stacked([thresholds.shrunk(A[part], np.arange(len(A))[part]) for part in parts], len(A))


@dataclass(frozen=True)
class Rows:
    """Some rows of a sparse matrix."""

    counts: IntArray
    columns: IntArray
    data: FloatArray


class Thresholds:
    """Theta as a product of two thin matrices: factor (|a|^2 - 2 a'b + |b|^2) + floor."""

    def __init__(self, rows: FloatArray, factor: float, floor: float) -> None:
        square = factor * np.einsum("ij,ij->i", rows, rows)
        ones = np.ones(len(rows))
        self._left = np.column_stack([-2 * factor * rows, square, ones])
        self._right = np.column_stack([rows, ones, square + floor]).T.copy()
        self.largest = 4 * float(square.max()) + floor  # none is larger

    def single(self, samples: IntArray) -> FloatArray:
        """Rows of Theta in single precision."""
        return np.asarray(self._left[samples].astype(np.float32) @ self._right_single)

    @cached_property
    def _right_single(self) -> FloatArray:
        return self._right.astype(np.float32)

    def shrunk(self, A: FloatArray, samples: IntArray) -> Rows:
        """Rows of Z from the rows of A that speak of ``samples``."""
        height, n = A.shape
        theta = self._left[samples] @ self._right
        above = np.abs(A) > theta
        above[np.arange(height), samples] = False
        kept = np.flatnonzero(above)
        counts = np.diff(np.searchsorted(kept, n * np.arange(height + 1)))
        columns = kept - np.repeat(n * np.arange(height), counts)
        a = A.ravel()[kept]
        return Rows(counts, columns, np.copysign(np.abs(a) - theta.ravel()[kept], a))


def stacked(parts: list[Rows], n: int) -> csr_array:
    """All rows as one matrix with n columns."""
    counts = np.concatenate([part.counts for part in parts])
    columns = np.concatenate([part.columns for part in parts]).astype(np.int32)
    data = np.concatenate([part.data for part in parts])
    indptr = np.concatenate([[0], np.cumsum(counts)])
    return compact(csr_array((data, columns, indptr), shape=(len(counts), n)))
