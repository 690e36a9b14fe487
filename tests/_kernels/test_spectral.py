import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import block_diag, csr_array
from sklearn.manifold import spectral_embedding as embedding_of_scikit_learn

from samekind._kernels import eigen
from samekind._kernels.spectral import (
    bottom_eigenvectors,
    embedding_by_products,
    spectral_embedding,
)
from samekind._kernels.status import Status
from samekind.graph import laplacian, local_graph, normalized_laplacian


def graph_of_components(sizes, seed=0):
    rng = np.random.default_rng(seed)
    return csr_array(block_diag([local_graph(rng.standard_normal((n, 3)), 8, 5) for n in sizes]))


def assert_certified(found, L, k):
    """The smallest eigenvalues of the dense L, and vectors that belong to them."""
    dense = L.toarray() if hasattr(L, "toarray") else L
    assert found.status is Status.CONVERGED
    assert_allclose(found.values, np.linalg.eigvalsh(dense)[:k], atol=1e-10)
    assert_allclose(found.H.T @ found.H, np.eye(k), atol=1e-10)
    assert_allclose(dense @ found.H, found.H * found.values, atol=1e-8)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("sizes", [[400], [200, 100, 60, 9]])
def test_the_smallest_eigenvalues_are_found(sizes, normalized):
    W = graph_of_components(sizes)
    L = normalized_laplacian(W) if normalized else laplacian(W)
    assert_certified(spectral_embedding(W, 6, normalized=normalized), L, 6)


def test_it_agrees_with_scikit_learn():
    W = graph_of_components([350])
    theirs = embedding_of_scikit_learn(W, n_components=5, drop_first=False, random_state=0)
    theirs = theirs * np.sqrt(W.sum(axis=1))[:, None]  # they divide by the root of the degree
    theirs /= np.linalg.norm(theirs, axis=0)
    H = spectral_embedding(W, 5).H
    assert_allclose(H @ H.T, theirs @ theirs.T, atol=1e-6)


def test_a_graph_in_k_components_has_k_zeros_and_a_row_for_each_component():
    found = spectral_embedding(graph_of_components([40, 30, 20]), 3)
    assert_allclose(found.values, 0, atol=1e-12)
    assert (np.count_nonzero(np.abs(found.H) > 1e-9, axis=1) == 1).all()


def test_the_scale_of_the_graph_does_not_matter_when_normalized():
    W = graph_of_components([300])
    one, other = spectral_embedding(W, 4), spectral_embedding(csr_array(1e6 * W), 4)
    assert_allclose(one.values, other.values, atol=1e-12)
    assert_allclose(one.H @ one.H.T, other.H @ other.H.T, atol=1e-8)


@pytest.mark.parametrize("as_dense", [True, False])
def test_a_matrix_with_eigenvalues_of_both_signs(as_dense):
    L = csr_array(-1.0 * graph_of_components([350]))
    assert_certified(bottom_eigenvectors(L.toarray() if as_dense else L, 5), L, 5)


@pytest.mark.parametrize("sizes", [[400], [200, 100, 60, 9], [12] * 30, [60] * 12])
def test_products_alone_give_the_same_embedding(sizes):
    W = graph_of_components(sizes)
    found = embedding_by_products(W, 20)
    assert_certified(found, normalized_laplacian(W), 20)


def test_products_alone_prefer_larger_components():
    """As solving component by component does, where there are more components than components."""
    W = graph_of_components([20, 40, 10, 30])
    lean, whole = embedding_by_products(W, 2).H, spectral_embedding(W, 2).H
    assert_allclose(lean @ lean.T, whole @ whole.T, atol=1e-9)
    assert (lean[:20] == 0).all()


def test_samples_without_edges_are_components_of_their_own():
    W = csr_array(block_diag([csr_array((3, 3)), graph_of_components([50])]))
    assert_certified(embedding_by_products(W, 6), normalized_laplacian(W), 6)
    nothing = embedding_by_products(csr_array((4, 4)), 4)
    assert_allclose(nothing.H @ nothing.H.T, np.eye(4))


@pytest.mark.parametrize("n", [2, 6, 40])
def test_eigenvalues_repeated_and_at_the_far_end(n):
    """All vectors of a complete bipartite graph: 0 and 2 once, and 1 in between."""
    half = np.ones((n // 2, n // 2))
    W = csr_array(np.block([[0 * half, half], [half, 0 * half]]))
    assert_certified(embedding_by_products(W, n), normalized_laplacian(W), n)


def test_what_cannot_be_verified_says_so(monkeypatch):
    monkeypatch.setattr(eigen, "MAX_ROUNDS", 0)
    monkeypatch.setattr(eigen, "DENSE_LIMIT", 10)
    W = graph_of_components([400])
    assert embedding_by_products(W, 4).status is Status.UNVERIFIED
    assert spectral_embedding(W, 4).status is Status.UNVERIFIED
