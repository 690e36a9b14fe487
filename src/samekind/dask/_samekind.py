"""SameKind on landmarks: fitted on one machine, all other rows labeled by partitions."""

# mypy: allow-untyped-calls

import copy
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

import dask.array as da
import numpy as np
from dask.delayed import delayed
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from samekind import estimators
from samekind._selection.scaling import one_feature_decides, scaling_of
from samekind._typing import FloatArray, IntArray, RandomState
from samekind.constraints import PairConstraints
from samekind.dask._cells import (
    KEPT,
    ROWS_PER_CELL,
    Cells,
    Survey,
    cells_of,
    merge,
    survey,
)
from samekind.dask._coverage import Coverage
from samekind.dask._known import Known, known_of
from samekind.dask._partitions import Block, Partitions, partitions_of
from samekind.dask._running import OnProgress, merged, quiet, run
from samekind.estimators._base.caller import warn_caller
from samekind.estimators._base.parameters import AutoOrBool, Number, Range, Whole, check_parameters
from samekind.estimators._base.prediction import all_or_none
from samekind.estimators._base.progress import say
from samekind.estimators._base.validation import check_random_state

MANY_FAR = 0.05  # a share of far rows that is worth a warning
# What labels of other rows do not need, and no worker has to receive.
NOT_SENT = ("embedding_", "affinity_matrix_", "representation_", "history_", "choice_")


