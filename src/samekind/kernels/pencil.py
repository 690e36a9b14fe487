"""B - rho E for one rho after the other, without adding sparse matrices each time."""

from scipy.sparse import csr_array


class Pencil:
    """B - rho E, made from one pattern that holds both matrices.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> pencil = Pencil(csr_array(np.diag([3.0, 4.0])), csr_array([[0.0, 1.0], [1.0, 5.0]]))
    >>> pencil.at(2.0).toarray()
    array([[ 3., -2.],
           [-2., -6.]])
    """

    def __init__(self, B: csr_array, E: csr_array) -> None:
        both = csr_array(E + 1j * B)  # one complex matrix has one pattern for both
        self._pattern, self._shape = (both.indices, both.indptr), both.shape
        self._b, self._e = both.data.imag.copy(), both.data.real.copy()

    def at(self, rho: float) -> csr_array:
        return csr_array((self._b - rho * self._e, *self._pattern), shape=self._shape)
