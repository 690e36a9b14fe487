"""Nearest neighbors of every sample: from all pairs, or from pairs in cells nearby.

Comparing all pairs takes time that grows with the square of the number of samples. Beyond
some size the samples are therefore sorted into cells, and compared within cells nearby. This
misses few neighbors; an exact search for some samples estimates how many.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from samekind._threads import each, row_blocks
from samekind._typing import FloatArray, IntArray
from samekind.graph._cells import Cells, Frame, cells_of, distance_like, near_in_cells, smallest
from samekind.graph._knn import by_distance, misled, nearest_rows, recall_by_differences
from samekind.graph._matrices import sample_matrix

# Below this number of samples comparing all pairs takes less time.
CELLS_FROM = 20_000
SAMPLES_OF_RECALL = 256
TOO_LOW = 0.9  # a recall below this is searched for again in double precision


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
    found = _in_cells(X, n_others, np.float32)
    if found.recall < TOO_LOW:
        precise = _in_cells(X, n_others, np.float64)
        found = max(found, precise, key=lambda one: one.recall)
    return found


def find_in_cells(X: Any, cells: Cells, n_others: int, rows: Any) -> tuple[IntArray, FloatArray]:
    """The nearest rows of X for other ``rows``, and their distances, from the cells of X.

    Rows that single precision could mislead are compared with all rows of X.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((900, 3))
    >>> find_in_cells(X, cells_of(X), 1, X[:3] + 1e-4)[0].ravel()
    array([0, 1, 2])
    """
    searched = min(n_others + 4, X.shape[0])  # a few more: the search rounds
    nearest, distance = by_distance(X, near_in_cells(X, cells, searched, rows), rows, n_others)
    frame = cells.frame
    eps = float(np.finfo(frame.dtype).eps)
    doubtful = misled(frame.of(rows), distance / frame.unit, eps)
    if len(doubtful):
        nearest[doubtful], distance[doubtful] = nearest_rows(X, n_others, rows=rows[doubtful])
    return nearest, distance


def _in_cells(X: FloatArray, n_others: int, dtype: Any) -> Neighbors:
    cells = cells_of(X, dtype)
    searched = min(n_others + 4, X.shape[0] - 1)
    nearest, distance = by_distance(X, near_in_cells(X, cells, searched), X, n_others)
    return Neighbors(nearest, distance, _recall(X, cells.frame, distance))


def _recall(X: FloatArray, frame: Frame, distance: FloatArray) -> float:
    """Share of the true neighbors among those found, for some samples.

    An exact search in double precision, whose candidates are compared by differences.
    """
    frame, m = replace(frame, dtype=np.float64), distance.shape[1]
    rows = np.unique(np.linspace(0, len(X) - 1, SAMPLES_OF_RECALL).astype(int))
    asked, kept = frame.of(X[rows]), min(m + 4, len(X) - 1)

    def nearest_in(block: slice) -> tuple[IntArray, FloatArray]:
        numbers = np.arange(block.start, block.stop)
        near = distance_like(asked, frame.of(X[block]))
        near[rows[:, None] == numbers] = np.inf  # the sample itself
        best = smallest(near, min(kept, near.shape[1]))
        return numbers[best], np.take_along_axis(near, best, axis=1)

    parts = each(nearest_in, row_blocks(len(X)))  # X is never copied whole
    true, near = (np.hstack(part) for part in zip(*parts, strict=True))
    true = np.take_along_axis(true, smallest(near, kept), axis=1)
    _, measured = by_distance(X, true, X[rows], kept)
    return float(np.mean(distance[rows] <= measured[:, m - 1 : m]))
