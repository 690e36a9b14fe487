"""A and Z of a run, for samples few enough to hold A whole.

Rows of A and Z are independent. They are processed in blocks that stay in the cache,
and where it helps in an order in which the samples of a group follow each other: once the
graph has converged, rows of a group use the same few columns, and a dense product with these
columns is many times faster than a sparse one.
"""

from collections.abc import Iterator

import numpy as np
from scipy.linalg import qr
from scipy.sparse import csr_array

from samekind._kernels.self_representation import is_shared, product, shared_columns
from samekind._kernels.shrink import BLOCK_ENTRIES, shrunk_rows, stacked
from samekind._kernels.thresholds import Thresholds
from samekind._solver.inside import Inside
from samekind._typing import FloatArray, IntArray

# With so many samples and below this change of Z, A follows in single precision, which loses
# 6e-8 of the change and takes half the time.
SINGLE_FROM, SINGLE_BELOW = 500, 0.05
# Entries of A in a group, on average, below which a product for each group takes longer.
SMALLEST_GROUP = 1 << 15
# The share of rows outside their groups from which on new groups are worth computing.
MANY = 0.05
# The error of an intermediate H (an angle), as a share of the largest change of an entry of A or Z.
SHARE = 1e-6


class Representation:
    """A = P + Z - Z P (18), which follows Z, and Z as A shrunk (22)."""

    def __init__(self, P: FloatArray) -> None:
        self._P, self._single = P, P.astype(np.float32) if len(P) >= SINGLE_FROM else P
        self._A = P.copy()  # the first A, as Z starts at zero
        self._order = self._place = np.arange(len(P))
        self._blocks = _even_blocks(len(P))
        self._groups: IntArray | None = None
        self._inside: Inside | None = None
        self._moves, self._n_loud = 0, len(P)
        self.first_move, self.stragglers, self.share = largest(P), 0, SHARE

    @property
    def A(self) -> FloatArray:
        """A with row i for sample i."""
        self._catch_up()
        return np.asarray(self._A[self._place])

    def step(self, change: csr_array, thresholds: Thresholds) -> tuple[csr_array, float]:
        """Let A follow a change of Z, and shrink it: the next Z, and A's largest move."""
        self._moves += 1
        if self._moves & (self._moves - 1) == 0:  # at 1, 2, 4, 8: H moves less and less
            self._arrange(change, thresholds.rows)
        self._look_inside(change)
        if self._inside is not None:
            return self._step_inside(self._inside, change, thresholds)
        moves, parts = [], []
        for block, part, smooth in self._products(change):
            A = self._A[block]
            moves.append(_follow(A, part, smooth))
            parts.append(shrunk_rows(A, self._order[block], thresholds))
        return self._in_place(stacked(parts, len(self._A))), max(moves)

    def _step_inside(
        self, inside: Inside, change: csr_array, thresholds: Thresholds
    ) -> tuple[csr_array, float]:
        n = len(self._A)
        leaving, move = inside.follow(change[self._order], self._precise(change))
        left = np.flatnonzero(np.diff(leaving.indptr))
        loud = np.union1d(left, inside.loud(thresholds))
        parts, self._n_loud = [inside.shrunk(thresholds, loud)], len(loud)
        for some in self._chunks(loud):
            A = self._catch_up_rows(inside, some, leaving)
            parts.append(shrunk_rows(A, self._order[some], thresholds))
        place = np.arange(n)
        place[loud] = n + np.arange(len(loud))
        return csr_array(stacked(parts, n)[place[self._place]]), move

    def _chunks(self, rows: IntArray) -> list[IntArray]:
        """Rows that are processed together: of a group, or all if they are few."""
        if len(rows) * len(self._place) <= BLOCK_ENTRIES:
            return [rows] if len(rows) else []
        starts = np.searchsorted(rows, [block.start for block in self._blocks[1:]])
        return [some for some in np.split(rows, starts) if len(some)]

    def _catch_up(self) -> None:
        """Bring all rows up to date."""
        if self._inside is not None:
            for rows in self._chunks(self._inside.behind()):
                self._catch_up_rows(self._inside, rows, None)

    def _catch_up_rows(
        self, inside: Inside, rows: IntArray, leaving: csr_array | None
    ) -> FloatArray:
        """Bring some rows up to date, where ``leaving`` has what is not inside the groups."""
        change = inside.pending(rows)
        if leaving is not None and leaving.nnz:
            change = csr_array(change + leaving[rows])
        A = self._A[rows]
        _follow(A, change, product(change, self._precise(change)))
        self._A[rows] = A
        inside.caught_up(rows, A)
        return A

    def shrunk(self, thresholds: Thresholds) -> csr_array:
        """Z from A as it stands."""
        self._catch_up()
        parts = [
            shrunk_rows(self._A[block], self._order[block], thresholds) for block in self._blocks
        ]
        return self._in_place(stacked(parts, len(self._A)))

    def next_move(self, change: csr_array) -> float:
        """How far an entry of A would move at most."""
        return max(largest(part.toarray() - smooth) for _, part, smooth in self._products(change))

    def fit(self, previous: csr_array, Z: csr_array) -> float:
        """|X - AX|^2 / lam + |A - Z|^2, where A is the update for ``previous``.

        As A - previous = (I - previous) P, both need A only where I, previous or Z is not zero.
        """
        every = np.arange(len(self._order))
        trace = self._entries(every, every).sum()
        return float(trace + self._inner(previous) - 2 * self._inner(Z) + Z.data @ Z.data)

    def _inner(self, Z: csr_array) -> float:
        """<A, Z>."""
        return float(self._entries(_row_of_entries(Z), Z.indices) @ Z.data)

    def _entries(self, samples: IntArray, columns: IntArray) -> FloatArray:
        rows = self._place[samples]
        if self._inside is None:
            return np.asarray(self._A[rows, columns])
        within, known = self._inside.values(rows, columns)
        if len(known) == len(rows):
            return known
        behind = np.intersect1d(rows[~within], self._inside.behind())
        if len(behind):
            self._catch_up_rows(self._inside, behind, None)
        values = np.empty(len(rows))
        values[within], values[~within] = known, self._A[rows[~within], columns[~within]]
        return values

    def _products(self, change: csr_array) -> Iterator[tuple[slice, csr_array, FloatArray]]:
        """Blocks of rows, and for each the change there and this times P."""
        P, change = self._precise(change), change[self._order]
        for block in self._blocks:
            part = _rows(change, block)
            yield block, part, product(part, P)

    def _precise(self, change: csr_array) -> FloatArray:
        """P in the precision that a change requires."""
        return self._single if largest(change.data) < SINGLE_BELOW else self._P

    def _in_place(self, Z: csr_array) -> csr_array:
        return Z if self._order is self._place else csr_array(Z[self._place])

    def _arrange(self, change: csr_array, rows: FloatArray) -> None:
        """Sort the samples by group, if a change in this order is faster to follow."""
        n, k = rows.shape
        if n * n < k * SMALLEST_GROUP or self._n_loud < MANY * n:
            return
        groups = _groups(rows)
        order = np.argsort(groups, kind="stable")
        blocks = _group_blocks(groups[order])
        sorted_change = change[order]
        parts = [_rows(sorted_change, block) for block in blocks]
        shared = sum(part.nnz for part in parts if is_shared(part, shared_columns(part)))
        if shared < change.nnz / 2:
            return
        self._catch_up()
        self._A = self._A[self._place[order]]
        self._order, self._place, self._blocks = order, np.argsort(order), blocks
        self._groups, self._inside = groups, None

    def _look_inside(self, change: csr_array) -> None:
        """Keep rows inside their groups from now on, if few leave them."""
        groups, n = self._groups, len(self._order)
        if groups is None or self._inside is not None:
            return
        row = _row_of_entries(change)
        leaving = np.unique(row[groups[row] != groups[change.indices]])
        sizes = np.bincount(groups)[np.unique(groups)]
        if len(leaving) < n / 4 and len(sizes) * int(sizes.max()) ** 2 <= n * n / 4:
            self._inside = Inside(self._P, self._A, self._order, sizes)


