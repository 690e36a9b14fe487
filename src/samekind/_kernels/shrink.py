"""The Z-step: shrink the entries of A by thresholds that grow with the distance in H."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.proximal import soft
from samekind._kernels.thresholds import Thresholds
from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import compact

BLOCK_ENTRIES = 1 << 17  # of A processed together: they stay in the cache


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


def shrink(A: FloatArray, thresholds: Thresholds) -> csr_array:
    """Z = sgn(A) max(|A| - Theta, 0) with zero diagonal (22).

    Neither Theta nor a dense Z is ever whole in memory.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[9.0, 3.0], [-4.0, 9.0]])
    >>> shrink(A, Thresholds(np.array([[0.0], [1.0]]), factor=0.5, floor=1.0)).toarray()
    array([[ 0. ,  1.5],
           [-2.5,  0. ]])
    """
    n = len(A)
    step = max(1, BLOCK_ENTRIES // n)
    blocks = [np.arange(start, min(start + step, n)) for start in range(0, n, step)]
    return stacked([shrunk_rows(A[block], block, thresholds) for block in blocks], n)


@dataclass(frozen=True)
class Rows:
    """Some rows of a sparse matrix."""

    counts: IntArray
    columns: IntArray
    data: FloatArray


def shrunk_rows(A: FloatArray, samples: IntArray, thresholds: Thresholds) -> Rows:
    """Rows of Z from the rows of A that belong to ``samples``."""
    height, n = A.shape
    theta = thresholds.of(samples)
    above = np.abs(A) > theta
    above[np.arange(height), samples] = False
    kept = np.flatnonzero(above)
    counts = np.diff(np.searchsorted(kept, n * np.arange(height + 1)))
    columns = kept - np.repeat(n * np.arange(height), counts)
    return Rows(counts, columns, soft(A.ravel()[kept], theta.ravel()[kept]))


def stacked(parts: list[Rows], n: int) -> csr_array:
    """All rows as one matrix with n columns."""
    counts = np.concatenate([part.counts for part in parts])
    columns = np.concatenate([part.columns for part in parts]).astype(np.int32)
    data = np.concatenate([part.data for part in parts])
    indptr = np.concatenate([[0], np.cumsum(counts)])
    return compact(csr_array((data, columns, indptr), shape=(len(counts), n)))
