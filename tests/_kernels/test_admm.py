import numpy as np
import pytest
from sklearn.linear_model import Lasso

from samekind._kernels.admm import BALANCED_FOR, run_admm
from samekind._kernels.proximal import soft
from samekind._kernels.status import Status


def residuals(*pairs):
    """A step that answers with these residuals, the last of them for ever."""
    left = list(pairs)

    def step(mu):
        return left.pop(0) if len(left) > 1 else left[0]

    return step


class LassoByAdmm:
    """min |y - Xb|^2 / 2 + t |z|_1 with b = z, with unscaled multipliers."""

    def __init__(self, X, y, t):
        self.gram, self.target, self.t = X.T @ X, X.T @ y, t
        self.z = np.zeros(X.shape[1])
        self.multiplier = np.zeros(X.shape[1])

    def step(self, mu):
        d = len(self.z)
        b = np.linalg.solve(self.gram + mu * np.eye(d), self.target + mu * self.z - self.multiplier)
        before, self.z = self.z, soft(b + self.multiplier / mu, self.t / mu)
        self.multiplier = self.multiplier + mu * (b - self.z)
        return np.abs(b - self.z).max(), mu * np.abs(self.z - before).max()


@pytest.fixture
def regression():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 8))
    return X, X @ np.array([3, -2, 0, 0, 1.5, 0, 0, 0]) + 0.1 * rng.standard_normal(40)


@pytest.mark.parametrize("mu", [1e-4, 1.0, 1e5])
def test_a_lasso_is_solved_from_any_first_penalty(regression, mu):
    X, y = regression
    t = 4.0
    problem = LassoByAdmm(X, y, t)
    run = run_admm(problem.step, mu=mu, tol=1e-10, max_iter=2000)
    assert run.status is Status.CONVERGED
    theirs = Lasso(alpha=t / len(y), fit_intercept=False, tol=1e-12, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(problem.z, theirs.coef_, atol=1e-7)
    # The subgradient condition at the solution.
    slope = X.T @ (y - X @ problem.z)
    np.testing.assert_allclose(slope[problem.z != 0], t * np.sign(problem.z[problem.z != 0]))
    assert np.abs(slope).max() <= t * (1 + 1e-6)


def test_a_growing_penalty_meets_the_constraint_too_early(regression):
    """As the docstring warns: converged by its residual, yet only near the optimum."""
    X, y = regression
    grown, balanced = LassoByAdmm(X, y, 4.0), LassoByAdmm(X, y, 4.0)

    def primal_alone(mu):
        return grown.step(mu)[0], 0.0

    run = run_admm(primal_alone, mu=1e-3, tol=1e-6, max_iter=500, growth=3.0)
    run_admm(balanced.step, mu=1.0, tol=1e-10, max_iter=2000)
    assert run.status is Status.CONVERGED
    assert run.n_iter < 50
    assert np.abs(grown.z - balanced.z).max() > 1e-6


def test_both_residuals_have_to_be_small():
    run = run_admm(residuals((0.0, 9.0), (9.0, 0.0), (0.1, 0.1)), mu=1.0, tol=0.1, max_iter=9)
    assert (run.n_iter, run.status) == (3, Status.CONVERGED)
    assert [(one.iteration, one.primal, one.dual) for one in run.history] == [
        (1, 0.0, 9.0),
        (2, 9.0, 0.0),
        (3, 0.1, 0.1),
    ]


@pytest.mark.parametrize("pair", [(1.0, 0.0), (0.0, 1.0), (np.nan, 0.0), (0.0, np.nan)])
def test_running_out_of_steps_is_reported(pair):
    run = run_admm(residuals(pair), mu=1.0, tol=0.5, max_iter=7)
    assert (run.n_iter, run.status) == (7, Status.MAX_ITER)


def test_the_penalty_balances_the_residuals():
    steps = residuals((1.0, 0.01), (0.01, 1.0), (1.0, 0.5), (0.5, 1.0), (1.0, 0.0))
    run = run_admm(steps, mu=1.0, tol=1e-9, max_iter=5)
    # Raised behind the first step, lowered behind the second, left alone behind the others.
    assert [one.mu for one in run.history] == [1.0, 2.0, 1.0, 1.0, 1.0]


def test_the_penalty_is_left_alone_after_some_steps():
    run = run_admm(residuals((1.0, 0.0)), mu=1e-30, tol=1e-9, max_iter=BALANCED_FOR + 20)
    mus = np.array([one.mu for one in run.history])
    assert (np.diff(mus)[:BALANCED_FOR] > 0).all()
    assert (np.diff(mus)[BALANCED_FOR:] == 0).all()


def test_a_growing_penalty_stops_at_its_largest():
    run = run_admm(residuals((0.0, 1.0)), mu=1.0, tol=1e-9, max_iter=6, growth=3.0, mu_max=20.0)
    assert [one.mu for one in run.history] == [1.0, 3.0, 9.0, 20.0, 20.0, 20.0]


def test_the_callback_sees_every_step():
    seen = []
    run = run_admm(residuals((1.0, 1.0)), mu=1.0, tol=0.5, max_iter=4, callback=seen.append)
    assert tuple(seen) == run.history
