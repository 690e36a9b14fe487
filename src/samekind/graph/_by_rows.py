"""Products with a sparse matrix and with tall blocks of vectors, by rows on threads.

Every entry of a product is the sum it would be without blocks; sums over all rows are made of
one sum for each block, in their order.
"""

import numpy as np
from scipy.sparse import csr_array

from samekind._threads import each, row_blocks
from samekind._typing import FloatArray


class ByRows:
    """A csr array to multiply with.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> ByRows(csr_array([[0.0, 2.0], [1.0, 0.0]])) @ np.array([1.0, 3.0])
    array([6., 1.])
    """

    def __init__(self, S: csr_array) -> None:
        self.shape, self.dtype = S.shape, S.dtype
        self.blocks = row_blocks(S.shape[0])
        self.parts = [(block, rows_of(S, block)) for block in self.blocks]

    def __matmul__(self, V: FloatArray) -> FloatArray:
        if len(self.parts) == 1:
            return np.asarray(self.parts[0][1] @ V)
        V = np.ascontiguousarray(V)
        product = np.empty(V.shape, np.result_type(self.dtype, V.dtype))

        def multiply(part: tuple[slice, csr_array]) -> None:
            block, rows = part
            product[block] = rows @ V

        each(multiply, self.parts)
        return product


def rows_of(S: csr_array, block: slice) -> csr_array:
    """Some rows next to each other, without a copy of their entries.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> rows_of(csr_array([[1.0, 0.0], [0.0, 2.0]]), slice(1, 2)).toarray()
    array([[0., 2.]])
    """
    indptr = S.indptr[block.start : block.stop + 1]
    entries = slice(indptr[0], indptr[-1])
    rows = csr_array((len(indptr) - 1, S.shape[1]), dtype=S.dtype)
    # Assigned, as the constructor copies parts of larger arrays.
    rows.data, rows.indices, rows.indptr = S.data[entries], S.indices[entries], indptr - indptr[0]
    return rows


def inner(A: FloatArray, B: FloatArray) -> FloatArray:
    """A'B of two tall blocks of vectors.

    Examples
    --------
    >>> import numpy as np
    >>> inner(np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])
    """
    return np.asarray(np.sum(each(lambda b: A[b].T @ B[b], row_blocks(len(A))), axis=0))


def squares(A: FloatArray) -> FloatArray:
    """Squared lengths of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> squares(np.array([[3.0, 1.0], [4.0, 0.0]]))
    array([25.,  1.])
    """
    parts = each(lambda b: np.einsum("ij,ij->j", A[b], A[b]), row_blocks(len(A)))
    return np.asarray(np.sum(parts, axis=0))


def turned(A: FloatArray, turn: FloatArray, *, out: FloatArray | None = None) -> FloatArray:
    """A times a small matrix; ``out`` may be A.

    Examples
    --------
    >>> import numpy as np
    >>> turned(np.array([[1.0, 2.0]]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    array([[2., 1.]])
    """
    product = np.empty((len(A), *turn.shape[1:]), np.result_type(A, turn)) if out is None else out

    def multiply(block: slice) -> None:
        product[block] = A[block] @ turn

    each(multiply, row_blocks(len(A)))
    return product
