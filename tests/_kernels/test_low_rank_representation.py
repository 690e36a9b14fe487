import cvxpy as cp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from samekind._kernels.low_rank_representation import (
    RotatedRows,
    low_rank_representation,
    positive_part,
)
from samekind._kernels.proximal import soft
from samekind._kernels.shrink import unit_rows
from samekind._kernels.status import Status
from samekind.estimators._s2lrr import hollow


def subspaces(seed, n=6, d=5):
    """Samples near two planes, at unit length."""
    rng = np.random.default_rng(seed)
    planes = [rng.standard_normal((n, 2)) @ rng.standard_normal((2, d)) for _ in range(2)]
    return unit_rows(np.vstack(planes) + 0.1 * rng.standard_normal((2 * n, d)))


def objective(X, C, weights, lam):
    """At C itself, which has an error of its own; no copies, no residuals."""
    lengths = np.linalg.norm(X - C @ X, axis=1)
    return np.linalg.norm(C, "nuc") + (weights * np.abs(C)).sum() + lam * lengths.sum()


def reference(X, weights, lam, sparse_step):
    """The smallest objective, by a general convex solver."""
    C = cp.Variable((len(X), len(X)))
    error = cp.sum(cp.norm(X - C @ X, 2, axis=1))
    value = cp.normNuc(C) + cp.sum(cp.multiply(weights, cp.abs(C))) + lam * error
    sets = {positive_part: [C >= 0], hollow: [cp.diag(C) == 0], soft: []}
    problem = cp.Problem(cp.Minimize(value), sets[sparse_step])
    problem.solve(solver=cp.CLARABEL)
    return problem.value


@pytest.mark.parametrize("sparse_step", [positive_part, hollow, soft])
@pytest.mark.parametrize("lam", [1.0, 3.0])
def test_the_objective_is_no_worse_than_that_of_a_general_solver(sparse_step, lam):
    X = subspaces(0)
    weights = np.random.default_rng(1).uniform(0, 0.4, (len(X), len(X)))
    found = low_rank_representation(
        RotatedRows.of(X), weights, lam, sparse_step, tol=1e-5, max_iter=5000
    )
    assert found.status is Status.CONVERGED
    best = reference(X, weights, lam, sparse_step)
    ours = objective(X, found.C, weights, lam)
    assert best * (1 - 1e-6) <= ours <= best * (1 + 1e-4)


@pytest.mark.parametrize("lam", [1.0, 2.0, 3.0])
def test_multipliers_certify_the_optimum(lam):
    """Scaled to be feasible in the dual problem, they bound the objective from below."""
    X, beta = subspaces(2, n=20, d=12), 0.2
    rows = RotatedRows.of(X)
    found = low_rank_representation(rows, beta, lam, positive_part, tol=1e-4, max_iter=5000)
    assert found.status is Status.CONVERGED
    Y_X, Y_J, Y_C = found.multipliers
    assert_allclose(Y_X @ rows.X.T, Y_J + Y_C, atol=1e-9)  # Z is free
    lengths = np.linalg.norm(Y_X, axis=1)
    excess = max(1.0, np.linalg.norm(Y_J, 2), Y_C.max() / beta, lengths.max() / lam)
    assert excess < 1.01
    bound = np.vdot(Y_X, rows.X) / excess
    ours = objective(rows.X, found.C, beta, lam)
    assert bound <= ours * (1 + 1e-9)
    assert ours - bound <= 5e-3 * ours


@pytest.mark.parametrize("sparse_step", [positive_part, hollow])
def test_residuals_are_small_where_converged_and_the_set_is_met_exactly(sparse_step):
    X = subspaces(3)
    rows = RotatedRows.of(X)
    found = low_rank_representation(rows, 0.2, 2.0, sparse_step, tol=1e-5, max_iter=5000)
    assert found.status is Status.CONVERGED
    assert np.linalg.norm(found.Z - found.C) <= 1e-4 * np.linalg.norm(found.C)
    assert_allclose(found.ZX, found.Z @ rows.X, atol=1e-10)
    assert (found.C >= 0).all() if sparse_step is positive_part else not np.diag(found.C).any()


