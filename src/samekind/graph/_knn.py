"""The local graph W (8): each sample joined to its nearest, with its own length scale.

Differs from the paper, as the authors' code does: the sample itself counts as the first of
its m nearest, so that m = 7 joins six others and l = 5 takes the distance to the fourth as
sigma_i; W is made symmetric as (W + W') / 2.

sigma_i has a floor, which gives repeated samples a weight of 1. In the authors' code it is 1e-2,
whatever the units of X; here it is 1e-2 of the median of all sigma_i, so that W does not depend
on the units. None of the paper's data sets has a sigma_i below either.
"""

from contextlib import nullcontext
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

from samekind._threads import each, n_threads, row_blocks
from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import (
    compact,
    power_of_two,
    sample_matrix,
    symmetrized,
    unit_scaled_rows,
)

SMALLEST_SCALE = 1e-2
BLOCK_ENTRIES = 1 << 22  # of X processed together
# Squares between these have neither overflowed nor lost digits.
SMALLEST_SQUARE, LARGEST_SQUARE = 1e-280, 1e280
TIED = 1e-12  # distances that differ by less of the largest in their row
# A squared distance below so many roundings of a squared length is rounding of the search.
ROUNDINGS = 64.0
DENSE_ENTRIES = 50_000_000  # sparse rows up to this size are searched again as dense ones
ROWS_OF_RECALL = 32
ROWS_PER_THREAD = 2048  # of the search among all pairs


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
    unit = usual_scale(distance, scale_neighbor)
    weight = local_weights(distance, scale_neighbor, SMALLEST_SCALE * unit)[:, :others]
    indptr = np.arange(n + 1) * others
    W = csr_array((weight.ravel(), nearest[:, :others].ravel(), indptr), shape=(n, n))
    W = symmetrized(compact(W))
    W.eliminate_zeros()  # a weight can underflow
    return W


def usual_scale(distance: FloatArray, scale_neighbor: int) -> float:
    """The median distance to the scale neighbor, or to any other where that is zero; else 1.

    Examples
    --------
    >>> import numpy as np
    >>> usual_scale(np.array([[0.0, 2.0], [1.0, 4.0]]), scale_neighbor=3)
    3.0
    """
    if distance.shape[1] == 0:
        return 1.0
    sigma = distance[:, _scale_column(distance, scale_neighbor)]
    for values in (sigma, sigma[sigma > 0], distance[distance > 0]):
        if len(values) and np.median(values) > 0:
            return float(np.median(values))
    return 1.0


def local_weights(
    distance: FloatArray, scale_neighbor: int, smallest: float = SMALLEST_SCALE
) -> FloatArray:
    """Weights of (8) from distances to the nearest others, each row in rising order.

    Examples
    --------
    >>> import numpy as np
    >>> local_weights(np.array([[0.0, 2.0]]), scale_neighbor=3).round(4)
    array([[1.    , 0.3679]])
    """
    if distance.shape[1] == 0:
        return distance
    sigma = np.maximum(distance[:, _scale_column(distance, scale_neighbor)], smallest)
    with np.errstate(over="ignore"):  # a weight of zero
        return np.exp(-((distance / sigma[:, None]) ** 2))


def _scale_column(distance: FloatArray, scale_neighbor: int) -> int:
    return min(max(scale_neighbor - 2, 0), int(distance.shape[1]) - 1)