def largest(values: FloatArray) -> float:
    """The largest absolute value; zero of nothing."""
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


def _follow(A: FloatArray, change: csr_array, smooth: FloatArray) -> float:
    """Let rows of A follow a change, ``smooth`` being this times P; the largest move."""
    entries = _row_of_entries(change), change.indices
    A -= smooth
    A[entries] += change.data  # separately, in full precision: errors of A accumulate
    smooth[entries] -= change.data
    return largest(smooth)


def _rows(S: csr_array, block: slice) -> csr_array:
    indptr = S.indptr[block.start : block.stop + 1]
    entries = slice(indptr[0], indptr[-1])
    parts = S.data[entries], S.indices[entries], indptr - indptr[0]
    return csr_array(parts, shape=(len(indptr) - 1, S.shape[1]))


def _row_of_entries(S: csr_array) -> IntArray:
    return np.repeat(np.arange(S.shape[0], dtype=np.int32), np.diff(S.indptr))


def _groups(rows: FloatArray) -> IntArray:
    """Samples around the rows that differ most from each other (Damle, Minden and Ying, 2019)."""
    seeds = qr(rows.T, pivoting=True, mode="r")[1][: rows.shape[1]]
    return np.asarray(np.abs(rows @ rows[seeds].T).argmax(axis=1))


def _even_blocks(n: int) -> list[slice]:
    step = max(1, 2 * BLOCK_ENTRIES // n)
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]


def _group_blocks(groups: IntArray) -> list[slice]:
    """Slices of sorted groups: each a whole group, or a part where a group is large."""
    n = len(groups)
    step = max(1, 2 * BLOCK_ENTRIES // n)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(groups)) + 1])
    ends = np.append(starts[1:], n)
    return [
        slice(at, min(at + step, end))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        for at in range(start, end, step)
    ]
