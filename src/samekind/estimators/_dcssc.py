"""DCSSC: sparse representation that is alike inside classes and sparse between them."""

from typing import ClassVar

from samekind.estimators._declare import method
from samekind.estimators._parameters import Number, Range
from samekind.estimators._s3r import S3R
from samekind.kernels.sparse_representation import Lasso
from samekind.typing import FloatArray


@method
class DCSSC(S3R):
    """X

    Parameters
    ----------
    coherence : float, default=0.1
        b
    """

    coherence: float = 0.1

    RANGES: ClassVar[dict[str, Range]] = {"coherence": Number(0, closed=True)}

    @property
    def _heeds_labels(self) -> bool:
        return super()._heeds_labels or self.coherence > 0

    def _informed(self, problem: Lasso, hard: FloatArray) -> Lasso:
        return problem.coherent(hard, self.coherence)
