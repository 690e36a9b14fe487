"""Spectral embeddings: the eigenvectors of the smallest eigenvalues of a Laplacian."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, eye_array, issparse

from samekind.graph import laplacian, normalised_laplacian
from samekind.kernels.eigen import top_eigenvectors
from samekind.kernels.status import Status
from samekind.typing import FloatArray


@dataclass(frozen=True)
class Embedding:
    """Coordinates of the samples, and whether they were verified."""

    H: FloatArray  # (n_samples, n_components)
    values: FloatArray  # eigenvalues, smallest first
    status: Status


def spectral_embedding(W: csr_array, n_components: int, *, normalised: bool = True) -> Embedding:
    """Bottom eigenvectors of N = I - D^-1/2 W D^-1/2, or of L = D - W.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> spectral_embedding(W, 2).values.round(12) + 0.0
    array([0., 0.])
    """
    L = normalised_laplacian(W) if normalised else laplacian(W)
    return bottom_eigenvectors(L, n_components)


def bottom_eigenvectors(L: Any, n_components: int) -> Embedding:
    """Eigenvectors of the smallest eigenvalues of a symmetric L, an ndarray or csr_array.

    A sparse L stays sparse, and is solved piece by piece.

    Examples
    --------
    >>> import numpy as np
    >>> bottom_eigenvectors(np.diag([1.0, 5.0, 3.0]), 2).values
    array([1., 3.])
    """
    # No eigenvalue is larger than a row sum, so that what is left of it is not negative, and the
    # smallest become the largest.
    size = float(np.asarray(abs(L).sum(axis=1)).max(initial=0.0))
    n = L.shape[0]
    flipped = csr_array(size * eye_array(n) - L) if issparse(L) else size * np.eye(n) - L
    found = top_eigenvectors(flipped, n_components)
    status = Status.CONVERGED if found.verified else Status.UNVERIFIED
    return Embedding(found.vectors, size - found.values, status)
