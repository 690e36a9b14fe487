"""The graph of a self-representation without supervision, as the paper's baselines use it.

The steps of DGSL with no feedback: A = P + Z - Z P and Z = soft(A, lam_z / lam) with zero
diagonal, by turns from Z = 0. The graph is |Z| with the largest weight of each row at 1,
symmetric. The paper states neither lam_z nor a stopping rule for this graph: it stops here
as the method itself does.

A sample that the threshold leaves without any edge, such as a dark picture, would be a component
of its own and take an eigenvector from the clusters. It is joined to the samples with the
largest |A| in its row, which the threshold has not seen. Small components stay as they are.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.self_representation import response, ridge_projection
from samekind._kernels.shrink import shrink
from samekind._kernels.status import Status
from samekind._kernels.thresholds import Thresholds
from samekind._typing import FloatArray
from samekind.graph._matrices import scale_rows, symmetrized

MAX_ITER = 50
TOL = 1e-2
N_JOINED = 3  # others that a sample without edges is joined to


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
    if Z.nnz == 0:  # no sample is joined to any other, so none is an exception
        return RepresentationGraph(csr_array(Z.shape), Z, n_iter, Status.EDGELESS)
    weight = scale_rows(with_isolated_joined(abs(Z), A))
    return RepresentationGraph(symmetrized(weight), Z, n_iter, status)


def with_isolated_joined(weight: csr_array, A: FloatArray) -> csr_array:
    """Weights with the largest |A| in the rows of samples that have no edge in either direction.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> weight = csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> A = np.array([[0.9, 1.0, 0.1], [1.0, 0.9, 0.1], [-0.2, 0.1, 0.9]])
    >>> with_isolated_joined(weight, A).toarray()
    array([[0. , 1. , 0. ],
           [1. , 0. , 0. ],
           [0.2, 0.1, 0. ]])
    """
    degree = np.asarray(weight.sum(axis=1)).ravel() + np.asarray(weight.sum(axis=0)).ravel()
    rows = np.flatnonzero(degree == 0)
    if not len(rows):
        return weight
    size = np.abs(A[rows])
    size[np.arange(len(rows)), rows] = 0.0
    columns = np.argsort(-size, axis=1, kind="stable")[:, :N_JOINED]
    values = np.take_along_axis(size, columns, axis=1).ravel()
    places = np.repeat(rows, columns.shape[1]), columns.ravel()
    joined = csr_array(weight + csr_array((values, places), shape=weight.shape))
    joined.eliminate_zeros()
    return joined
