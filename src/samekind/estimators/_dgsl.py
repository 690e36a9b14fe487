"""DGSL, the method of the paper, as a scikit-learn clusterer."""

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from samekind.constraints import PairConstraints
from samekind.estimators._door import local_graph_from, pairs_for, warn_of_clique
from samekind.estimators._parameters import Number, OneOf, Range, Whole, check_parameters
from samekind.graph import laplacian, local_graph, local_weights, nearest_rows, pieces_of
from samekind.kernels.assign import assign
from samekind.kernels.self_representation import ridge_projection
from samekind.kernels.status import Status
from samekind.memory import require_memory
from samekind.solver import Problem, State, solve
from samekind.typing import FloatArray, IntArray

RANGES: dict[str, Range] = {
    "n_clusters": Whole(1),
    "n_neighbors": Whole(1),
    "scale_neighbor": Whole(1),
    "feedback": Number(0),
    "sparsity": Number(0, closed=True),
    "must_link_weight": Number(0, closed=True),
    "local_ratio": Number(0),
    "penalty": Number(0),
    "algorithm": OneOf(("normalised", "plain")),
    "assign": OneOf(("kmeans", "seeded")),
    "max_iter": Whole(1),
    "tol": Number(0, closed=True),
    "memory_limit": Number(0, closed=True, or_none=True),
}
# What the exact solver needs at the same time: n x n matrices of float64 (P, also in single
# precision, A, both while they are made or sorted, the parts of a first Z), and bytes for each
# non-zero of Z and of the graphs made from it.
MATRICES = 6
BYTES_PER_NONZERO = 120


