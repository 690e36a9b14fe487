"""A and Z of a run on candidates: a few entries for each sample, so that time and memory grow
with the number of samples and not with its square."""

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.candidates import Candidates
from samekind._kernels.proximal import soft
from samekind._kernels.thresholds import Thresholds
from samekind._solver.representation import SHARE, Representation, largest
from samekind._threads import each, row_blocks
from samekind._typing import FloatArray
from samekind.graph._matrices import compact

BLOCK_ROWS = 4096
# One sample in so many may still move when a run counts as converged. The largest of many changes
# belongs to a few samples between two clusters, whose rows of H change for a long time.
SAMPLES_PER_STRAGGLER = 1000
# Of very many samples a few are always off by more than H is.
SHARE_OF_MANY = 0.3


class RestrictedRepresentation:
    """The steps of ``Representation``, with A and Z on candidates alone."""

    def __init__(self, candidates: Candidates) -> None:
        n = len(candidates)
        self._columns, self._response = candidates.columns, candidates.response
        self._A = np.array(candidates.first)  # as Z starts at zero
        self._own = self._columns == np.arange(n)[:, None]
        self.stragglers = n // SAMPLES_PER_STRAGGLER
        self.first_move = leading(np.abs(self._A).max(axis=1), self.stragglers)
        self.share = SHARE_OF_MANY if self._response.dtype == np.float32 else SHARE

    @property
    def A(self) -> csr_array:
        return self._as_sparse(self._A, np.ones(self._A.shape, dtype=bool))

    def step(self, change: csr_array, thresholds: Thresholds) -> tuple[csr_array, float]:
        """Let A follow a change of Z, and shrink it: the next Z, and how far A moves."""
        moves = np.empty(len(self._A))

        def follow(block: slice) -> None:
            moved = self._answer(change, block)
            self._A[block] += moved
            moves[block] = np.abs(moved).max(axis=1)

        each(follow, self._blocks())
        return self.shrunk(thresholds), leading(moves, self.stragglers)

    def shrunk(self, thresholds: Thresholds) -> csr_array:
        """Z from A as it stands."""
        Z = np.empty_like(self._A)

        def shrink(block: slice) -> None:
            Z[block] = soft(self._A[block], thresholds.at(block, self._columns[block]))

        each(shrink, self._blocks())
        return self._as_sparse(Z, (Z != 0) & ~self._own)

    def next_move(self, change: csr_array) -> float:
        """How far A would move."""
        moves = each(lambda b: np.abs(self._answer(change, b)).max(axis=1), self._blocks())
        return leading(np.concatenate(moves), self.stragglers)

    def fit(self, previous: csr_array, Z: csr_array) -> float:
        """|X - AX|^2 / lam + |A - Z|^2, where A is the update for ``previous``.

        It needs A only where I, previous or Z is not zero; see ``Representation.fit``.
        """

        def part(block: slice) -> float:
            difference = self._spread(previous, block) - 2 * self._spread(Z, block)
            return float(np.vdot(self._A[block], difference))

        total = self._A[self._own].sum() + Z.data @ Z.data
        return float(total + sum(each(part, self._blocks())))

    def _answer(self, change: csr_array, block: slice) -> FloatArray:
        """How A moves in some rows."""
        spread = self._spread(change, block).astype(self._response.dtype, copy=False)
        return np.asarray(np.matmul(spread[:, None, :], self._response[block])[:, 0, :])

    def _spread(self, Z: csr_array, block: slice) -> FloatArray:
        """Some rows of Z, laid out as the candidates are."""
        columns, n = self._columns[block], self._columns.shape[0]
        indptr = Z.indptr[block.start : block.start + len(columns) + 1]
        entries = slice(indptr[0], indptr[-1])
        height = np.arange(len(columns), dtype=np.int64) * n
        row = np.repeat(height, np.diff(indptr))
        spread = np.zeros(columns.shape)
        places = np.searchsorted((columns + height[:, None]).ravel(), Z.indices[entries] + row)
        spread.ravel()[places] = Z.data[entries]
        return spread

    def _as_sparse(self, values: FloatArray, kept: FloatArray) -> csr_array:
        n = len(values)
        indptr = np.concatenate([[0], np.cumsum(np.count_nonzero(kept, axis=1))])
        return compact(csr_array((values[kept], self._columns[kept], indptr), shape=(n, n)))

    def _blocks(self) -> list[slice]:
        return row_blocks(len(self._A), BLOCK_ROWS)


def representation(P: FloatArray | Candidates) -> Representation | RestrictedRepresentation:
    """A and Z on all pairs, or on candidates."""
    return RestrictedRepresentation(P) if isinstance(P, Candidates) else Representation(P)


def leading(moves: FloatArray, stragglers: int) -> float:
    """The largest of these, some stragglers aside.

    Examples
    --------
    >>> import numpy as np
    >>> leading(np.array([0.1, 0.9, 0.3]), 0), leading(np.array([0.1, 0.9, 0.3]), 1)
    (0.9, 0.3)
    """
    place = len(moves) - 1 - stragglers
    return float(np.partition(moves, place)[place]) if place >= 0 else 0.0


def largest_change(S: csr_array, stragglers: int) -> float:
    """The largest absolute value, the rows of some stragglers aside.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> S = csr_array([[0.0, -9.0], [0.0, 0.0], [2.0, 3.0]])
    >>> largest_change(S, 0), largest_change(S, 1)
    (9.0, 3.0)
    """
    filled = np.flatnonzero(np.diff(S.indptr))
    if stragglers == 0 or len(filled) == 0:
        return largest(S.data)
    return leading(np.maximum.reduceat(np.abs(S.data), S.indptr[filled]), stragglers)
