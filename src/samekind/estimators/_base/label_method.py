"""The base class of methods that learn from partial labels: validation, fit, report."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import assert_all_finite, check_consistent_length, column_or_1d
from threadpoolctl import threadpool_limits

from samekind._kernels.propagation import one_hot
from samekind._kernels.status import Status
from samekind._selection.scaling import own_order
from samekind._typing import BoolArray, FloatArray, IntArray
from samekind.constraints import ConstraintReport, PairConstraints, Supervision
from samekind.estimators._base.caller import warn_caller
from samekind.estimators._base.collapse import (
    MOST_SAMPLES,
    collapsed,
    fewer_rows_than_clusters,
    row_values,
)
from samekind.estimators._base.pair_method import Callback
from samekind.estimators._base.parameters import Number, Range, Whole, check_parameters
from samekind.estimators._base.prediction import RowsEstimator, all_or_none
from samekind.estimators._base.validation import check_random_state
from samekind.graph import local_graph
from samekind.graph._matrices import refuse_masked

UNKNOWN = -1
TIE_DECIMALS = 10  # of shares
MOST_COMPARED = 300  # given labels whose pairs are looked at


@dataclass(frozen=True)
class Spread:
    """What a label method finds."""

    F: FloatArray  # (n_samples, n_classes), rows sum to 1
    reached: BoolArray  # (n_samples,)
    status: Status
    fitted: dict[str, Any]  # further attributes of the estimator, such as affinity_matrix_


class LabelMethod(ClassifierMixin, RowsEstimator):  # type: ignore[misc]
    """A classifier of rows of which some have a label; subclasses implement ``_spread``.

    Parameters
    ----------
    n_neighbors : int, default=7
        m: nearest rows that vote on the label of a new row, the row itself being counted as
        the first.
    scale_neighbor : int, default=5
        l: the neighbor whose distance is the length scale of a row, the row itself being the
        first.
    random_state : int, RandomState instance, Generator or None, default=None
        For methods that use random numbers; the others are deterministic.
    memory_limit : float or None, default=None
        Bytes that the largest arrays may take; by default what machine or container have
        left. More samples than fit are refused before anything is allocated.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels that were given, sorted.
    labels_, transduction_ : ndarray of shape (n_samples,)
        A label for each sample.
    label_distributions_ : ndarray of shape (n_samples, n_classes)
        Shares of the classes for each sample; rows sum to 1.
    n_unreached_ : int
        Samples that no label can reach on the graph; they get the shares of the given labels,
        hence the most frequent class.
    status_ : Status
        How the run ended; ``str(status_)`` is a sentence with a remedy.
    constraint_report_ : ConstraintReport
        Given labels kept, given labels overruled, and which.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has some.
    """

    RANGES: ClassVar[dict[str, Range]] = {
        "n_neighbors": Whole(1),
        "scale_neighbor": Whole(1),
        "memory_limit": Number(0, closed=True, or_none=True),
    }

    def fit(self, X: Any, y: Any, *, callback: Callback | None = None) -> Self:
        """Learn the labels of all rows of X from those of some.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels, integers; -1 where unknown.
        callback : callable, optional
            Called after each iteration of an iterative method, with a record that has at least
            ``iteration``. Where it raises StopIteration, the fit ends with this iteration, status
            INTERRUPTED; after any other exception the estimator is not fitted.

        Returns
        -------
        self : the fitted estimator
        """
        return self._fit_labels(X, y, callback)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of labels that are predicted right, among the rows whose label is known.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
            Labels; -1, where unknown, does not count.
        sample_weight : array-like of shape (n_rows,), optional

        Returns
        -------
        score : float
            Between 0 and 1. Without a known label there is none, and a ValueError says so.
        """
        given = checked_labels(y, type(self).__name__)
        known = given != UNKNOWN
        if not known.any():
            raise ValueError(
                f"none of the {len(given)} rows has a label, so there is nothing to score; in "
                "cross-validation use StratifiedKFold or more labels, so that each fold has some"
            )
        weight = None if sample_weight is None else np.asarray(sample_weight)[known]
        return float(accuracy_score(given[known], self.predict(X)[known], sample_weight=weight))

    def _fit_labels(self, X: Any, y: Any, callback: Callback | None, **more: Any) -> Self:
        """What fit does; ``more`` holds further arguments of a method's own fit."""
        with all_or_none(self):
            self._fit_checked(X, y, callback, **more)
        return self

    def _fit_checked(self, X: Any, y: Any, callback: Callback | None, **more: Any) -> None:
        check_parameters(self)
        X = self._checked_rows(X, reset=True, smallest=2)
        given = checked_labels(y, type(self).__name__)
        check_consistent_length(X, given)
        classes = np.unique(given[given != UNKNOWN])
        refuse_too_few(classes)
        self.classes_ = classes
        random_state = check_random_state(self.random_state)
        # One thread: sums are always added up in the same order.
        with threadpool_limits(limits=1):
            Y = one_hot(given, classes)
            run = self._spread(X, Y, callback, random_state=random_state, **more)
            rows = self._behind_the_graph(X, more)
            if rows is not None and len(Y) <= MOST_SAMPLES:
                run = replace(run, F=same_shares(run.F, rows, Y))
            found = first_largest(run.F)
            if run.status.usable and self._collapsed(X, Y, found, run, more):
                run = replace(run, status=Status.COLLAPSED)
            if run.status.converged and len(np.unique(found)) < len(classes):
                run = replace(run, status=Status.EMPTY_CLUSTERS)
            known = np.where(Y.any(axis=1), Y.argmax(axis=1), UNKNOWN)
            looked_at = run.status.converged and rows is not None
            if looked_at and fewer_rows_than_clusters(rows, found, known):
                run = replace(run, status=Status.UNDECIDED)
        self.label_distributions_ = run.F
        self.labels_ = self.transduction_ = classes[found]
        self.n_unreached_ = int((~run.reached).sum())
        self.status_ = run.status
        self.constraint_report_ = ConstraintReport.of_labels(given, self.labels_)
        for name, value in run.fitted.items():
            setattr(self, name, value)
        self._fit_X, self._fit_known = X, Supervision.from_labels(given)
        self._warn_of_unreached(run)
        if not self.status_.converged:
            sentence = f"{type(self).__name__}: {self.status_}"
            warn_caller(sentence, ConvergenceWarning)

    def _collapsed(
        self, X: Any, Y: FloatArray, found: IntArray, run: Spread, more: dict[str, Any]
    ) -> bool:
        """Whether the labels ignore the neighbors; ``found`` numbers the classes from 0."""
        local = self._local(X, run) if X.shape[0] <= MOST_SAMPLES else None
        rows = self._behind_the_graph(X, more)
        known = np.flatnonzero(Y.any(axis=1))
        some = known[np.unique(np.linspace(0, len(known) - 1, MOST_COMPARED).astype(int))]
        given = np.full(len(Y), UNKNOWN)
        given[some] = Y[some].argmax(axis=1)
        pairs = PairConstraints.from_labels(given)
        return collapsed(found, pairs, local, len(self.classes_), own_order(X), rows)

    def _behind_the_graph(self, X: Any, more: dict[str, Any]) -> Any:
        """The rows that the graph was made of; None where it was given."""
        return X

    def _local(self, X: Any, run: Spread) -> csr_array:
        """The graph of neighbors that labels are compared with."""
        return local_graph(X, self.n_neighbors, self.scale_neighbor)

    def _warn_of_unreached(self, run: Spread) -> None:
        rows = np.flatnonzero(~run.reached)
        if len(rows):
            some = ", ".join(map(str, rows[:10])) + (", ..." if len(rows) > 10 else "")
            warn_caller(
                f"{type(self).__name__}: no label reaches {len(rows)} of {len(run.reached)} "
                f"samples on the graph, rows {some}; they get the most frequent class; raise "
                "n_neighbors, or label one sample of each part"
            )

    def _spread(self, X: Any, Y: FloatArray, callback: Callback | None, **more: Any) -> Spread:
        """Distributions over the classes, from rows and labels (one-hot, zeros: unknown).

        ``more`` holds random_state, and what the method's own fit takes beside X and y.
        """
        raise NotImplementedError


