"""DCSSC: sparse representation that is alike inside classes and sparse between them."""

from typing import ClassVar

from samekind._kernels.lasso import Lasso
from samekind._typing import FloatArray, RandomState
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.parameters import Number, Range
from samekind.estimators._s3r import S3R


@inherit_docs
class DCSSC(S3R):
    """S3R whose samples of one class are represented alike.

    The representation of S3R with one term more, b sum_i |c_i - mean of the rows of its class|^2:
    weights between classes are penalized (discrimination), and rows of one class are similar
    (coherence). Representation and labels alternate as in S3R.

    The text of the paper was not available; the model is our interpretation of what other papers
    say of it. The step of the inner solver is a Sylvester equation, whose residual is verified,
    and each representation the optimum itself, verified as in S3R. With b = 0 this is S3R. Cost:
    as S3R, about 11 s for 1,440 samples on one core; far more with b above 10, where the optimum
    is reached by steps alone.

    Units: rows are brought to unit length, so that the scale of X does not matter, but its origin
    does: X + c is another problem, and far from the origin all rows look alike. Center X where it
    has no natural zero.

    Parameters
    ----------
    coherence : float, default=0.1
        b: how strongly rows of one class are made similar.

    References
    ----------
    W. Wang, C. Yang, H. Chen and X. Feng, "Unified discriminative and coherent semi-supervised
    subspace clustering", 2018.

    Examples
    --------
    >>> from samekind import DCSSC
    >>> X = [[1.0, 0.0], [1.0, 0.1], [1.0, -0.1], [0.0, 1.0], [0.1, 1.0], [-0.1, 1.0]]
    >>> DCSSC().fit(X, [7, -1, -1, 3, -1, -1]).labels_
    array([7, 7, 7, 3, 3, 3])
    """

    SUPERVISION: ClassVar[str] = "labels"
    INTERPRETATION: ClassVar[bool] = True

    RANGES: ClassVar[dict[str, Range]] = {"coherence": Number(0, closed=True)}

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
        coherence: float = 0.1,
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
        self.coherence = coherence

    @property
    def _uses_labels(self) -> bool:
        return super()._uses_labels or self.coherence > 0

    def _informed(self, problem: Lasso, hard: FloatArray) -> Lasso:
        return problem.coherent(hard, self.coherence)
