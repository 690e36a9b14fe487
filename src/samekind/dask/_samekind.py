"""SameKind on landmarks: fitted on one machine, all other rows labeled by partitions."""

# mypy: allow-untyped-calls

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from samekind import estimators
from samekind._typing import FloatArray, IntArray, RandomState
from samekind.constraints import PairConstraints
from samekind.dask._coverage import Coverage
from samekind.dask._known import Known, known_of
from samekind.dask._labeling import Labeler
from samekind.dask._landmarks import choose_landmarks
from samekind.dask._partitions import Partitions, partitions_of
from samekind.dask._running import OnProgress, quiet
from samekind.estimators._base.caller import warn_caller
from samekind.estimators._base.parameters import (
    AutoOrBool,
    Jobs,
    Number,
    Range,
    Whole,
    check_parameters,
)
from samekind.estimators._base.prediction import all_or_none
from samekind.estimators._base.progress import say
from samekind.estimators._base.validation import check_random_state

MANY_FAR = 0.05  # a share of far rows that is worth a warning


class SameKind(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """SameKind for dask arrays and dataframes.

    Rows in pairs, labeled rows and rows from all parts of the data, the landmarks, are fitted by
    ``samekind.SameKind`` in this process. Every other row is labeled by its nearest landmarks,
    partition by partition, when its label is computed. No array as long as X is ever made here.
    The same rows and ``random_state`` give the same labels, whatever the workers.

    Parameters
    ----------
    n_clusters : int or None, default=8
        k, the number of clusters; None: chosen from the landmarks.
    n_landmarks : int, default=20000
        Most rows that are fitted; where X has no more, all are.
    n_rounds : int, default=1
        2: rows that are far from all cells get cells, and landmarks, of their own.
    standardize, max_iter, memory_limit, n_jobs, verbose :
        As in ``samekind.SameKind``, for the fit of the landmarks.
    random_state : int, RandomState instance, Generator or None, default=None
        For the landmarks and the fit.

    Attributes
    ----------
    labels_ : dask array of shape (n_rows,)
        Cluster of each row, lazy: the most likely one.
    probabilities_ : dask array of shape (n_rows, n_clusters)
        How sure the clusters are of each row, lazy.
    landmarks_ : ndarray
        Row numbers of the landmarks.
    coverage_ : Coverage
        Which rows are far from all landmarks; ``print(model.coverage_)`` says it in words.
    model_ : samekind.SameKind
        The fit of the landmarks, with all of its attributes.
    status_, choice_, n_clusters_ :
        As ``model_`` has them.
    constraint_report_ : ConstraintReport
        Pairs satisfied, pairs violated, and which, by their row numbers in X.
    cluster_names_ : tuple of str
        What to call cluster 0, 1, ...: by the given labels that it holds, else by its number.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Where X is a dataframe.

    Examples
    --------
    >>> import dask.array as da
    >>> from sklearn.datasets import make_blobs
    >>> from samekind.dask import SameKind
    >>> X, y = make_blobs(2000, centers=3, random_state=0, cluster_std=0.5)
    >>> rows = da.from_array(X, chunks=(500, 2))
    >>> model = SameKind(3, n_landmarks=300, random_state=0).fit(rows, must_link=[(0, 2)])
    >>> model.labels_
    dask.array<concatenate, shape=(2000,), dtype=int64, chunksize=(500,), chunktype=numpy.ndarray>
    >>> from samekind.metrics import clustering_accuracy
    >>> clustering_accuracy(y, model.labels_.compute()) > 0.95
    True
    """

    SUPERVISION: ClassVar[str] = "pairs"
    RANGES: ClassVar[dict[str, Range]] = {
        "n_clusters": Whole(1, or_none=True),
        "n_landmarks": Whole(2),
        "n_rounds": Whole(1),
        "standardize": AutoOrBool(),
        "max_iter": Whole(1),
        "memory_limit": Number(0, closed=True, or_none=True),
        "n_jobs": Jobs(),
        "verbose": Whole(0),
    }

    landmarks_: IntArray
    coverage_: Coverage
    model_: estimators.SameKind

    def __init__(
        self,
        n_clusters: int | None = 8,
        *,
        n_landmarks: int = 20_000,
        n_rounds: int = 1,
        standardize: bool | str = "auto",
        random_state: RandomState = None,
        max_iter: int = 50,
        memory_limit: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_landmarks = n_landmarks
        self.n_rounds = n_rounds
        self.standardize = standardize
        self.random_state = random_state
        self.max_iter = max_iter
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        constraints: PairConstraints | None = None,
        on_progress: OnProgress | None = None,
    ) -> Self:
        """Choose landmarks, and learn their clusters.

        X is read twice (once more for each further round, for the rows of a dataframe to be
        counted, and in part for the landmarks), and once more when labels are computed.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_rows, n_features)
            With chunks of known sizes.
        y : array-like or dask array of shape (n_rows,), or mapping, optional
            Labels, -1, None or NaN where unknown; a complete y is ignored. A mapping from row
            numbers to labels names the known ones alone.
        must_link, cannot_link, constraints :
            Pairs of row numbers, as in ``samekind.SameKind``.
        on_progress : callable, optional
            Called with what is being done, in words, and the share of it that is done.

        Returns
        -------
        self : the fitted estimator
        """
        # One thread: sums of k-means have one order.
        with all_or_none(self), threadpool_limits(limits=1):
            check_parameters(self)
            tell = on_progress or quiet
            parts = partitions_of(X, tell)
            self._check_sizes(parts)
            given = (y, must_link, cannot_link, constraints)
            known = known_of(parts.n_rows, *given, self.n_landmarks, tell)
            seed = int(check_random_state(self.random_state).randint(2**31))
            chosen = choose_landmarks(
                parts,
                known.rows,
                self.n_landmarks,
                n_rounds=self.n_rounds,
                standardize=self.standardize,
                seed=seed,
                on_progress=tell,
                say=partial(say, self),
            )
            self.landmarks_, self.coverage_ = chosen.numbers, chosen.coverage
            self._warn_of_far()
            self._fit(chosen.rows, known, tell)
            self._fit_landmarks, self._fit_parts = chosen, parts
            self.n_features_in_ = parts.n_features
            if parts.names is not None:
                self.feature_names_in_ = np.array(parts.names, dtype=object)
        return self

    def _check_sizes(self, parts: Partitions) -> None:
        least = 2 if self.n_clusters is None else max(2, self.n_clusters)
        if self.n_landmarks < least:
            raise ValueError(
                f"n_landmarks={self.n_landmarks} should be >= n_clusters={self.n_clusters}"
            )
        if parts.n_rows < least:
            raise ValueError(f"X has {parts.n_rows} rows; expected {least} or more")

    def _warn_of_far(self) -> None:
        if self.coverage_.share_far > MANY_FAR:
            warn_caller(
                f"{self.coverage_.n_far} of {self.coverage_.n_rows} rows are far from all "
                "landmarks; raise n_landmarks, or set n_rounds=2"
            )

    def _fit(self, rows: FloatArray, known: Known, tell: OnProgress) -> None:
        tell("fitting landmarks", 0.0)
        model = estimators.SameKind()
        model.set_params(**{name: getattr(self, name) for name in model.get_params()})
        self._fit_known = known.among(self.landmarks_)
        model.fit(
            rows,
            constraints=self._fit_known.constraints,
            callback=lambda state: tell("fitting landmarks", state.iteration / self.max_iter),
        )
        self.model_, self._fit_labeler = model, Labeler(model)
        self.status_, self.choice_ = model.status_, model.choice_
        self.n_clusters_ = model.n_clusters_
        report = model.constraint_report_
        self.constraint_report_ = replace(
            report,
            violated_must_link=self.landmarks_[report.violated_must_link],
            violated_cannot_link=self.landmarks_[report.violated_cannot_link],
        )

    @property
    def labels_(self) -> Any:
        """Cluster of each row, lazy."""
        return self._lazy_of_fit(0)

    @property
    def probabilities_(self) -> Any:
        """How sure the clusters are of each row, lazy."""
        return self._lazy_of_fit(1)

    @property
    def cluster_names_(self) -> tuple[str, ...]:
        """What to call the clusters: by the given labels that they hold, else by their numbers."""
        return self._fit_known.cluster_names(self.model_.labels_, self.n_clusters_)

    def _lazy_of_fit(self, which: int) -> Any:
        if not hasattr(self, "model_"):  # as any attribute that is not there yet
            raise AttributeError(f"this {type(self).__name__} is not fitted yet; call fit first")
        return self._fit_labeler.lazy(self._fit_parts, which, self.landmarks_)

    def map_partitions(
        self, function: Callable[..., Any], *args: Any, on_progress: OnProgress | None = None
    ) -> list[Any]:
        """What a function makes of each partition: to write results where they are computed.

        Parameters
        ----------
        function : callable
            ``function(start, labels, probabilities, far, *args)``, called by a worker, for each
            partition of X: the number of its first row, the labels and probabilities of its rows,
            and which of them are far from all landmarks. It may be called once more for the same
            partition, where a worker has died.
        *args :
            Dask collections with the partitions of X are handed over partition by partition, all
            else as it is.
        on_progress : callable, optional
            As in ``fit``.

        Returns
        -------
        results : list
            One for each partition, in their order.

        Examples
        --------
        >>> import dask.array as da
        >>> from sklearn.datasets import make_blobs
        >>> X, y = make_blobs(400, centers=2, random_state=0)
        >>> model = SameKind(2, n_landmarks=100, random_state=0).fit(da.from_array(X, (100, 2)))
        >>> model.map_partitions(lambda start, labels, probabilities, far: (start, len(labels)))
        [(0, 100), (100, 100), (200, 100), (300, 100)]
        """
        check_is_fitted(self, "model_")
        return self._fit_labeler.map(
            function,
            self._fit_parts,
            self.landmarks_,
            self._fit_landmarks.cells,
            args,
            on_progress or quiet,
        )

    def predict(self, X: Any) -> Any:
        """Labels of new rows, lazy, from their nearest landmarks.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_rows, n_features)
            For rows in memory there is ``model_.predict``.

        Returns
        -------
        labels : dask array of shape (n_rows,)
        """
        return self._fit_labeler.lazy(self._new(X), 0)

    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the clusters for new rows, lazy.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_rows, n_features)

        Returns
        -------
        probabilities : dask array of shape (n_rows, n_clusters)
        """
        return self._fit_labeler.lazy(self._new(X), 1)

    def _new(self, X: Any) -> Partitions:
        check_is_fitted(self, "model_")
        names = getattr(self, "feature_names_in_", None)
        return partitions_of(X, quiet, self.n_features_in_, names)
