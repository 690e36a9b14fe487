"""Low-rank self-representation: samples as combinations of each other, few directions in all.

For rows of X at unit length, it minimizes over C, in a set that the caller names,

    |C|_* + sum_ij w_ij |C_ij| + lam |X - C X|_21

where |.|_* is the sum of singular values and |.|_21 the sum of the lengths of rows: samples that
are no combination of others keep a row of their own in the error.

Copies Z = J = C and E = X - Z X make it an alternating direction method of two blocks, (J, C, E)
and Z, whose penalty balances both residuals: it converges to the optimum, where a penalty that
only grows, as in published codes, ends near it.

Both norms and C stay the same when X is rotated, hence X is first rotated to its rank, where
X'X is diagonal. Then Z costs two thin products, and no matrix is inverted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from samekind._kernels.admm import AdmmIteration, run_admm
from samekind._kernels.proximal import shrink_rows, shrink_singular_values
from samekind._kernels.status import Status
from samekind._kernels.unit_gram import factors, unit_gram
from samekind._typing import FloatArray

# A penalty near those that both residuals agree on, for rows at unit length.
MU_FIRST = 4.0

# The step of C: from a matrix and thresholds to the nearest matrix of its set, made sparse.
SparseStep = Callable[[FloatArray, FloatArray | float], FloatArray]


@dataclass(frozen=True)
class RotatedRows:
    """Rows at unit length in coordinates in which X'X is diagonal; as many as X has rank."""

    X: FloatArray  # (n_samples, rank)
    s: FloatArray  # (rank,), the diagonal of X'X

    @classmethod
    def of(cls, X: Any) -> "RotatedRows":
        """From rows of any length, dense or sparse; rows of zeros stay zero.

        Examples
        --------
        >>> RotatedRows.of(np.array([[3.0, 4.0, 0.0], [6.0, 8.0, 0.0]])).s.round(12)
        array([2.])
        """
        U, s = factors(unit_gram(X))
        return cls(U * np.sqrt(s), s)

    def ridge(self, T: FloatArray, M: FloatArray, copies: int) -> tuple[FloatArray, FloatArray]:
        """Z that minimizes |T - Z X|^2 + sum over copies |Z - M_c|^2, and Z X.

        ``M`` is the sum of the M_c.
        """
        M = M / copies
        MX = M @ self.X
        G = (T - MX) / (self.s + copies)
        return M + G @ self.X.T, MX + G * self.s


@dataclass(frozen=True)
class LowRankRepresentation:
    """A representation, and what the next one can start from."""

    C: FloatArray  # (n_samples, n_samples), in the set of the caller
    Z: FloatArray  # the same up to the residual, as are J and X - E = Z X
    ZX: FloatArray
    multipliers: tuple[FloatArray, FloatArray, FloatArray]  # of Z X + E = X, Z = J, Z = C
    mu: float
    n_iter: int
    status: Status


def low_rank_representation(
    rows: RotatedRows,
    weights: float | FloatArray,
    noise_weight: float,
    sparse_step: SparseStep,
    *,
    start: LowRankRepresentation | None = None,
    tol: float = 1e-4,
    max_iter: int = 500,
    callback: Callable[[AdmmIteration], object] | None = None,
) -> LowRankRepresentation:
    """Minimize |C|_* + sum_ij w_ij |C_ij| + lam |X - C X|_21.

    Parameters
    ----------
    rows : RotatedRows
    weights : float or ndarray, (n_samples, n_samples)
        w, 0 or more.
    noise_weight : float
        lam.
    sparse_step : callable
        The proximal step of the second term: ``positive_part`` for C >= 0, ``hollow`` for a zero
        diagonal, ``soft`` for all C.
    start : LowRankRepresentation, optional
        Of the same rows, with other weights.
    tol : float
        Of both residuals, relative to the size of what they compare.

    Examples
    --------
    >>> rows = RotatedRows.of(np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]]))
    >>> found = low_rank_representation(rows, 0.1, 2.0, positive_part)
    >>> (found.C > 0.1).astype(int)
    array([[1, 1, 0, 0],
           [1, 1, 0, 0],
           [0, 0, 1, 1],
           [0, 0, 1, 1]])
    """
    X, n = rows.X, len(rows.X)
    square: FloatArray = np.zeros((n, n))
    Z, ZX = (start.Z, start.ZX) if start else (square, np.zeros_like(X))
    Y1, Y2, Y3 = start.multipliers if start else (np.zeros_like(X), square, square)
    C = square

    def step(mu: float) -> tuple[float, float]:
        nonlocal Z, ZX, C, Y1, Y2, Y3
        J = shrink_singular_values(Z + Y2 / mu, 1 / mu)
        C = sparse_step(Z + Y3 / mu, weights / mu)
        E = shrink_rows(X - ZX + Y1 / mu, noise_weight / mu)
        before, ZX_before = Z, ZX
        Z, ZX = rows.ridge(X - E + Y1 / mu, J + C - (Y2 + Y3) / mu, copies=2)
        gaps = X - ZX - E, Z - J, Z - C
        Y1, Y2, Y3 = (Y + mu * gap for Y, gap in zip((Y1, Y2, Y3), gaps, strict=True))
        size = max(_norm(J, C, E), _norm(Z, Z, ZX), 1.0)
        moved = Z - before
        dual = mu * _norm(moved, moved, ZX - ZX_before) / max(_norm(Y1, Y2, Y3), 1.0)
        return _norm(*gaps) / size, dual

    mu = start.mu if start else MU_FIRST
    run = run_admm(step, mu=mu, tol=tol, max_iter=max_iter, callback=callback)
    joined = np.count_nonzero(C) > np.count_nonzero(np.diag(C))
    status = Status.EDGELESS if run.status.converged and not joined else run.status
    return LowRankRepresentation(C, Z, ZX, (Y1, Y2, Y3), run.history[-1].mu, run.n_iter, status)


def positive_part(A: FloatArray, t: FloatArray | float) -> FloatArray:
    """max(A - t, 0): the step for C >= 0.

    Examples
    --------
    >>> positive_part(np.array([3.0, 0.5, -2.0]), 1.0)
    array([2., 0., 0.])
    """
    return np.asarray(np.maximum(A - t, 0.0))


def _norm(*arrays: FloatArray) -> float:
    return float(np.sqrt(sum(np.vdot(array, array) for array in arrays)))
