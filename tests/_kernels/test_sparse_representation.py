"""Sparse representations: two routes to each optimum, classes, degenerate samples, status."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import solve_sylvester
from scipy.sparse import csr_array

from problems import blobs
from samekind._kernels import exact_rows as exact_module
from samekind._kernels import sparse_representation as module
from samekind._kernels.exact_rows import exact_rows
from samekind._kernels.lasso import Lasso, smallest_peak
from samekind._kernels.propagation import one_hot
from samekind._kernels.sparse_representation import (
    Outliers,
    lasso_representation,
    outlier_representation,
)
from samekind._kernels.status import Status
from samekind._kernels.unit_gram import factors, unit_gram


@pytest.fixture(params=[0.0, 0.1, 2.0])
def problem(request):
    """A lasso form in which two of three samples have a class; coherence 0 ties no rows."""
    X, y = blobs(1, n_per_class=10, k=3, d=8, spread=1.5)
    hard = one_hot(np.where(np.arange(len(y)) % 3 > 0, y, -1), [0, 1, 2])
    return Lasso.of(X, 20.0).coherent(hard, request.param)


@pytest.fixture
def weights():
    return np.random.default_rng(0).uniform(0.5, 2.0, (30, 30))


def excess(problem, C, weights):
    """How far the optimality conditions are from holding."""
    gain = problem.descent(C)
    beyond = np.where(C == 0, np.abs(gain) - weights, np.abs(gain - weights * np.sign(C)))
    return float(beyond[~np.eye(len(C), dtype=bool)].max())


def test_the_optimality_conditions_hold_with_classes_too(problem, weights):
    found = lasso_representation(problem, weights)
    assert found.status is Status.CONVERGED
    assert_array_equal(np.diag(found.C), 0)
    assert excess(problem, found.C, weights) < 1e-7


def test_exact_rows_and_steps_alone_agree(problem, weights, monkeypatch):
    exact = lasso_representation(problem, weights).C
    monkeypatch.setattr(module, "exact_rows", lambda *_: None)
    steps = lasso_representation(problem, weights, tol=1e-9, max_iter=20_000)
    assert steps.status is Status.CONVERGED
    assert steps.n_iter > module.FIRST_TRY
    assert_allclose(steps.C, exact, atol=1e-6)


def test_a_start_saves_all_steps_and_changes_nothing(problem, weights):
    near = lasso_representation(problem, 1.0).C
    copy = near.copy()
    found = lasso_representation(problem, weights, start=near)
    assert found.n_iter == 0
    assert_array_equal(near, copy)
    assert_allclose(found.C, lasso_representation(problem, weights).C, atol=1e-8)


def test_a_start_from_which_exact_rows_are_not_found_is_stepped_on_from(
    problem, weights, monkeypatch
):
    best = lasso_representation(problem, weights).C
    monkeypatch.setattr(module, "exact_rows", lambda *_: None)
    found = lasso_representation(problem, weights, start=best, tol=1e-6)
    assert found.n_iter == 1  # multipliers are those of the optimum, too
    assert_allclose(found.C, best, atol=1e-5)


def test_turns_that_do_not_end_say_so(problem, weights, monkeypatch):
    monkeypatch.setattr(exact_module, "MAX_TURNS", 1)
    found = exact_rows(problem, np.zeros((30, 30)), weights)
    assert (found is None) == (problem.coherence > 0)


def test_a_singular_system_of_means_is_no_error(problem, weights, monkeypatch):
    def singular(*_):
        raise np.linalg.LinAlgError("singular matrix")

    best = lasso_representation(problem, weights).C
    monkeypatch.setattr(exact_module, "_means_of_signs", singular)
    if problem.coherence > 0:
        assert exact_rows(problem, np.zeros((30, 30)), weights) is None
    found = lasso_representation(problem, weights, tol=1e-9, max_iter=20_000)
    assert found.status is Status.CONVERGED
    assert_allclose(found.C, best, atol=1e-6)


def test_more_coherence_leaves_less_about_the_means():
    """As for every penalty; the largest is beyond all measure, and no trouble."""
    X, y = blobs(1, n_per_class=10, k=3, d=8, spread=1.5)
    plain, spreads = Lasso.of(X, 20.0), []
    for coherence in (0.0, 0.1, 2.0, 50.0, 1e3, 1e9):
        problem = plain.coherent(one_hot(y, [0, 1, 2]), coherence)
        found = lasso_representation(problem, tol=1e-7, max_iter=5000)
        assert found.status is Status.CONVERGED
        spreads.append(((found.C - problem.means(found.C)) ** 2).sum())
    assert (np.diff(spreads) <= 1e-6).all()
    assert spreads[-1] < 0.1 * spreads[0]


def test_the_smooth_step_is_that_of_a_sylvester_solver(problem):
    B = np.random.default_rng(0).standard_normal((30, 30))
    known = problem.hard.any(axis=1)
    Q = np.diag(known * 1.0) - problem.means(np.eye(30))
    right = problem.gram + 7.0 * np.eye(30)
    A = solve_sylvester(2 * problem.coherence * Q, right, problem.gram + B)
    assert_allclose(problem.smooth_step(B, 7.0), A, atol=1e-9)


def test_samples_of_few_dimensions_need_few_others():
    rng = np.random.default_rng(0)
    problem = Lasso.of(rng.standard_normal((120, 3)), 20.0)
    found = lasso_representation(problem)
    assert found.n_iter == module.FIRST_TRY
    assert excess(problem, found.C, 1.0) < 1e-7
    assert np.count_nonzero(found.C, axis=1).max() <= 3


def test_equal_samples_and_samples_of_zeros_are_no_trouble():
    X = np.vstack([np.repeat(np.random.default_rng(0).standard_normal((6, 9)), 3, axis=0)] * 2)
    X[-1] = 0.0
    problem = Lasso.of(X, 20.0)
    found = lasso_representation(problem)
    assert found.status is Status.CONVERGED
    assert excess(problem, found.C, 1.0) < 1e-7
    assert not found.C[-1].any()


@pytest.mark.parametrize(
    "solved",
    [
        lambda X, **stop: lasso_representation(Lasso.of(X, 20.0), **stop),
        lambda X, **stop: outlier_representation(Outliers.of(X, 0.01), **stop),
    ],
)
def test_how_a_run_ends_is_said(solved):
    X, _ = blobs(0, n_per_class=5, k=2, d=12)
    seen = []
    stopped = solved(X, max_iter=3, tol=1e-12, callback=seen.append)
    assert stopped.status is Status.MAX_ITER
    assert [record.iteration for record in seen] == [1, 2, 3] == list(range(1, stopped.n_iter + 1))
    assert solved(np.eye(5)).status is Status.EDGELESS
    assert solved(np.zeros((4, 3))).status is Status.EDGELESS


def test_orthogonal_samples_do_not_set_the_scale():
    gram = unit_gram(np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    assert smallest_peak(gram) == pytest.approx(np.sqrt(0.5))


def test_the_gram_matrix_is_of_unit_rows_and_its_factors_make_it():
    X, _ = blobs(0, d=4)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    U, s = factors(unit_gram(X))
    assert len(s) == 4
    assert_allclose((U * s) @ U.T, unit @ unit.T, atol=1e-12)
    assert_allclose(unit_gram(csr_array(X)), unit @ unit.T, atol=1e-12)
