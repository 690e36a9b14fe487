import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind._kernels.pencil import FewRows
from samekind._kernels.subspace import (
    extrapolated,
    orthonormal,
    ratio_in_block,
    rayleigh_ritz,
    sharpened,
)
from samekind._kernels.trace_ratio import trace_ratio
from samekind.graph import local_graph, normalized_laplacian


@pytest.fixture
def S():
    X = np.random.default_rng(0).standard_normal((400, 3))
    return csr_array(-1.0 * normalized_laplacian(local_graph(X, 10, 5)))


def test_the_whole_space_gives_the_spectrum(S):
    ritz = rayleigh_ritz(S, np.random.default_rng(0).standard_normal((400, 400)))
    np.testing.assert_allclose(ritz.values, np.linalg.eigvalsh(S.toarray())[::-1], atol=1e-10)
    assert ritz.residual(400) < 1e-10


def test_ritz_values_lie_below_the_eigenvalues(S):
    ritz = rayleigh_ritz(S, np.random.default_rng(0).standard_normal((400, 12)))
    truth = np.linalg.eigvalsh(S.toarray())[::-1][:12]
    assert (ritz.values <= truth + 1e-12).all()
    np.testing.assert_allclose(ritz.products, S @ ritz.vectors, atol=1e-12)


def test_rounds_of_the_filter_reach_the_eigenvectors(S):
    values, vectors = np.linalg.eigh(S.toarray())
    ritz = rayleigh_ritz(S, np.random.default_rng(0).standard_normal((400, 14)))
    before = ritz.residual(6)
    for _ in range(8):
        ritz = rayleigh_ritz(S, sharpened(S, ritz, 6, -2.0, 1e-11))
        assert ritz.residual(6) < before  # every round gains
        before = max(ritz.residual(6), 1e-11)
    np.testing.assert_allclose(ritz.values[:6], values[::-1][:6], atol=1e-12)
    top = vectors[:, -6:]
    H = ritz.vectors[:, :6]
    np.testing.assert_allclose(H @ H.T, top @ top.T, atol=1e-8)


def test_a_good_start_needs_one_round(S):
    top = np.linalg.eigh(S.toarray())[1][:, ::-1][:, :14]
    nearly = top + 1e-6 * np.random.default_rng(0).standard_normal(top.shape)
    ritz = rayleigh_ritz(S, sharpened(S, rayleigh_ritz(S, nearly), 6, -2.0, 1e-8))
    assert ritz.residual(6) < 1e-8


def test_the_ratio_in_the_whole_space_is_the_trace_ratio():
    rng = np.random.default_rng(0)
    F, G = rng.standard_normal((30, 5)), rng.standard_normal((30, 40))
    B, E = F @ F.T, G @ G.T
    rho, ritz = ratio_in_block(FewRows(csr_array(B)), E, rng.standard_normal((30, 30)), 3)
    assert rho == pytest.approx(trace_ratio(B, E, 3).rho, rel=1e-12)
    assert ritz.values[:3].sum() == pytest.approx(0, abs=1e-10 * np.abs(B).sum())
    assert ritz.residual(3) < 1e-10


def test_the_ratio_in_a_block_is_the_ratio_of_the_small_matrices():
    rng = np.random.default_rng(1)
    F, G, V = rng.standard_normal((30, 5)), rng.standard_normal((30, 40)), rng.random((30, 8))
    B, E, Q = F @ F.T, G @ G.T, np.linalg.qr(V)[0]
    rho, _ = ratio_in_block(FewRows(csr_array(B)), E, V, 3)
    assert rho == pytest.approx(trace_ratio(Q.T @ B @ Q, Q.T @ E @ Q, 3).rho)
    assert rho <= trace_ratio(B, E, 3).rho


def test_a_block_inside_the_null_space_has_no_bound():
    B, E = np.diag([1.0, 2.0, 3.0]), np.diag([0.0, 0.0, 1.0])
    rho, ritz = ratio_in_block(FewRows(csr_array(B)), E, np.eye(3)[:, :2], 2)
    assert rho == np.inf
    assert np.isfinite(ritz.products).all()


@pytest.mark.parametrize("nearly", [1.0, 1e-3, 1e-7, 0.0])
def test_a_basis_is_orthonormal_however_near_the_columns_are_to_dependence(nearly):
    block = np.random.default_rng(0).standard_normal((60, 5))
    block[:, 4] = block[:, 0] + nearly * block[:, 4]
    Q = orthonormal(block * [1.0, 1e8, 1.0, 1e-8, 1.0])
    np.testing.assert_allclose(Q.T @ Q, np.eye(5), atol=1e-13)
    np.testing.assert_allclose(Q @ (Q.T @ block), block, atol=1e-12)


def test_a_span_that_moves_evenly_is_foreseen():
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.standard_normal((30, 6)))[0]
    spans = [
        (np.cos(angle) * Q[:, :3] + np.sin(angle) * Q[:, 3:])
        @ np.linalg.qr(rng.standard_normal((3, 3)))[0]  # any basis of the span
        for angle in (0.0, 0.03, 0.06)
    ]
    guess = orthonormal(extrapolated(spans[1], spans[0]))
    missed, stayed = (
        np.linalg.norm(spans[2] - start @ (start.T @ spans[2]), 2) for start in (guess, spans[1])
    )
    assert missed < 0.01 * stayed


def test_a_long_move_is_not_continued():
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((30, 4)))[0]
    before, now = Q[:, :2], np.column_stack([Q[:, 0], (Q[:, 1] + Q[:, 2]) / np.sqrt(2)])
    assert extrapolated(now, before) is now


def test_the_filter_keeps_digits_that_single_precision_has_not(S):
    top = np.linalg.eigh(S.toarray())[1][:, ::-1][:, :14]
    nearly = top + 1e-9 * np.random.default_rng(0).standard_normal(top.shape)
    ritz = rayleigh_ritz(S, nearly)
    assert rayleigh_ritz(S, sharpened(S, ritz, 6, -2.0, 1e-13)).residual(6) < 1e-12
