"""Sparse self-representation: each sample as a combination of few others.

For rows of X at unit length, the lasso form minimises over C with zero diagonal

    sum_ij w_ij |C_ij| + (l/2) |X - C X|^2 + b sum_i |c_i - mean of the rows of its class|^2

with weights w (1 in sparse subspace clustering), l = noise_weight / mu_0 where
mu_0 = min_i max_{j != i} |x_i'x_j|, and a last term, absent by default, that keeps the rows of a
class alike. The form with outliers minimises |C|_1 + g |X - C X|_1 with
g = noise_weight / max_i |x_i|_1.

Both are solved by an alternating direction method on two copies of C: one that meets all but the
sum of absolute values, and a sparse one with zero diagonal, which is the answer. The public codes
set the diagonal of the first to zero as well, after its step, and then solve no stated problem.

The last digits of a lasso would take such a method most of its time. So its rows are handed to
``feature_sign`` every so often, which ends at the optimum itself or not at all. Where classes tie
rows together, rows and means of classes take turns, and the means that rows were finished for
may differ from theirs by ``tol`` in the gradient.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from samekind.kernels.admm import AdmmIteration, AdmmRun, run_admm
from samekind.kernels.feature_sign import feature_sign
from samekind.kernels.shrink import unit_rows
from samekind.kernels.status import Status
from samekind.kernels.thresholds import soft
from samekind.kernels.unit_gram import factors, unit_gram
from samekind.typing import FloatArray

Callback = Callable[[AdmmIteration], object]

FIRST_MU = 20.0
OVER_RELAXATION = 1.7
# Rows are finished after so many steps, then after twice as many, and so on.
FIRST_FINISH = 25
MAX_TURNS = 50  # of rows and means
# In parts of the mean square of a sample: makes the answer unique, equal samples share a weight.
RIDGE = 1e-10
# X is scaled so that g is this, which suits the first mu.
OUTLIER_WEIGHT = 0.5


@dataclass(frozen=True)
class SparseRepresentation:
    """A representation, and how it was found."""

    C: FloatArray  # (n_samples, n_samples), zero diagonal
    n_iter: int
    status: Status


@dataclass(frozen=True)
class Lasso:
    """All but the absolute values in the lasso form, with l X X' = gram = U diag(s) U'."""

    gram: FloatArray  # (n_samples, n_samples)
    U: FloatArray  # (n_samples, rank)
    s: FloatArray  # (rank,), positive
    hard: FloatArray  # (n_samples, n_classes), one-hot; zeros where the class is unknown
    coherence: float = 0.0  # b

    @classmethod
    def of(cls, X: Any, noise_weight: float) -> "Lasso":
        """The form without classes; all that is factorised is so here."""
        gram = unit_gram(X)
        gram *= noise_weight / smallest_peak(gram)
        return cls(gram, *factors(gram), hard=np.zeros((len(gram), 0)))

    def coherent(self, hard: FloatArray, coherence: float) -> "Lasso":
        """The same samples, with classes."""
        return replace(self, hard=hard, coherence=coherence)

    @property
    def pull(self) -> FloatArray:
        """2 b for samples of known class, 0 for the others; as a column."""
        return np.asarray(2 * self.coherence * self.hard.any(axis=1, keepdims=True))

    def means(self, Y: FloatArray) -> FloatArray:
        """For each row of Y the mean of its class; zeros where the class is unknown."""
        shares = self.hard / np.maximum(self.hard.sum(axis=0), 1.0)
        return np.asarray(self.hard @ (shares.T @ Y))

    def gradient(self, C: FloatArray) -> FloatArray:
        """Falling direction at C; equal to w sgn(C) where C is not zero at the optimum."""
        return np.asarray(self.gram - C @ self.gram - self.pull * (C - self.means(C)))

    def copy_step(self, B: FloatArray, mu: float) -> FloatArray:
        """A that solves A (gram + mu I) + 2 b Q A = gram + B.

        Q takes from each row the mean of its class. Its eigenvectors are known, since it is a
        projection (the Laplacian of the graph that joins samples of a class of n_c by 1 / n_c),
        and U holds those of the gram matrix: together they solve this Sylvester equation.
        """
        BU = B @ self.U
        inside = self._solved(self.U * self.s + BU, self.s + mu) - self._solved(BU, mu)
        return np.asarray(self._solved(B, mu) + inside @ self.U.T)

    def _solved(self, Y: FloatArray, shift: float | FloatArray) -> FloatArray:
        """(shift I + 2 b Q)^-1 Y, where each column of Y may have a shift of its own."""
        if self.coherence == 0:
            return np.asarray(Y / shift)
        means = self.means(Y)  # Q Y is what the rows of known class have beside them
        return np.asarray(means / shift + (Y - means) / (shift + self.pull))


@dataclass(frozen=True)
class Outliers:
    """All but the absolute values in the form with outliers: E = X - A X beside A."""

    X: FloatArray  # (n_samples, n_features), scaled so that g = OUTLIER_WEIGHT
    inverse: FloatArray  # (X X' + I)^-1

    @classmethod
    def of(cls, X: Any, noise_weight: float) -> "Outliers":
        X = unit_rows(np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64))
        largest = float(np.abs(X).sum(axis=1).max())
        X = X * (noise_weight / (OUTLIER_WEIGHT * largest if largest > 0 else 1.0))
        return cls(X, np.linalg.inv(X @ X.T + np.eye(len(X))))

    def copy_step(self, B: FloatArray, mu: float) -> FloatArray:
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
        C of the same samples for other weights or classes: it is finished at once, if it can be.
    tol, max_iter, callback :
        As in ``run_admm``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> lasso_representation(Lasso.of(X, 20.0)).C.round(3)
    array([[0.  , 0.95, 0.  , 0.  ],
           [0.95, 0.  , 0.  , 0.  ],
           [0.  , 0.  , 0.  , 0.95],
           [0.  , 0.  , 0.95, 0.  ]])
    """
    C, multipliers = np.zeros_like(problem.gram), np.zeros_like(problem.gram)
    if start is not None:
        done = finished(problem, start, weights, tol)
        if done is not None:
            return SparseRepresentation(done, 0, _ended(done, Status.CONVERGED))
        C, multipliers = start, problem.gradient(start)
    C, run = _alternate(
        problem.copy_step,
        C,
        multipliers,
        weights,
        lambda C: finished(problem, C, weights, tol),
        (tol, max_iter, callback),
    )
    return SparseRepresentation(C, run.n_iter, _ended(C, run.status))


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
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> outlier_representation(Outliers.of(X, 20.0)).C.round(2) + 0.0
    array([[0., 1., 0., 0.],
           [1., 0., 0., 0.],
           [0., 0., 0., 1.],
           [0., 0., 1., 0.]])
    """
    n, d = problem.X.shape
    weights = np.repeat([1.0, OUTLIER_WEIGHT], [n, d])
    D, run = _alternate(
        problem.copy_step,
        np.zeros((n, n + d)),
        np.zeros((n, n + d)),
        weights,
        lambda _: None,
        (tol, max_iter, callback),
    )
    C = np.ascontiguousarray(D[:, :n])
    return SparseRepresentation(C, run.n_iter, _ended(C, run.status))


def _alternate(
    copy_step: Callable[[FloatArray, float], FloatArray],
    D: FloatArray,
    multipliers: FloatArray,
    weights: float | FloatArray,
    finish: Callable[[FloatArray], FloatArray | None],
    limits: tuple[float, int, Callback | None],
) -> tuple[FloatArray, AdmmRun]:
    """Minimise sum |weights D| + what ``copy_step`` stands for, with zeros at D_ii."""
    tol, max_iter, callback = limits
    n_steps, next_finish = 0, FIRST_FINISH

    def step(mu: float) -> tuple[float, float]:
        nonlocal D, multipliers, n_steps, next_finish
        A = copy_step(mu * D - multipliers, mu)
        ahead = OVER_RELAXATION * A + (1 - OVER_RELAXATION) * D + multipliers / mu
        previous, D = D, soft(ahead, weights / mu)
        np.fill_diagonal(D, 0.0)
        multipliers = mu * (ahead - D)
        primal = _norm(A - D) / max(_norm(A), _norm(D), 1.0)
        dual = mu * _norm(D - previous) / max(_norm(multipliers), 1.0)
        n_steps += 1
        if n_steps == next_finish or max(primal, dual) <= tol:
            next_finish = 2 * n_steps
            done = finish(D)
            if done is not None:
                D = done
                return 0.0, 0.0
        return primal, dual

    run = run_admm(step, mu=FIRST_MU, tol=tol, max_iter=max_iter, callback=callback)
    return D, run


def finished(
    problem: Lasso, C: FloatArray, weights: float | FloatArray, tol: float
) -> FloatArray | None:
    """The optimum of the lasso form, searched from C, or None where it was not found.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> finished(Lasso.of(X, 20.0), np.zeros((4, 4)), 1.0, 1e-9)[1].round(3)
    array([0.95, 0.  , 0.  , 0.  ])
    """
    C, pull = C.copy(), problem.pull
    ridge = RIDGE * np.trace(problem.gram) / len(C) + pull[:, 0]
    for _ in range(MAX_TURNS):
        means = pull * problem.means(C)
        for i, target in enumerate(problem.gram + means):
            w = np.array(np.broadcast_to(weights, C.shape)[i])
            w[i] = np.inf
            row = feature_sign(problem.gram, target, w, C[i], ridge[i])
            if row is None:
                return None
            C[i] = row
        if np.abs(pull * problem.means(C) - means).max() <= tol:
            return C
    return None


def smallest_peak(gram: FloatArray) -> float:
    """mu_0: the largest product of a sample with another, for the sample where it is smallest.

    Samples that are orthogonal to all others are left out: no weight would reach them.

    Examples
    --------
    >>> import numpy as np
    >>> smallest_peak(np.array([[9.0, 2.0, 0.0], [2.0, 9.0, -3.0], [0.0, -3.0, 9.0]]))
    2.0
    """
    others = np.abs(gram)
    smallest = np.finfo(np.float64).eps * float(others.max())
    np.fill_diagonal(others, 0.0)
    peaks = others.max(axis=1)
    return float(min(peaks[peaks > smallest], default=1.0))


def _ended(C: FloatArray, status: Status) -> Status:
    return Status.VANISHED if status.converged and not C.any() else status


def _norm(A: FloatArray) -> float:
    return float(np.linalg.norm(A))
