"""NNLRS: non-negative low-rank and sparse graph, and labels that spread on it (Zhuang et al.)."""

from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.low_rank_representation import (
    RotatedRows,
    low_rank_representation,
    positive_part,
)
from samekind._kernels.shrink import unit_rows
from samekind._typing import FloatArray, RandomState
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.label_method import Spread
from samekind.estimators._base.pair_method import Callback
from samekind.estimators._base.parameters import Number, Range
from samekind.estimators._base.representation_method import RepresentationMethod
from samekind.graph._matrices import symmetrized

# Weights below this share of the length of their row count as zero.
SMALL = 1e-3


@inherit_docs
class NNLRS(RepresentationMethod):
    """Labels spread on a graph of non-negative, sparse weights of low rank.

    C minimizes |C|_* + beta |C|_1 + lambda |X - C X|_21 over C >= 0, for rows of X at unit
    length: the sum of singular values, the sum of entries, and the sum of the lengths of the rows
    of the error. Rows of C without their diagonal are brought to unit length, entries near zero
    are left out, and the graph is (C + C') / 2.

    The optimum is verified against a general convex solver; no public code of the method was
    found. The published solver raises its penalty whether or not it has arrived, and ends short of
    the optimum. With its lambda = 10 the optimum can be C = I, a graph without edges: so it is for
    the face images of Yale. Hence the smaller default here. Cost: n_samples^3 for each step of the
    inner solver.

    Units: rows are brought to unit length, so that the scale of X does not matter, but its origin
    does: X + c is another problem, and far from the origin all rows look alike. Center X where it
    has no natural zero.

    Parameters
    ----------
    sparsity : float, default=0.2
        beta: weight of the entries of C beside its singular values.
    noise_weight : float, default=2.0
        lambda: weight of the error. With small values C vanishes, with large ones C = I.
    tol : float, default=1e-3
        The inner solver stops once its residuals, relative to what they compare, are at most
        this.

    References
    ----------
    L. Zhuang, H. Gao, Z. Lin, Y. Ma, X. Zhang and N. Yu, "Non-negative low rank and sparse graph
    for semi-supervised learning", 2012. X. Zhu, Z. Ghahramani and J. Lafferty, "Semi-supervised
    learning using Gaussian fields and harmonic functions", 2003.

    Examples
    --------
    >>> from samekind import NNLRS
    >>> X = [[1.0, 0.0], [1.0, 0.1], [1.0, -0.1], [0.0, 1.0], [0.1, 1.0], [-0.1, 1.0]]
    >>> NNLRS().fit(X, [7, -1, -1, 3, -1, -1]).labels_
    array([7, 7, 7, 3, 3, 3])
    """

    SUPERVISION: ClassVar[str] = "labels"

    RANGES: ClassVar[dict[str, Range]] = {
        "sparsity": Number(0, closed=True),
        "noise_weight": Number(0),
    }
    DENSE_ARRAYS: ClassVar[int] = 16

    def __init__(
        self,
        *,
        n_neighbors: int = 7,
        scale_neighbor: int = 5,
        random_state: RandomState = None,
        memory_limit: float | None = None,
        propagation: str = "harmonic",
        max_iter: int = 500,
        tol: float = 1e-3,
        sparsity: float = 0.2,
        noise_weight: float = 2.0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.propagation = propagation
        self.max_iter = max_iter
        self.tol = tol
        self.sparsity = sparsity
        self.noise_weight = noise_weight

    def _spread(self, X: Any, Y: FloatArray, callback: Callback | None, **more: Any) -> Spread:
        self._require_memory(X.shape[0])
        found = low_rank_representation(
            RotatedRows.of(X),
            self.sparsity,
            self.noise_weight,
            positive_part,
            tol=self.tol,
            max_iter=self.max_iter,
            callback=callback,
        )
        W = joined_by_length(found.C)
        return self._found(self._propagated(W, Y), found.C, W, found.n_iter, found.status)


def joined_by_length(C: FloatArray) -> csr_array:
    """The graph of C >= 0: rows without their diagonal at unit length, made symmetric.

    A sample may have a large part in itself, which would leave its neighbors little.

    Examples
    --------
    >>> C = np.array([[9.0, 3.0, 4.0], [0.0, 1.0, 0.0], [2.0, 1e-9, 0.0]])
    >>> joined_by_length(C).toarray()
    array([[0. , 0.3, 0.9],
           [0.3, 0. , 0. ],
           [0.9, 0. , 0. ]])
    """
    C = C.copy()
    np.fill_diagonal(C, 0.0)
    C = unit_rows(C)
    C[C < SMALL] = 0.0
    return symmetrized(csr_array(C))