class DGSL(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Semi-supervised clustering via dynamic graph structure learning.

    From samples and a few pairs marked "same kind" (must-link) or "different" (cannot-link),
    DGSL learns by turns an embedding H and the graph it is computed from, and clusters H.

    The thresholds depend on the units of X, and somewhat on the number of samples: the defaults
    suit pictures of many pixels with grey levels between 0 and 1. Where the learned graph
    vanishes, ``status_`` says so.

    Parameters
    ----------
    n_clusters : int, default=8
        k, the number of clusters, and of columns of the embedding.
    n_neighbors : int, default=7
        m: neighbours joined in the local graph W, the sample itself included; cut to the
        number of samples.
    scale_neighbor : int, default=5
        l: the neighbour whose distance is the length scale of a sample, the sample itself
        being the first.
    feedback : float, default=0.02
        tau: how strongly the embedding thins out the learned graph.
    sparsity : float, default=1.0
        lambda_Z: weight of the sum of absolute values of Z.
    must_link_weight : float, default=10.0
        lambda_M: weight of must-links beside the local graph.
    local_ratio : float, default=0.2
        alpha2 / alpha1: weight of the local graph beside the learned one.
    penalty : float, default=100.0
        lambda: pulls A and Z together; the smallest threshold is sparsity / penalty.
    algorithm : {"normalised", "plain"}, default="normalised"
        Algorithm 3 of the paper, or Algorithm 2, whose objective is proved to fall.
    assign : {"kmeans", "seeded"}, default="kmeans"
        k-means with 20 restarts as in the paper, or started from must-link groups that are
        marked different from each other.
    max_iter : int, default=50
        Most outer iterations.
    tol : float, default=1e-2
        Stop once no entry of A or Z moves by this much.
    random_state : int, RandomState instance or None, default=None
        For k-means; all else is deterministic.
    memory_limit : float or None, default=None
        Bytes that the dense matrices may take; by default what machine or container have
        left. More samples than fit are refused before anything is allocated.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        H, orthonormal columns.
    representation_ : csr_array of shape (n_samples, n_samples)
        Z: row i holds the weights of the other samples in sample i.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        The learned graph: Z, local graph and must-links together, symmetric.
    n_iter_ : int
        Outer iterations.
    history_ : tuple of Iteration
        For each iteration: objective, rho, change_A, change_Z, nonzeros_per_row, seconds.
    status_ : Status
        How the run ended; ``str(status_)`` is a sentence with a remedy.
    optimality_ : Optimality
        Residuals of the optimality conditions of H, A and Z.
    trace_ratio_ : float
        rho: nan without cannot-links, inf on a graph in n_clusters pieces or more.
    alpha1_ : float
        Weight of the learned graph, derived from ``feedback``; half the authors' value.
    constraint_report_ : ConstraintReport
        Pairs satisfied, pairs violated, and which.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has some.

    References
    ----------
    H. Ling, C. Bao, X. Liang and Z. Shi, "Semi-Supervised Clustering via Dynamic Graph
    Structure Learning".

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from samekind import DGSL, draw_labels_per_class, PairConstraints
    >>> X, y = load_digits(n_class=3, return_X_y=True)
    >>> pairs = PairConstraints.from_labels(draw_labels_per_class(y, 2, random_state=0))
    >>> model = DGSL(n_clusters=3, random_state=0).fit(X / 16, constraints=pairs)
    >>> model.status_.converged
    True
    >>> from samekind.metrics import clustering_accuracy
    >>> clustering_accuracy(y, model.labels_) > 0.95
    True
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_neighbors: int = 7,
        scale_neighbor: int = 5,
        feedback: float = 0.02,
        sparsity: float = 1.0,
        must_link_weight: float = 10.0,
        local_ratio: float = 0.2,
        penalty: float = 100.0,
        algorithm: str = "normalised",
        assign: str = "kmeans",
        max_iter: int = 50,
        tol: float = 1e-2,
        random_state: int | np.random.RandomState | None = None,
        memory_limit: float | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.feedback = feedback
        self.sparsity = sparsity
        self.must_link_weight = must_link_weight
        self.local_ratio = local_ratio
        self.penalty = penalty
        self.algorithm = algorithm
        self.assign = assign
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.memory_limit = memory_limit

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        constraints: PairConstraints | None = None,
        graph: Any = None,
        callback: Callable[[State], object] | None = None,
    ) -> Self:
        """Learn graph, embedding and labels.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : ignored
            Here for scikit-learn's sake. Partial labels enter as
            ``constraints=PairConstraints.from_labels(y)``.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of row numbers that are the same kind, or different.
        constraints : PairConstraints, optional
            In place of the two.
        graph : sparse array of shape (n_samples, n_samples), optional
            A ready local graph in place of the nearest-neighbour graph of X: symmetric, with
            weights of 0 or more.
        callback : callable, optional
            Called after each iteration with a State (iteration, H, Z, record).

        Returns
        -------
        self : DGSL
        """
        check_parameters(type(self).__name__, self.get_params(), RANGES)
        X = validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_min_samples=2
        )
        n = X.shape[0]
        if self.n_clusters > n:
            raise ValueError(f"n_samples={n} should be >= n_clusters={self.n_clusters}.")
        pairs = pairs_for(n, must_link, cannot_link, constraints)
        warn_of_clique(pairs, self.n_clusters)
        random_state = check_random_state(self.random_state)
        dense = MATRICES * 8 * n * n
        require_memory(dense, self.memory_limit, f"the exact solver for {n} samples")
        # More threads get in each other's way on blocks of this size, and add up in another order.
        with threadpool_limits(limits=1, user_api="blas"):
            self._fit(X, pairs, graph, self._watched(callback, dense), random_state)
        return self

    def _watched(
        self, callback: Callable[[State], object] | None, dense: int
    ) -> Callable[[State], None]:
        """The callback, after a look at the memory that a Z with many non-zeros takes."""

        def watch(state: State) -> None:
            n, needed = state.Z.shape[0], BYTES_PER_NONZERO * state.Z.nnz
            needed += 0 if self.memory_limit is None else dense  # else it is in use already
            what = f"a representation of {n} samples with {state.Z.nnz / n:.0f} non-zeros per row"
            require_memory(needed, self.memory_limit, what)
            if callback is not None:
                callback(state)

        return watch

    def _fit(
        self,
        X: Any,
        pairs: PairConstraints,
        graph: Any,
        callback: Callable[[State], object],
        random_state: np.random.RandomState,
    ) -> None:
        if graph is None:
            W = local_graph(X, self.n_neighbors, self.scale_neighbor)
        else:
            W = local_graph_from(graph, X.shape[0])
        problem = Problem(
            P=ridge_projection(X.astype(np.float64, copy=False), self.penalty),
            local=csr_array(W + self.must_link_weight * pairs.must_link_matrix()),
            L_cannot=_cannot_laplacian(pairs),
            n_components=self.n_clusters,
            tau=self.feedback,
            lam=self.penalty,
            lam_z=self.sparsity,
            local_ratio=self.local_ratio,
            normalised=self.algorithm == "normalised",
        )
        run = solve(problem, max_iter=self.max_iter, tol=self.tol, callback=callback)
        seeds = pairs.seed_groups(self.n_clusters) if self.assign == "seeded" else ()
        self.labels_ = assign(run.H, self.n_clusters, groups=seeds, random_state=random_state)
        self.embedding_ = run.H
        self.representation_ = run.Z
        self.affinity_matrix_ = run.W_fused
        self.n_iter_ = run.n_iter
        self.history_ = run.history
        self.status_ = run.status
        self.optimality_ = run.optimality
        self.trace_ratio_ = run.rho
        self.alpha1_ = run.alpha1
        self.constraint_report_ = pairs.violated_by(self.labels_)
        self._fit_X = X
        self._warn_of_status()

    def _warn_of_status(self) -> None:
        if not self.status_.converged:
            warnings.warn(f"DGSL: {self.status_}", ConvergenceWarning, stacklevel=4)
        elif self.status_ is Status.UNBOUNDED:
            n_parts = pieces_of(self.affinity_matrix_).n_pieces
            if n_parts > self.n_clusters:  # as many parts as clusters is the best of ends
                warnings.warn(f"DGSL, {n_parts} parts: {self.status_}", UserWarning, stacklevel=4)

    def predict(self, X: Any) -> IntArray:
        """Labels of new rows: a vote of their nearest training rows, weighted as in (8).

        Each row is looked at on its own. A row equal to a training row gets that row's label; where
        equal training rows have different labels, the label of one of them.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_rows, n_features)

        Returns
        -------
        labels : ndarray of shape (n_rows,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        if issparse(X) != issparse(self._fit_X):
            X = X.toarray() if issparse(X) else csr_array(X)
        voters = min(max(self.n_neighbors - 1, self.scale_neighbor - 1, 1), self._fit_X.shape[0])
        nearest, distance = nearest_rows(self._fit_X, voters, rows=X)
        weight = local_weights(distance, self.scale_neighbor)
        weight[:, max(self.n_neighbors - 1, 1) :] = 0.0
        labels: IntArray = _vote(self.labels_[nearest], weight, self.embedding_.shape[1])
        labels[distance[:, 0] == 0] = self.labels_[nearest[distance[:, 0] == 0, 0]]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _cannot_laplacian(pairs: PairConstraints) -> csr_array | None:
    """L_C, scaled by the number of ordered pairs as in (6); None without cannot-links."""
    C = pairs.cannot_link_matrix()
    return laplacian(C / C.nnz) if C.nnz else None


def _vote(labels: IntArray, weight: FloatArray, n_clusters: int) -> IntArray:
    """The label with the largest sum of weights in each row; ties go to the smaller label."""
    votes = np.zeros((len(labels), n_clusters))
    np.add.at(votes, (np.arange(len(labels))[:, None], labels), weight)
    return np.asarray(votes.argmax(axis=1))