def first_largest(F: FloatArray) -> IntArray:
    """The class with the largest share, for each row; of several, the first.

    Shares that only rounding separates are equal, whatever the order of the rows.

    Examples
    --------
    >>> first_largest(np.array([[0.3, 0.1 + 0.2, 0.4], [0.3, 0.1 + 0.2 + 1e-16, 0.2]]))
    array([2, 0])
    """
    return np.asarray(np.round(F, TIE_DECIMALS).argmax(axis=1))


def same_shares(F: FloatArray, X: Any, Y: FloatArray) -> FloatArray:
    """The same shares for rows that are equal and of which the same is known: their mean.

    Which of them are neighbors of others depends on their order alone.

    Examples
    --------
    >>> F, Y = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]), np.zeros((3, 2))
    >>> same_shares(F, np.array([[7.0], [8.0], [7.0]]), Y)
    array([[0.75, 0.25],
           [0.  , 1.  ],
           [0.75, 0.25]])
    """
    places = np.column_stack([row_values(X), Y])
    _, same = np.unique(places, axis=0, return_inverse=True)
    same = same.ravel()
    if same.max() + 1 == len(F):
        return F
    total = np.zeros((same.max() + 1, F.shape[1]))
    np.add.at(total, same, F)
    return np.asarray((total / np.bincount(same)[:, None])[same])


def checked_labels(y: Any, owner: str) -> IntArray:
    """One integer per row; scikit-learn refuses what is missing, NaN or not in one column.

    Examples
    --------
    >>> checked_labels([3.0, -1.0, 7.0], "HI")
    array([ 3, -1,  7])
    """
    if y is None:
        raise ValueError(
            f"{owner} requires y to be passed, but the target y is None; give one label per row, "
            "-1 where unknown"
        )
    refuse_masked(y, "y", "if they stand for unknown labels, use filled(-1)")
    y, is_column = column_or_1d(y), np.asarray(y).ndim == 2
    if is_column:
        warn_caller(
            "A column-vector y was passed when a 1d array was expected; use y.ravel()",
            DataConversionWarning,
        )
    assert_all_finite(y, input_name="y")
    values = y
    if y.dtype.kind == "O":
        values = np.array([x if isinstance(x, int | float | np.number) else np.nan for x in y])
    whole = values % 1 == 0 if values.dtype.kind in "iufb" else np.zeros(len(y), dtype=bool)
    if not whole.all():
        first = int(np.argmin(whole))
        raise ValueError(
            f"Unknown label type: y[{first}] is {y[first]!r}; expected integers, -1 where "
            "unknown; sklearn.preprocessing.LabelEncoder makes them from names"
        )
    return np.asarray(values, dtype=np.int64)


def refuse_too_few(classes: IntArray) -> None:
    """Refuse labels of fewer than two classes."""
    if len(classes) == 0:
        raise ValueError(
            "y holds no label, only -1 (unknown); give at least one sample of each class a label"
        )
    if len(classes) == 1:
        raise ValueError(
            f"y holds one class only, {classes[0]}; give labels of two classes or more, "
            "or use a method that takes pairs"
        )
