"""The local graph W (8): each sample joined to its nearest, with its own length scale.

Differs from the paper, as the authors' code does: the sample itself counts as the first of
its m nearest, so that m = 7 joins six others and l = 5 takes the distance to the fourth as
sigma_i; sigma_i is at least 1e-2, which gives repeated samples a weight of 1; W is made
symmetric as (W + W') / 2.
"""

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.neighbors import NearestNeighbors

from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import compact, sample_matrix, symmetrized

SMALLEST_SCALE = 1e-2
BLOCK_ENTRIES = 1 << 22  # of X processed together


def local_graph(X: Any, n_neighbors: int = 7, scale_neighbor: int = 5) -> csr_array:
    """Symmetric nearest-neighbor graph with weights exp(-|x_i - x_j|^2 / sigma_i^2).

    Parameters
    ----------
    X : array-like or sparse array, (n_samples, n_features)
    n_neighbors : int, default=7
        m: neighbors of each sample, the sample itself included; at most n_samples are used.
    scale_neighbor : int, default=5
        l: sigma_i is the distance to this neighbor, the sample itself being the first.

    Returns
    -------
    csr_array, (n_samples, n_samples)
        Symmetric, zero diagonal.

    Examples
    --------
    >>> local_graph([[0.0], [1.0], [3.0]], n_neighbors=2, scale_neighbor=2).toarray()
    array([[0.        , 0.36787944, 0.        ],
           [0.36787944, 0.        , 0.18393972],
           [0.        , 0.18393972, 0.        ]])
    """
    for name, value in (("n_neighbors", n_neighbors), ("scale_neighbor", scale_neighbor)):
        if value < 1:
            raise ValueError(f"{name} is {value}; expected an int in the range [1, inf)")
    X = sample_matrix(X)
    found = nearest_rows(X, others_needed(X.shape[0], n_neighbors, scale_neighbor))
    return local_graph_of(*found, n_neighbors, scale_neighbor)


def others_needed(n_samples: int, n_neighbors: int, scale_neighbor: int) -> int:
    """Nearest others of each sample that a local graph is made from.

    Examples
    --------
    >>> others_needed(100, n_neighbors=7, scale_neighbor=5)
    6
    """
    return max(min(max(n_neighbors, scale_neighbor), n_samples) - 1, 0)


def local_graph_of(
    nearest: IntArray, distance: FloatArray, n_neighbors: int = 7, scale_neighbor: int = 5
) -> csr_array:
    """The local graph of samples whose nearest others are known; see ``local_graph``.

    Examples
    --------
    >>> import numpy as np
    >>> nearest, distance = np.array([[1], [0], [1]]), np.array([[1.0], [1.0], [2.0]])
    >>> local_graph_of(nearest, distance, n_neighbors=2, scale_neighbor=2).toarray().round(3)
    array([[0.   , 0.368, 0.   ],
           [0.368, 0.   , 0.184],
           [0.   , 0.184, 0.   ]])
    """
    n = len(nearest)
    others = min(n_neighbors, n) - 1
    weight = local_weights(distance, scale_neighbor)[:, :others]
    indptr = np.arange(n + 1) * others
    W = csr_array((weight.ravel(), nearest[:, :others].ravel(), indptr), shape=(n, n))
    W = symmetrized(compact(W))
    W.eliminate_zeros()  # a weight can underflow
    return W


def local_weights(distance: FloatArray, scale_neighbor: int) -> FloatArray:
    """Weights of (8) from distances to the nearest others, each row in rising order.

    Examples
    --------
    >>> import numpy as np
    >>> local_weights(np.array([[0.0, 2.0]]), scale_neighbor=3).round(4)
    array([[1.    , 0.3679]])
    """
    if distance.shape[1] == 0:
        return distance
    column = min(max(scale_neighbor - 2, 0), distance.shape[1] - 1)
    sigma = np.maximum(distance[:, column], SMALLEST_SCALE)
    return np.exp(-((distance / sigma[:, None]) ** 2))


def nearest_rows(X: Any, n_others: int, rows: Any = None) -> tuple[IntArray, FloatArray]:
    """The nearest rows of X: for its own rows (each without itself), or for other ``rows``.

    Distances come from differences, not from scalar products, so that they keep their digits
    far from the origin and repeated rows are at distance zero. Ties among the candidates of the
    search go to the smaller index.

    Returns
    -------
    nearest : ndarray, (n_rows, n_others)
        Row numbers of X, nearest first.
    distance : ndarray, (n_rows, n_others)

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> nearest_rows(X, 1)[0].ravel()
    array([1, 0, 1])
    >>> nearest_rows(X, 1, rows=np.array([[2.9]]))[0]
    array([[2]])
    """
    available = X.shape[0] - (1 if rows is None else 0)
    # A few more than wanted: the search rounds, and the order is settled below.
    searched = min(n_others + 4, available)
    if n_others == 0:
        n_rows = X.shape[0] if rows is None else rows.shape[0]
        return np.empty((n_rows, 0), dtype=np.int64), np.empty((n_rows, 0))
    found = NearestNeighbors(n_neighbors=searched).fit(X).kneighbors(rows, return_distance=False)
    found.sort(axis=1)
    return by_distance(X, found, X if rows is None else rows, n_others)


def by_distance(X: Any, found: IntArray, rows: Any, n_others: int) -> tuple[IntArray, FloatArray]:
    """The nearest of the rows of X that were ``found`` for each of ``rows``, nearest first.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> by_distance(X, np.array([[0, 1, 2]]), np.array([[2.5]]), 2)
    (array([[2, 1]]), array([[0.5, 1.5]]))
    """
    distance = np.empty(found.shape)
    step = max(1, BLOCK_ENTRIES // X.shape[1])
    for start in range(0, len(found), step):
        block = slice(start, start + step)
        distance[block] = _distances(X, found[block], rows[block])
    order = np.argsort(distance, axis=1, kind="stable")[:, :n_others]
    return np.take_along_axis(found, order, axis=1), np.take_along_axis(distance, order, axis=1)


def _distances(X: Any, nearest: IntArray, rows: Any) -> FloatArray:
    """Distance from each of ``rows`` to the rows of X named in ``nearest``."""
    distance = np.empty(nearest.shape)
    for column in range(nearest.shape[1]):  # a column at a time: no (n, m, d) temporary
        difference = X[nearest[:, column]] - rows
        if issparse(difference):
            square = np.asarray(difference.multiply(difference).sum(axis=1)).ravel()
        else:
            square = np.einsum("ij,ij->i", difference, difference, dtype=np.float64)
        distance[:, column] = np.sqrt(square)
    return distance