class SameKind(BaseEstimator):  # type: ignore[misc]
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
    standardize, max_iter, memory_limit, verbose :
        As in ``samekind.SameKind``.
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

    RANGES: ClassVar[dict[str, Range]] = {
        "n_clusters": Whole(1, or_none=True),
        "n_landmarks": Whole(2),
        "n_rounds": Whole(1),
        "standardize": AutoOrBool(),
        "max_iter": Whole(1),
        "memory_limit": Number(0, closed=True, or_none=True),
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
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_landmarks = n_landmarks
        self.n_rounds = n_rounds
        self.standardize = standardize
        self.random_state = random_state
        self.max_iter = max_iter
        self.memory_limit = memory_limit
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

        X is read twice (once more for each further round, and in part for the landmarks), and once
        more when labels are computed.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_rows, n_features)
            With chunks of known sizes.
        y : array-like or dask array of shape (n_rows,), optional
            Labels, -1, None or NaN where unknown; a complete y is ignored.
        must_link, cannot_link, constraints :
            Pairs of row numbers, as in ``samekind.SameKind``.
        on_progress : callable, optional
            Called with what is being done, in words, and the share of it that is done.

        Returns
        -------
        self : the fitted estimator
        """
        with all_or_none(self):
            check_parameters(self)
            tell = on_progress or quiet
            parts = partitions_of(X, tell)
            self._check_sizes(parts)
            given = (y, must_link, cannot_link, constraints)
            known = known_of(parts.n_rows, *given, self.n_landmarks, tell)
            seed = int(check_random_state(self.random_state).randint(2**31))
            rows, cells = self._choose(parts, known, seed, tell)
            self._fit(rows, known, tell)
            self._cells, self._parts = cells, parts
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

    def _choose(
        self, parts: Partitions, known: Known, seed: int, tell: OnProgress
    ) -> tuple[FloatArray, Cells | None]:
        """The landmarks' rows, and the cells that they come from."""
        n, most = parts.n_rows, self.n_landmarks
        if n <= most:
            self.landmarks_ = np.arange(n)
            self.coverage_ = Coverage(n, n, 1, 0, 0, np.empty(0, dtype=np.int64))
            return parts.take(self.landmarks_, "reading", tell, all_parts=True), None
        sampled = np.random.default_rng(seed).choice(n, most, replace=False)
        looked_at = np.union1d(sampled, known.rows)
        rows = parts.take(looked_at, "reading", tell, all_parts=True)
        n_cells = max(1, most // ROWS_PER_CELL)
        standardize = self.standardize is True or (
            self.standardize == "auto" and one_feature_decides(rows)
        )
        cells = cells_of(rows, scaling_of(rows, standardize=standardize), n_cells, seed)
        cells = cells.with_rows(rows[np.isin(looked_at, known.rows)], n_cells)
        self._say(f"{cells.n_cells} cells")
        found = _survey(parts, cells, seed, most, tell)
        before = found.n_far
        for _ in range(1, self.n_rounds):
            if found.n_far:
                far = parts.take(np.sort(found.far_row), "reading far rows", tell)
                cells = cells.with_groups(far, n_cells, seed)
                found = _survey(parts, cells, seed, most, tell)
        # Rows that are known come on top of those of their cells, which then give way.
        chosen = found.chosen(max(most - len(known.rows), 0))
        self.landmarks_ = np.union1d(chosen, known.rows)
        self.coverage_ = Coverage(
            n, len(self.landmarks_), cells.n_cells, found.n_far, before, found.far_row
        )
        self._say(str(self.coverage_))
        if self.coverage_.share_far > MANY_FAR:
            warn_caller(
                f"{found.n_far} of {n} rows are far from all landmarks; raise n_landmarks, or set "
                "n_rounds=2"
            )
        return parts.take(self.landmarks_, "reading landmarks", tell), cells

    def _fit(self, rows: FloatArray, known: Known, tell: OnProgress) -> None:
        tell("fitting landmarks", 0.0)
        names = ("n_clusters", "standardize", "max_iter", "memory_limit", "verbose", "random_state")
        model = estimators.SameKind(**{name: getattr(self, name) for name in names})
        pairs = known.among(self.landmarks_)
        model.fit(
            rows,
            constraints=pairs,
            callback=lambda state: tell("fitting landmarks", state.iteration / self.max_iter),
        )
        self.model_, self._known = model, known
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
        check_is_fitted(self, "model_")
        return self._lazy(self._parts, 0, self.landmarks_)

    @property
    def probabilities_(self) -> Any:
        check_is_fitted(self, "model_")
        return self._lazy(self._parts, 1, self.landmarks_)

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
        check_is_fitted(self, "model_")
        return self._lazy(partitions_of(X, quiet, self.n_features_in_), 0)

    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the clusters for new rows, lazy.

        Parameters
        ----------
        X : dask array or dataframe of shape (n_rows, n_features)

        Returns
        -------
        probabilities : dask array of shape (n_rows, n_clusters)
        """
        check_is_fitted(self, "model_")
        return self._lazy(partitions_of(X, quiet, self.n_features_in_), 1)

    def _lazy(self, parts: Partitions, which: int, landmarks: IntArray | None = None) -> Any:
        """Labels or probabilities as one dask array; both share the work where both are asked."""
        shape = ((), (self.n_clusters_,))[which]
        dtype = (np.int64, np.float64)[which]
        return da.concatenate(
            [
                da.from_delayed(found[which], (block.size, *shape), dtype=dtype)
                for block, found in zip(parts.blocks, self._labeled(parts, landmarks), strict=True)
            ]
        )

    def _labeled(self, parts: Partitions, landmarks: IntArray | None) -> list[Any]:
        """For every partition a task that gives labels and probabilities."""
        lean = copy.copy(self.model_)
        for name in NOT_SENT:
            delattr(lean, name)
        sent = delayed(lean, traverse=False)
        call = delayed(_label, pure=True, nout=2)
        return [
            call(block, data, sent, _positions(block, landmarks))
            for block, data in zip(parts.blocks, parts.data, strict=True)
        ]

    def _say(self, sentence: str) -> None:
        say(self, sentence)


def _survey(parts: Partitions, cells: Cells, seed: int, most: int, tell: OnProgress) -> Survey:
    per_cell = KEPT * max(1, most // cells.n_cells)
    tasks = parts.tasks(survey, cells, seed, per_cell, most)
    whole = merged(tasks, partial(merge, per_cell=per_cell, most_far=most))
    found: Survey = run([whole], "choosing landmarks", tell)[0]
    return found


def _positions(block: Block, landmarks: IntArray | None) -> tuple[IntArray, IntArray]:
    """Rows of a partition that are landmarks, and which."""
    if landmarks is None:
        landmarks = np.empty(0, dtype=np.int64)
    first, last = np.searchsorted(landmarks, [block.start, block.start + block.size])
    return landmarks[first:last] - block.start, np.arange(first, last)


def _label(
    block: Block, data: Any, model: estimators.SameKind, own: tuple[IntArray, IntArray]
) -> tuple[IntArray, FloatArray]:
    if not block.size:
        return np.empty(0, dtype=np.int64), np.empty((0, model.n_clusters_))
    probabilities = model.predict_proba(block.rows(data))
    labels = probabilities.argmax(axis=1)
    at, landmark = own
    probabilities[at], labels[at] = model.probabilities_[landmark], model.labels_[landmark]
    return labels, probabilities
