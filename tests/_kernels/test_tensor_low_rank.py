import cvxpy as cp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from problems import blobs
from samekind._kernels import tensor_low_rank
from samekind._kernels.low_rank_representation import RotatedRows, low_rank_representation
from samekind._kernels.proximal import shrink_singular_values, soft
from samekind._kernels.status import Status
from samekind._kernels.tensor_low_rank import shrink_tensor, tensor_representation
from samekind.graph import laplacian, local_graph

SCALE = 0.2


@pytest.fixture
def problem():
    """Rows, Laplacian and what is known of the pairs of three samples in each of two blobs."""
    X, y = blobs(0, n_per_class=6, k=2, d=4, spread=1.5)
    labeled = np.concatenate([np.flatnonzero(y == c)[:3] for c in range(2)])
    known = np.zeros((len(y), len(y)))
    known[np.ix_(labeled, labeled)] = np.where(
        y[labeled][:, None] == y[labeled][None, :], SCALE, -SCALE
    )
    np.fill_diagonal(known, 0)
    return RotatedRows.of(X), laplacian(local_graph(X, 5, 3)), csr_array(known)


def objective(rows, L, Z, B, lam, beta):
    nuclear = (np.linalg.norm(Z + B, "nuc") + np.linalg.norm(Z - B, "nuc")) / 2
    lengths = np.linalg.norm(rows.X - Z @ rows.X, axis=1)
    return nuclear + lam * lengths.sum() + beta * np.vdot(B, L @ B)


def reference(rows, L, known, lam, beta):
    """The smallest objective, by a general convex solver."""
    n = len(rows.X)
    Z, B = cp.Variable((n, n)), cp.Variable((n, n))
    root = np.linalg.cholesky(L.toarray() + 1e-10 * np.eye(n))
    value = (cp.normNuc(Z + B) + cp.normNuc(Z - B)) / 2
    value += lam * cp.sum(cp.norm(rows.X - Z @ rows.X, 2, axis=1))
    value += beta * cp.sum_squares(root.T @ B)
    given = known.tocoo()
    problem = cp.Problem(cp.Minimize(value), [B[given.row, given.col] == given.data])
    problem.solve(solver=cp.CLARABEL)
    return problem.value


@pytest.mark.parametrize(("lam", "beta"), [(0.5, 0.0), (0.5, 1.0), (2.0, 1.0)])
def test_it_ends_near_the_optimum(problem, lam, beta):
    rows, L, known = problem
    found = tensor_representation(rows, L, known, lam, beta)
    given = known.tocoo()
    B = found.B.copy()
    B[given.row, given.col] = given.data
    best = reference(rows, L, known, lam, beta)
    ours = objective(rows, L, found.Z, B, lam, beta)
    assert best * (1 - 1e-6) <= ours <= best * 1.01


def test_a_penalty_that_grows_slowly_leads_to_the_optimum(problem, monkeypatch):
    monkeypatch.setattr(tensor_low_rank, "GROWTH", 1.01)
    rows, L, known = problem
    found = tensor_representation(rows, L, known, 0.5, 1.0, tol=1e-5, max_iter=5000)
    given = known.tocoo()
    B = found.B.copy()
    B[given.row, given.col] = given.data
    best = reference(rows, L, known, 0.5, 1.0)
    assert objective(rows, L, found.Z, B, 0.5, 1.0) == pytest.approx(best, rel=1e-3)


def test_known_pairs_are_met(problem):
    rows, L, known = problem
    found = tensor_representation(rows, L, known, 0.5, 1.0, tol=1e-4)
    assert found.status is Status.CONVERGED
    given = known.tocoo()
    assert_allclose(found.B[given.row, given.col], given.data, atol=2e-4)


def test_without_pairs_it_is_a_low_rank_representation(problem):
    rows, L, known = problem
    found = tensor_representation(rows, L, csr_array(known.shape), 0.5, 1.0, tol=1e-5)
    assert_allclose(found.B, 0, atol=1e-12)
    alone = low_rank_representation(rows, 0.0, 0.5, soft, tol=1e-6, max_iter=5000)
    lengths = [np.linalg.norm(rows.X - Z @ rows.X, axis=1).sum() for Z in (found.Z, alone.C)]
    values = [np.linalg.norm(Z, "nuc") for Z in (found.Z, alone.C)]
    ours, best = (value + 0.5 * length for value, length in zip(values, lengths, strict=True))
    assert ours == pytest.approx(best, rel=1e-3)


def test_smoothness_makes_the_rows_of_near_samples_alike(problem):
    rows, L, known = problem
    rough, smooth = (tensor_representation(rows, L, known, 0.5, beta).B for beta in (0.1, 10.0))
    assert np.vdot(smooth, L @ smooth) < np.vdot(rough, L @ rough)


def test_the_tensor_step_shrinks_the_slices_of_the_fourier_transform():
    slices = np.random.default_rng(0).standard_normal((2, 6, 6))
    turned = np.fft.fft(slices, axis=0)
    assert_allclose(turned.imag, 0)
    shrunk = np.stack([shrink_singular_values(one, 0.7) for one in turned.real])
    assert_allclose(shrink_tensor(*slices, 0.7), np.fft.ifft(shrunk, axis=0).real, atol=1e-12)


def test_running_out_of_steps_is_reported(problem):
    seen = []
    found = tensor_representation(*problem, 0.5, 1.0, max_iter=4, callback=seen.append)
    assert found.status is Status.MAX_ITER
    assert found.n_iter == len(seen) == 4
