"""The loop of an alternating direction method: residuals, penalty, status.

A method provides one step, which updates its variables and multipliers for a given penalty
mu and returns two residuals: how far the constraints are from holding (primal), and how
far the last step moved what the penalty multiplies (dual). Both are relative numbers, small at
the optimum of a convex problem, and only then is a run called converged.
"""

from collections.abc import Callable
from dataclasses import dataclass

from samekind._kernels.callback import ended_by
from samekind._kernels.status import Status

# Penalty: raised where the primal residual is this many times the dual one, lowered in
# the opposite case, by this factor; and kept after so many steps, which convergence requires.
OUT_OF_BALANCE = 10.0
BALANCE_BY = 2.0
BALANCED_FOR = 200


@dataclass(frozen=True)
class AdmmIteration:
    """Residuals after one step."""

    iteration: int
    primal: float
    dual: float
    mu: float


@dataclass(frozen=True)
class AdmmRun:
    """How a run went; the variables are where the step left them."""

    history: tuple[AdmmIteration, ...]
    status: Status

    @property
    def n_iter(self) -> int:
        return len(self.history)


def run_admm(
    step: Callable[[float], tuple[float, float]],
    *,
    mu: float,
    tol: float,
    max_iter: int,
    growth: float | None = None,
    mu_max: float = 1e10,
    callback: Callable[[AdmmIteration], object] | None = None,
) -> AdmmRun:
    """Take steps until both residuals are at most ``tol``.

    Parameters
    ----------
    step : callable
        Takes mu, returns the primal and the dual residual.
    mu : float
        First penalty. Multipliers are unscaled, so that mu may change between steps.
    tol, max_iter : float, int
        Reaching max_iter is not an error; ``status`` says so.
    growth : float, optional
        Multiply mu by this after each step, up to ``mu_max``, as published codes do: it stops
        sooner, at a point that meets the constraints but is only near the optimum. By default
        mu balances the two residuals.
    callback : callable, optional
        Called with the AdmmIteration of each step; the run ends there where it raises
        StopIteration.

    Examples
    --------
    >>> halves = iter([0.5, 0.25, 0.125])
    >>> run = run_admm(lambda mu: (next(halves), 0.0), mu=1.0, tol=0.2, max_iter=9)
    >>> run.n_iter, run.status.converged
    (3, True)
    """
    history: list[AdmmIteration] = []
    for iteration in range(1, max_iter + 1):
        primal, dual = step(mu)
        history.append(AdmmIteration(iteration, primal, dual, mu))
        interrupted = ended_by(callback, history[-1])
        if primal <= tol and dual <= tol:  # neither of which holds for NaN
            return AdmmRun(tuple(history), Status.CONVERGED)
        if interrupted:
            return AdmmRun(tuple(history), Status.INTERRUPTED)
        if growth is not None:
            mu = min(mu * growth, mu_max)
        elif iteration <= BALANCED_FOR:
            mu = _balanced(mu, primal, dual)
    return AdmmRun(tuple(history), Status.MAX_ITER)


def _balanced(mu: float, primal: float, dual: float) -> float:
    if primal > OUT_OF_BALANCE * dual:
        return mu * BALANCE_BY
    if dual > OUT_OF_BALANCE * primal:
        return mu / BALANCE_BY
    return mu
