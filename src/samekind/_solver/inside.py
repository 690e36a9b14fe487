"""Rows of A that have to be known only inside the groups of samples.

Once the graph has converged, most samples are represented by their own group: outside of it the
thresholds are far above A. How far A can have moved there follows from the length of the
change of Z, and as long as that cannot close the gap nothing has to be computed. Such a row
is quiet: only its entries inside the group follow Z, in small dense matrices, one for each
group. Any other row is brought up to date as a whole. Z is the same, whichever rows are quiet.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from samekind._kernels.proximal import soft
from samekind._kernels.self_representation import product
from samekind._kernels.shrink import BLOCK_ENTRIES, Rows
from samekind._kernels.thresholds import Thresholds
from samekind._typing import BoolArray, FloatArray, IntArray

# Of the largest threshold: more than single precision can be wrong by.
ROUNDING = 1e-5

Scalar = TypeVar("Scalar", bound=np.generic)


class Inside:
    """A inside the groups, and what is known of it outside. Rows are in the order of groups.

    Parameters
    ----------
    P : ndarray, (n, n)
    A : ndarray, (n, n)
        Rows in the order of the groups, columns as they come.
    order : ndarray, (n,)
        The samples, group after group, rising within a group.
    sizes : ndarray
        Of the groups, in this order.
    """

    def __init__(self, P: FloatArray, A: FloatArray, order: IntArray, sizes: IntArray) -> None:
        n, m, ends = len(order), int(sizes.max()), np.cumsum(sizes)
        self._order, self._group = order, np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        slot = (np.arange(n) - (ends - sizes)[self._group]).astype(np.int32)
        self._at = self._group * m + slot  # of a row, among those of the small matrices
        self._first = self._at.astype(np.int64) * m
        place = np.argsort(order)
        self._group_of, self._slot_of = self._group[place], slot[place]  # of the columns
        # What fills a small matrix up repeats the last sample of the group.
        places = np.minimum((ends - sizes)[:, None] + np.arange(m), ends[:, None] - 1)
        self._members, real = order[places], np.arange(m) < sizes[:, None]
        both = real[:, :, None] & real[:, None, :]
        P_inside = np.where(both, P[self._members[:, :, None], self._members[:, None, :]], 0.0)
        self._P, self._single = P_inside, P_inside.astype(np.float32)
        self._A = np.zeros_like(P_inside)
        self._wanted = both & ~np.eye(m, dtype=bool)
        self._pending = np.zeros_like(self._A)  # changes that A outside has not followed
        self._outside = np.empty((n, n), dtype=np.float32)  # absolute, of rows as last caught up
        groups = np.split(order, ends[:-1])
        self._reach = np.array([_reach(P[own], own) for own in groups])[self._group]
        self.caught_up(np.arange(n), A)

    def follow(self, change: csr_array, P: FloatArray) -> tuple[csr_array, float]:
        """Let A follow a change of Z: what of it leaves the groups, and A's largest move.

        P has the precision that the change requires.
        """
        row = np.repeat(np.arange(len(self._order)), np.diff(change.indptr))
        within, places = self._places(row, change.indices)
        moved = np.zeros_like(self._A)
        moved.ravel()[places] = change.data[within]
        self._pending += moved
        bound = self._bound(moved)
        P_inside = self._single if P.dtype == np.float32 else self._P
        moved -= moved.astype(P.dtype, copy=False) @ P_inside
        self._A += moved
        leaving = _but(change, row, within)
        left = np.diff(leaving.indptr) > 0
        self._row_wise(moved)[self._at[left]] = 0.0  # it is not all of their move
        move = float(max(moved.max(), -moved.min()))
        # An entry outside can have moved farther than any inside in a few rows only.
        farther = np.flatnonzero((bound > move) | left)
        for start in range(0, len(farther), 100):
            part = change[farther[start : start + 100]]
            move = max(move, float(np.abs(part.toarray() - product(part, P)).max()))
        return leaving, move

    def values(self, rows: IntArray, columns: IntArray) -> tuple[BoolArray, FloatArray]:
        """Which entries lie inside a group, and A at these."""
        within, places = self._places(rows, columns)
        return within, self._A.ravel()[places]

    def loud(self, thresholds: Thresholds) -> IntArray:
        """The rows in which A outside the group might reach a threshold."""
        n, bound = len(self._order), self._bound(self._pending)
        step, gap = max(1, BLOCK_ENTRIES // n), np.empty(n)
        for start in range(0, n, step):
            block = slice(start, start + step)
            theta = thresholds.single(self._order[block])
            theta -= self._outside[block]
            gap[block] = theta.min(axis=1)
        return np.flatnonzero(gap <= bound + ROUNDING * thresholds.largest)

    def behind(self) -> IntArray:
        """The rows in which A outside the group is not up to date."""
        moved = np.asarray(self._row_wise(self._pending).any(axis=1))
        return np.flatnonzero(moved[self._at])

    def pending(self, rows: IntArray) -> csr_array:
        """The changes that A outside the group has not followed in these rows."""
        n, changes = len(self._order), self._row_wise(self._pending)[self._at[rows]]
        row, slot = np.nonzero(changes)
        columns = self._members[self._group[rows[row]], slot].astype(np.int32)
        indptr = np.searchsorted(row, np.arange(len(rows) + 1)).astype(np.int32)
        return csr_array((changes[row, slot], columns, indptr), shape=(len(rows), n))

    def caught_up(self, rows: IntArray, A: FloatArray) -> None:
        """Take over rows of A that are up to date."""
        self._row_wise(self._pending)[self._at[rows]] = 0.0
        own = np.arange(len(rows))[:, None], self._members[self._group[rows]]
        self._row_wise(self._A)[self._at[rows]] = A[own]
        outside = np.abs(A, dtype=np.float32)
        outside[own] = -np.inf
        self._outside[rows] = outside

    def shrunk(self, thresholds: Thresholds, loud: IntArray) -> Rows:
        """Z of the quiet rows; see ``shrink``. Rows that are loud stay empty."""
        m, theta = self._A.shape[1], thresholds.inside(self._members)
        above = (np.abs(self._A) > theta) & self._wanted
        self._row_wise(above)[self._at[loud]] = False
        kept = np.flatnonzero(above)
        first = np.searchsorted(kept, self._first)
        columns = self._members[kept // m**2, kept % m]
        counts = np.diff(first, append=len(kept))
        return Rows(counts, columns, soft(self._A.ravel()[kept], theta.ravel()[kept]))

    def _places(self, rows: IntArray, columns: IntArray) -> tuple[BoolArray, IntArray]:
        """Which entries lie inside a group, and where these are in the small matrices."""
        within = self._group[rows] == self._group_of[columns]
        if not within.all():
            rows, columns = rows[within], columns[within]
        return within, self._first[rows] + self._slot_of[columns]

    def _bound(self, moved: FloatArray) -> FloatArray:
        """How far an entry of A outside the group moves at most, for each row."""
        rows = self._row_wise(moved)
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows))[self._at] * self._reach)

    def _row_wise(self, matrices: NDArray[Scalar]) -> NDArray[Scalar]:
        return matrices.reshape(-1, matrices.shape[-1])


def _but(change: csr_array, row: IntArray, within: BoolArray) -> csr_array:
    """The entries of a change that are not within."""
    n, left = change.shape[0], ~within
    indptr = np.searchsorted(row[left], np.arange(n + 1)).astype(change.indices.dtype)
    return csr_array((change.data[left], change.indices[left], indptr), shape=change.shape)


def _reach(P: FloatArray, own: IntArray) -> float:
    """How far a change of unit length inside a group moves A outside of it, at most."""
    squares = np.einsum("ij,ij->j", P, P)
    squares[own] = 0.0
    return 1.001 * float(np.sqrt(squares.max()))
