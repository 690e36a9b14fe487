"""A representation and what is known of pairs, as two slices of one low-rank tensor.

Z represents samples by each other, B says of each pair how much the two are the same (above 0) or
different (below). Over Z and B with B_ij = +scale for must-links and -scale for cannot-links,

    (|Z + B|_* + |Z - B|_*) / 2 + lam |X - Z X|_21 + beta Tr(B' L B)

is made small, where L is the Laplacian of a graph of near samples. The first term is the nuclear
norm of the tensor with the slices Z and B: its Fourier transform along the slices has the slices
Z + B and Z - B. So B has the row and column spaces of Z, and what is known of some pairs spreads
to all.

The problem is convex. Copies (C_1, C_2) = (Z, B), D = B and E = X - Z X make it an alternating
direction method of two blocks. Differs from the published code, where copies and multipliers are
updated from different iterates: the order here is that of the convergent method. The penalty
grows as it does there, and the stopping rule is the same, so that the end is near the optimum,
not at it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve
from scipy.sparse import csr_array

from samekind._kernels.admm import AdmmIteration, run_admm
from samekind._kernels.low_rank_representation import RotatedRows
from samekind._kernels.proximal import shrink_rows, shrink_singular_values
from samekind._kernels.status import Status
from samekind._typing import FloatArray

# The published penalty.
MU_FIRST, GROWTH = 1e-3, 1.1


@dataclass(frozen=True)
class TensorRepresentation:
    """Both slices."""

    Z: FloatArray  # (n_samples, n_samples)
    B: FloatArray  # (n_samples, n_samples)
    n_iter: int
    status: Status


def tensor_representation(
    rows: RotatedRows,
    L: csr_array,
    known: csr_array,
    noise_weight: float,
    smoothness: float,
    *,
    tol: float = 1e-3,
    max_iter: int = 500,
    callback: Callable[[AdmmIteration], object] | None = None,
) -> TensorRepresentation:
    """Z and B of the problem above.

    Parameters
    ----------
    rows : RotatedRows
    L : csr_array, (n_samples, n_samples)
        Symmetric, positive semidefinite.
    known : csr_array, (n_samples, n_samples)
        Entries of B that are known; the others are not stored.
    noise_weight, smoothness : float
        lam and beta.
    tol : float
        Of the largest entry of any gap between copies and of any change.

    Examples
    --------
    >>> from samekind.graph import laplacian
    >>> rows = RotatedRows.of(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]]))
    >>> W = csr_array(np.kron(np.eye(2), [[0.0, 1.0], [1.0, 0.0]]))
    >>> known = csr_array(([-0.5, -0.5], ([0, 2], [2, 0])), shape=(4, 4))
    >>> B = tensor_representation(rows, laplacian(W), known, 1.0, 10.0).B
    >>> bool(B[1, 3] < -0.1)  # different, as the neighbors of both are
    True
    """
    n = len(rows.X)
    dense_L, given = 2 * smoothness * L.toarray(), known.tocoo()
    square: FloatArray = np.zeros((n, n))
    Z, B, ZX = square, square, np.zeros_like(rows.X)
    Y_Z, Y_B, Y_D, Y_X = (np.zeros_like(A) for A in (Z, B, B, rows.X))
    C_1, C_2 = Z, B

    def step(mu: float) -> tuple[float, float]:
        nonlocal Z, B, ZX, Y_Z, Y_B, Y_D, Y_X, C_1, C_2
        C_1, C_2 = shrink_tensor(Z + Y_Z / mu, B + Y_B / mu, 1 / mu)
        E = shrink_rows(rows.X - ZX + Y_X / mu, noise_weight / mu)
        D = B + Y_D / mu
        D[given.row, given.col] = given.data
        before = Z, B
        Z, ZX = rows.ridge(rows.X - E + Y_X / mu, C_1 - Y_Z / mu, copies=1)
        B = solve(
            dense_L + 2 * mu * np.eye(n),
            mu * (C_2 + D) - Y_B - Y_D,
            assume_a="pos",
            check_finite=False,
        )
        gaps = Z - C_1, B - C_2, B - D, rows.X - ZX - E
        Y_Z, Y_B, Y_D, Y_X = (
            Y + mu * gap for Y, gap in zip((Y_Z, Y_B, Y_D, Y_X), gaps, strict=True)
        )
        return _largest(*gaps), _largest(Z - before[0], B - before[1])

    run = run_admm(step, mu=MU_FIRST, growth=GROWTH, tol=tol, max_iter=max_iter, callback=callback)
    return TensorRepresentation(C_1, C_2, run.n_iter, run.status)


def shrink_tensor(A: FloatArray, B: FloatArray, t: float) -> tuple[FloatArray, FloatArray]:
    """The proximal step of t times the nuclear norm of the tensor with slices A and B.

    Examples
    --------
    >>> A, B = shrink_tensor(np.diag([3.0, 1.0]), np.diag([1.0, 0.0]), 2.0)
    >>> A.round(12), B.round(12)
    (array([[1., 0.],
           [0., 0.]]), array([[1., 0.],
           [0., 0.]]))
    """
    plus, minus = shrink_singular_values(A + B, t), shrink_singular_values(A - B, t)
    return (plus + minus) / 2, (plus - minus) / 2


def _largest(*arrays: FloatArray) -> float:
    return max(float(np.abs(array).max(initial=0.0)) for array in arrays)
