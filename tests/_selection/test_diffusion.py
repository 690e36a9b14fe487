import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind._selection import diffusion as module
from samekind._selection.diffusion import Diffusion
from samekind.graph import _matrices, local_graph


@pytest.fixture
def graph():
    W = local_graph(np.random.default_rng(0).standard_normal((80, 3)), 8, 4).tolil()
    W[7, :] = W[:, 7] = 0  # a sample without edges
    return csr_array(W)


@pytest.mark.parametrize("factored", [True, False])
@pytest.mark.parametrize(("single", "digits"), [(False, 1e-5), (True, 1e-3)])
def test_it_solves_the_closed_form(graph, factored, single, digits, monkeypatch):
    if not factored:
        monkeypatch.setattr(module, "FACTORED_UP_TO", 0)
        monkeypatch.setattr(module, "FACTORED_DOUBLE_UP_TO", 0)
    degree = graph.sum(axis=1)
    root = np.diag(1 / np.sqrt(np.where(degree > 0, degree, 1)))
    K = np.linalg.inv(np.eye(80) - 0.99 * root @ graph.toarray() @ root)
    found = Diffusion(graph, 0.99, single=single)
    B = np.random.default_rng(1).random((80, 5))
    np.testing.assert_allclose(found.solve(B), K @ B, rtol=digits, atol=digits)
    np.testing.assert_allclose(found.columns(np.array([3, 7])), K[:, [3, 7]], atol=digits * 10)


def test_an_order_that_suits_memory_changes_nothing(graph, monkeypatch):
    expected = Diffusion(graph).columns(np.array([3, 70]))
    monkeypatch.setattr(module, "FACTORED_DOUBLE_UP_TO", 0)
    monkeypatch.setattr(_matrices, "ORDERED_FROM", 1)
    found = Diffusion(graph).columns(np.array([3, 70]), tol=1e-12)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_columns_in_blocks(graph, monkeypatch):
    samples = np.array([3, 7, 50, 70])
    K = Diffusion(graph).columns(samples)
    monkeypatch.setattr(module, "BLOCK_ENTRIES", 200)
    among, total = Diffusion(graph).among(samples)
    np.testing.assert_allclose(among, K[samples])
    np.testing.assert_allclose(total, K.sum(axis=0))
