"""Nearest neighbors of every sample: from all pairs, or from pairs in cells nearby.

Comparing all pairs takes time that grows with the square of the number of samples. Beyond
some size the samples are therefore sorted into cells around centers, and the members of a
cell are compared with the members of the cells that most of them are near to. This misses
few neighbors; an exact search for some samples estimates how many.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.cluster import KMeans

from samekind._threads import each, row_blocks
from samekind._typing import FloatArray, IntArray
from samekind.graph._knn import by_distance, nearest_rows, recall_by_differences
from samekind.graph._matrices import power_of_two, sample_matrix

# Below this number of samples comparing all pairs takes less time.
CELLS_FROM = 20_000
# Cells that the members of a cell are compared with, and nearest cells of a member that vote.
CELLS_NEARBY, VOTES = 32, 6
SAMPLES_PER_CENTER = 40  # from which the centers are learned
SAMPLES_OF_RECALL = 256
TOO_LOW = 0.9  # a recall below this is searched for again in double precision
BLOCK_ENTRIES = 1 << 23
BUNDLE = 32  # columns whose smallest value is compared first


@dataclass(frozen=True)
class Neighbors:
    """The nearest neighbors of every sample, as found by ``find_neighbors``.

    Attributes
    ----------
    nearest : ndarray, (n_samples, n_others)
        Row numbers of the neighbors, nearest first, without the sample itself.
    distance : ndarray, (n_samples, n_others)
        Their Euclidean distances.
    recall : float
        Share of the true neighbors that were found, measured for some samples; 1 if all were.

    Examples
    --------
    >>> from samekind.graph import find_neighbors
    >>> find_neighbors([[0.0], [1.0], [3.0]], 1)
    Neighbors(nearest=array([[1],
           [0],
           [1]]), distance=array([[1.],
           [1.],
           [2.]]), recall=1.0)
    """

    nearest: IntArray
    distance: FloatArray
    recall: float


def find_neighbors(X: Any, n_others: int, *, cells_from: int = CELLS_FROM) -> Neighbors:
    """The nearest neighbors of every sample, without the sample itself.

    Up to 20,000 samples, and for sparse X, all pairs are compared. Beyond, the search is
    approximate: samples are sorted into cells, and compared within cells nearby.

    Parameters
    ----------
    X : array-like or sparse array, (n_samples, n_features)
        A memory-mapped array is read in blocks, and never copied whole.
    n_others : int
        Neighbors of each sample, at most n_samples - 1.
    cells_from : int, default=20000
        Number of samples from which on the search is approximate.

    Returns
    -------
    Neighbors
        With the attributes ``nearest``, ``distance`` and ``recall``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((500, 3))
    >>> found = find_neighbors(X, 5, cells_from=100)
    >>> found.recall > 0.9 and np.mean(found.nearest == find_neighbors(X, 5).nearest) > 0.9
    np.True_
    """
    X = sample_matrix(X)
    if not 0 <= n_others < X.shape[0]:
        raise ValueError(
            f"n_others is {n_others}; expected an int in the range [0, {X.shape[0]}), as X has "
            f"{X.shape[0]} samples"
        )
    if n_others == 0 or X.shape[0] < cells_from or issparse(X):
        nearest, distance = nearest_rows(X, n_others)
        return Neighbors(nearest, distance, recall_by_differences(X, distance))
    unit = power_of_two(X)
    some = np.sort(np.random.default_rng(0).permutation(X.shape[0])[: _n_learned(X)])
    # Distances from scalar products lose digits far from the origin.
    frame = Frame((X[some] / unit).mean(axis=0), unit, np.float32)
    found = _in_cells(X, some, frame, n_others)
    if found.recall < TOO_LOW:
        precise = _in_cells(X, some, replace(frame, dtype=np.float64), n_others)
        found = max(found, precise, key=lambda one: one.recall)
    return found


@dataclass(frozen=True)
class Frame:
    """The coordinates of a search: an origin amid the samples, a unit, a precision."""

    origin: FloatArray
    unit: float
    dtype: Any

    def of(self, rows: FloatArray) -> FloatArray:
        return np.asarray(rows / self.unit - self.origin, dtype=self.dtype)


def _in_cells(X: FloatArray, some: IntArray, frame: Frame, n_others: int) -> Neighbors:
    centers = _centers(frame.of(X[some]))
    searched = min(n_others + 4, X.shape[0] - 1)  # a few more: the search rounds
    nearest, distance = by_distance(X, _search_cells(X, centers, frame, searched), X, n_others)
    return Neighbors(nearest, distance, _recall(X, frame, distance))


def _search_cells(X: FloatArray, centers: FloatArray, frame: Frame, n_others: int) -> IntArray:
    """Others of every row that are near, in rising order of their number."""
    members, near = _cells(X, centers, frame)
    found = np.empty((len(X), n_others), dtype=np.int64)

    def search(cell: int) -> None:
        rows, others = members[cell], np.concatenate([members[one] for one in near[cell]])
        if len(rows):
            found[rows] = _nearest_of(X, rows, _enough(others, n_others, len(X)), frame, n_others)

    each(search, range(len(members)))
    found.sort(axis=1)
    return found


def _enough(others: IntArray, n_others: int, n: int) -> IntArray:
    """All samples where the cells nearby hold too few."""
    return others if len(others) > n_others else np.arange(n)


def _n_learned(X: FloatArray) -> int:
    """Samples from which the centers are learned."""
    return SAMPLES_PER_CENTER * int(np.sqrt(len(X)))


def _centers(some: FloatArray) -> FloatArray:
    """About as many centers as a cell has members."""
    n_cells = max(1, len(some) // SAMPLES_PER_CENTER)
    kmeans = KMeans(n_cells, init="random", n_init=1, max_iter=5, random_state=0).fit(some)
    return np.asarray(kmeans.cluster_centers_, dtype=some.dtype)


def _cells(
    X: FloatArray, centers: FloatArray, frame: Frame
) -> tuple[list[IntArray], list[IntArray]]:
    """The members of each cell, and the cells nearby: those that most members are near to."""
    n_cells, votes = len(centers), min(VOTES, len(centers))
    home, near_to = np.empty(len(X), dtype=np.int64), np.empty((len(X), votes), dtype=np.int64)

    def sort_in(block: slice) -> None:
        distance = _distance_like(frame.of(X[block]), centers)
        home[block] = distance.argmin(axis=1)
        near_to[block] = np.argpartition(distance, votes - 1, axis=1)[:, :votes]

    each(sort_in, row_blocks(len(X)))
    order = np.argsort(home, kind="stable")
    members: list[IntArray] = np.split(order, np.cumsum(np.bincount(home, minlength=n_cells))[:-1])
    between = _distance_like(centers, centers)
    near = list[IntArray]()
    for cell, rows in enumerate(members):
        voted = np.bincount(near_to[rows].ravel(), minlength=n_cells)
        near.append(np.lexsort((between[cell], -voted))[:CELLS_NEARBY])
    return members, near


def _nearest_of(
    X: FloatArray, rows: IntArray, others: IntArray, frame: Frame, n_others: int
) -> IntArray:
    others = np.sort(others)
    pool = frame.of(X[others])
    found = np.empty((len(rows), n_others), dtype=np.int64)
    step = max(1, BLOCK_ENTRIES // len(pool))
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        distance = _distance_like(frame.of(X[some]), pool)
        place = np.minimum(np.searchsorted(others, some), len(others) - 1)
        itself = np.flatnonzero(others[place] == some)
        distance[itself, place[itself]] = np.inf
        found[start : start + step] = others[_smallest(distance, n_others)]
    return found


def _distance_like(A: FloatArray, B: FloatArray) -> FloatArray:
    """Squared distances, but for a number for each row of A: |b|^2 - 2 a'b as one product."""
    A = np.column_stack([A, np.ones(len(A), dtype=A.dtype)])
    B = np.column_stack([-2 * B, np.einsum("ij,ij->i", B, B)])
    return np.asarray(A @ B.T)