def nearest_rows(X: Any, n_others: int, rows: Any = None) -> tuple[IntArray, FloatArray]:
    """The nearest rows of X: for its own rows (each without itself), or for other ``rows``.

    Distances come from differences, not from scalar products, so that they keep their digits
    far from the origin and repeated rows are at distance zero. The search itself uses products,
    of centered rows; where a distance is so small that its rounding could have misled it, it is
    repeated by differences. Ties among the candidates of the search go to the smaller index.

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
    own = rows is None
    asked = X if own else rows
    if n_others == 0:
        return np.empty((asked.shape[0], 0), dtype=np.int64), np.empty((asked.shape[0], 0))
    # A few more than wanted: the search rounds, and the order is settled below.
    searched = min(n_others + 4, X.shape[0] - own)
    unit = power_of_two(X) if own else max(power_of_two(X), power_of_two(rows))
    centered, asked_centered = _centered(X, None if own else rows, unit)
    model = NearestNeighbors(n_neighbors=searched).fit(centered)
    with _search_threads(asked.shape[0]):
        found = model.kneighbors(None if own else asked_centered, return_distance=False)
    nearest, distance = by_distance(X, np.sort(found, axis=1), asked, n_others)
    searched_in = centered if own else asked_centered
    eps = float(np.finfo(searched_in.dtype).eps)  # scikit-learn multiplies in double precision
    eps = max(eps**2, float(np.finfo(np.float64).eps))
    doubtful = misled(searched_in, distance / unit, eps)
    if len(doubtful) and (not issparse(X) or X.shape[0] * X.shape[1] <= DENSE_ENTRIES):
        some = _by_differences(X, asked, doubtful, searched, unit, own=own)
        nearest[doubtful], distance[doubtful] = by_distance(X, some, asked[doubtful], n_others)
    return nearest, distance


def _search_threads(n_rows: int) -> Any:
    """As many of scikit-learn's threads as a fit has, where each has enough rows.

    With fewer it divides the others among them, and of equals another may be found first.
    """
    count = min(n_threads(), n_rows // ROWS_PER_THREAD)
    return threadpool_limits(count, "openmp") if count > 1 else nullcontext()


def _centered(X: Any, rows: Any, unit: float) -> tuple[Any, Any]:
    """X and other rows in a common unit, around the mean of X; sparse ones keep their zeros."""
    X, rows = X / unit, None if rows is None else rows / unit
    if issparse(X):
        return X, rows
    origin = X.mean(axis=0, dtype=np.float64).astype(X.dtype)
    X -= origin
    return X, None if rows is None else rows - origin


def misled(asked: Any, distance: FloatArray, eps: float) -> IntArray:
    """Rows whose farthest neighbor is so near that rounding of the search could hide a nearer.

    ``eps`` is the rounding of the products, relative.

    Examples
    --------
    >>> import numpy as np
    >>> misled(np.ones((2, 1)), np.array([[1e-9], [1e-3]]), eps=1e-16)
    array([0])
    """
    farthest = distance[:, -1]
    return np.flatnonzero((farthest > 0) & (farthest**2 <= ROUNDINGS * eps * _squares(asked)))


def _by_differences(
    X: Any, rows: Any, doubtful: IntArray, searched: int, unit: float, *, own: bool
) -> IntArray:
    """Near rows of X for some of ``rows``, in rising order: a tree looks at differences."""
    n_found = min(searched + own, X.shape[0])
    model = NearestNeighbors(n_neighbors=n_found, algorithm="kd_tree").fit(_dense(X) / unit)
    found = model.kneighbors(_dense(rows[doubtful]) / unit, return_distance=False)
    if own:  # without the row itself, or the last where many are equal to it
        itself = found == doubtful[:, None]
        itself[~itself.any(axis=1), -1] = True
        found = found[~itself].reshape(len(doubtful), -1)
    return np.sort(found, axis=1)


def _dense(X: Any) -> FloatArray:
    return np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64)


def recall_by_differences(X: Any, distance: FloatArray) -> float:
    """Share of the true nearest others that were found, measured for some rows of X.

    ``distance`` holds what was found for every row. Others at equal distances count as found.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> recall_by_differences(X, np.array([[1.0], [1.0], [3.0]])).__round__(2)
    0.67
    """
    n, m = distance.shape
    if m == 0:
        return 1.0
    rows = np.unique(np.linspace(0, n - 1, ROWS_OF_RECALL).astype(int))
    shares = []
    for row in rows:
        _, true = by_distance(X[[row]], np.zeros((n, 1), dtype=np.int64), X, 1)
        true[row] = np.inf  # the sample itself
        farthest = np.partition(true[:, 0], m - 1)[m - 1]
        shares.append(np.mean(distance[row] <= farthest))
    return float(np.mean(shares))


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

    def measure(block: slice) -> None:
        distance[block] = _distances(X, found[block], rows[block])

    each(measure, row_blocks(len(found), max(1, BLOCK_ENTRIES // X.shape[1])))
    order = _rising(distance)[:, :n_others]
    return np.take_along_axis(found, order, axis=1), np.take_along_axis(distance, order, axis=1)


def _rising(distance: FloatArray) -> IntArray:
    """The places of rising distances in each row; those that rounding separates stay in order.

    Rows of whole numbers have many neighbors at one distance; in other units rounding would put
    them in another order, and other neighbors would be the last.

    Examples
    --------
    >>> import numpy as np
    >>> _rising(np.array([[0.3, 0.1 + 0.2, 0.1], [0.1 + 0.2, 0.3, 0.1], [1e-16, 0.0, 1.0]]))
    array([[2, 0, 1],
           [2, 0, 1],
           [1, 0, 2]])
    """
    order = np.argsort(distance, axis=1, kind="stable")
    if distance.shape[1] < 2:
        return order
    rising = np.take_along_axis(distance, order, axis=1)
    step = np.diff(rising, axis=1)
    # An equal row is nearer than any other, however near that is.
    higher = (step > TIED * rising[:, -1:]) | ((rising[:, :-1] == 0) & (step > 0))
    some = np.flatnonzero(((step > 0) & ~higher).any(axis=1))
    if len(some):
        level = np.zeros(rising[some].shape, dtype=np.int64)
        level[:, 1:] = np.cumsum(higher[some], axis=1)
        order[some] = np.take_along_axis(order[some], np.lexsort((order[some], level)), axis=1)
    return order


def _distances(X: Any, nearest: IntArray, rows: Any) -> FloatArray:
    """Distance from each of ``rows`` to the rows of X named in ``nearest``."""
    distance = np.empty(nearest.shape)
    for column in range(nearest.shape[1]):  # a column at a time: no (n, m, d) temporary
        distance[:, column] = _lengths(X[nearest[:, column]] - rows)
    return distance


def _lengths(rows: Any) -> FloatArray:
    """Euclidean lengths; squares that overflow or lose digits are computed in another unit."""
    with np.errstate(over="ignore", under="ignore"):
        square = _squares(rows)
    lengths = np.sqrt(square)
    lost = np.flatnonzero(~((square > SMALLEST_SQUARE) & (square < LARGEST_SQUARE)))
    if len(lost):
        scaled, unit = unit_scaled_rows(rows[lost])
        lengths[lost] = unit * np.sqrt(_squares(scaled))
    return lengths


def _squares(rows: Any) -> FloatArray:
    if issparse(rows):
        rows = rows.astype(np.float64, copy=False)
        return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return np.asarray(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
