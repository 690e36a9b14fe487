"""Cells around centers, so that landmarks come from everywhere and far rows are noticed."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin_min

from samekind._selection.scaling import Scaling
from samekind._typing import FloatArray, IntArray
from samekind.dask._partitions import Block

ROWS_PER_CELL = 40  # landmarks of a cell on average, and rows its center is learned from
# A center learned from fewer rows is none: its rows are far, and are reported.
LEAST = 10
# Far is what Tukey calls far out: so many interquartile ranges above the upper quartile.
FAR_OUT = 3.0
# Two rows of a kind in many features are so much farther apart than each is from their mean.
BETWEEN_ROWS = 2**0.5
KEPT = 8  # rows kept of a cell, as a multiple of the usual number of landmarks
STEPS = 60  # of a bisection


@dataclass(frozen=True)
class Cells:
    """Centers of scaled rows, and the distance from which on a row is far from each."""

    scaling: Scaling
    centers: FloatArray  # (n_cells, n_features)
    reach: FloatArray  # (n_cells,)

    @property
    def n_cells(self) -> int:
        return len(self.centers)

    def find(self, rows: FloatArray) -> tuple[IntArray, FloatArray]:
        """The cell of each row, and its distance from the center as a share of the reach."""
        if not len(rows):
            return np.empty(0, dtype=np.int64), np.empty(0)
        home, distance = pairwise_distances_argmin_min(self.scaling.apply(rows), self.centers)
        return home, distance / self.reach[home]

    def with_rows(self, rows: FloatArray, most: int) -> Self:
        """Far rows, such as labeled ones, become centers, unless one of them is near already."""
        home, share = self.find(rows)
        far = np.flatnonzero(share > 1)
        added, reach = np.empty((0, self.centers.shape[1])), np.empty(0)
        for row, scaled in zip(far, self.scaling.apply(rows[far]), strict=True):
            if len(added) < most and (np.linalg.norm(added - scaled, axis=1) > reach).all():
                added = np.vstack([added, scaled])
                reach = np.append(reach, BETWEEN_ROWS * self.reach[home[row]])
        return self._extended(added, reach)

    def with_groups(self, rows: FloatArray, most: int, seed: int) -> Self:
        """Cells for rows that were far from all."""
        scaled = self.scaling.apply(rows)
        different = len(np.unique(scaled, axis=0))
        n_cells = int(np.clip(len(rows) // ROWS_PER_CELL, 1, min(most, different)))
        kmeans = KMeans(n_cells, n_init=1, random_state=seed).fit(scaled)
        home, _ = self.find(rows)
        reach = [np.median(self.reach[home[kmeans.labels_ == cell]]) for cell in range(n_cells)]
        return self._extended(kmeans.cluster_centers_, np.array(reach))

    def _extended(self, centers: FloatArray, reach: FloatArray) -> Self:
        return replace(
            self,
            centers=np.concatenate([self.centers, centers]),
            reach=np.concatenate([self.reach, reach]),
        )


def cells_of(sample: FloatArray, scaling: Scaling, n_cells: int, seed: int) -> Cells:
    """Cells learned from a sample of the rows.

    Examples
    --------
    >>> from samekind._selection.scaling import scaling_of
    >>> rows = np.random.default_rng(0).standard_normal((400, 3))
    >>> cells = cells_of(rows, scaling_of(rows, standardize=False), 10, seed=0)
    >>> home, share = cells.find(np.vstack([rows, [[9.0, 9.0, 9.0]]]))
    >>> bool(share[-1] > 1), bool((share[:-1] > 1).mean() < 0.1)
    (True, True)
    """
    scaled = scaling.apply(sample)
    n_cells = min(n_cells, len(np.unique(scaled, axis=0)))  # rows may be repeated
    start = KMeans(n_cells, n_init=1, max_iter=10, random_state=seed).fit(scaled)
    held = np.bincount(start.labels_, minlength=n_cells)
    centers = start.cluster_centers_[held >= min(LEAST, held.max())]
    home, distance = pairwise_distances_argmin_min(scaled, centers)
    usual = np.array([np.median(distance[home == cell]) for cell in range(len(centers))])
    everywhere = np.median(distance) or 1.0
    usual[usual == 0] = everywhere
    # The size of a cell is its own, the shape that of all: a few rows tell little of quartiles.
    lower, upper = np.quantile(distance / usual[home], [0.25, 0.75])
    return Cells(scaling, centers, usual * (upper + FAR_OUT * max(upper - lower, 0.05)))


@dataclass(frozen=True)
class Survey:
    """What was found in some partitions: rows of each cell, a few by name, and the far ones."""

    counts: IntArray  # (n_cells,)
    cell: IntArray  # of the rows kept
    key: FloatArray  # random numbers, the smallest of each cell are kept
    row: IntArray
    n_far: int
    far_share: FloatArray  # the largest
    far_row: IntArray

    def pruned(self, per_cell: int, most_far: int) -> Self:
        """With the first few rows of each cell, and the farthest rows."""
        order = np.lexsort((self.key, self.cell))
        cell = self.cell[order]
        rank = np.arange(len(cell)) - np.searchsorted(cell, cell)
        order = order[rank < per_cell]
        far = np.lexsort((self.far_row, -self.far_share))[:most_far]
        return replace(
            self,
            cell=self.cell[order],
            key=self.key[order],
            row=self.row[order],
            far_share=self.far_share[far],
            far_row=self.far_row[far],
        )

    def chosen(self, n_landmarks: int, known: IntArray) -> IntArray:
        """Rows from every cell, as many as ``quotas`` says, and those that are known."""
        free = ~np.isin(self.row, known)
        cell, key, row = self.cell[free], self.key[free], self.row[free]
        n_free = max(n_landmarks - len(known), 0)
        rank = np.arange(len(cell)) - np.searchsorted(cell, cell)
        taken = rank < quotas(self.counts, n_free)[cell]
        # Quotas are rounded down, and the known rows of a cell are not counted: the rest by chance.
        rest = np.flatnonzero(~taken)
        more = rest[np.argsort(key[rest])][: n_free - int(taken.sum())]
        return np.sort(np.concatenate([known, row[taken], row[more]]))


def survey(
    block: Block, data: Any, cells: Cells, seed: int, per_cell: int, most_far: int
) -> Survey:
    """One partition."""
    home, share = cells.find(block.rows(data))
    # The same random number for a row whatever the partitions.
    key = np.random.Generator(np.random.PCG64(seed).advance(block.start)).random(block.size)
    row = block.start + np.arange(block.size)
    far = np.flatnonzero(share > 1)
    counts = np.bincount(home, minlength=cells.n_cells)
    found = Survey(counts, home, key, row, len(far), share[far], row[far])
    return found.pruned(per_cell, most_far)


def merge(surveys: list[Survey], per_cell: int, most_far: int) -> Survey:
    """Several partitions as one."""
    names = ("cell", "key", "row", "far_share", "far_row")
    parts = {name: np.concatenate([getattr(one, name) for one in surveys]) for name in names}
    counts = np.sum([one.counts for one in surveys], axis=0)
    n_far = sum(one.n_far for one in surveys)
    return Survey(counts=counts, n_far=n_far, **parts).pruned(per_cell, most_far)


def quotas(counts: IntArray, n_landmarks: int) -> IntArray:
    """Landmarks of each cell: by the root of its rows, and at least half of an equal share.

    Examples
    --------
    >>> quotas(np.array([100_000, 10_000, 3, 0]), 100)
    array([74, 23,  3,  0])
    """
    least = n_landmarks // (2 * max(int((counts > 0).sum()), 1))

    def with_factor(factor: float) -> IntArray:
        wanted = np.maximum(least, np.floor(factor * np.sqrt(counts))).astype(np.int64)
        return np.minimum(counts, wanted)

    low, high = 0.0, float(n_landmarks)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if with_factor(middle).sum() <= n_landmarks else (low, middle)
    return with_factor(low)
