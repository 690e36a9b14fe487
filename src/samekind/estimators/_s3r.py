"""S3R: sparse representation and labels that teach each other (Li, Lin, Zhang and Guo)."""

from typing import Any, ClassVar

import numpy as np

from samekind.estimators._declare import method
from samekind.estimators._pair_method import Callback
from samekind.estimators._parameters import Number, Range
from samekind.estimators._self_taught import Represent, SelfTaughtMethod, different
from samekind.kernels.sparse_representation import (
    Lasso,
    SparseRepresentation,
    lasso_representation,
)
from samekind.typing import FloatArray


@method
class S3R(SelfTaughtMethod):
    """X

    Parameters
    ----------
    noise_weight : float, default=20.0
        lambda
    """

    noise_weight: float = 20.0

    RANGES: ClassVar[dict[str, Range]] = {"noise_weight": Number(0)}
    DENSE_ARRAYS: ClassVar[int] = 14

    def _representer(self, X: Any) -> Represent:
        problem = Lasso.of(X.astype(np.float64, copy=False), self.noise_weight)
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
