"""TraceRatioLDA: linear discriminant analysis as a trace ratio, (3) and (4) of the paper."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from samekind._kernels.trace_ratio import trace_ratio
from samekind._memory import require_memory
from samekind._typing import FloatArray, IntArray
from samekind.estimators._base.caller import warn_caller
from samekind.estimators._base.label_method import UNKNOWN, checked_labels, refuse_too_few
from samekind.estimators._base.parameters import Number, Range, Whole, check_parameters
from samekind.estimators._base.prediction import all_or_none
from samekind.graph._matrices import refuse_extreme_units, refuse_masked

# S_w is singular where its smallest eigenvalue is at most this share of the largest: what the
# trace ratio takes for zero.
SINGULAR = 1e-10


class TraceRatioLDA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Linear discriminant analysis: directions in which classes lie apart and are narrow.

    G maximizes Tr(G S_b G') / Tr(G S_w G') over GG' = I, where S_b is the sum over classes of
    n_c / n (m_c - m)(m_c - m)' and S_w the sum over samples of n_y / n (x - m_y)(x - m_y)', with
    the weights n_y / n as published: samples of large classes count more in both.

    The textbook's discriminant analysis maximizes the trace of (G S_w G')^-1 (G S_b G') instead.
    Verified against scikit-learn's where the two agree: one component, classes of equal size.
    Beyond, the optimum is certified by the sum of the largest eigenvalues of S_b - rho S_w, which
    is zero at the best ratio rho and nowhere else.

    The labeled rows are first rotated to their rank, as directions in which no sample differs
    belong to no ratio. Where S_w is singular even there, as with fewer labeled samples than
    features, the ratio has no bound. S_w is then replaced by (1 - s) S_w + s t I, where t is the
    trace of S_b + S_w over the rank, and ``shrinkage_`` reports s. This is chosen here; the paper
    does not discuss it. Cost: one singular value decomposition of the labeled rows, then a few
    eigenproblems of the size of their rank.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of directions, at most the rank of the labeled rows; by default one less than
        there are classes, or the rank if that is smaller.
    shrinkage : float, default=1e-3
        s, above 0 and below 1: used where S_w is singular, and nowhere else.
    memory_limit : float or None, default=None
        Bytes that the largest arrays may take; by default what the machine has left.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        G, orthonormal rows.
    mean_ : ndarray of shape (n_features,)
        Mean of the labeled rows; ``transform`` subtracts it.
    trace_ratio_ : float
        The ratio that G reaches, with the S_w that was used.
    shrinkage_ : float
        s where S_w was singular, else 0.
    classes_ : ndarray of shape (n_classes,)
        The labels that were given, sorted.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X has some.
    status_ : Status
        How the run ended; ``str(status_)`` is a sentence with a remedy.
    n_iter_ : int
        Eigenproblems solved.

    References
    ----------
    Y. Jia, F. Nie and C. Zhang, "Trace ratio problem revisited", 2009.
    T. Ngo, M. Bellalij and Y. Saad, "The trace ratio optimization problem", 2012.

    Examples
    --------
    >>> from samekind import TraceRatioLDA
    >>> X = [[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0], [9.0, 9.0]]
    >>> model = TraceRatioLDA().fit(X, [0, 0, 1, 1, -1])
    >>> abs(model.components_)
    array([[1., 0.]])
    >>> model.shrinkage_
    0.001
    """

    SUPERVISION: ClassVar[str] = "labels"

    RANGES: ClassVar[dict[str, Range]] = {
        "n_components": Whole(1, or_none=True),
        "shrinkage": Number(0, below=1),
        "memory_limit": Number(0, closed=True, or_none=True),
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        shrinkage: float = 1e-3,
        memory_limit: float | None = None,
    ) -> None:
        self.n_components = n_components
        self.shrinkage = shrinkage
        self.memory_limit = memory_limit

    def fit(self, X: Any, y: Any) -> Self:
        """Find the directions.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels, integers; rows with -1 (unknown) are left out.

        Returns
        -------
        self : the fitted estimator
        """
        with all_or_none(self):
            self._fit_checked(X, y)
        return self

    def _fit_checked(self, X: Any, y: Any) -> None:
        name = type(self).__name__
        check_parameters(self)
        refuse_masked(X, "X")
        X = validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2)
        refuse_extreme_units(X)
        given = checked_labels(y, name)
        check_consistent_length(X, given)
        known = given != UNKNOWN
        self.classes_, class_of = np.unique(given[known], return_inverse=True)
        refuse_too_few(self.classes_)
        self._require_memory(int(known.sum()), X.shape[1])
        with threadpool_limits(limits=1):
            self._fit_labeled(X[known].astype(np.float64), class_of)
        if not self.status_.converged:
            warn_caller(f"{name}: {self.status_}", ConvergenceWarning)

    def _require_memory(self, n: int, d: int) -> None:
        """The labeled rows, their copies and decomposition, and matrices of their rank."""
        rank = min(n, d)
        needed = 8 * (5 * n * d + 2 * n * rank + 2 * rank * d + 10 * rank**2)
        require_memory(needed, self.memory_limit, f"TraceRatioLDA of {n} labeled rows")

    def _fit_labeled(self, X: FloatArray, class_of: IntArray) -> None:
        moved = X - X[0]  # constant features are zero from here on, whatever their size
        self.mean_ = X[0] + moved.mean(axis=0)
        R, V = _rotated_to_rank(moved - moved.mean(axis=0))
        k = self._checked_components(R.shape[1])
        S_b, S_w = _scatters(R, class_of)
        values = np.linalg.eigvalsh(S_w)
        self.shrinkage_ = self.shrinkage if values[0] <= SINGULAR * values[-1] else 0.0
        if self.shrinkage_:
            size = np.trace(S_b + S_w) / len(S_w)
            S_w = (1 - self.shrinkage_) * S_w + self.shrinkage_ * size * np.eye(len(S_w))
        found = trace_ratio(S_b, S_w, k)
        self.components_ = (V @ found.H).T
        self.trace_ratio_ = found.rho
        self.n_iter_ = len(found.path)
        self.status_ = found.status

    def _checked_components(self, rank: int) -> int:
        if rank == 0:
            raise ValueError(
                "the labeled rows of X are all equal; a discriminant analysis needs rows that "
                "differ"
            )
        if self.n_components is None:
            return min(len(self.classes_) - 1, rank)
        if self.n_components > rank:
            raise ValueError(
                f"n_components={self.n_components}, but the labeled rows of X differ in {rank} "
                f"directions only; use n_components={rank} or fewer, or label more rows"
            )
        return self.n_components

    def transform(self, X: Any) -> FloatArray:
        """Coordinates of rows in the directions found.

        Parameters
        ----------
        X : array-like or frame of shape (n_rows, n_features)

        Returns
        -------
        coordinates : ndarray of shape (n_rows, n_components)
        """
        check_is_fitted(self)
        refuse_masked(X, "X")
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return np.asarray((X - self.mean_) @ self.components_.T)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _rotated_to_rank(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """R and V with X = c R V', orthonormal columns in V, and R of full rank and size 1."""
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    rank = int((s > s[0] * max(X.shape) * np.finfo(np.float64).eps).sum())
    return U[:, :rank] * (s[:rank] / (s[0] or 1.0)), Vt[:rank].T


def _scatters(X: FloatArray, class_of: IntArray) -> tuple[FloatArray, FloatArray]:
    """S_b and S_w of (4), with the published weights; the rows of X have mean zero."""
    n_in = np.bincount(class_of)
    means = np.array([X[class_of == one].mean(axis=0) for one in range(len(n_in))])
    within = X - means[class_of]
    share = n_in / len(X)
    return (means.T * share) @ means, (within.T * share[class_of]) @ within
