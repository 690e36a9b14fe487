import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind.graph import local_graph, normalised_laplacian
from samekind.kernels.subspace import rayleigh_ritz, sharpen


@pytest.fixture
def S():
    X = np.random.default_rng(0).standard_normal((400, 3))
    return csr_array(-1.0 * normalised_laplacian(local_graph(X, 10, 5)))


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
        ritz = sharpen(S, ritz, 6, -2.0, 1e-11)
        assert ritz.residual(6) < before  # every round gains
        before = max(ritz.residual(6), 1e-11)
    np.testing.assert_allclose(ritz.values[:6], values[::-1][:6], atol=1e-12)
    top = vectors[:, -6:]
    H = ritz.vectors[:, :6]
    np.testing.assert_allclose(H @ H.T, top @ top.T, atol=1e-8)


def test_a_good_start_needs_one_round(S):
    top = np.linalg.eigh(S.toarray())[1][:, ::-1][:, :14]
    nearly = top + 1e-6 * np.random.default_rng(0).standard_normal(top.shape)
    ritz = sharpen(S, rayleigh_ritz(S, nearly), 6, -2.0, 1e-8)
    assert ritz.residual(6) < 1e-8
