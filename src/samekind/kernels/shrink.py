"""The Z-step: shrink the entries of A by thresholds that grow with the distance in H."""

import numpy as np
from scipy.sparse import csr_array

from samekind.graph import compact
from samekind.typing import FloatArray

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
    n = len(A)
    square = np.einsum("ij,ij->i", rows, rows)
    # Theta as one product: factor * (|a|^2 - 2 a'b + |b|^2) + floor.
    left = np.column_stack([-2 * factor * rows, factor * square, np.ones(n)])
    right = np.column_stack([rows, np.ones(n), factor * square + floor]).T.copy()
    step = max(1, BLOCK_ENTRIES // n)
    counts, indices, data = [], [], []
    for start in range(0, n, step):
        block = A[start : start + step]
        excess = np.abs(block)
        excess -= left[start : start + step] @ right
        height = np.arange(len(block))
        excess[height, start + height] = 0.0
        kept = np.flatnonzero(excess > 0)
        row, column = np.divmod(kept, n)
        counts.append(np.bincount(row, minlength=len(block)))
        indices.append(column.astype(np.int32))  # a dense A has no more columns than that
        data.append(np.copysign(excess.ravel()[kept], block.ravel()[kept]))
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    Z = csr_array((np.concatenate(data), np.concatenate(indices), indptr), shape=A.shape)
    return compact(Z)
