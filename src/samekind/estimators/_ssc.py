"""SSC: sparse subspace clustering, without supervision (Elhamifar and Vidal)."""

from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.assign import assign
from samekind._kernels.lasso import Lasso
from samekind._kernels.sparse_representation import (
    Outliers,
    SparseRepresentation,
    lasso_representation,
    outlier_representation,
)
from samekind._kernels.spectral import spectral_embedding
from samekind._memory import require_memory
from samekind._typing import RandomState
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.pair_method import Callback, Given, PairMethod
from samekind.estimators._base.parameters import Number, OneOf, Range, Whole
from samekind.graph._matrices import scale_rows, symmetrized


@inherit_docs
class SSC(PairMethod):
    """Sparse subspace clustering: each sample is a combination of few others; pairs are ignored.

    For rows of X at unit length, C with zero diagonal minimizes |C|_1 + (l/2) |X - C X|^2
    (``form="lasso"``), or |C|_1 + g |X - C X|_1 (``form="outliers"``, the paper's (1)). The graph
    is |C| with the largest weight of each row at 1, symmetric; its normalized Laplacian is
    embedded and clustered as in SC. Pairs are evaluated in ``constraint_report_`` only.

    Verified by the optimality conditions, scikit-learn's Lasso and a general convex solver. Differs
    from the public codes, which set a diagonal to zero after a step and then solve no stated
    problem, and stop at a residual of 2e-4: here the lasso form ends at its optimum itself. Cost:
    n_samples^3 once, n_samples^2 times the rank for each step of the inner solver, then a small
    lasso for each sample: about 7 s for 1,440 samples on one core. The form with outliers takes
    one to two thousand steps, at 0.4 s each for as many samples of 1,024 features.

    Units: rows are brought to unit length, so that the scale of X does not matter, but its origin
    does: X + c is another problem, and far from the origin all rows look alike. Center X where it
    has no natural zero.

    Parameters
    ----------
    form : {"lasso", "outliers"}, default="lasso"
        How the error is measured: by its square, or by the sum of its absolute values, which lets
        single features be far off.
    noise_weight : float, default=20.0
        alpha: l = alpha / mu_0, mu_0 being the largest product of a sample with another, for the
        sample where it is smallest; and g = alpha / max_i |x_i|_1.
    max_iter : int, default=2000
        Most steps of the inner solver.
    tol : float, default=1e-4
        The inner solver stops once its residuals are at most this.

    Attributes
    ----------
    representation_ : ndarray of shape (n_samples, n_samples)
        C: row i holds the weights of the other samples in sample i; None with a precomputed graph.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        The graph that was used, symmetric.
    embedding_ : ndarray of shape (n_samples, n_clusters)
        Coordinates of the samples, before rows are brought to unit length.
    n_iter_ : int
        Steps of the inner solver.

    References
    ----------
    E. Elhamifar and R. Vidal, "Sparse subspace clustering: algorithm, theory, and applications",
    2013.

    Examples
    --------
    >>> from samekind import SSC
    >>> X = [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, 3.0]]
    >>> labels = SSC(2, random_state=0).fit_predict(X)
    >>> bool(labels[0] == labels[2] != labels[3] == labels[5])
    True
    """

    SUPERVISION: ClassVar[str] = "none"

    RANGES: ClassVar[dict[str, Range]] = {
        "form": OneOf(("lasso", "outliers")),
        "noise_weight": Number(0),
        "max_iter": Whole(1),
        "tol": Number(0),
    }
    DENSE_ARRAYS: ClassVar[int] = 15

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_neighbors: int = 7,
        scale_neighbor: int = 5,
        random_state: RandomState = None,
        memory_limit: float | None = None,
        form: str = "lasso",
        noise_weight: float = 20.0,
        max_iter: int = 2000,
        tol: float = 1e-4,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.form = form
        self.noise_weight = noise_weight
        self.max_iter = max_iter
        self.tol = tol

    def _fit(self, given: Given) -> None:
        (n, d), k = given.X.shape, self.n_clusters
        what = f"SSC of {n} samples, {self.DENSE_ARRAYS} dense arrays of their pairs,"
        width = n if self.form == "lasso" else n + d
        require_memory(8 * self.DENSE_ARRAYS * n * width, self.memory_limit, what)
        self.representation_, self.n_iter_ = None, 0
        if given.graph is not None:
            self.affinity_matrix_ = given.local
        else:
            found = self._represented(given.X, given.callback)
            self.representation_, self.n_iter_ = found.C, found.n_iter
            self.affinity_matrix_ = symmetrized(scale_rows(csr_array(np.abs(found.C))))
        embedding = spectral_embedding(self.affinity_matrix_, k)
        self.embedding_, self.status_ = embedding.H, embedding.status
        if given.graph is None and not found.status.converged:
            self.status_ = found.status
        self.labels_ = assign(embedding.H, k, random_state=given.random_state, order=given.order)

    def _represented(self, X: Any, callback: Callback | None) -> SparseRepresentation:
        stop: dict[str, Any] = {"tol": self.tol, "max_iter": self.max_iter}
        stop["callback"] = callback
        if self.form == "lasso":
            return lasso_representation(Lasso.of(X, self.noise_weight), **stop)
        return outlier_representation(Outliers.of(X, self.noise_weight), **stop)
