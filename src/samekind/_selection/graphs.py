"""Graphs made from X alone, without units, from which the pairs choose.

Two sources know different things. The *representation graph* joins a sample to those it is a
linear combination of: with centered rows and v their mean squared length,
P = G (G + v I)^-1 with G = X X', and of each row what lies above its (q+1)-th largest coefficient
is kept, if it is positive: opposite sides of the mean have large negative coefficients, and are no
neighbors. *Local graphs* join nearest neighbors, few or many. Candidates are the mixtures
(1 - s) R + s W_m. All have rows that sum to 1 before they are symmetrized, so that s is a share.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.sparse import csr_array, issparse

from samekind._typing import FloatArray, IntArray
from samekind.graph._knn import local_weights
from samekind.graph._matrices import compact, row_shares, symmetrized

NEIGHBORS = ((4, 3), (7, 5), (15, 8), (30, 15))  # (m, l) of the local graphs, m with itself
WIDE = (51, 25)  # one more for few large clusters, in which small neighborhoods see noise
WIDE_SHARE = 0.25  # of a cluster of average size that this neighborhood may be
NARROW_SHARE = 0.1  # of all samples that a narrow neighborhood may be, or the second smallest
SHARES = (0.25, 0.5, 0.75, 1.0)  # s of the mixtures
N_KEPT = 7  # q: coefficients of a row that the representation graph keeps
TIE_DECIMALS = 10  # of numbers about 1: differences beyond are rounding
BLOCK_ENTRIES = 1 << 22


def sharing(W: csr_array) -> csr_array:
    """|W| with rows that sum to 1, symmetrized; rows of zeros stay zero.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> sharing(csr_array([[0.0, 3.0], [1.0, 0.0]])).toarray()
    array([[0., 1.],
           [1., 0.]])
    """
    return symmetrized(row_shares(abs(csr_array(W))))


def projection(X: Any) -> FloatArray:
    """P = G (G + v I)^-1 of centered rows, v their mean squared length; zeros where v is zero.

    Examples
    --------
    >>> import numpy as np
    >>> projection(np.array([[2.0], [-2.0]]))
    array([[ 0.33333333, -0.33333333],
           [-0.33333333,  0.33333333]])
    """
    n, d = X.shape
    if d < n and not issparse(X):
        v = np.einsum("ij,ij->", X, X) / n
        if v == 0:
            return np.zeros((n, n))
        inner = X.T @ X
        inner.flat[:: d + 1] += v
        half = solve_triangular(np.linalg.cholesky(inner), X.T, lower=True, check_finite=False)
        return np.asarray(half.T @ half)
    gram = X @ X.T
    gram = gram.toarray() if issparse(gram) else gram
    gram = gram - gram.mean(axis=0) - gram.mean(axis=1)[:, None] + gram.mean()
    v = np.trace(gram) / n
    if v <= 0:
        return np.zeros((n, n))
    shifted = gram.copy()
    shifted.flat[:: n + 1] += v
    P = cho_solve(cho_factor(shifted, overwrite_a=True), gram, overwrite_b=True)
    return np.asarray((P + P.T) / 2)


@dataclass(frozen=True)
class Coefficients:
    """Of each row of P the largest |P_ij|, or P_ij if positive, j != i, in falling order."""

    columns: IntArray  # (n_samples, q + 1)
    sizes: FloatArray  # (n_samples, q + 1), 0 or more

    @property
    def largest(self) -> FloatArray:
        return self.sizes[:, 0]

    @property
    def floor(self) -> FloatArray:
        """What a coefficient has to exceed to be kept."""
        return self.sizes[:, -1]


def strongest_coefficients(
    P: FloatArray, n_kept: int = N_KEPT, *, positive: bool = False
) -> Coefficients:
    """The n_kept + 1 largest coefficients of each row beside the diagonal, of any sign or positive.

    Examples
    --------
    >>> import numpy as np
    >>> P = np.array([[0.5, 0.1, -0.3], [0.1, 0.5, 0.2], [-0.3, 0.2, 0.5]])
    >>> strongest_coefficients(P, 1).columns
    array([[2, 1],
           [2, 0],
           [0, 1]])
    """
    n = len(P)
    width = min(n_kept + 1, n - 1)
    columns, sizes = np.empty((n, width), dtype=np.int64), np.empty((n, width))
    step = max(1, BLOCK_ENTRIES // n)
    for start in range(0, n, step):
        rows = np.arange(start, min(start + step, n))
        A = np.round(np.maximum(P[rows], 0) if positive else np.abs(P[rows]), TIE_DECIMALS)
        A[np.arange(len(rows)), rows] = -1.0
        found = np.sort(np.argpartition(A, n - width, axis=1)[:, n - width :], axis=1)
        size = np.take_along_axis(A, found, axis=1)
        order = np.argsort(-size, axis=1, kind="stable")
        columns[rows] = np.take_along_axis(found, order, axis=1)
        sizes[rows] = np.take_along_axis(size, order, axis=1)
    return Coefficients(columns, sizes)


def representation_graph(found: Coefficients) -> csr_array:
    """R: what lies above the smallest of the coefficients, as shares of the rows."""
    return sharing(_from_rows(found.columns, found.sizes - found.sizes[:, -1:]))


def neighborhoods(n_samples: int, n_clusters: int | None) -> tuple[tuple[int, int], ...]:
    """(m, l) of the local graphs: m nearest with the sample itself, l the scale neighbor.

    Examples
    --------
    >>> [m for m, _ in neighborhoods(600, 2)], [m for m, _ in neighborhoods(600, 10)]
    ([4, 7, 15, 30, 51], [4, 7, 15, 30])
    """
    wide = n_clusters is not None and WIDE[0] * n_clusters <= WIDE_SHARE * n_samples
    return (*NEIGHBORS, WIDE) if wide else NEIGHBORS


def local_graphs(
    nearest: IntArray,
    distance: FloatArray,
    sizes: tuple[tuple[int, int], ...] = NEIGHBORS,
) -> dict[int, csr_array]:
    """W_m for each (m, l), as shares of the rows, from the nearest others of each sample.

    Distances are divided by their median at the scale neighbor: the floor of the length scale
    then has no units.
    """
    n, graphs = len(nearest), dict[int, csr_array]()
    for m, scale_neighbor in sizes:
        others, scale_at = min(m, n) - 1, min(max(scale_neighbor, 2), n) - 2
        scale = float(np.median(distance[:, scale_at])) or float(distance.max()) or 1.0
        weight = local_weights(distance / scale, scale_neighbor)[:, :others]
        graphs[m] = sharing(symmetrized(_from_rows(nearest[:, :others], weight)))
    return graphs


def settled_ties(
    nearest: IntArray, distance: FloatArray, n_others: int, order: IntArray
) -> tuple[IntArray, FloatArray]:
    """The nearest others; where only rounding separates distances, as they stand in ``order``.

    Rows of whole numbers have many neighbors at one distance; in other units rounding would put
    them in another order, and other neighbors would be the last.

    Examples
    --------
    >>> import numpy as np
    >>> order = np.arange(8)
    >>> settled_ties(np.array([[7, 2, 5]]), np.array([[0.1, 0.1 + 1e-15, 0.2]]), 2, order)
    (array([[2, 7]]), array([[0.1, 0.1]]))
    """
    unit = float(distance.max()) or 1.0
    rounded = np.round(distance / unit, TIE_DECIMALS) * unit
    place = np.argsort(order)
    first = np.lexsort((place[nearest], rounded), axis=1)[:, :n_others]
    return np.take_along_axis(nearest, first, axis=1), np.take_along_axis(rounded, first, axis=1)


def n_nearest(n_samples: int, sizes: tuple[tuple[int, int], ...] = NEIGHBORS) -> int:
    """Nearest others of each sample that the local graphs are made from."""
    return min(max(m for m, _ in sizes), n_samples) - 1


class CandidateGraphs:
    """The graphs that the pairs choose from: mixtures of representation and local graphs.

    A candidate is (m, s): (1 - s) R + s W_m; (None, 0.0) is R alone.
    """

    def __init__(
        self,
        local: Mapping[Any, csr_array],
        representation: csr_array | None,
        shares: tuple[float, ...] = SHARES,
    ) -> None:
        self.local, self.representation = dict(local), representation
        mixtures = shares if representation is not None else (1.0,)
        self.candidates: list[tuple[Any, float]] = [(m, s) for m in self.local for s in mixtures]
        if representation is not None:
            self.candidates.insert(0, (None, 0.0))

    @property
    def n_samples(self) -> int:
        return int(next(iter(self.local.values())).shape[0])

    @property
    def shares(self) -> tuple[float, ...]:
        return tuple(sorted({s for _, s in self.candidates}))

    def graph(self, m: Any, s: float) -> csr_array:
        """A candidate."""
        return self._mixed(self.local[m] if m is not None else None, s)

    def of_share(self, s: float) -> csr_array:
        """The mixture with the mean of the local graphs."""
        return self._mixed(self.mean_local, s)

    @cached_property
    def mean_local(self) -> csr_array:
        return csr_array(sum(self.local.values()) / len(self.local))

    @property
    def narrow_local(self) -> csr_array:
        """The mean of the local graphs but for neighborhoods that would hold whole clusters."""
        return self.local_up_to(self.n_samples)

    def local_up_to(self, n_neighbors: int) -> csr_array:
        """The mean of the narrow local graphs of so many neighbors, the narrowest in any case."""
        widest = max(NEIGHBORS[1][0], NARROW_SHARE * self.n_samples)
        widest = min(widest, max(NEIGHBORS[0][0], n_neighbors))
        narrow = [W for m, W in self.local.items() if m == "graph" or m <= widest]
        return csr_array(sum(narrow) / len(narrow))

    def _mixed(self, W: csr_array | None, s: float) -> csr_array:
        if W is None or s == 0 or self.representation is None:
            return self.representation if s == 0 else W
        return W if s == 1 else csr_array((1 - s) * self.representation + s * W)


def _from_rows(columns: IntArray, values: FloatArray) -> csr_array:
    n, width = columns.shape
    # A copy: the indices are sorted in place, and may be a view of the columns.
    indices = columns.flatten()
    W = compact(csr_array((values.ravel(), indices, np.arange(n + 1) * width), shape=(n, n)))
    W.eliminate_zeros()
    W.sort_indices()
    return W
