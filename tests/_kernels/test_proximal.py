import cvxpy as cp
import numpy as np
import pytest

from samekind._kernels import proximal
from samekind._kernels.proximal import shrink_rows, shrink_singular_values, soft


@pytest.fixture(params=range(3))
def A(request):
    return np.random.default_rng(request.param).standard_normal((6, 4))


def sum_of_row_norms(Z):
    return cp.sum(cp.norm(Z, 2, axis=1))


@pytest.mark.parametrize(
    ("step", "norm"),
    [(soft, cp.norm1), (shrink_rows, sum_of_row_norms), (shrink_singular_values, cp.normNuc)],
)
@pytest.mark.parametrize("t", [0.3, 1.0])
def test_each_step_minimizes_its_norm_plus_half_the_squared_distance(A, step, norm, t):
    Z = cp.Variable(A.shape)
    problem = cp.Problem(cp.Minimize(t * norm(Z) + cp.sum_squares(Z - A) / 2))
    problem.solve(solver=cp.CLARABEL)
    found = step(A, t)
    np.testing.assert_allclose(found, Z.value, atol=1e-4)
    ours = t * norm(found).value + ((found - A) ** 2).sum() / 2
    assert ours <= problem.value + 1e-9 * (1 + abs(problem.value))  # no worse than the reference


def test_soft_meets_its_subgradient_condition(A):
    t = np.random.default_rng(9).uniform(0, 2, A.shape)  # a threshold for each entry
    Z = soft(A, t)
    kept = Z != 0
    assert 0 < kept.sum() < kept.size
    np.testing.assert_allclose((A - Z)[kept], (t * np.sign(Z))[kept], atol=1e-14)
    assert (np.abs(A) <= t)[~kept].all()


def test_rows_meet_their_subgradient_condition(A):
    t = float(np.median(np.linalg.norm(A, axis=1)))
    Z = shrink_rows(A, t)
    length = np.linalg.norm(Z, axis=1)
    kept = length > 0
    assert kept.sum() == 3
    np.testing.assert_allclose((A - Z)[kept], (t * Z / np.where(kept, length, 1)[:, None])[kept])
    assert (np.linalg.norm(A, axis=1)[~kept] <= t).all()


@pytest.mark.parametrize("transposed", [False, True])
def test_singular_values_meet_their_subgradient_condition(A, transposed):
    """|A - Z|_2 <= t and <A - Z, Z> = t |Z|_* certify the minimum."""
    A = A.T if transposed else A
    t = float(np.linalg.svd(A, compute_uv=False)[:2].mean())
    Z = shrink_singular_values(A, t)
    assert np.linalg.matrix_rank(Z) == 1
    assert np.linalg.norm(A - Z, 2) <= t * (1 + 1e-12)
    assert np.vdot(A - Z, Z) == pytest.approx(t * np.linalg.norm(Z, "nuc"))


@pytest.mark.parametrize("t", [0.0, 1e-9, 0.7, 100.0])
@pytest.mark.parametrize("rank", [1, 4])
def test_the_gram_route_agrees_with_the_singular_value_decomposition(A, t, rank):
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    s[rank:] = 0.0
    expected = (U * np.maximum(s - t, 0)) @ Vt
    np.testing.assert_allclose(shrink_singular_values((U * s) @ Vt, t), expected, atol=1e-8)


@pytest.mark.parametrize("step", [soft, shrink_rows, shrink_singular_values])
def test_no_threshold_changes_nothing_and_a_large_one_leaves_nothing(A, step):
    before = A.copy()
    np.testing.assert_allclose(step(A, 0.0), A, atol=1e-12)
    np.testing.assert_array_equal(step(A, 50.0), 0.0)
    np.testing.assert_array_equal(step(np.zeros((3, 5)), 1.0), 0.0)
    np.testing.assert_array_equal(A, before)


@pytest.mark.parametrize("step", [soft, shrink_rows, shrink_singular_values])
def test_no_step_moves_two_points_apart(A, step):
    """Proximal steps are nonexpansive."""
    B = A + 0.1 * np.random.default_rng(1).standard_normal(A.shape)
    assert np.linalg.norm(step(A, 0.5) - step(B, 0.5)) <= np.linalg.norm(A - B) * (1 + 1e-12)


def test_turning_the_rows_or_columns_turns_the_result(A):
    rng = np.random.default_rng(2)
    P, Q = (np.linalg.qr(rng.standard_normal((m, m)))[0] for m in A.shape)
    np.testing.assert_allclose(
        shrink_singular_values(P @ A @ Q, 0.5), P @ shrink_singular_values(A, 0.5) @ Q, atol=1e-12
    )
    np.testing.assert_allclose(shrink_rows(A @ Q, 0.5), shrink_rows(A, 0.5) @ Q, atol=1e-12)


def test_a_failing_partial_solver_is_replaced_by_the_whole_one(A, monkeypatch):
    def fail(*_, **__):
        raise np.linalg.LinAlgError("Internal Error.")

    usual = shrink_singular_values(A, 1.0)
    monkeypatch.setattr(proximal, "eigh", fail)
    np.testing.assert_allclose(shrink_singular_values(A, 1.0), usual, atol=1e-12)
