"""S2LRR: low-rank representation and labels that learn from each other (Li, Lin, Zhang and Guo)."""

from typing import Any, ClassVar

import numpy as np

from samekind._kernels.low_rank_representation import (
    LowRankRepresentation,
    RotatedRows,
    SparseStep,
    low_rank_representation,
)
from samekind._kernels.proximal import soft
from samekind._typing import FloatArray, RandomState
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.pair_method import Callback
from samekind.estimators._base.parameters import Number, Range
from samekind.estimators._base.self_taught_method import Represent, SelfTaughtMethod, different


@inherit_docs
class LowRankSelfTaught(SelfTaughtMethod):
    """A self-taught method on a low-rank representation.

    Parameters
    ----------
    noise_weight : float, default=2.0
        lambda: weight of the error. With small values C vanishes; with large ones it represents
        every sample without error.
    tol : float, default=1e-3
        The inner solver stops once its residuals, relative to what they compare, are at most
        this.
    """

    noise_weight: float

    RANGES: ClassVar[dict[str, Range]] = {"noise_weight": Number(0)}
    DENSE_ARRAYS: ClassVar[int] = 17

    def _represent_by(self, X: Any, sparsity: float, sparse_step: SparseStep) -> Represent:
        """Weights are ``sparsity``, and label_weight more between different classes."""
        rows = RotatedRows.of(X)
        start: LowRankRepresentation | None = None

        def represent(hard: FloatArray, callback: Callback | None) -> LowRankRepresentation:
            nonlocal start
            start = low_rank_representation(
                rows,
                sparsity + self.label_weight * different(hard),
                self.noise_weight,
                sparse_step,
                start=start,
                tol=self.tol,
                max_iter=self.max_iter,
                callback=callback,
            )
            return start

        return represent


@inherit_docs
class S2LRR(LowRankSelfTaught):
    """Low-rank representation that learns from the labels it spreads.

    In alternation, C minimizes |C|_* + alpha sum_ij Theta_ij |C_ij| + lambda |X - C X|_21 over C
    with zero diagonal, for rows of X at unit length, and the given labels spread on the graph
    |C|, largest weight of each row at 1, made symmetric. Theta_ij is 1 for samples of different
    classes and 0 elsewhere: those of the given labels in the first round, of all labels from the
    second on. It ends once the labels of all samples stay as they were.

    The published abstract states that given and estimated labels both shape the representation.
    Our interpretation: the weights above, and labels that are hardened between rounds, as in the
    public code of structured sparse subspace clustering by the same first author. Each
    representation is verified against a general convex solver. Cost: n_samples^3 for each step of
    the inner solver.

    A low-rank C joins every sample to nearly all others. Harmonic functions on such a graph are
    almost constant, and one class wins nearly everywhere; hence class mass normalization here.

    Units: rows are brought to unit length, so that the scale of X does not matter, but its origin
    does: X + c is another problem, and far from the origin all rows look alike. Center X where it
    has no natural zero.

    Parameters
    ----------
    propagation : {"harmonic", "class_mass", "spreading"}, default="class_mass"
        How labels spread on the graph: as harmonic functions, which keep the given labels
        (GFHF); as these, weighted so that among the unlabeled samples each class has its share of
        the given labels (class mass normalization, CMN); or with local and global consistency
        (LGC), which can overrule given labels.
    label_weight : float, default=0.05
        alpha: extra penalty of a weight between samples of different classes. Large values
        make the first labels final. With 0 the representation ignores labels, and there is one
        round.

    References
    ----------
    C.-G. Li, Z. Lin, H. Zhang and J. Guo, "Learning semi-supervised representation towards a
    unified optimization framework for semi-supervised learning", 2015.

    Examples
    --------
    >>> from samekind import S2LRR
    >>> X = [[1.0, 0.0], [1.0, 0.1], [1.0, -0.1], [0.0, 1.0], [0.1, 1.0], [-0.1, 1.0]]
    >>> S2LRR().fit(X, [7, -1, -1, 3, -1, -1]).labels_
    array([7, 7, 7, 3, 3, 3])
    """

    SUPERVISION: ClassVar[str] = "labels"
    INTERPRETATION: ClassVar[bool] = True

    def __init__(
        self,
        *,
        n_neighbors: int = 7,
        scale_neighbor: int = 5,
        random_state: RandomState = None,
        memory_limit: float | None = None,
        propagation: str = "class_mass",
        max_iter: int = 500,
        tol: float = 1e-3,
        label_weight: float = 0.05,
        max_rounds: int = 10,
        noise_weight: float = 2.0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.propagation = propagation
        self.max_iter = max_iter
        self.tol = tol
        self.label_weight = label_weight
        self.max_rounds = max_rounds
        self.noise_weight = noise_weight

    def _representer(self, X: Any) -> Represent:
        return self._represent_by(X, 0.0, hollow)


def hollow(A: FloatArray, t: FloatArray | float) -> FloatArray:
    """Entries shrunk by t, and a zero diagonal.

    Examples
    --------
    >>> hollow(np.array([[9.0, 3.0], [-0.5, 9.0]]), 1.0)
    array([[ 0.,  2.],
           [-0.,  0.]])
    """
    C = soft(A, t)
    np.fill_diagonal(C, 0.0)
    return C
