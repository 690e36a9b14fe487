"""S3R: sparse representation and labels that learn from each other (Li, Lin, Zhang and Guo)."""

from typing import Any, ClassVar

from samekind._kernels.lasso import Lasso
from samekind._kernels.sparse_representation import (
    SparseRepresentation,
    lasso_representation,
)
from samekind._typing import FloatArray, RandomState
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.pair_method import Callback
from samekind.estimators._base.parameters import Number, Range
from samekind.estimators._base.self_taught_method import Represent, SelfTaughtMethod, different


@inherit_docs
class S3R(SelfTaughtMethod):
    """Sparse representation that learns from the labels it spreads.

    In alternation, C minimizes sum_ij (1 + alpha Theta_ij) |C_ij| + (l/2) |X - C X|^2 over C with
    zero diagonal, for rows of X at unit length, and the given labels spread on the graph |C|,
    largest weight of each row at 1, made symmetric. Theta_ij is 1 for samples of different
    classes and 0 elsewhere: those of the given labels in the first round, of all labels from the
    second on. It ends once the labels of all samples stay as they were.

    The published abstract states that given and estimated labels both shape the representation; the
    weights follow the public code of structured sparse subspace clustering by the same first
    author. Each representation is the optimum itself, verified by the optimality conditions and a
    general convex solver. With alpha = 0 this is SSC and label propagation. Cost: as SSC for the
    first round, from which the others start: about 7 s for 1,440 samples on one core.

    Units: rows are brought to unit length, so that the scale of X does not matter, but its origin
    does: X + c is another problem, and far from the origin all rows look alike. Center X where it
    has no natural zero.

    Parameters
    ----------
    noise_weight : float, default=20.0
        lambda: l = lambda / mu_0 as in SSC.

    References
    ----------
    The paper of S2LRR: C.-G. Li, Z. Lin, H. Zhang and J. Guo, "Learning semi-supervised
    representation towards a unified optimization framework for semi-supervised learning", 2015.

    Examples
    --------
    >>> from samekind import S3R
    >>> X = [[3.0, 0.1], [2.0, 0.0], [0.0, 1.0], [0.1, 4.0]]
    >>> S3R(label_weight=0.1).fit(X, [1, -1, -1, 0]).transduction_
    array([1, 1, 0, 0])
    """

    SUPERVISION: ClassVar[str] = "labels"

    RANGES: ClassVar[dict[str, Range]] = {"noise_weight": Number(0)}
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
        tol: float = 1e-4,
        label_weight: float = 0.5,
        max_rounds: int = 10,
        noise_weight: float = 20.0,
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
        problem = Lasso.of(X, self.noise_weight)
        start: FloatArray | None = None

        def represent(hard: FloatArray, callback: Callback | None) -> SparseRepresentation:
            nonlocal start
            found = lasso_representation(
                self._informed(problem, hard),
                1 + self.label_weight * different(hard),
                start=start,
                tol=self.tol,
                max_iter=self.max_iter,
                callback=callback,
            )
            start = found.C if found.status.converged else None
            return found

        return represent

    def _informed(self, problem: Lasso, hard: FloatArray) -> Lasso:
        """What labels change in the problem, beside the weights."""
        return problem
