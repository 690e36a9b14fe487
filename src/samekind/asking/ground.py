"""What questions stand on, from the data alone: the steady graph, its clusters and their hearts.

The graph is the one that SameKind chooses without answers. Answers spread over it by the columns of
K = (I - alpha S)^-1 that belong to the rows in question, each solved by itself with conjugate
gradients and kept: so a column does not depend on what was asked before.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import cg
from threadpoolctl import ThreadpoolController

from samekind._kernels.shrink import unit_rows
from samekind._kernels.trace_ratio import bottom_eigenvectors
from samekind._selection.labels import HEART, N_STARTS, spread_labels
from samekind._selection.learning import STARTS_OF_MANY
from samekind._typing import FloatArray, IntArray
from samekind.constraints import PairConstraints
from samekind.estimators._base.known_rows import KnownRows
from samekind.estimators._base.plan import WHOLE_UP_TO, plan
from samekind.graph import normalized_laplacian
from samekind.graph._matrices import compact

ALPHA, TOL = 0.95, 1e-5


@cache
def _threads() -> ThreadpoolController:
    """The libraries that use threads: looking for them takes longer than solving."""
    return ThreadpoolController()


@dataclass
class Ground:
    """The steady graph with the clusters that it has by itself.

    Attributes
    ----------
    n_clusters : int
        k, as given or guessed.
    clusters : ndarray, (n_samples,)
        The labels before any answer, 0 for the largest cluster.
    members : list of ndarray
        The samples of each cluster, those in its middle first.
    """

    graph: csr_array
    n_clusters: int
    clusters: IntArray
    members: list[IntArray]
    _columns: dict[int, FloatArray] = field(default_factory=dict, repr=False)
    _hearts: list[FloatArray] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        n = self.graph.shape[0]
        # I - alpha S = (1 - alpha) I + alpha N, N the normalized Laplacian.
        N = normalized_laplacian(self.graph)
        self._system = csr_array((1 - ALPHA) * eye_array(n) + ALPHA * N)

    @property
    def n_samples(self) -> int:
        return int(self.graph.shape[0])

    def columns(self, rows: list[int]) -> FloatArray:
        """Columns of K that belong to some rows, one below the other."""
        missing = [row for row in rows if row not in self._columns]
        if missing:
            with _threads().limit(limits=1):
                for row in missing:
                    b = np.zeros(self.n_samples)
                    b[row] = 1.0
                    self._columns[row] = self._solved(b)
        return np.array([self._columns[row] for row in rows]).reshape(len(rows), self.n_samples)

    def middle(self, cluster: int) -> IntArray:
        """The half of a cluster that is in its middle: its heart."""
        members = self.members[cluster]
        return members[: max(1, int(np.ceil(HEART * len(members))))]

    def heart_columns(self) -> list[FloatArray]:
        """What spreads from the middle half of each cluster, with weights that sum to 1."""
        if not self._hearts:
            with _threads().limit(limits=1):
                for cluster in range(len(self.members)):
                    b, inner = np.zeros(self.n_samples), self.middle(cluster)
                    b[inner] = 1 / len(inner)
                    self._hearts.append(self._solved(b))
        return self._hearts

    def spread(self, b: FloatArray) -> FloatArray:
        """K b."""
        with _threads().limit(limits=1):
            return self._solved(b)

    def _solved(self, b: FloatArray) -> FloatArray:
        return np.asarray(np.maximum(cg(self._system, b, rtol=TOL, atol=0.0)[0], 0.0))


def ground_of(X: Any, n_clusters: int | None, seed: int) -> Ground:
    """The ground of rows that were checked; k is guessed where it is None."""
    n = X.shape[0]
    with _threads().limit(limits=1):
        known = KnownRows(X, None, PairConstraints(n), "auto")  # nothing is known
        k = n_clusters or known.number_of_clusters().chosen
        found_graph = known.chosen(k, whole=plan(n, "auto", None, None).dictionary == "all")
        graph = found_graph.chosen.graph
        H = bottom_eigenvectors(normalized_laplacian(compact(graph)), k).vectors
        found = spread_labels(
            graph,
            H,
            k,
            group_of=np.arange(n),
            named=[],
            cannot_link=np.empty((0, 2), dtype=np.int64),
            random_state=np.random.RandomState(seed),
            n_starts=N_STARTS if n <= WHOLE_UP_TO else STARTS_OF_MANY,
            order=found_graph.view.order,
        )
        R = unit_rows(H)
    sizes = np.bincount(found.labels)
    by_size = [c for c in np.argsort(-sizes, kind="stable") if sizes[c]]
    number = np.zeros(len(sizes), dtype=np.int64)
    number[by_size] = np.arange(len(by_size))
    clusters = number[found.labels]
    members = [_middle_first(np.flatnonzero(clusters == c), R) for c in range(len(by_size))]
    return Ground(graph, k, clusters, members)


def _middle_first(members: IntArray, R: FloatArray) -> IntArray:
    far = ((R[members] - R[members].mean(axis=0)) ** 2).sum(axis=1)
    return members[np.argsort(far.round(9), kind="stable")]
