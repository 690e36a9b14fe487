"""The base class of spectral methods: a graph, coordinates by the method, k-means."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.assign import assign
from samekind._kernels.representation_graph import representation_graph
from samekind._kernels.spectral import Embedding
from samekind._kernels.status import Status
from samekind._memory import require_memory
from samekind.constraints import PairConstraints
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.pair_method import ORDERED_UP_TO, Given, PairMethod, reordered
from samekind.estimators._base.parameters import Number, OneOf, Range


@inherit_docs
class SpectralMethod(PairMethod):
    """A method that turns a graph and pairs into coordinates.

    Parameters
    ----------
    affinity : {"nearest_neighbors", "self_representation"}, default="nearest_neighbors"
        How the graph is made from X: nearest neighbors, or the paper's graph for faces, in
        which a sample is joined to those it is a combination of (dense work, n_samples^2). The
        first depends neither on the units of X nor on its origin, the second on both.
        ``fit(..., graph=...)`` takes a precomputed one.
    sparsity : float, default=1.0
        lambda_Z of the self-representation.
    coupling : float, default=100.0
        lambda of the self-representation.
    assign_labels : {"kmeans", "seeded"}, default="kmeans"
        k-means with 20 restarts on rows of unit length, or started from must-link groups that are
        marked different from each other.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        Coordinates of the samples, before rows are brought to unit length.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        The graph that was used, symmetric.
    """

    affinity_matrix_: csr_array
    affinity: str
    sparsity: float
    coupling: float
    assign_labels: str

    RANGES: ClassVar[dict[str, Range]] = {
        "affinity": OneOf(("nearest_neighbors", "self_representation")),
        "sparsity": Number(0, closed=True),
        "coupling": Number(0),
        "assign_labels": OneOf(("kmeans", "seeded")),
    }
    # Dense n x n arrays that the method holds at its peak, 0 where the graph stays sparse.
    DENSE_ARRAYS: ClassVar[int] = 0

    def _fit(self, given: Given) -> None:
        k = self.n_clusters
        self._require_memory(given.X.shape[0], given.graph)
        W, graph_status = self._graph(given)
        found = self._coordinates(W, given)
        self.embedding_ = found.H
        self.status_ = found.status if graph_status.converged else graph_status
        seeds = () if self.assign_labels == "kmeans" else given.pairs.seed_groups(k)
        state = given.random_state
        self.labels_ = assign(found.H, k, groups=seeds, random_state=state, order=given.order)

    def _coordinates(self, W: csr_array, given: Given) -> Embedding:
        """For methods that need the rows too; the others look at graph and pairs alone.

        Where eigenvalues are equal, as of several pairs that are joined to nothing else, the
        order of the samples decides which eigenvectors are taken: it has to be their own.
        """
        if W.shape[0] > ORDERED_UP_TO:
            return self._embed(W, given.pairs)
        order, back = given.order, np.argsort(given.order)
        found = self._embed(reordered(W, order), given.pairs.subset(order))
        self.affinity_matrix_ = reordered(self.affinity_matrix_, back)
        return replace(found, H=found.H[back])

    def _embed(self, W: csr_array, pairs: PairConstraints) -> Embedding:
        """Coordinates from graph and pairs; sets affinity_matrix_ to the graph that was used."""
        raise NotImplementedError

    def _graph(self, given: Given) -> tuple[csr_array, Status]:
        if given.graph is not None or self.affinity == "nearest_neighbors":
            return given.local, Status.CONVERGED
        X = given.X.astype(np.float64, copy=False)
        made = representation_graph(X, self.coupling, self.sparsity)
        return made.W, made.status

    def _require_memory(self, n: int, graph: Any) -> None:
        own_graph = 4 if graph is None and self.affinity == "self_representation" else 0
        arrays = max(self.DENSE_ARRAYS, own_graph)
        if arrays:
            what = f"{type(self).__name__} of {n} samples, {arrays} dense arrays of their pairs,"
            require_memory(8 * arrays * n**2, self.memory_limit, what)
