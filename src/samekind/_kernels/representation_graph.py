"""The graph of a self-representation without supervision, as the paper's baselines use it.

The steps of DGSL with no feedback: A = P + Z - Z P and Z = soft(A, lam_z / lam) with zero
diagonal, by turns from Z = 0. The graph is |Z| with the largest weight of each row at 1,
symmetric. The paper states neither lam_z nor a stopping rule for this graph: it stops here
as the method itself does.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.self_representation import response, ridge_projection
from samekind._kernels.shrink import shrink
from samekind._kernels.status import Status
from samekind._kernels.thresholds import Thresholds
from samekind.graph._matrices import scale_rows, symmetrized

MAX_ITER = 50
TOL = 1e-2


@dataclass(frozen=True)
class RepresentationGraph:
    """A graph made from a representation."""

    W: csr_array  # symmetric, weights in [0, 1]
    Z: csr_array
    n_iter: int
    status: Status


def representation_graph(X: Any, lam: float = 100.0, lam_z: float = 1.0) -> RepresentationGraph:
    """Represent each sample by the others, and join it to those it needs.

    Examples
    --------
    >>> import numpy as np
    >>> X = 20 * np.array([[1.0, 0.0], [1.1, 0.0], [0.0, 1.0], [0.0, 1.2]])
    >>> (representation_graph(X).W.toarray() > 0).astype(int)
    array([[0, 1, 0, 0],
           [1, 0, 0, 0],
           [0, 0, 0, 1],
           [0, 0, 1, 0]])
    """
    P = ridge_projection(X, lam)
    thresholds = Thresholds(np.zeros((len(P), 1)), 0.0, lam_z / lam)  # no feedback
    A, Z = P, csr_array(P.shape)
    status = Status.MAX_ITER
    for n_iter in range(1, MAX_ITER + 1):
        previous, Z = Z, shrink(A, thresholds)
        step = response(P, csr_array(Z - previous))
        A = A + step
        if max(abs(Z - previous).max(), np.abs(step).max()) < TOL:
            status = Status.CONVERGED
            break
    if Z.nnz == 0:
        status = Status.EDGELESS
    return RepresentationGraph(symmetrized(scale_rows(abs(Z))), Z, n_iter, status)
