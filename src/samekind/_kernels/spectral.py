"""Spectral embeddings: the eigenvectors of the smallest eigenvalues of a Laplacian.

A graph is solved component by component. A graph that may fill much of the memory is only
multiplied with: the null vectors of its components are known without solving anything, and are
deflated, so that no copy of the eigenvalue 0 is missed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, eye_array, issparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator

from samekind._kernels.eigen import top_eigenvectors
from samekind._kernels.status import Status
from samekind._typing import FloatArray
from samekind.graph import laplacian, normalized_laplacian


@dataclass(frozen=True)
class Embedding:
    """Coordinates of the samples, and whether they were verified."""

    H: FloatArray  # (n_samples, n_components)
    values: FloatArray  # eigenvalues, smallest first
    status: Status


def spectral_embedding(W: csr_array, n_components: int, *, normalized: bool = True) -> Embedding:
    """Bottom eigenvectors of N = I - D^-1/2 W D^-1/2, or of L = D - W.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> spectral_embedding(W, 2).values.round(12) + 0.0
    array([0., 0.])
    """
    L = normalized_laplacian(W) if normalized else laplacian(W)
    return bottom_eigenvectors(L, n_components)


def bottom_eigenvectors(L: Any, n_components: int) -> Embedding:
    """Eigenvectors of the smallest eigenvalues of a symmetric L, an ndarray or csr_array.

    A sparse L stays sparse, and is solved component by component.

    Examples
    --------
    >>> import numpy as np
    >>> bottom_eigenvectors(np.diag([1.0, 5.0, 3.0]), 2).values
    array([1., 3.])
    """
    # No eigenvalue is larger than a row sum, so the flipped matrix is positive semidefinite,
    # and the smallest become the largest.
    size = float(np.asarray(abs(L).sum(axis=1)).max(initial=0.0))
    n = L.shape[0]
    flipped = csr_array(size * eye_array(n) - L) if issparse(L) else size * np.eye(n) - L
    found = top_eigenvectors(flipped, n_components)
    status = Status.CONVERGED if found.verified else Status.UNVERIFIED
    return Embedding(found.vectors, size - found.values, status)


def embedding_by_products(W: csr_array, n_components: int) -> Embedding:
    """Bottom eigenvectors of N = I - D^-1/2 W D^-1/2, with no second array as large as W.

    For graphs in which many samples are joined, without stored zeros; ``spectral_embedding`` is
    faster for others.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> found = embedding_by_products(W, 3)
    >>> found.values.round(12) + 0.0, found.H[:, 1]
    (array([0., 0., 2.]), array([0., 0., 1.]))
    """
    degree = np.asarray(W.sum(axis=1), dtype=np.float64)
    null = _null_vectors(W, degree)
    known = null[:, :n_components].toarray()
    missing = n_components - known.shape[1]
    if missing == 0:
        return Embedding(known, np.zeros(n_components), Status.CONVERGED)
    found = top_eigenvectors(_without(null, W, degree), missing)
    status = Status.CONVERGED if found.verified else Status.UNVERIFIED
    values = np.concatenate([np.zeros(known.shape[1]), 1 - found.values])
    return Embedding(np.hstack([known, found.vectors]), values, status)


def _null_vectors(W: csr_array, degree: FloatArray) -> csr_array:
    """The null space of N: square roots of degrees on each component, largest components first."""
    count, component_of = connected_components(W, directed=False)
    rank = np.empty(count, dtype=np.int64)
    rank[np.argsort(-np.bincount(component_of), kind="stable")] = np.arange(count)
    values = np.sqrt(np.where(degree > 0, degree, 1.0))
    values /= np.sqrt(np.bincount(component_of, weights=values**2))[component_of]
    places = (np.arange(len(degree)), rank[component_of])
    return csr_array((values, places), shape=(len(degree), count))


def _without(null: csr_array, W: csr_array, degree: FloatArray) -> LinearOperator:
    """D^-1/2 W D^-1/2, its eigenvectors of the eigenvalue 1 moved below all others."""
    joined = degree > 0
    scale = np.where(joined, 1 / np.sqrt(np.where(joined, degree, 1.0)), 0.0)[:, None]

    def multiply(x: FloatArray) -> FloatArray:
        x = x.reshape(len(scale), -1)
        return np.asarray(scale * (W @ (scale * x)) - 3 * (null @ (null.T @ x)))

    return LinearOperator(W.shape, matvec=multiply, matmat=multiply, dtype=np.float64)
