"""NNLRR: non-negative low-rank representation that learns from labels (Fang et al.)."""

from typing import Any, ClassVar

from scipy.sparse import csr_array

from samekind._kernels.low_rank_representation import positive_part
from samekind._typing import FloatArray, RandomState
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.parameters import Number, Range
from samekind.estimators._base.self_taught_method import Represent
from samekind.estimators._nnlrs import joined_by_length
from samekind.estimators._s2lrr import LowRankSelfTaught


@inherit_docs
class NNLRR(LowRankSelfTaught):
    """NNLRS whose graph learns from the labels that spread on it.

    In alternation, C minimizes |C|_* + sum_ij (beta + gamma R_ij) C_ij + lambda |X - C X|_21 over
    C >= 0, for rows of X at unit length, and the given labels spread on the graph of C, which is
    made as in NNLRS. R_ij = |f_i - f_j|^2 / 2 is 1 for samples of different classes f and 0
    elsewhere: those of the given labels in the first round, of all labels from the second on. It
    ends once the labels of all samples stay as they were.

    The published abstract states that low-rank representation and propagation are one problem
    with a non-negative and sparse C. Our interpretation: the weights above, that the solver takes
    turns, and that labels are hardened between them, as with shares of classes in place of
    labels, gamma = 1 assigns all samples to few classes. Each representation is verified against
    a general convex solver. With gamma = 0 this is NNLRS. Cost: n_samples^3 for each step of the
    inner solver.

    Units: rows are brought to unit length, so that the scale of X does not matter, but its origin
    does: X + c is another problem, and far from the origin all rows look alike. Center X where it
    has no natural zero.

    Parameters
    ----------
    sparsity : float, default=0.2
        beta: weight of the entries of C beside its singular values.
    label_weight : float, default=0.01
        gamma: extra penalty of a weight between samples of different classes. With 0 the
        representation ignores labels, and there is one round.

    References
    ----------
    X. Fang, Y. Xu, X. Li, Z. Lai and W. Wong, "Robust semi-supervised subspace clustering via
    non-negative low-rank representation", 2016.

    Examples
    --------
    >>> from samekind import NNLRR
    >>> X = [[1.0, 0.0], [1.0, 0.1], [1.0, -0.1], [0.0, 1.0], [0.1, 1.0], [-0.1, 1.0]]
    >>> NNLRR().fit(X, [7, -1, -1, 3, -1, -1]).labels_
    array([7, 7, 7, 3, 3, 3])
    """

    SUPERVISION: ClassVar[str] = "labels"
    INTERPRETATION: ClassVar[bool] = True

    RANGES: ClassVar[dict[str, Range]] = {"sparsity": Number(0, closed=True)}

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
        label_weight: float = 0.01,
        max_rounds: int = 10,
        noise_weight: float = 2.0,
        sparsity: float = 0.2,
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
        self.sparsity = sparsity

    def _representer(self, X: Any) -> Represent:
        return self._represent_by(X, self.sparsity, positive_part)

    def _joined(self, C: FloatArray) -> csr_array:
        return joined_by_length(C)