def _smallest(values: FloatArray, m: int) -> IntArray:
    """Columns of the m smallest values of each row.

    They lie in the m bundles of columns with the smallest minima: one pass over all values,
    and a search among few.
    """
    n_rows, width = values.shape
    n_bundles = width // BUNDLE
    if n_bundles <= m:
        return np.argpartition(values, m - 1, axis=1)[:, :m]
    bundled = values[:, : n_bundles * BUNDLE].reshape(n_rows, BUNDLE, n_bundles)
    best = np.argpartition(bundled.min(axis=1), m - 1, axis=1)[:, :m]
    columns = (best[:, None, :] + n_bundles * np.arange(BUNDLE)[:, None]).reshape(n_rows, -1)
    rest = np.broadcast_to(np.arange(n_bundles * BUNDLE, width), (n_rows, width % BUNDLE))
    columns = np.hstack([columns, rest])
    chosen = np.take_along_axis(values, columns, axis=1)
    return np.take_along_axis(columns, np.argpartition(chosen, m - 1, axis=1)[:, :m], axis=1)


def _recall(X: FloatArray, frame: Frame, distance: FloatArray) -> float:
    """Share of the true neighbors among those found, for some samples.

    An exact search in double precision, whose candidates are compared by differences.
    """
    frame, m = replace(frame, dtype=np.float64), distance.shape[1]
    rows = np.unique(np.linspace(0, len(X) - 1, SAMPLES_OF_RECALL).astype(int))
    asked, kept = frame.of(X[rows]), min(m + 4, len(X) - 1)

    def nearest_in(block: slice) -> tuple[IntArray, FloatArray]:
        numbers = np.arange(block.start, block.stop)
        near = _distance_like(asked, frame.of(X[block]))
        near[rows[:, None] == numbers] = np.inf  # the sample itself
        best = _smallest(near, min(kept, near.shape[1]))
        return numbers[best], np.take_along_axis(near, best, axis=1)

    parts = each(nearest_in, row_blocks(len(X)))  # X is never copied whole
    true, near = (np.hstack(part) for part in zip(*parts, strict=True))
    true = np.take_along_axis(true, _smallest(near, kept), axis=1)
    _, measured = by_distance(X, true, X[rows], kept)
    return float(np.mean(distance[rows] <= measured[:, m - 1 : m]))
