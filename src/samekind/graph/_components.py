"""Connected components of one or several graphs on the same samples, and null spaces."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from samekind._typing import FloatArray, IntArray

NEGLIGIBLE = 1e-14  # rounding of a Laplacian adds more than such edges do


@dataclass(frozen=True)
class Components:
    """Connected components, largest first (ties by the smallest sample)."""

    component_of: IntArray  # (n_samples,), the component of each sample
    members: tuple[IntArray, ...]  # sorted sample indices of each component

    @property
    def count(self) -> int:
        return len(self.members)


def components_of(*graphs: csr_array) -> Components:
    """Components of the union of the graphs: i and j are joined where any entry is not zero.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> components_of(csr_array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])).members
    (array([0, 1]), array([2]))
    """
    pattern = abs(graphs[0])
    for graph in graphs[1:]:
        pattern = pattern + abs(graph)
    count, found = connected_components(pattern, directed=False)
    sizes = np.bincount(found, minlength=count)
    first = np.full(count, len(found))
    np.minimum.at(first, found, np.arange(len(found)))
    rank = np.empty(count, dtype=np.int64)
    rank[np.lexsort((first, -sizes))] = np.arange(count)
    component_of = rank[found]
    order = np.argsort(component_of, kind="stable")
    ends = np.cumsum(np.bincount(component_of, minlength=count))[:-1]
    return Components(component_of, tuple(np.split(order, ends)))


def count_components(W: csr_array, *, normalized: bool) -> int:
    """Dimension of the null space of the Laplacian of W, without the vectors.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> count_components(W, normalized=True)
    2
    """
    degree = W @ np.ones(W.shape[1])
    if W.data.min(initial=np.inf) <= NEGLIGIBLE * np.max(degree, initial=0.0):
        W = _without_negligible(W, degree, normalized)
    return int(connected_components(W, directed=False, return_labels=False))


def null_space(W: csr_array, *, normalized: bool) -> csr_array:
    """Orthonormal basis of the null space of the Laplacian of W, one column per component.

    The vector of a component is constant on it for L, and proportional to the square root of the
    degree for N. Edges that are zero up to rounding join nothing.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> null_space(W, normalized=True).toarray().round(3)
    array([[0.707, 0.   ],
           [0.707, 0.   ],
           [0.   , 1.   ]])
    """
    degree = np.asarray(W.sum(axis=1)).ravel()
    components = components_of(_without_negligible(W, degree, normalized))
    values = _null_vector(degree) if normalized else np.ones(len(degree))
    norms = np.sqrt(np.bincount(components.component_of, weights=values**2))
    values = values / norms[components.component_of]
    shape = (len(degree), components.count)
    return csr_array((values, components.component_of, np.arange(len(degree) + 1)), shape=shape)


def _null_vector(degree: FloatArray) -> FloatArray:
    """Square roots of the degrees; a sample without edges is a component by itself."""
    return np.sqrt(np.where(degree > 0, degree, 1.0))


def _without_negligible(W: csr_array, degree: FloatArray, normalized: bool) -> csr_array:
    """Drop edges that are negligible on the Laplacian's scale."""
    edges = W.tocoo()
    i, j = edges.coords
    scale = np.sqrt(degree[i] * degree[j]) if normalized else np.max(degree, initial=0.0)
    keep = edges.data > NEGLIGIBLE * scale
    return csr_array((edges.data[keep], (i[keep], j[keep])), shape=W.shape)
