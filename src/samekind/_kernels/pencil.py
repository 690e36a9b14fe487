"""Products with B - rho E, where few rows of B are not zero.

B comes from the cannot-links: few samples have any, and most of these have one with each
other. So B is a small, mostly dense matrix, and is applied separately from E.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from samekind._threads import each
from samekind._typing import FloatArray, IntArray
from samekind.graph._by_rows import ByRows

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
    >>> B.rows
    array([0, 2])
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


@dataclass(frozen=True)
class Pencil:
    """B - rho E.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> B, E = csr_array(np.diag([3.0, 0.0])), csr_array([[0.0, 1.0], [1.0, 5.0]])
    >>> pencil = Pencil(FewRows(B), E, rho=2.0)
    >>> pencil @ np.array([1.0, 0.0])
    array([ 3., -2.])
    >>> single(pencil, 0.5) @ np.eye(2, dtype=np.float32)
    array([[ 1.5, -1. ],
           [-1. , -5. ]], dtype=float32)
    """

    B: FewRows
    E: csr_array
    rho: float

    @property
    def shape(self) -> tuple[int, int]:
        n = self.E.shape[0]
        return n, n

    @cached_property
    def _rows_of_E(self) -> ByRows:
        return ByRows(self.E)

    def __matmul__(self, V: FloatArray) -> FloatArray:
        products = self._rows_of_E @ V
        products *= -self.rho
        products[self.B.rows] += self.B.small @ V[self.B.rows]
        return products


def single(S: csr_array | Pencil, scale: float) -> "Single":
    """scale S in single precision, to multiply with."""
    if isinstance(S, Pencil):
        small = (scale * S.B.small).astype(np.float32)
        return Single(_scaled(S.E, -scale * S.rho), S.B.rows, small)
    return Single(_scaled(S, scale), np.empty(0, dtype=np.int64), np.empty((0, 0), np.float32))


def _scaled(S: csr_array, scale: float) -> csr_array:
    data = (scale * S.data).astype(np.float32)
    return csr_array((data, S.indices, S.indptr), shape=S.shape)


class Single:
    """A sparse matrix and a small one in some of the rows and columns."""

    def __init__(self, rest: csr_array, rows: IntArray, small: Any) -> None:
        self._parts = ByRows(rest).parts
        self._rows, self._small = rows, small
        starts = [block.start for block, _ in self._parts]
        self._cuts = [*np.searchsorted(rows, starts), len(rows)]

    def by_rows(self, V: FloatArray, use: Callable[[slice, FloatArray], None]) -> None:
        """Hand the product with V to ``use`` block by block, with the rows that they are."""
        beside = self._small @ V[self._rows]

        def multiply(place: int) -> None:
            block, rows = self._parts[place]
            some = slice(self._cuts[place], self._cuts[place + 1])
            product = np.asarray(rows @ V)
            product[self._rows[some] - block.start] += beside[some]
            use(block, product)

        each(multiply, range(len(self._parts)))

    def __matmul__(self, V: FloatArray) -> FloatArray:
        products = np.empty_like(V)
        self.by_rows(V, products.__setitem__)
        return products
