"""Sparse self-representation: each sample as a combination of few others.

Two forms, both for rows of X at unit length and over C with zero diagonal: that of ``Lasso``, and
one for samples with outliers among their features, |C|_1 + g |X - C X|_1 with
g = noise_weight / max_i |x_i|_1.

Both are solved by an alternating direction method on two copies of C: one that meets all but the
sum of absolute values, and a sparse one with zero diagonal, which is the answer. The public codes
set the diagonal of the first to zero as well, after its step, and then solve no stated problem.

The last digits of a lasso would take such a method most of its time: hundreds of steps where
samples are much alike. So from time to time its rows are passed to ``exact_rows``, which finds the
optimum or fails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from samekind._kernels.admm import AdmmIteration, AdmmRun, run_admm
from samekind._kernels.exact_rows import exact_rows
from samekind._kernels.lasso import Lasso
from samekind._kernels.proximal import soft
from samekind._kernels.shrink import unit_rows
from samekind._kernels.status import Status
from samekind._typing import FloatArray
from samekind.graph._matrices import unit_scaled_rows

Callback = Callable[[AdmmIteration], object]

FIRST_MU = 20.0
OVER_RELAXATION = 1.7
# Exact rows are tried after so many steps, then after twice as many, and so on.
FIRST_TRY = 25
# With outliers, X is scaled so that g is this, which suits the first mu.
OUTLIER_WEIGHT = 0.5


@dataclass(frozen=True)
class SparseRepresentation:
    """A representation, and how it was found."""

    C: FloatArray  # (n_samples, n_samples), zero diagonal
    n_iter: int
    status: Status


@dataclass(frozen=True)
class Outliers:
    """The form with outliers, in which A has E = X - A X beside it."""

    X: FloatArray  # (n_samples, n_features), scaled so that g = OUTLIER_WEIGHT
    inverse: FloatArray  # (X X' + I)^-1

    @classmethod
    def of(cls, X: Any, noise_weight: float) -> "Outliers":
        """Factorized once."""
        X = np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64)
        X = unit_rows(unit_scaled_rows(X)[0])  # squares stay in range
        largest = float(np.abs(X).sum(axis=1).max()) or 1.0
        X = X * (noise_weight / (OUTLIER_WEIGHT * largest))
        return cls(X, np.linalg.inv(X @ X.T + np.eye(len(X))))

    def smooth_step(self, B: FloatArray, mu: float) -> FloatArray:
        """[A, X - A X] nearest to B / mu."""
        n = len(self.X)
        A = (B[:, :n] / mu + (self.X - B[:, n:] / mu) @ self.X.T) @ self.inverse
        return np.hstack([A, self.X - A @ self.X])


def lasso_representation(
    problem: Lasso,
    weights: float | FloatArray = 1.0,
    *,
    start: FloatArray | None = None,
    tol: float = 1e-4,
    max_iter: int = 500,
    callback: Callback | None = None,
) -> SparseRepresentation:
    """Solve the lasso form.

    Parameters
    ----------
    problem : Lasso
    weights : float or ndarray, (n_samples, n_samples)
        w, above 0.
    start : ndarray, (n_samples, n_samples), optional
        C of the same samples for other weights or classes; where exact rows are found from
        there, no step is taken.
    tol, max_iter, callback :
        As in ``run_admm``.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> lasso_representation(Lasso.of(X, 20.0)).C.round(3)
    array([[0.  , 0.95, 0.  , 0.  ],
           [0.95, 0.  , 0.  , 0.  ],
           [0.  , 0.  , 0.  , 0.95],
           [0.  , 0.  , 0.95, 0.  ]])
    """
    C, multipliers = np.zeros_like(problem.gram), np.zeros_like(problem.gram)
    if start is not None:
        done = exact_rows(problem, start, weights)
        if done is not None:
            return _record(done, 0, Status.CONVERGED)
        C, multipliers = start, problem.descent(start)
    C, run = _alternate(
        problem.smooth_step,
        (C, multipliers, weights),
        lambda C: exact_rows(problem, C, weights),
        (tol, max_iter, callback),
    )
    return _record(C, run.n_iter, run.status)


def outlier_representation(
    problem: Outliers,
    *,
    tol: float = 1e-4,
    max_iter: int = 500,
    callback: Callback | None = None,
) -> SparseRepresentation:
    """Solve the form with outliers.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> outlier_representation(Outliers.of(X, 20.0)).C.round(2) + 0.0
    array([[0., 1., 0., 0.],
           [1., 0., 0., 0.],
           [0., 0., 0., 1.],
           [0., 0., 1., 0.]])
    """
    n, d = problem.X.shape
    weights = np.repeat([1.0, OUTLIER_WEIGHT], [n, d])
    CE, run = _alternate(
        problem.smooth_step,
        (np.zeros((n, n + d)), np.zeros((n, n + d)), weights),
        lambda CE: None,
        (tol, max_iter, callback),
    )
    return _record(np.ascontiguousarray(CE[:, :n]), run.n_iter, run.status)


def _alternate(
    smooth_step: Callable[[FloatArray, float], FloatArray],
    start: tuple[FloatArray, FloatArray, float | FloatArray],
    exact: Callable[[FloatArray], FloatArray | None],
    limits: tuple[float, int, Callback | None],
) -> tuple[FloatArray, AdmmRun]:
    """Minimize sum |weights D| and what ``smooth_step`` stands for, with zeros at D_ii.

    ``start`` holds D, the multipliers of its copy, and the weights.
    """
    D, multipliers, weights = start
    tol, max_iter, callback = limits
    n_steps, next_try = 0, FIRST_TRY

    def step(mu: float) -> tuple[float, float]:
        nonlocal D, multipliers, n_steps, next_try
        A = smooth_step(mu * D - multipliers, mu)
        ahead = OVER_RELAXATION * A + (1 - OVER_RELAXATION) * D + multipliers / mu
        previous, D = D, soft(ahead, weights / mu)
        np.fill_diagonal(D, 0.0)
        multipliers = mu * (ahead - D)
        primal = _norm(A - D) / max(_norm(A), _norm(D), 1.0)
        dual = mu * _norm(D - previous) / max(_norm(multipliers), 1.0)
        n_steps += 1
        if n_steps == next_try or max(primal, dual) <= tol:
            next_try = 2 * n_steps
            done = exact(D)
            if done is not None:
                D = done
                return 0.0, 0.0
        return primal, dual

    run = run_admm(step, mu=FIRST_MU, tol=tol, max_iter=max_iter, callback=callback)
    return D, run


def _record(C: FloatArray, n_iter: int, status: Status) -> SparseRepresentation:
    vanished = status.converged and not C.any()
    return SparseRepresentation(C, n_iter, Status.EDGELESS if vanished else status)


def _norm(A: FloatArray) -> float:
    return float(np.linalg.norm(A))
