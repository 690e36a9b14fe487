"""The base class of label methods on a self-representation: its graph, and label propagation."""

from collections.abc import Callable
from typing import Any, ClassVar

from scipy.sparse import csr_array

from samekind._kernels.propagation import Propagated, class_mass, harmonic, local_and_global
from samekind._kernels.status import Status
from samekind._memory import require_memory
from samekind._typing import FloatArray
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.label_method import LabelMethod, Spread
from samekind.estimators._base.parameters import Number, OneOf, Range, Whole

PROPAGATIONS: dict[str, Callable[[csr_array, FloatArray], Propagated]] = {
    "harmonic": harmonic,
    "class_mass": class_mass,
    "spreading": local_and_global,
}


@inherit_docs
class RepresentationMethod(LabelMethod):
    """A label method that writes samples as combinations of each other.

    Parameters
    ----------
    propagation : {"harmonic", "class_mass", "spreading"}, default="harmonic"
        How labels spread on the graph: as harmonic functions, which keep the given labels
        (GFHF); as these, weighted so that among the unlabeled samples each class has its share of
        the given labels (class mass normalization, CMN); or with local and global consistency
        (LGC), which can overrule given labels.
    max_iter : int, default=500
        Most steps of the inner solver.
    tol : float, default=1e-4
        The inner solver stops once its residuals are at most this.

    Attributes
    ----------
    representation_ : ndarray of shape (n_samples, n_samples)
        Row i holds the weights of the other samples in sample i.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        The graph on which labels were spread, symmetric.
    n_iter_ : int
        Steps of the inner solver, in all.
    """

    propagation: str
    max_iter: int
    tol: float

    RANGES: ClassVar[dict[str, Range]] = {
        "propagation": OneOf(tuple(PROPAGATIONS)),
        "max_iter": Whole(1),
        "tol": Number(0),
    }
    DENSE_ARRAYS: ClassVar[int] = 12  # of n x n at the peak

    def _require_memory(self, n: int) -> None:
        what = f"{type(self).__name__} of {n} samples, {self.DENSE_ARRAYS} dense arrays of pairs,"
        require_memory(8 * self.DENSE_ARRAYS * n**2, self.memory_limit, what)

    def _propagated(self, W: csr_array, Y: FloatArray) -> Propagated:
        return PROPAGATIONS[self.propagation](W, Y)

    def _found(
        self, spread: Propagated, C: FloatArray, W: csr_array, n_iter: int, status: Status
    ) -> Spread:
        """The answer of ``_spread``; ``status`` is that of the representation."""
        fitted: dict[str, Any] = {
            "representation_": C,
            "affinity_matrix_": W,
            "n_iter_": n_iter,
        }
        ended = status if spread.status.converged else spread.status
        return Spread(spread.F, spread.reached, ended, fitted)
