"""Label propagation on a graph.

``harmonic`` keeps the given labels and gives every other sample the weighted mean of its
neighbors (Zhu, Ghahramani and Lafferty, 2003: GFHF). ``class_mass`` then weighs the classes so
that each has its share, from the same paper: on a graph where everything is joined to everything
the harmonic values of one class can be a little larger everywhere, and win everywhere.
``local_and_global`` lets every sample, labeled ones included, weigh its neighbors against its own
label (Zhou et al., 2004: LGC).

A sample without a path to a labeled one has no solution in either. It gets the frequencies of
the classes among the labeled samples, hence the most frequent class (the first of equals), and
is counted as not reached.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import cg, splu

from samekind._kernels.status import Status
from samekind._threads import each
from samekind._typing import BoolArray, FloatArray, IntArray
from samekind.graph import laplacian, normalized_laplacian
from samekind.graph._components import components_of
from samekind.graph._matrices import identity_minus

# A sparse system is factorized up to this many unknowns, and iterated on beyond.
FACTORIZED_UP_TO = 3000
CG_TOL, CG_STEPS = 1e-10, 5000


@dataclass(frozen=True)
class Propagated:
    """What spread: one distribution over the classes for each sample."""

    F: FloatArray  # (n_samples, n_classes), rows sum to 1
    reached: BoolArray  # (n_samples,), whether there is a path to a label
    status: Status


def harmonic(W: csr_array, Y: FloatArray) -> Propagated:
    """F = Y where a label is known, and L_uu F_u = W_ul Y_l elsewhere.

    Parameters
    ----------
    W : csr_array, (n_samples, n_samples)
        Symmetric, weights of 0 or more.
    Y : ndarray, (n_samples, n_classes)
        A one in the column of the class of a labeled sample; rows of zeros elsewhere.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 3.0, 0.0], [3.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> harmonic(W, np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])).F
    array([[1.  , 0.  ],
           [0.75, 0.25],
           [0.  , 1.  ]])
    """
    known = np.asarray(Y.any(axis=1))
    reached = _reached(W, known)
    asked = np.flatnonzero(reached & ~known)
    F = Y.astype(np.float64)
    status = Status.CONVERGED
    if len(asked):
        towards = W[asked][:, np.flatnonzero(known)] @ Y[known]
        F[asked], status = solve_spd(csr_array(laplacian(W)[asked][:, asked]), towards)
    return _finished(F, reached, Y, status)


def class_mass(W: csr_array, Y: FloatArray) -> Propagated:
    """Harmonic functions, weighted so that each class has its share: class mass normalization.

    Of fewer samples than classes no class can have its share: weights would take the place of
    what the graph says (of one sample, all of it), and there are none.

    Parameters
    ----------
    W, Y
        As in ``harmonic``.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 3, 2, 0], [3, 0, 0, 1], [2, 0, 0, 1], [0, 1, 1, 0]])
    >>> class_mass(W, np.array([[1.0, 0], [0, 0], [0, 0], [0, 1]])).F.argmax(axis=1)
    array([0, 0, 1, 1])
    """
    found = harmonic(W, Y)
    asked = found.reached & ~np.asarray(Y.any(axis=1))
    if asked.sum() < Y.shape[1]:
        return found
    F = found.F.copy()
    F[asked] = with_class_masses(F[asked], Y.sum(axis=0) / Y.sum())
    return _finished(F, found.reached, Y, found.status)


def with_class_masses(F: FloatArray, shares: FloatArray) -> FloatArray:
    """Columns of F with these sums; a column of zeros, a class that reaches nobody, stays.

    Examples
    --------
    >>> import numpy as np
    >>> with_class_masses(np.array([[0.9, 0.1], [0.7, 0.3]]), np.array([0.5, 0.5]))
    array([[0.28125, 0.125  ],
           [0.21875, 0.375  ]])
    """
    mass = F.sum(axis=0)
    return np.asarray(F * (shares / np.where(mass > 0, mass, 1.0)))


def local_and_global(
    W: csr_array, Y: FloatArray, alpha: float = 0.99, tol: float = CG_TOL
) -> Propagated:
    """F = (I - alpha S)^-1 Y with S = D^-1/2 W D^-1/2.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 3.0, 0.0], [3.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> local_and_global(W, np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]), 0.5).F.argmax(axis=1)
    array([0, 0, 1])
    """
    S = identity_minus(normalized_laplacian(W))
    S.setdiag(0.0)  # a sample without edges has a row of ones here
    return spread_by(S, Y, alpha, tol)


def spread_by(S: csr_array, Y: FloatArray, alpha: float, tol: float = CG_TOL) -> Propagated:
    """F = (I - alpha S)^-1 Y for a symmetric S with eigenvalues in [-1, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> spread_by(csr_array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0], [0.0]]), 0.5).F
    array([[1.],
           [1.]])
    """
    F, status = solve_spd(identity_minus(csr_array(alpha * S)), Y.astype(np.float64), tol)
    return _finished(F, _reached(S, np.asarray(Y.any(axis=1))), Y, status)


def solve_spd(A: csr_array, B: FloatArray, tol: float = CG_TOL) -> tuple[FloatArray, Status]:
    """A^-1 B for a sparse, symmetric, positive definite A, and whether it was found.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> solve_spd(csr_array([[2.0, 0.0], [0.0, 4.0]]), np.ones((2, 1)))[0].ravel()
    array([0.5 , 0.25])
    """
    if A.shape[0] <= FACTORIZED_UP_TO:
        return np.asarray(splu(A.tocsc()).solve(B)), Status.CONVERGED
    scale = 1 / np.sqrt(A.diagonal())
    preconditioned = A.multiply(scale[:, None]).multiply(scale[None, :]).tocsr()
    found = np.empty_like(B)

    def solve(column: int) -> bool:
        x, failed = cg(preconditioned, scale * B[:, column], rtol=tol, maxiter=CG_STEPS)
        found[:, column] = scale * x
        return bool(failed)

    failed = any(each(solve, range(B.shape[1])))
    return found, Status.UNVERIFIED if failed else Status.CONVERGED


def one_hot(y: IntArray, classes: Any) -> FloatArray:
    """Y of the two functions above: a row of zeros where the label is not among the classes.

    Examples
    --------
    >>> import numpy as np
    >>> one_hot(np.array([7, -1, 3]), np.array([3, 7]))
    array([[0., 1.],
           [0., 0.],
           [1., 0.]])
    """
    return np.asarray(np.asarray(y)[:, None] == np.asarray(classes)[None, :], dtype=np.float64)


def _reached(W: csr_array, known: BoolArray) -> BoolArray:
    components = components_of(W)
    with_label = np.zeros(components.count, dtype=bool)
    with_label[components.component_of[known]] = True
    return np.asarray(with_label[components.component_of])


def _finished(F: FloatArray, reached: BoolArray, Y: FloatArray, status: Status) -> Propagated:
    """Rows that sum to 1; the shares of the labeled samples where no label arrives."""
    F = np.maximum(F, 0.0)  # rounding
    total = F.sum(axis=1, keepdims=True)
    arrived = reached & (total[:, 0] > 0)
    F = np.where(arrived[:, None], F / np.where(total > 0, total, 1.0), Y.sum(axis=0) / Y.sum())
    return Propagated(F, arrived, status)
