"""What the spectral methods share: a graph in, coordinates by the method, clusters out."""

from dataclasses import field
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from samekind.constraints import PairConstraints
from samekind.estimators._declare import method
from samekind.estimators._door import local_graph_from
from samekind.estimators._pair_method import Callback, PairMethod
from samekind.estimators._parameters import Number, OneOf, Range, Whole
from samekind.graph import local_graph
from samekind.kernels.assign import assign
from samekind.kernels.representation_graph import representation_graph
from samekind.kernels.spectral import Embedding
from samekind.kernels.status import Status
from samekind.memory import require_memory


@method
class SpectralMethod(PairMethod):
    """A method that turns a graph and pairs into coordinates.

    Parameters
    ----------
    n_clusters : int, default=8
        k, the number of clusters.
    affinity : {"knn", "self-representation"}, default="knn"
        How the graph is made from X: nearest neighbours, or the paper's graph for faces, in
        which a sample is joined to those it is a combination of (dense work, n_samples^2).
        ``fit(..., graph=...)`` takes a ready one.
    n_neighbors : int, default=7
        m: neighbours joined in the graph, the sample itself included; cut to the number of
        samples.
    scale_neighbor : int, default=5
        l: the neighbour whose distance is the length scale of a sample, the sample itself
        being the first.
    sparsity : float, default=1.0
        lambda_Z of the self-representation.
    penalty : float, default=100.0
        lambda of the self-representation.
    assign : {"kmeans", "seeded"}, default="kmeans"
        k-means with 20 restarts on rows of unit length, or started from must-link groups that are
        marked different from each other.
    random_state : int, RandomState instance or None, default=None
        For k-means; all else is deterministic.
    memory_limit : float or None, default=None
        Bytes that the largest arrays may take; by default what machine or container have
        left. More samples than fit are refused before anything is allocated.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample.
    embedding_ : ndarray of shape (n_samples, n_components)
        Coordinates of the samples, before rows are brought to unit length.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        The graph that was used, symmetric.
    status_ : Status
        How the run ended; ``str(status_)`` is a sentence with a remedy.
    constraint_report_ : ConstraintReport
        Pairs satisfied, pairs violated, and which.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has some.
    """

    n_clusters: int = field(default=8, kw_only=False)
    affinity: str = "knn"
    n_neighbors: int = 7
    scale_neighbor: int = 5
    sparsity: float = 1.0
    penalty: float = 100.0
    assign: str = "kmeans"
    random_state: int | np.random.RandomState | None = None
    memory_limit: float | None = None

    RANGES: ClassVar[dict[str, Range]] = {
        "n_clusters": Whole(1),
        "affinity": OneOf(("knn", "self-representation")),
        "n_neighbors": Whole(1),
        "scale_neighbor": Whole(1),
        "sparsity": Number(0, closed=True),
        "penalty": Number(0),
        "assign": OneOf(("kmeans", "seeded")),
        "memory_limit": Number(0, closed=True, or_none=True),
    }
    # Dense n x n arrays that the method holds at its peak, 0 where the graph stays sparse.
    DENSE_ARRAYS: ClassVar[int] = 0

    def _fit(
        self,
        X: Any,
        pairs: PairConstraints,
        graph: Any,
        callback: Callback | None,
        random_state: np.random.RandomState,
    ) -> None:
        self._require_memory(X.shape[0], graph)
        W, graph_status = self._graph(X, graph)
        found = self._embed(W, pairs)
        self.embedding_ = found.H
        self.status_ = found.status if graph_status.converged else graph_status
        seeds = () if self.assign == "kmeans" else pairs.seed_groups(self.n_clusters)
        self.labels_ = assign(found.H, self.n_clusters, groups=seeds, random_state=random_state)

    def _embed(self, W: csr_array, pairs: PairConstraints) -> Embedding:
        """Coordinates from graph and pairs; sets affinity_matrix_ to the graph that was used."""
        raise NotImplementedError

    def _graph(self, X: Any, graph: Any) -> tuple[csr_array, Status]:
        if graph is not None:
            return local_graph_from(graph, X.shape[0]), Status.CONVERGED
        if self.affinity == "knn":
            return local_graph(X, self.n_neighbors, self.scale_neighbor), Status.CONVERGED
        made = representation_graph(X.astype(np.float64, copy=False), self.penalty, self.sparsity)
        return made.W, made.status

    def _require_memory(self, n: int, graph: Any) -> None:
        own_graph = 4 if graph is None and self.affinity == "self-representation" else 0
        arrays = max(self.DENSE_ARRAYS, own_graph)
        if arrays:
            what = f"{type(self).__name__} of {n} samples, {arrays} dense arrays of their pairs,"
            require_memory(8 * arrays * n**2, self.memory_limit, what)
