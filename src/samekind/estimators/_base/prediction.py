"""Validation of X, the same for every method, and labels of new rows."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from samekind._threads import n_threads, on_threads
from samekind._typing import BoolArray, FloatArray, IntArray, RandomState
from samekind.estimators._base.html import status_html
from samekind.graph._cells import cells_of
from samekind.graph._knn import local_weights, nearest_rows
from samekind.graph._matrices import refuse_extreme_units, refuse_masked
from samekind.graph._neighbors import CELLS_FROM, find_in_cells


@contextmanager
def all_or_none(estimator: Any) -> Iterator[None]:
    """A fit that fails or is interrupted leaves no fitted attribute, of this fit or another."""
    _forget(estimator)
    try:
        yield
    except BaseException:
        _forget(estimator)
        raise


def _forget(estimator: Any) -> None:
    for name in list(vars(estimator)):
        if name.startswith("_fit_") or (name.endswith("_") and not name.startswith("_")):
            delattr(estimator, name)


class RowsEstimator(BaseEstimator):  # type: ignore[misc]
    """Checks rows, and gives new ones the labels of the nearest rows seen in fit."""

    n_neighbors: int
    scale_neighbor: int
    random_state: RandomState
    memory_limit: float | None
    n_jobs: int | None = None  # a parameter of some methods
    labels_: IntArray

    def _checked_rows(self, X: Any, *, reset: bool, smallest: int = 1) -> Any:
        refuse_masked(X, "X")
        X = validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=[np.float64, np.float32],
            ensure_min_samples=smallest,
            reset=reset,
        )
        refuse_extreme_units(X)
        return X

    def predict(self, X: Any) -> IntArray:
        """Labels of new rows: a vote of their nearest training rows, weighted as in (8).

        Each row is predicted on its own. A row equal to a training row gets that row's label; where
        equal training rows have different labels, the label of one of them.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_rows, n_features)

        Returns
        -------
        labels : ndarray of shape (n_rows,)
        """
        nearest, weight, same = self._voters(X)
        labels: IntArray = _vote(self.labels_[nearest], weight)
        labels[same] = self.labels_[nearest[same, 0]]
        return labels

    def _voters(self, X: Any) -> tuple[IntArray, FloatArray, BoolArray]:
        """Nearest training rows of new rows, their weights, and which new rows equal the first."""
        check_is_fitted(self)
        X = self._scaled(self._checked_rows(X, reset=False))
        if issparse(X) != issparse(self._fit_X):
            X = X.toarray() if issparse(X) else csr_array(X)
        X = _in_precision_of(self._fit_X, X)
        voters = min(max(self.n_neighbors - 1, self.scale_neighbor - 1, 1), self._fit_X.shape[0])
        with on_threads(self.n_jobs):
            nearest, distance = self._nearest(X, voters)
        # No floor: where the length scale is zero, the first row is equal to the new one.
        weight = local_weights(distance, self.scale_neighbor, np.finfo(np.float64).tiny)
        weight[:, max(self.n_neighbors - 1, 1) :] = 0.0
        return nearest, weight, distance[:, 0] == 0

    def _nearest(self, X: Any, n_near: int) -> tuple[IntArray, FloatArray]:
        """The nearest training rows of new rows; of very many from cells, made once."""
        seen = self._fit_X
        if issparse(seen) or len(seen) < CELLS_FROM:
            return nearest_rows(seen, n_near, rows=X)
        # Threads of BLAS beside ours would get in their way.
        with threadpool_limits(limits=1) if n_threads() > 1 else nullcontext():
            if not hasattr(self, "_fit_cells"):
                self._fit_cells = cells_of(seen)
            return find_in_cells(seen, self._fit_cells, n_near, X)

    def _scaled(self, X: Any) -> Any:
        """Rows as the method compares them."""
        return X

    def report(
        self,
        *,
        names: Iterable[object] | None = None,
        image_shape: tuple[int, int] | None = None,
        height: int = 640,
    ) -> Any:
        """The page that ``samekind cluster`` writes, shown in a frame in a notebook.

        Parameters
        ----------
        names : iterable, optional
            A different name for each row that was fitted; "row 0" and so on by default.
        image_shape : (height, width), optional
            Set when every row is a gray picture.
        height : int, default=640
            Of the frame, in pixels.

        Returns
        -------
        report : Report
            ``report.save("report.html")`` writes it, ``report.html`` is its text. Needs the
            extra ``app``.
        """
        check_is_fitted(self)
        try:
            from samekind.app.notebook import report_of
        except ModuleNotFoundError as error:
            raise ImportError(
                f"report needs the package {error.name}, which is not installed; run: "
                'pip install ".[app]" in the source folder'
            ) from None
        return report_of(self, names, image_shape, height)

    @property
    def _repr_html_(self) -> Any:
        diagram = super()._repr_html_  # missing where scikit-learn is told to show text
        return lambda: diagram() + status_html(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] += status_html(self)
        return bundle

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _in_precision_of(seen: Any, X: Any) -> Any:
    """New rows rounded as those seen in fit, so that equal rows stay equal."""
    if X.dtype == seen.dtype or seen.dtype != np.float32:
        return X
    largest = np.finfo(np.float32).max / 4  # a power of two above it is still a number
    if issparse(X):
        parts = np.clip(X.data, -largest, largest).astype(np.float32), X.indices, X.indptr
        return csr_array(parts, shape=X.shape)
    return np.clip(X, -largest, largest).astype(np.float32)


def _vote(labels: IntArray, weight: FloatArray) -> IntArray:
    """The label with the largest sum of weights in each row; ties go to the smaller label."""
    there, places = np.unique(labels, return_inverse=True)
    votes = np.zeros((len(labels), len(there)))
    np.add.at(votes, (np.arange(len(labels))[:, None], places.reshape(labels.shape)), weight)
    return np.asarray(there[votes.argmax(axis=1)])
