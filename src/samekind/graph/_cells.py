"""Rows sorted into cells around centers, to find near rows without comparing all pairs.

The members of a cell are compared with the members of the cells that most of them are near to;
so are new rows that lie in it. This misses few neighbors.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from samekind._threads import each, row_blocks
from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import power_of_two

# Cells that the members of a cell are compared with, and nearest cells of a member that vote.
CELLS_NEARBY, VOTES = 32, 6
SAMPLES_PER_CENTER = 40  # from which the centers are learned
BLOCK_ENTRIES = 1 << 23
BUNDLE = 32  # columns whose smallest value is compared first


@dataclass(frozen=True)
class Frame:
    """The coordinates of a search: an origin amid the samples, a unit, a precision."""

    origin: FloatArray
    unit: float
    dtype: Any

    def of(self, rows: FloatArray) -> FloatArray:
        framed = rows / self.unit
        framed -= self.origin
        return np.asarray(framed, dtype=self.dtype)


@dataclass(frozen=True)
class Cells:
    """Rows by cell."""

    frame: Frame
    centers: FloatArray  # (n_cells, n_features), in the frame
    members: list[IntArray]  # rows of each cell
    near: list[IntArray]  # cells near to each, itself among them, those with most votes first


def cells_of(X: FloatArray, dtype: Any = np.float32) -> Cells:
    """Sort the rows into about as many cells as a cell has members.

    ``dtype`` is the precision of all searches in them.

    Examples
    --------
    >>> import numpy as np
    >>> cells = cells_of(np.random.default_rng(0).standard_normal((900, 3)))
    >>> len(cells.members), sum(len(rows) for rows in cells.members)
    (22, 900)
    """
    unit, n_learned = power_of_two(X), SAMPLES_PER_CENTER * int(np.sqrt(len(X)))
    some = X[np.sort(np.random.default_rng(0).permutation(len(X))[:n_learned])]
    # Distances from scalar products lose digits far from the origin.
    frame = Frame((some / unit).mean(axis=0), unit, dtype)
    centers = _centers(frame.of(some))
    votes = min(VOTES, len(centers))
    home, near_to = np.empty(len(X), dtype=np.int64), np.empty((len(X), votes), dtype=np.int64)

    def sort_in(block: slice) -> None:
        distance = distance_like(frame.of(X[block]), centers)
        home[block] = distance.argmin(axis=1)
        near_to[block] = np.argpartition(distance, votes - 1, axis=1)[:, :votes]

    each(sort_in, row_blocks(len(X)))
    members, between = _by_cell(home, len(centers)), distance_like(centers, centers)
    near = list[IntArray]()
    for cell, rows in enumerate(members):
        voted = np.bincount(near_to[rows].ravel(), minlength=len(centers))
        near.append(np.lexsort((between[cell], -voted))[:CELLS_NEARBY])
    return Cells(frame, centers, members, near)


def near_in_cells(X: FloatArray, cells: Cells, n_near: int, rows: Any = None) -> IntArray:
    """Rows of X that are near: to each of its own rows (without itself), or to other ``rows``.

    They come in rising order of their number.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((900, 3))
    >>> near_in_cells(X, cells_of(X), 1, rows=X[:3] + 1e-4).ravel()
    array([0, 1, 2])
    """
    own = rows is None
    asked, by_cell = (X, cells.members) if own else (rows, _homes(rows, cells))
    found = np.empty((len(asked), n_near), dtype=np.int64)

    def search(cell: int) -> None:
        some = by_cell[cell]
        if len(some):
            others = np.concatenate([cells.members[one] for one in cells.near[cell]])
            if len(others) <= n_near:
                others = np.arange(len(X))
            found[some] = _nearest_of(X, np.sort(others), asked, some, own, cells.frame, n_near)

    each(search, range(len(by_cell)))
    found.sort(axis=1)
    return found


def _homes(rows: FloatArray, cells: Cells) -> list[IntArray]:
    """New rows by the cell that they lie in."""
    blocks = row_blocks(len(rows))
    home = each(
        lambda b: distance_like(cells.frame.of(rows[b]), cells.centers).argmin(axis=1), blocks
    )
    return _by_cell(np.concatenate(home), len(cells.centers))


def _by_cell(home: IntArray, n_cells: int) -> list[IntArray]:
    order = np.argsort(home, kind="stable")
    return np.split(order, np.cumsum(np.bincount(home, minlength=n_cells))[:-1])


def _centers(some: FloatArray) -> FloatArray:
    n_cells = max(1, len(some) // SAMPLES_PER_CENTER)
    kmeans = KMeans(n_cells, init="random", n_init=1, max_iter=5, random_state=0).fit(some)
    return np.asarray(kmeans.cluster_centers_, dtype=some.dtype)


def _nearest_of(
    X: FloatArray,
    others: IntArray,
    asked: FloatArray,
    some: IntArray,
    own: bool,
    frame: Frame,
    n_near: int,
) -> IntArray:
    """The nearest of the rows ``others`` of X for some of the rows that are asked."""
    pool = frame.of(X[others])
    found = np.empty((len(some), n_near), dtype=np.int64)
    for block in row_blocks(len(some), max(1, BLOCK_ENTRIES // len(pool))):
        distance = distance_like(frame.of(asked[some[block]]), pool)
        if own:
            place = np.minimum(np.searchsorted(others, some[block]), len(others) - 1)
            itself = np.flatnonzero(others[place] == some[block])
            distance[itself, place[itself]] = np.inf
        found[block] = others[smallest(distance, n_near)]
    return found


def distance_like(A: FloatArray, B: FloatArray) -> FloatArray:
    """Squared distances, but for a number for each row of A: |b|^2 - 2 a'b.

    Examples
    --------
    >>> import numpy as np
    >>> distance_like(np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]]))
    array([[ 3.,  8.],
           [-3.,  0.]])
    """
    distance = (-2 * A) @ B.T
    distance += np.einsum("ij,ij->i", B, B)
    return np.asarray(distance)


def smallest(values: FloatArray, m: int) -> IntArray:
    """Columns of the m smallest values of each row.

    They lie in the m bundles of columns with the smallest minima: one pass over all values,
    and a search among few.

    Examples
    --------
    >>> import numpy as np
    >>> smallest(np.array([[3.0, 1.0, 2.0]]), 1)
    array([[1]])
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
