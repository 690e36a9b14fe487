"""Products with B - rho E, where few rows of B are not zero.

B comes from the cannot-links: few samples have any, and most of these have one with each
other. So B is a small, mostly dense matrix, and is applied separately from E.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from samekind._typing import FloatArray

# From this share of entries on, a dense product is faster.
DENSE_FROM = 0.2


class FewRows:
    """A symmetric matrix, held as what is left without its rows and columns of zeros.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> B = FewRows(csr_array([[1.0, 0.0, -1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]]))
    >>> B.small
    array([[ 1., -1.],
           [-1.,  1.]])
    >>> B @ np.array([[2.0], [3.0], [4.0]])
    array([[-2.],
           [ 0.],
           [ 2.]])
    """

    def __init__(self, B: csr_array) -> None:
        counts = np.diff(B.indptr)
        self.rows = np.flatnonzero(counts)
        size = len(self.rows)
        position = np.zeros(B.shape[0], dtype=B.indices.dtype)
        position[self.rows] = np.arange(size)
        indptr = np.append(B.indptr[self.rows], B.indptr[-1])
        small = csr_array((B.data, position[B.indices], indptr), shape=(size, size))
        self.small: Any = small.toarray() if B.nnz >= DENSE_FROM * size**2 else small

    def __matmul__(self, Q: FloatArray) -> FloatArray:
        products = np.zeros_like(Q)
        products[self.rows] = self.small @ Q[self.rows]
        return products


@dataclass(frozen=True)
class Pencil:
    """B - rho E.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> B, E = csr_array(np.diag([3.0, 0.0])), csr_array([[0.0, 1.0], [1.0, 5.0]])
    >>> single(Pencil(FewRows(B), E, rho=2.0), 0.5) @ np.eye(2, dtype=np.float32)
    array([[ 1.5, -1. ],
           [-1. , -5. ]], dtype=float32)
    """

    B: FewRows
    E: csr_array
    rho: float


def single(S: csr_array | Pencil, scale: float) -> Any:
    """scale S in single precision, to multiply with."""
    if isinstance(S, Pencil):
        rest, small = single(S.E, -scale * S.rho), (scale * S.B.small).astype(np.float32)
        return SinglePencil(rest, S.B.rows, small)
    data = (scale * S.data).astype(np.float32)
    return csr_array((data, S.indices, S.indptr), shape=S.shape)


class SinglePencil:
    """A sparse matrix and a small one in some of the rows and columns."""

    def __init__(self, rest: csr_array, rows: Any, small: Any) -> None:
        self._rest, self._rows, self._small = rest, rows, small

    def __matmul__(self, V: FloatArray) -> FloatArray:
        products = np.asarray(self._rest @ V)
        products[self._rows] += self._small @ V[self._rows]
        return products
