"""SameKind: clustering from a few pairs or labels, without a parameter to tune."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.metrics import adjusted_rand_score
from sklearn.utils import ClassifierTags

from samekind._kernels.status import Status
from samekind._selection.choice import Chosen, standard_error
from samekind._selection.graphs import CandidateGraphs
from samekind._selection.labels import Spread, score, spread_labels, with_probabilities
from samekind._selection.learning import (
    FITS_AS_WELL,
    Found,
    labels_of,
    learn,
    learned_without_pairs,
    problem_of,
    strays,
)
from samekind._selection.modularity import modularity
from samekind._selection.n_clusters import NumberOfClusters
from samekind._selection.row_clusters import STARTS, plainer_clusters, sum_between
from samekind._selection.views import SCALE_NEIGHBOR, View
from samekind._solver import Solution
from samekind._typing import FloatArray, IntArray, RandomState
from samekind.constraints import PairConstraints
from samekind.estimators._base.choice import Choice
from samekind.estimators._base.collapse import cuts_equal_rows, stranded
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.few_samples import (
    FEW_SAMPLES,
    beside_k_means,
    kept,
)
from samekind.estimators._base.known_rows import ENOUGH_TESTED, ChosenView, KnownRows, share_named
from samekind.estimators._base.pair_method import Given, PairMethod
from samekind.estimators._base.parameters import AutoOrBool, Range, Whole
from samekind.estimators._base.plan import Plan, plan
from samekind.estimators._base.validation import isolated

# Labels that are less like the own clusters of every graph (adjusted Rand index) follow from none;
# six Gaussian groups that no graph finds have up to 0.26, data that fall into clusters 0.5 or more.
LIKE_OWN = 0.4
# Share of the largest modularity possible that labels have in a graph of neighbors, below which
# neighbors hardly tell clusters apart, or few samples from all others.
LITTLE = 0.55
# For each of many samples: the chosen graph has more edges than that of DGSL, and all made of it.
BYTES_OF_GRAPHS = 4000


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
    n_clusters : int or None, default=8
        k, the number of clusters. None: chosen by the pairs and the graph; without pairs, a guess
        unless clusters lie plainly apart.
        ``choice_.n_clusters`` says what other numbers would change.
    standardize : bool or "auto", default="auto"
        Whether features are divided by their standard deviations. "auto": if the pairs are
        clearer so; without pairs, if few features would decide alone.
    max_iter : int, default=50
        Most iterations of learning; if it does not settle by then, the chosen graph is used.
    verbose : int, default=0
        1 writes a line for each step and each iteration to standard output.

    Attributes
    ----------
    n_clusters_ : int
        The number of clusters, given or chosen.
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
    optimality_ : Optimality or None
        Residuals of the optimality conditions of H, A and Z; None where nothing was learned.
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
        "n_clusters": Whole(1, or_none=True),
        "standardize": AutoOrBool(),
        "max_iter": Whole(1),
        "verbose": Whole(0),
    }
    # Of ``predict``: voters of a new row, and the one whose distance is the length scale.
    n_neighbors: int = 7
    scale_neighbor: int = SCALE_NEIGHBOR

    def __init__(
        self,
        n_clusters: int | None = 8,
        *,
        standardize: bool | str = "auto",
        random_state: RandomState = None,
        max_iter: int = 50,
        memory_limit: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.standardize = standardize
        self.random_state = random_state
        self.max_iter = max_iter
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(self, given: Given) -> None:
        X, pairs = given.X, given.pairs
        whole = self._plan(X).dictionary == "all"
        graph = None if given.graph is None else given.local
        known, number = KnownRows(X, graph, pairs, self.standardize), None
        if self.n_clusters is None:
            number = known.number_of_clusters()
            self._say(str(number))
        k = self.n_clusters if number is None else number.chosen
        view = self._fit_rows(given, known, k, number)
        # Many noisy features hide groups from neighbors, not from the directions of most variance.
        if whole and graph is None and not issparse(X) and self._neighbors_say_little(view.graphs):
            reduced = known.by_components(k, self.choice_.by_modularity(0))
            if reduced is not None:
                first = dict(vars(self))
                self._say("neighbors say little; trying principal components")
                self._fit_rows(given, reduced, k, number)
                before = first["labels_"], first["choice_"]
                if not self._clearer_than(*before, X, pairs, view.order):
                    self.__dict__.update(first)

    def _fit_rows(
        self, given: Given, known: KnownRows, k: int, number: NumberOfClusters | None
    ) -> View:
        """Labels of the rows as they are known, with all that belongs to them; and the view."""
        rows = known.chosen(k, whole=self._plan(given.X).dictionary == "all")
        if rows.relevant:
            self._say("rows in units of what varies within groups of the same kind")
        self._say(f"chose a graph, {100 * rows.chosen.local_share:.0f} % local")
        named = given.pairs.distinct_groups(k)
        labeled = self._labeled(given, rows, k, named)
        # A graph of the user says what X may not.
        if known.graph is None and not labeled.interrupted:
            plainer = self._plainer(rows.view, labeled.found, rows.chosen, given.pairs, named)
            if plainer is not None:
                labeled = replace(labeled, run=None, found=plainer, in_graph=False)
        spread = labeled.found.spread
        self._say(f"labels from {spread.start}, the best of {spread.n_starts} starts")
        self._keep(labeled, rows, given.pairs, named, number)
        self.n_clusters_ = k
        self.status_ = self._status(given.pairs, rows, labeled, known.graph)
        return rows.view

    def _labeled(
        self, given: Given, rows: ChosenView, k: int, named: Sequence[IntArray]
    ) -> "_Labeled":
        """Labels from the chosen graph, learned further with the pairs or without them."""
        view, chosen, pairs = rows.view, rows.chosen, given.pairs
        whole, n = view.represented is not None, given.X.shape[0]
        M, share = pairs.must_link_matrix(), share_named(named, pairs)
        problem = problem_of(view, chosen, M, given.L_cannot, k, len(named), share)
        if not whole and n > FEW_SAMPLES:
            view = view.without_candidates()
        run = learn(problem, view, self.max_iter, given.callback, all_named=len(named) == k)
        if run is not None:
            self._say(f"learning: {run.status.name} after {run.n_iter} iterations")
        spread_over = partial(
            spread_labels,
            n_clusters=k,
            group_of=pairs.group_of,
            named=[int(pairs.group_of[group[0]]) for group in named],
            cannot_link=pairs.cannot_link,
            random_state=given.random_state,
            order=view.order,
        )
        labeled = _Labeled(run, labels_of(problem, view, chosen, run, spread_over), chosen)
        if not _any(pairs) or not whole or labeled.interrupted:
            return labeled
        if strays(chosen, labeled.found.spread.labels):
            fit = partial(score, chosen.graph, pairs.cannot_link)
            best = fit(labeled.found.spread.labels) / FITS_AS_WELL
            for used, run, found in learned_without_pairs(
                view, chosen, k, self.max_iter, given.callback, spread_over
            ):
                if fit(found.spread.labels) > best:
                    labeled = _Labeled(run, found, used, in_graph=False)
                    best = fit(found.spread.labels)
                    self._say("labels fit the graph better if the pairs only seed them")
        return labeled

    def _keep(
        self,
        labeled: "_Labeled",
        rows: ChosenView,
        pairs: PairConstraints,
        named: Sequence[IntArray],
        number: NumberOfClusters | None,
    ) -> None:
        """The attributes of a fit, but for its status."""
        run, found, spread, view = labeled.run, labeled.found, labeled.found.spread, rows.view
        n = len(spread.labels)
        self.labels_, self.probabilities_ = spread.labels, _certain(spread, named)
        self.embedding_, self.affinity_matrix_ = found.H, found.W
        self.representation_ = run.Z if run is not None else csr_array((n, n))
        self.n_iter_ = run.n_iter if run is not None else 0
        self.history_ = run.history if run is not None else ()
        self.optimality_ = run.optimality if run is not None else None
        self.neighbor_recall_ = view.recall
        self._scaling = view.scaling
        used, n_tested, distances = labeled.used, rows.chosen.n_tested, rows.distances
        components = None if rows.relevant else view.scaling.components
        self.choice_ = Choice(
            candidates=used.candidates,
            n_tested=n_tested,
            chosen_by="pairs" if n_tested and used is rows.chosen else "modularity",
            local_share=used.local_share,
            standardized=view.standardized,
            standardized_by=rows.standardized_by,
            metric_learned=rows.relevant,
            metric_by_pairs=None if distances is None else distances.by_pairs,
            n_directions=distances.n_directions if distances and rows.relevant else 0,
            n_named=len(named),
            learned=found.learned,
            pairs_in_graph=labeled.in_graph if _any(pairs) else None,
            start=spread.start,
            n_starts=spread.n_starts,
            modularity=spread.score,
            n_clusters=number,
            n_components=None if components is None else components.shape[1],
        )

    def _plainer(
        self,
        view: View,
        found: Found,
        chosen: Chosen,
        pairs: PairConstraints,
        named: Sequence[IntArray],
    ) -> Found | None:
        """Clusters of the rows, if these are plainer than the labels that were found."""
        k, little = found.spread.probabilities.shape[1], chosen.n_tested < ENOUGH_TESTED
        known: dict[str, Any] = {"group_of": pairs.group_of, "cannot_link": pairs.cannot_link}
        groups = [int(pairs.group_of[group[0]]) for group in named]
        labels = plainer_clusters(
            view, found.spread.labels, k, named=groups, **known, little_known=little
        )
        if labels is None:
            return None
        W = view.graphs.narrow_local
        spread = with_probabilities(
            W, found.H, labels, k, **known, order=view.order, n_starts=STARTS
        )
        return Found(found.H, W, spread, learned=False, status=found.status)

    def _neighbors_say_little(self, graphs: CandidateGraphs) -> bool:
        most = 1 - 1 / self.n_clusters_
        return self.status_ is Status.UNDECIDED or (
            self.status_.usable
            and not self.choice_.of_rows
            and modularity(graphs.mean_local, self.labels_) < LITTLE * most
        )

    def _clearer_than(
        self,
        labels: IntArray,
        choice: Choice,
        X: Any,
        pairs: PairConstraints,
        order: IntArray,
    ) -> bool:
        """Whether labels by principal components are plausible, on the rows themselves too."""
        if self.choice_.n_components is None or not self.status_.usable:
            return False
        n, told, before = choice.n_tested, self.choice_.best_by_pairs, choice.best_by_pairs
        if n and told < before - standard_error(before, n):
            return False
        rows, k = replace(self._scaling, components=None, stretch=None).apply(X), self.n_clusters_
        return (
            self.status_ is not Status.UNDECIDED
            and sum_between(rows, self.labels_) > sum_between(rows, labels)
            and sum(kept(self.labels_, pairs)) >= sum(kept(labels, pairs))
            and beside_k_means(rows, self.labels_, pairs, None, k, order) != "worse"
        )

    def _plan(self, X: Any) -> Plan:
        """The scaled rows and the chosen graph are kept beside the solver."""
        row = 0 if issparse(X) else X.shape[1] * X.itemsize
        k = 8 if self.n_clusters is None else self.n_clusters
        beside = BYTES_OF_GRAPHS + row
        return plan(X.shape[0], "auto", None, self.memory_limit, n_clusters=k, beside=beside)

    def _collapsed(self, given: Given) -> bool:
        return False  # _status has looked, on rows as they were scaled

    def _implausible(self, view: View, pairs: PairConstraints) -> bool:
        if cuts_equal_rows(view.X, self.labels_, pairs):
            return True
        if len(self.labels_) > FEW_SAMPLES:
            return False
        local, k = view.graphs.mean_local, self.n_clusters_
        return beside_k_means(view.X, self.labels_, pairs, local, k, view.order) == "worse"

    def _status(
        self,
        pairs: PairConstraints,
        rows: ChosenView,
        labeled: "_Labeled",
        graph: csr_array | None,
    ) -> Status:
        """How the fit ended; ``graph``: of the user, or None."""
        # A graph of the user says what X may not, unless it says nothing.
        if (
            graph is not None
            and self.n_clusters_ > 1
            and 2 * len(isolated(graph)) > len(pairs.group_of)
        ):
            return Status.EDGELESS
        status = self._of_labels(pairs, rows.chosen, labeled)
        if graph is None and status.converged and self._implausible(rows.view, pairs):
            return Status.UNDECIDED
        return status

    def _of_labels(self, pairs: PairConstraints, chosen: Chosen, labeled: "_Labeled") -> Status:
        run = labeled.run
        if labeled.interrupted:
            return Status.INTERRUPTED
        if stranded(self.labels_, pairs):
            return Status.COLLAPSED
        n = chosen.n_tested
        if n >= ENOUGH_TESTED and chosen.best_by_pairs < 0.5 + standard_error(0.5, n):
            return Status.UNDECIDED
        like = [adjusted_rand_score(one, self.labels_) for one in chosen.own.values()]
        by_graph = not self.choice_.of_rows
        if n < ENOUGH_TESTED and by_graph and like and max(like) < LIKE_OWN:
            return Status.UNDECIDED
        if run is None:  # nothing was learned, on purpose
            embedding = labeled.found.status
            return embedding if embedding is Status.UNVERIFIED else Status.CONVERGED
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


@dataclass(frozen=True)
class _Labeled:
    """Labels, and what they come from."""

    run: Solution | None  # None where nothing was learned
    found: Found
    used: Chosen  # the graph that was learned further
    in_graph: bool = True  # whether the pairs entered it

    @property
    def interrupted(self) -> bool:
        return self.run is not None and self.run.status is Status.INTERRUPTED


def _any(pairs: PairConstraints) -> bool:
    return len(pairs.must_link) + len(pairs.cannot_link) > 0


def _certain(spread: Spread, named: Sequence[IntArray]) -> FloatArray:
    """Probabilities with 1 for samples whose cluster is given."""
    probabilities = spread.probabilities.copy()
    for members in named:
        if len(members) > 1 or len(named) > 1:
            probabilities[members] = 0.0
            probabilities[members, spread.labels[members]] = 1.0
    return probabilities
