"""SameKind: clustering from a few pairs or labels, without a parameter to tune."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils import ClassifierTags

from samekind._kernels.candidates import neighbors
from samekind._kernels.status import Status
from samekind._selection.choice import Chosen, choose, standard_error
from samekind._selection.evidence import Evidence, evidence_of
from samekind._selection.graphs import (
    CandidateGraphs,
    Coefficients,
    local_graphs,
    n_nearest,
    projection,
    representation_graph,
    settled_ties,
    sharing,
    strongest_coefficients,
)
from samekind._selection.labels import N_STARTS, Spread, spread_labels
from samekind._selection.modularity import modularity
from samekind._selection.scaling import Scaling, one_feature_decides, own_order, scaling_of
from samekind._solver import Problem, Solution, solve
from samekind._solver.embedding import Embedder
from samekind._solver.records import ScaleFree
from samekind._typing import FloatArray, IntArray, RandomState
from samekind.constraints import PairConstraints
from samekind.estimators._base.choice import Choice
from samekind.estimators._base.collapse import in_pairs, stranded
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.pair_method import Given, PairMethod
from samekind.estimators._base.parameters import AutoOrBool, Range, Whole
from samekind.estimators._base.plan import plan
from samekind.estimators._base.validation import local_graph_from
from samekind.graph import find_neighbors, laplacian

# The constants below were chosen on the paper's nine data sets and on tables; see docs.
FEEDBACK = 3.0  # how strongly the embedding thins out the learned graph
GIVEN_SHARE, GIVEN_SHARE_ALL_LOCAL = 0.3, 0.65  # of the chosen graph beside the learned one
SMOOTHNESS = 100.0  # gamma = SMOOTHNESS (k / c - 1) Tr(L_C) / n, c clusters named
TOL = 0.25  # learning stops once nothing moves by this share of a typical largest coefficient
COMPARED_UP_TO = 2000  # rows on which standardizing is tried; it has to win on all in the end
STANDARDIZE_ERRORS = 2.0  # standard errors by which the pairs have to prefer other features
# Of many samples, each is represented by its neighbors alone.
N_CANDIDATES, MORE_FOR_TIES = 20, 8
COUPLING_OF_MANY, FEEDBACK_OF_MANY, SPARSITY_OF_MANY, MUST_OF_MANY = 2.0, 2.4, 0.12, 5.0
TOL_OF_MANY, LOCAL_OF_MANY = 0.15, 2.5
STARTS_OF_MANY = STARTS_OF_MEASURE = 5
NOT_LEARNED = (Status.MAX_ITER, Status.VANISHED)
FITS_AS_WELL = 0.95  # of the modularity that labels without learning have in the chosen graph
ENOUGH_TESTED = 10  # samples from which on a best score at chance means something


@inherit_docs
class SameKind(PairMethod):
    """Clustering from a few pairs or labels, without a parameter to tune.

    Whatever is known decides what it can: pairs, labels of all classes or of some, or nothing.
    The pairs judge graphs that were built from X alone, with modularity as a prior; the graph they
    choose is learned further as in DGSL, with thresholds by rank in each row; labels spread over it
    from the groups that are known and from the hearts of clusters that nobody named.

    Nothing depends on the units of X: ``c * X + b`` gives the same labels. Must-links always hold.
    A complete ``y`` is ignored, as in every clusterer; a ``y`` with unknowns (-1, None, NaN) is
    what is known.

    Parameters
    ----------
    standardize : bool or "auto", default="auto"
        Whether features are divided by their standard deviations. "auto": if the pairs are
        clearer so; without pairs, if one or two features would decide alone.
    max_iter : int, default=50
        Most iterations of learning; if it does not settle by then, the chosen graph is used.
    verbose : int, default=0
        1 writes a line for each step to standard output.

    Attributes
    ----------
    probabilities_ : ndarray of shape (n_samples, n_clusters)
        How sure the clusters are of each sample; rows sum to 1, given labels have 1.
    choice_ : Choice
        What was chosen and why; ``print(model.choice_)`` says it in words.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        H, orthonormal columns.
    representation_ : csr_array of shape (n_samples, n_samples)
        Z: row i holds the weights of the other samples in sample i.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        The graph that labels spread over, symmetric.
    n_iter_ : int
        Iterations of learning.
    history_ : tuple of Iteration
        For each iteration: rho, change_A, change_Z, nonzeros_per_row, seconds.
    neighbor_recall_ : float
        Share of the true nearest neighbors that were found, estimated.

    References
    ----------
    The parts: H. Ling, C. Bao, X. Liang and Z. Shi, "Semi-Supervised Clustering via Dynamic Graph
    Structure Learning"; D. Zhou et al., "Learning with local and global consistency", 2004;
    M. Newman, "Modularity and community structure in networks", 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from samekind import SameKind
    >>> X, y = load_digits(n_class=4, return_X_y=True)
    >>> model = SameKind(n_clusters=4, random_state=0).fit(
    ...     X, must_link=[(0, 10)], cannot_link=[(0, 1)]
    ... )
    >>> model.status_.converged
    True
    >>> from samekind.metrics import clustering_accuracy
    >>> clustering_accuracy(y, model.labels_) > 0.9
    True
    """

    SUPERVISION: ClassVar[str] = "pairs"

    RANGES: ClassVar[dict[str, Range]] = {
        "standardize": AutoOrBool(),
        "max_iter": Whole(1),
        "verbose": Whole(0),
    }
    # Of ``predict``: voters of a new row, and the one whose distance is the length scale.
    n_neighbors: int = 7
    scale_neighbor: int = 5

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        standardize: bool | str = "auto",
        random_state: RandomState = None,
        max_iter: int = 50,
        memory_limit: float | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.standardize = standardize
        self.random_state = random_state
        self.max_iter = max_iter
        self.memory_limit = memory_limit
        self.verbose = verbose

    def _fit(self, given: Given) -> None:
        X, pairs, k = given.X, given.pairs, self.n_clusters
        n = X.shape[0]
        whole = plan(n, "auto", None, self.memory_limit).dictionary == "all"
        view, standardized_by, chosen = self._chosen(X, given.graph, pairs, whole)
        self._say(f"chose a graph, {100 * chosen.local_share:.0f} % local")
        named = pairs.distinct_groups(k)
        problem = self._problem(view, chosen, pairs, len(named))
        groups = [int(pairs.group_of[group[0]]) for group in named]
        run = self._run(problem, view, given)
        found = self._labels(problem, view, chosen, run, given, groups)
        H, W, spread, learned = found.H, found.W, found.spread, found.learned
        self._say(f"labels from {spread.start}, the best of {spread.n_starts} starts")
        self.labels_, self.probabilities_ = spread.labels, _certain(spread, named)
        self.embedding_, self.affinity_matrix_ = H, W
        self.representation_ = run.Z if run is not None else csr_array((n, n))
        self.n_iter_ = run.n_iter if run is not None else 0
        self.history_ = run.history if run is not None else ()
        self.neighbor_recall_ = view.recall
        self._scaling = view.scaling
        self.choice_ = Choice(
            candidates=chosen.candidates,
            n_tested=chosen.n_tested,
            local_share=chosen.local_share,
            standardized=view.standardized,
            standardized_by=standardized_by,
            n_named=len(named),
            learned=learned,
            start=spread.start,
            n_starts=spread.n_starts,
            modularity=spread.score,
        )
        self.status_ = self._status(pairs, chosen, run)

    def _chosen(
        self, X: Any, graph: Any, pairs: PairConstraints, whole: bool
    ) -> tuple["_View", str, Chosen]:
        """The rows, standardized or not, and the graph that was chosen from them."""
        k, mode, evidence = self.n_clusters, self.standardize, _evidence(pairs)
        mixed = mode is True or (mode == "auto" and one_feature_decides(X))
        first = _view(X, graph, standardized=mixed, whole=whole)
        chosen = choose(first.graphs, evidence, k, first.order)
        usual = "parameter" if mode != "auto" else "units" if mixed else "default"
        if mode != "auto" or not evidence.n_tested:
            return first, usual, chosen
        n, told = evidence.n_tested, chosen.best_by_pairs
        needed = told + STANDARDIZE_ERRORS * standard_error((told * n + 1) / (n + 2), n)
        if needed >= 1:  # nothing can be that much clearer
            return first, usual, chosen
        if X.shape[0] > COMPARED_UP_TO:
            rows = _some_rows(X.shape[0], pairs)
            part = None if graph is None else local_graph_from(graph, X.shape[0])[rows][:, rows]
            by = [
                self._best_by_pairs(X[rows], part, pairs.subset(rows), on)
                for on in (mixed, not mixed)
            ]
            if by[1] <= by[0] + needed - told:
                return first, usual, chosen
        other = _view(X, graph, standardized=not mixed, whole=whole)
        rival = choose(other.graphs, evidence, k, other.order)
        if rival.best_by_pairs > needed:
            return other, "pairs", rival
        return first, usual, chosen

    def _best_by_pairs(
        self, X: Any, graph: Any, pairs: PairConstraints, standardized: bool
    ) -> float:
        view = _view(X, graph, standardized=standardized, whole=True)
        return choose(view.graphs, _evidence(pairs), self.n_clusters, view.order).best_by_pairs

    def _problem(
        self, view: "_View", chosen: Chosen, pairs: PairConstraints, n_named: int
    ) -> Problem:
        n, k = len(pairs.group_of), self.n_clusters
        C = pairs.cannot_link_matrix()
        L_cannot = laplacian(C / C.nnz) if C.nnz else None
        shift = 0.0
        if L_cannot is not None:
            shift = SMOOTHNESS * (k / max(n_named, 1) - 1) * float(L_cannot.diagonal().sum()) / n
        must = sharing(pairs.must_link_matrix())
        problem = Problem(
            P=np.zeros((1, 1)) if view.represented is None else view.represented.P,
            local=csr_array(chosen.graph + must),
            L_cannot=L_cannot,
            n_components=k,
            tau=FEEDBACK,
            lam=1.0,
            lam_z=0.0,
            local_ratio=1.0,
            shift=shift,
        )
        if view.represented is None:
            return _problem_of_many(problem, view, chosen, pairs)
        share = GIVEN_SHARE_ALL_LOCAL if chosen.local_share > 0.999 else GIVEN_SHARE
        beside = csr_array((share * chosen.graph + must) / (1 - share))
        found = view.represented.coefficients
        return replace(problem, scale_free=ScaleFree(found.largest, found.floor, beside))

    def _run(self, problem: Problem, view: "_View", given: Given) -> Solution | None:
        """The learned graph; None where there is nothing to learn from."""
        if view.represented is None:
            tol = TOL_OF_MANY * problem.tau / FEEDBACK_OF_MANY
        else:
            tol = TOL * float(np.median(view.represented.coefficients.largest))
        if tol == 0:
            return None
        run = solve(problem, max_iter=self.max_iter, tol=tol, callback=given.callback)
        self._say(f"learning: {run.status.name} after {run.n_iter} iterations")
        return run

    def _labels(
        self,
        problem: Problem,
        view: "_View",
        chosen: Chosen,
        run: Solution | None,
        given: Given,
        named: Sequence[int],
    ) -> "_Found":
        """Labels from the learned graph, unless those from the chosen graph fit it far better.

        Learning can draw a graph together where the representation says little; the chosen graph
        is the measure for both.
        """

        def spread(W: csr_array, H: FloatArray, n_starts: int) -> Spread:
            return spread_labels(
                W,
                H,
                self.n_clusters,
                group_of=given.pairs.group_of,
                named=named,
                cannot_link=given.pairs.cannot_link,
                random_state=given.random_state,
                n_starts=n_starts,
                order=view.order,
            )

        n_starts = STARTS_OF_MANY if view.represented is None else N_STARTS
        H = Embedder(problem).first.H
        learned = run is not None and run.status not in NOT_LEARNED
        measure = spread(problem.local, H, STARTS_OF_MEASURE if learned else n_starts)
        if run is not None and learned:
            last = spread(run.W_fused, run.H, n_starts)
            fits = [modularity(chosen.graph, one.labels) for one in (measure, last)]
            if fits[1] >= FITS_AS_WELL * fits[0]:
                return _Found(run.H, run.W_fused, last, learned=True)
            measure = spread(problem.local, H, n_starts)
        return _Found(H, problem.local, measure, learned=False)

    def _collapsed(self, given: Given) -> bool:
        return False  # _status has looked, on rows as they were scaled

    def _status(self, pairs: PairConstraints, chosen: Chosen, run: Solution | None) -> Status:
        if run is not None and run.status is Status.INTERRUPTED:
            return run.status
        if stranded(self.labels_, pairs):
            return Status.COLLAPSED
        n = chosen.n_tested
        if n >= ENOUGH_TESTED and chosen.best_by_pairs < 0.5 + standard_error(0.5, n):
            return Status.UNDECIDED
        if run is None:
            return Status.CONVERGED  # nothing to learn: all rows are equal
        return run.status if self.choice_.learned else Status.FIRST_GRAPH

    def predict_proba(self, X: Any) -> FloatArray:
        """Probabilities of the clusters for new rows, from their nearest training rows.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_rows, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_rows, n_clusters)
            Rows sum to 1.
        """
        nearest, weight, same = self._voters(X)
        weight[weight.sum(axis=1) == 0] = 1.0
        weight /= weight.sum(axis=1, keepdims=True)
        found = np.einsum("ij,ijk->ik", weight, self.probabilities_[nearest])
        found[same] = self.probabilities_[nearest[same, 0]]
        return np.asarray(found)

    def _scaled(self, X: Any) -> Any:
        return self._scaling.apply(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # scikit-learn's checks look here wherever there is predict_proba.
        tags.classifier_tags = ClassifierTags(multi_class=True)
        return tags

    def _say(self, sentence: str) -> None:
        if self.verbose:
            sys.stdout.write(f"[SameKind] {sentence}\n")


@dataclass(frozen=True)
class _Found:
    """Labels with the graph they come from."""

    H: FloatArray
    W: csr_array
    spread: Spread
    learned: bool


@dataclass(frozen=True)
class _View:
    """Rows in one scaling, with what was made from them."""

    X: Any
    scaling: Scaling
    standardized: bool
    graphs: CandidateGraphs
    order: IntArray  # of the rows, whatever the order they came in
    nearest: IntArray
    recall: float
    represented: "_Represented | None"  # None for many samples


@dataclass(frozen=True)
class _Represented:
    """Every sample as a combination of all."""

    P: FloatArray
    coefficients: Coefficients


def _view(X: Any, graph: Any, *, standardized: bool, whole: bool) -> _View:
    n = X.shape[0]
    scaling = scaling_of(X, standardize=standardized, dtype=np.float64 if whole else X.dtype)
    X = scaling.apply(X)
    wanted = max(n_nearest(n), 0 if whole else N_CANDIDATES)
    found = find_neighbors(X, min(wanted + MORE_FOR_TIES, n - 1))
    order = own_order(X)
    nearest, distance = settled_ties(found.nearest, found.distance, wanted, order)
    if graph is not None:
        local: Any = {"graph": sharing(local_graph_from(graph, n))}
    else:
        local = local_graphs(nearest, distance)
    represented = R = None
    if whole:
        P = projection(X)
        represented = _Represented(P, strongest_coefficients(P))
        R = representation_graph(represented.coefficients)
    graphs = CandidateGraphs(local, R if R is not None and R.nnz else None)
    scaling = replace(scaling, scale=scaling.scale * _unit(distance))
    return _View(X, scaling, standardized, graphs, order, nearest, found.recall, represented)


def _unit(distance: FloatArray) -> float:
    """The usual distance to a neighbor: new rows are compared in this unit."""
    column = distance[:, min(SameKind.scale_neighbor - 2, distance.shape[1] - 1)]
    return float(np.median(column)) or float(distance.max()) or 1.0


def _problem_of_many(
    problem: Problem, view: "_View", chosen: Chosen, pairs: PairConstraints
) -> Problem:
    """Samples represented by their neighbors; the numbers of DGSL, in the scale of X."""
    v = float(np.einsum("ij,ij->", view.X, view.X, dtype=np.float64)) / len(view.X)
    lam = COUPLING_OF_MANY * v
    P = neighbors(view.X, view.nearest[:, :N_CANDIDATES], lam)
    off = np.where(P.columns == np.arange(len(P))[:, None], 0.0, np.abs(P.first))
    typical = float(np.median(off.max(axis=1)))
    return replace(
        problem,
        P=P,
        local=csr_array(LOCAL_OF_MANY * chosen.graph + MUST_OF_MANY * pairs.must_link_matrix()),
        tau=FEEDBACK_OF_MANY * typical,
        lam=lam,
        lam_z=SPARSITY_OF_MANY * typical * lam,
    )


def _some_rows(n: int, pairs: PairConstraints) -> IntArray:
    """All rows in pairs, or many of them, and random others."""
    order = np.random.default_rng(0).permutation(n)
    inside = in_pairs(pairs)[order]
    return np.sort(np.concatenate([order[inside], order[~inside]])[:COMPARED_UP_TO])


def _evidence(pairs: PairConstraints) -> Evidence:
    closed = pairs.closure()
    return evidence_of(closed.must_link, closed.cannot_link, pairs.group_of)


def _certain(spread: Spread, named: Sequence[IntArray]) -> FloatArray:
    """Probabilities with 1 for samples whose cluster is given."""
    probabilities = spread.probabilities.copy()
    for members in named:
        if len(members) > 1 or len(named) > 1:
            probabilities[members] = 0.0
            probabilities[members, spread.labels[members]] = 1.0
    return probabilities
