"""The base class of methods that learn from pairs: validation, fit, report."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.base import ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from samekind._kernels.status import Status
from samekind._selection.scaling import own_order
from samekind._threads import on_threads
from samekind._typing import IntArray
from samekind.constraints import PairConstraints, Supervision
from samekind.estimators._base.caller import warn_caller
from samekind.estimators._base.collapse import (
    MOST_SAMPLES,
    collapsed,
    fewer_rows_than_clusters,
    in_pairs,
)
from samekind.estimators._base.parameters import Jobs, Number, Range, Whole, check_parameters
from samekind.estimators._base.prediction import RowsEstimator, all_or_none
from samekind.estimators._base.progress import say, saying
from samekind.estimators._base.scoring import share_of_pairs_kept
from samekind.estimators._base.validation import (
    check_random_state,
    isolated,
    local_graph_from,
    pairs_for,
    supervision_of,
    warn_of_clique,
    warn_of_isolated,
    warn_of_merged,
)
from samekind.graph import laplacian, local_graph

Callback = Callable[[Any], object]
# Beyond, a second copy of X and products with a graph in another order would be felt.
ORDERED_UP_TO = 5000


# The kinds of pairs that change the result; the others are counted in the report alone.
USED = {"pairs": ("must-links", "cannot-links"), "must-links": ("must-links",), "none": ()}


@dataclass(frozen=True)
class Given:
    """What a method gets once everything is checked."""

    X: Any
    pairs: PairConstraints
    graph: Any  # as the user brought it, or None
    callback: Callback | None
    random_state: np.random.RandomState
    n_neighbors: int
    scale_neighbor: int

    @cached_property
    def order(self) -> IntArray:
        """An order of the rows that does not depend on how they came; equal ones by their pairs."""
        n = self.X.shape[0]
        if n > ORDERED_UP_TO:
            return own_order(self.X)
        links = self.pairs.must_link, self.pairs.cannot_link
        return own_order(self.X, [np.bincount(one.ravel(), minlength=n) for one in links])

    @cached_property
    def local(self) -> csr_array:
        """The local graph of X, or the graph of the user."""
        if self.graph is not None:
            return local_graph_from(self.graph, self.X.shape[0])
        if self.X.shape[0] > ORDERED_UP_TO:
            return local_graph(self.X, self.n_neighbors, self.scale_neighbor)
        # Of neighbors at one distance the first are taken: in an order of their own.
        W = local_graph(self.X[self.order], self.n_neighbors, self.scale_neighbor)
        return reordered(W, np.argsort(self.order))

    @cached_property
    def L_cannot(self) -> csr_array | None:
        """L_C, scaled by the number of ordered pairs as in (6); None without cannot-links."""
        C = self.pairs.cannot_link_matrix()
        return laplacian(C / C.nnz) if C.nnz else None


def reordered(W: csr_array, order: IntArray) -> csr_array:
    """Rows and columns of a graph in another order.

    Examples
    --------
    >>> reordered(csr_array([[0, 1, 0], [1, 0, 5], [0, 5, 0]]), np.array([2, 0, 1])).toarray()
    array([[0, 0, 5],
           [0, 0, 1],
           [5, 1, 0]])
    """
    return csr_array(W[order][:, order])


class PairMethod(ClusterMixin, RowsEstimator):  # type: ignore[misc]
    """A clusterer of rows and pairs; subclasses implement ``_fit``.

    Parameters
    ----------
    n_clusters : int, default=8
        k, the number of clusters.
    n_neighbors : int, default=7
        m: neighbors joined in the local graph, the sample itself included; cut to the number
        of samples.
    scale_neighbor : int, default=5
        l: the neighbor whose distance is the length scale of a sample, the sample itself
        being the first.
    random_state : int, RandomState instance, Generator or None, default=None
        For k-means; all else is deterministic.
    memory_limit : float or None, default=None
        Bytes that the largest arrays may take; by default what machine or container have
        left. More samples than fit are refused before anything is allocated.
    n_jobs : int or None, default=None
        Threads, -1 for all cores; None is 1. The result is the same for any number, to the bit.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample.
    status_ : Status
        How the run ended; ``str(status_)`` is a sentence with a remedy.
    constraint_report_ : ConstraintReport
        Pairs satisfied, pairs violated, and which.
    cluster_names_ : tuple of str
        What to call cluster 0, 1, ...: by the given labels that it holds, else by its number.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has some.
    """

    n_clusters: Any  # an int; None too where the method can choose it
    status_: Status

    RANGES: ClassVar[dict[str, Range]] = {
        "n_clusters": Whole(1),
        "n_neighbors": Whole(1),
        "scale_neighbor": Whole(1),
        "memory_limit": Number(0, closed=True, or_none=True),
        "n_jobs": Jobs(),
    }
    SUPERVISION: ClassVar[str]  # a key of USED
    # With metadata routing, constraints are wanted unless set_fit_request says otherwise.
    __metadata_request__fit: ClassVar = {"constraints": True}
    __metadata_request__score: ClassVar = {"constraints": True}

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        constraints: PairConstraints | None = None,
        graph: Any = None,
        callback: Callback | None = None,
    ) -> Self:
        """Learn the clusters of the rows of X.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), optional
            Labels of any kind with unknowns (-1, None, NaN, blank text) are used, as all pairs
            among the labeled rows, together with the pairs that are given. A complete y is ignored,
            as in every clusterer.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of row numbers that are the same kind, or different.
        constraints : PairConstraints, optional
            Both kinds of pairs, in place of the two.
        graph : sparse array of shape (n_samples, n_samples), optional
            A precomputed graph in place of the one made from X: symmetric, with weights of
            0 or more.
        callback : callable, optional
            Called after each iteration of an iterative method, with a record that has at least
            ``iteration``; DGSL and SameKind give a State (iteration, H, Z, record). Where it raises
            StopIteration, the fit ends with this iteration, status INTERRUPTED; after any other
            exception the estimator is not fitted.

        Returns
        -------
        self : the fitted estimator
        """
        with all_or_none(self):
            self._fit_checked(X, y, must_link, cannot_link, constraints, graph, callback)
        return self

    @property
    def cluster_names_(self) -> tuple[str, ...]:
        """What to call the clusters: by the given labels that they hold, else by their numbers."""
        known: Supervision = self._fit_known
        return known.cluster_names(self.labels_, getattr(self, "n_clusters_", self.n_clusters))

    def score(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        constraints: PairConstraints | None = None,
        sample_weight: None = None,
    ) -> float:
        """The share of pairs that the predicted labels of the rows of X keep.

        Meant for pairs that were held out of ``fit``, as PairShuffleSplit does it.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,), optional
            Labels of any kind, -1, None or NaN where unknown: all pairs among the labeled rows.
            A complete y is used too, unlike in ``fit``.
        must_link, cannot_link, constraints :
            Pairs among the rows of this X, as in ``fit``.
        sample_weight : None
            Pairs have no weights. It is here as scikit-learn's Pipeline hands it on, always.

        Returns
        -------
        score : float
            Between 0 and 1. Without pairs there is none, and a ValueError says so.
        """
        if sample_weight is not None:
            raise ValueError("sample_weight came, but pairs have no weights; leave it out")
        labels = self.predict(X)
        pairs = pairs_for(len(labels), must_link, cannot_link, constraints)
        return share_of_pairs_kept(labels, pairs, y)

    def _fit_checked(
        self,
        X: Any,
        y: Any,
        must_link: ArrayLike | None,
        cannot_link: ArrayLike | None,
        constraints: PairConstraints | None,
        graph: Any,
        callback: Callback | None,
    ) -> None:
        check_parameters(self)
        X = self._checked_rows(X, reset=True, smallest=2)
        n = X.shape[0]
        k = self.n_clusters
        if k is not None and k > n:
            raise ValueError(f"n_samples={n} should be >= n_clusters={k}.")
        known = supervision_of(pairs_for(n, must_link, cannot_link, constraints), y)
        pairs = known.constraints
        if k is not None:
            warn_of_clique(pairs, k)
        self._warn_of_unused(pairs)
        random_state = check_random_state(self.random_state)
        neighbors = self.n_neighbors, self.scale_neighbor
        given = Given(X, pairs, graph, saying(self, callback), random_state, *neighbors)
        # More threads of BLAS get in each other's way, and add up in another order.
        with threadpool_limits(limits=1), on_threads(self.n_jobs):
            self._fit(given)
            alone = isolated(getattr(self, "affinity_matrix_", None))
            if self.status_.usable and self.n_clusters != 1 and 2 * len(alone) > n:
                self.status_ = Status.EDGELESS
            if self.status_.usable and self._collapsed(given):
                self.status_ = Status.COLLAPSED
        if self.status_.converged or self.status_ is Status.FIRST_GRAPH:
            groups = np.where(in_pairs(pairs), pairs.group_of, -1)
            if len(np.unique(self.labels_)) < getattr(self, "n_clusters_", k):
                self.status_ = Status.EMPTY_CLUSTERS
            elif graph is None and fewer_rows_than_clusters(X, self.labels_, groups):
                self.status_ = Status.UNDECIDED
        self.constraint_report_ = pairs.evaluate(self.labels_)
        self._fit_X, self._fit_known = self._scaled(X), known
        self._warn_of_isolated()
        warn_of_merged(X, self._fit_X, self.labels_, type(self).__name__)
        self._warn_of_status()

    def _fit(self, given: Given) -> None:
        """Set labels_, status_ and whatever else the method finds out."""
        raise NotImplementedError

    def _say(self, sentence: str) -> None:
        say(self, sentence)

    def _collapsed(self, given: Given) -> bool:
        """Whether the labels ignore the local graph."""
        local = given.local if given.X.shape[0] <= MOST_SAMPLES else None
        rows = given.X if given.graph is None else None
        return collapsed(self.labels_, given.pairs, local, self.n_clusters, given.order, rows)

    def _warn_of_unused(self, pairs: PairConstraints) -> None:
        given = {"must-links": len(pairs.must_link), "cannot-links": len(pairs.cannot_link)}
        used = USED[self.SUPERVISION]
        unused = [kind for kind, count in given.items() if count and kind not in used]
        if unused:
            warn_caller(
                f"{type(self).__name__} ignores {' and '.join(unused)}; "
                "constraint_report_ lists which of them are satisfied"
            )

    def _warn_of_isolated(self) -> None:
        warn_of_isolated(getattr(self, "affinity_matrix_", None), type(self).__name__)

    def _warn_of_status(self) -> None:
        if not self.status_.converged:
            sentence = f"{type(self).__name__}: {self.status_}"
            warn_caller(sentence, ConvergenceWarning)
