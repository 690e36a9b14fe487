"""DGSL, the method of the paper, as a scikit-learn clusterer."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.assign import assign, assign_groups, spread
from samekind._kernels.candidates import Candidates, neighbors, strongest
from samekind._kernels.self_representation import ridge_projection
from samekind._kernels.status import Status
from samekind._memory import require_memory
from samekind._solver import Problem, Solution, State, solve
from samekind._typing import FloatArray, IntArray, RandomState
from samekind.estimators._base.caller import warn_caller
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.pair_method import Callback, Given, PairMethod
from samekind.estimators._base.parameters import Number, OneOf, Range, Whole
from samekind.estimators._base.plan import Plan, plan
from samekind.estimators._base.validation import local_graph_from
from samekind.graph import find_neighbors
from samekind.graph._components import components_of
from samekind.graph._knn import local_graph_of, others_needed

SPREAD_WEIGHT = 100.0  # where half of the clusters are named, see ``spread_weight``
LARGEST_RESIDUAL = 0.1  # of H; beyond, it does not belong to the learned graph
# Bytes for each non-zero of Z and of the graphs made from it.
BYTES_PER_NONZERO = 120
# What applies where the user sets nothing, for each dictionary. Coefficients are larger where few
# samples share the work, so that thresholds have to be; and among very many samples the learned
# graph must not drown the local graph and the must-links.
DEFAULTS = {
    "all": {"feedback": 0.02, "must_link_weight": 10.0, "local_ratio": 0.2},
    "neighbors": {"feedback": 0.2, "must_link_weight": 20.0, "local_ratio": 1.0},
}


@inherit_docs
class DGSL(PairMethod):
    """Semi-supervised clustering via dynamic graph structure learning.

    From samples and a few pairs marked "same kind" (must-link) or "different" (cannot-link),
    DGSL alternates between an embedding H and the graph it is computed from, and clusters H.

    The thresholds depend on the units of X and on its origin, and somewhat on the number of
    samples: the defaults suit pictures of many pixels with gray levels between 0 and 1. Where the
    learned graph vanishes or collapses, ``status_`` reports it. SameKind has no units.

    Parameters
    ----------
    feedback : float or None, default=None
        tau: how strongly the embedding thins out the learned graph. By default 0.02, or 0.2
        where samples are represented by their neighbors alone, see ``solver``.
    sparsity : float, default=1.0
        lambda_Z: weight of the sum of absolute values of Z.
    must_link_weight : float or None, default=None
        lambda_M: weight of must-links beside the local graph. By default 10, or 20 where samples
        are represented by their neighbors alone.
    local_ratio : float or None, default=None
        alpha2 / alpha1: weight of the local graph beside the learned one. By default 0.2, or 1
        where samples are represented by their neighbors alone.
    coupling : float, default=100.0
        lambda: pulls A and Z together; the smallest threshold is sparsity / coupling.
    algorithm : {"normalized", "plain"}, default="normalized"
        Algorithm 3 of the paper, or Algorithm 2, whose objective is proved to fall.
    assign_labels : {"kmeans", "seeded", "group", "spread"}, default="kmeans"
        k-means with 20 restarts as in the paper, or started from must-link groups that are
        marked different from each other, or with must-link groups that move as one, so that no
        must-link is violated; or labels that spread from groups that are marked different over
        the learned graph, if there is one for each cluster (else as "seeded").
    spread_weight : float or None, default=0.0
        g: adds gamma I to the numerator of the trace ratio, gamma = g Tr(L_C) / n_samples, so that
        directions of H which separate no cannot-links count as well. 0 is the paper's method. None
        makes it 100 (n_clusters / c - 1), where the pairs name c clusters, that is c groups that
        are all different from one another. For random pairs, and for labels of some of the classes.
    solver : {"auto", "exact", "sparse"}, default="auto"
        Over all pairs of samples (time and memory grow with their square), or over a few
        candidates for each sample (they grow with the number of samples). Up to 5,000 samples
        candidates are chosen among all of them; beyond, a sample is represented by its nearest
        others alone. "auto" is exact up to 5,000 samples that fit in memory; ``solver_`` is
        the one that was used.
    n_candidates : int or None, default=None
        Others that a sample may use in the sparse solver: by default 100 chosen among all
        samples, or the 20 nearest.
    max_iter : int, default=50
        Most outer iterations.
    tol : float, default=1e-2
        Stop once no entry of A or Z moves by this much; in the sparse solver one sample in a
        thousand may.
    verbose : int, default=0
        1 writes a line for each iteration to standard output.

    Attributes
    ----------
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
    optimality_ : Optimality
        Residuals of the optimality conditions of H, A and Z.
    trace_ratio_ : float
        rho: nan without cannot-links, inf on a graph in n_clusters components or more.
    solver_ : {"exact", "sparse"}
        The solver that was used.
    neighbor_recall_ : float
        Share of the true nearest neighbors that were found, measured for some samples.
    alpha1_ : float
        Weight of the learned graph, derived from ``feedback``; half the value in the authors' code.

    References
    ----------
    H. Ling, C. Bao, X. Liang and Z. Shi, "Semi-Supervised Clustering via Dynamic Graph
    Structure Learning".

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from samekind import DGSL, sample_labels, PairConstraints
    >>> X, y = load_digits(n_class=3, return_X_y=True)
    >>> pairs = PairConstraints.from_labels(sample_labels(y, 2, random_state=0))
    >>> model = DGSL(n_clusters=3, random_state=0).fit(X / 16, constraints=pairs)
    >>> model.status_.converged
    True
    >>> from samekind.metrics import clustering_accuracy
    >>> clustering_accuracy(y, model.labels_) > 0.95
    True
    """

    SUPERVISION: ClassVar[str] = "pairs"

    RANGES: ClassVar[dict[str, Range]] = {
        "feedback": Number(0, or_none=True),
        "sparsity": Number(0, closed=True),
        "must_link_weight": Number(0, closed=True, or_none=True),
        "local_ratio": Number(0, or_none=True),
        "coupling": Number(0),
        "algorithm": OneOf(("normalized", "plain")),
        "assign_labels": OneOf(("kmeans", "seeded", "group", "spread")),
        "spread_weight": Number(0, closed=True, or_none=True),
        "solver": OneOf(("auto", "exact", "sparse")),
        "n_candidates": Whole(1, or_none=True),
        "max_iter": Whole(1),
        "tol": Number(0, closed=True),
        "verbose": Whole(0),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_neighbors: int = 7,
        scale_neighbor: int = 5,
        random_state: RandomState = None,
        memory_limit: float | None = None,
        n_jobs: int | None = None,
        feedback: float | None = None,
        sparsity: float = 1.0,
        must_link_weight: float | None = None,
        local_ratio: float | None = None,
        coupling: float = 100.0,
        algorithm: str = "normalized",
        assign_labels: str = "kmeans",
        spread_weight: float | None = 0.0,
        solver: str = "auto",
        n_candidates: int | None = None,
        max_iter: int = 50,
        tol: float = 1e-2,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.feedback = feedback
        self.sparsity = sparsity
        self.must_link_weight = must_link_weight
        self.local_ratio = local_ratio
        self.coupling = coupling
        self.algorithm = algorithm
        self.assign_labels = assign_labels
        self.spread_weight = spread_weight
        self.solver = solver
        self.n_candidates = n_candidates
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose

    def _watched(self, callback: Callback | None, way: Plan) -> Callable[[State], None]:
        """The callback, after a look at the memory that a Z with many non-zeros takes."""

        def watch(state: State) -> None:
            n, needed = state.Z.shape[0], BYTES_PER_NONZERO * state.Z.nnz
            needed += 0 if self.memory_limit is None else way.n_bytes  # else it is in use already
            what = f"a representation of {n} samples with {state.Z.nnz / n:.0f} non-zeros per row"
            require_memory(needed, self.memory_limit, what)
            if callback is not None:
                callback(state)

        return watch

    def _fit(self, given: Given) -> None:
        X, pairs = given.X, given.pairs
        k = self.n_clusters
        way = plan(X.shape[0], self.solver, self.n_candidates, self.memory_limit, n_clusters=k)
        W, P = self._graph_and_representation(X, given.graph, way)
        weights = {
            name: usual if getattr(self, name) is None else getattr(self, name)
            for name, usual in DEFAULTS[way.dictionary].items()
        }
        problem = Problem(
            P=P,
            local=csr_array(W + weights["must_link_weight"] * pairs.must_link_matrix()),
            L_cannot=given.L_cannot,
            n_components=self.n_clusters,
            tau=weights["feedback"],
            lam=self.coupling,
            lam_z=self.sparsity,
            local_ratio=weights["local_ratio"],
            normalized=self.algorithm == "normalized",
            shift=self._shift(given),
        )
        run = solve(
            problem,
            max_iter=self.max_iter,
            tol=self.tol,
            callback=self._watched(given.callback, way),
        )
        self._say(f"{run.status.name} after {run.n_iter} iterations")
        self.solver_ = way.solver
        self.labels_ = self._assigned(run, given)
        self.embedding_ = run.H
        self.representation_ = run.Z
        self.affinity_matrix_ = run.W_fused
        self.n_iter_ = run.n_iter
        self.history_ = run.history
        unfit = run.status.converged and run.optimality.H > LARGEST_RESIDUAL
        self.status_ = Status.UNVERIFIED if unfit else run.status
        self.optimality_ = run.optimality
        self.trace_ratio_ = run.rho
        self.alpha1_ = run.alpha1

    def _shift(self, given: Given) -> float:
        """gamma, which the numerator of the trace ratio has beside L_C."""
        if given.L_cannot is None:
            return 0.0
        weight = self.spread_weight
        if weight is None:
            n_named = len(given.pairs.distinct_groups(self.n_clusters))
            weight = SPREAD_WEIGHT * (self.n_clusters / n_named - 1)
        return float(weight * given.L_cannot.diagonal().sum() / given.X.shape[0])

    def _assigned(self, run: Solution, given: Given) -> IntArray:
        k, pairs, state = self.n_clusters, given.pairs, given.random_state
        if self.assign_labels == "group":
            return assign_groups(
                run.H,
                k,
                group_of=pairs.group_of,
                named=[int(pairs.group_of[one[0]]) for one in pairs.distinct_groups(k)],
                cannot_link=pairs.cannot_link,
                random_state=state,
                order=given.order,
            )
        seeds = () if self.assign_labels == "kmeans" else pairs.seed_groups(k)
        if self.assign_labels == "spread" and len(seeds) == k:
            return spread(run.W_fused, run.H, seeds)
        return assign(run.H, k, groups=seeds, random_state=state, order=given.order)

    def _graph_and_representation(
        self, X: Any, graph: Any, way: Plan
    ) -> tuple[csr_array, FloatArray | Candidates]:
        """The local graph, and what the samples are represented with."""
        n, by_neighbors = X.shape[0], way.dictionary == "neighbors"
        W = None if graph is None else local_graph_from(graph, n)
        needed = others_needed(n, self.n_neighbors, self.scale_neighbor) if W is None else 0
        found = find_neighbors(X, max(needed, way.n_candidates if by_neighbors else 0))
        self.neighbor_recall_ = found.recall
        if W is None:
            nearest, distance = found.nearest[:, :needed], found.distance[:, :needed]
            W = local_graph_of(nearest, distance, self.n_neighbors, self.scale_neighbor)
        if by_neighbors:
            return W, neighbors(X, found.nearest[:, : way.n_candidates], self.coupling)
        P = ridge_projection(X.astype(np.float64, copy=False), self.coupling)
        return W, P if way.solver == "exact" else strongest(P, way.n_candidates)

    def _warn_of_status(self) -> None:
        super()._warn_of_status()
        if self.status_ is Status.UNBOUNDED:
            count = components_of(self.affinity_matrix_).count
            if count > self.n_clusters:  # as many components as clusters is the ideal result
                warn_caller(f"DGSL, {count} components: {self.status_}")