def test_it_is_better_than_no_representation():
    X = subspaces(4)
    found = low_rank_representation(RotatedRows.of(X), 0.2, 2.0, positive_part)
    assert objective(X, found.C, 0.2, 2.0) < objective(X, 0 * found.C, 0.2, 2.0)


def test_a_tiny_weight_of_the_error_leaves_nothing():
    found = low_rank_representation(RotatedRows.of(subspaces(5)), 0.2, 1e-3, positive_part)
    assert not found.C.any()
    assert found.status is Status.EDGELESS


def test_a_large_weight_leaves_each_independent_sample_to_itself():
    X = unit_rows(np.random.default_rng(6).standard_normal((8, 20)))
    found = low_rank_representation(
        RotatedRows.of(X), 0.2, 50.0, positive_part, tol=1e-6, max_iter=5000
    )
    assert_allclose(found.C, np.eye(8), atol=1e-4)
    assert found.status is Status.EDGELESS  # a graph without edges


def test_without_error_and_weights_it_is_the_projection_on_the_samples():
    """The closed form of low-rank representation: X X^+."""
    X = np.random.default_rng(7).standard_normal((9, 3))
    rows = RotatedRows.of(X)
    found = low_rank_representation(rows, 0.0, 1e3, soft, tol=1e-7, max_iter=5000)
    assert_allclose(found.C, rows.X @ np.linalg.pinv(rows.X), atol=1e-5)


@pytest.mark.parametrize("copies", [1, 2])
def test_the_ridge_step_solves_its_linear_system(copies):
    rng = np.random.default_rng(8)
    rows = RotatedRows.of(rng.standard_normal((9, 4)))
    T, M = rng.standard_normal((9, 4)), rng.standard_normal((9, 9))
    Z, ZX = rows.ridge(T, M, copies)
    gram = rows.X @ rows.X.T + copies * np.eye(9)
    assert_allclose(Z @ gram, T @ rows.X.T + M, atol=1e-12)
    assert_allclose(ZX, Z @ rows.X, atol=1e-12)


def test_rows_are_rotated_to_their_rank_and_keep_their_angles():
    X = np.random.default_rng(9).standard_normal((12, 3)) @ np.eye(3, 40)
    rows = RotatedRows.of(7 * X)
    assert rows.X.shape == (12, 3)
    assert_allclose(rows.X @ rows.X.T, unit_rows(X) @ unit_rows(X).T, atol=1e-12)
    assert_allclose(rows.X.T @ rows.X, np.diag(rows.s), atol=1e-12)


def test_sparse_rows_and_rows_of_zeros_are_welcome():
    X = subspaces(10)
    X[3] = 0
    found = low_rank_representation(RotatedRows.of(X), 0.2, 2.0, positive_part)
    assert not found.C[3].any()
    assert not found.C[:, 3].any()
    sparse = low_rank_representation(RotatedRows.of(csr_array(X)), 0.2, 2.0, positive_part)
    assert_allclose(sparse.C, found.C, atol=1e-9)


def test_it_goes_on_from_where_it_was():
    rows = RotatedRows.of(subspaces(11))
    found = low_rank_representation(rows, 0.2, 2.0, positive_part)
    again = low_rank_representation(rows, 0.2, 2.0, positive_part, start=found)
    assert again.n_iter == 1
    near = low_rank_representation(rows, 0.21, 2.0, positive_part, start=found)
    assert near.n_iter < low_rank_representation(rows, 0.21, 2.0, positive_part).n_iter


def test_running_out_of_steps_is_reported():
    seen = []
    rows = RotatedRows.of(subspaces(12))
    found = low_rank_representation(rows, 0.2, 2.0, positive_part, max_iter=3, callback=seen.append)
    assert found.status is Status.MAX_ITER
    assert_array_equal([record.iteration for record in seen], [1, 2, 3])
