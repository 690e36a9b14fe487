import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind import SC
from samekind._kernels.representation_graph import (
    N_JOINED,
    representation_graph,
    with_isolated_joined,
)
from samekind._kernels.self_representation import ridge_projection
from samekind._kernels.status import Status
from samekind.graph._components import components_of


@pytest.fixture
def X():
    """Three directions, ten bright samples and one dark sample each; bright ones come first."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 10)
    bright = 4 * np.eye(12)[y] + 0.3 * rng.random((30, 12))
    return np.vstack([bright, 0.02 * bright[[0, 10, 20]]])


def test_a_dark_sample_is_joined_to_what_it_is_most_made_of(X):
    made = representation_graph(X, lam=10.0, lam_z=0.1)
    dark = np.arange(30, 33)
    assert made.Z[dark].nnz == made.Z[:, dark].nnz == 0  # the threshold leaves them nothing
    A = np.abs(ridge_projection(X, 10.0))
    np.fill_diagonal(A, 0.0)
    for row in dark:
        nearest = set(np.argsort(-A[row])[:N_JOINED].tolist())
        assert set(made.W[[row]].indices.tolist()) == nearest
        assert all(other // 10 == row - 30 for other in nearest)
        assert made.W[[row]].max() == pytest.approx(0.5)  # 1 in its own row, symmetrized
    assert made.status is Status.CONVERGED


def test_weights_between_the_others_stay_as_they_were(X):
    made = representation_graph(X, lam=10.0, lam_z=0.1)
    Z = np.abs(made.Z.toarray())
    Z /= np.maximum(Z.max(axis=1, keepdims=True), 1e-300)
    np.testing.assert_allclose(made.W[:30, :30].toarray(), (Z + Z.T)[:30, :30] / 2, atol=1e-12)


def test_small_components_are_not_joined():
    """Two samples that have each other keep each other alone."""
    weight = csr_array(np.kron(np.eye(2), [[0.0, 1.0], [0.0, 0.0]]))
    assert with_isolated_joined(weight, np.ones((4, 4))) is weight


def test_a_sample_of_zeros_cannot_be_joined(X):
    X = np.vstack([X, np.zeros(12)])
    made = representation_graph(X, lam=10.0, lam_z=0.1)
    assert made.W[[33]].nnz == 0


def test_a_graph_without_any_weight_stays_without_edges(X):
    made = representation_graph(X, lam=10.0, lam_z=100.0)
    assert made.W.nnz == 0
    assert made.status is Status.EDGELESS


def test_dark_samples_take_no_eigenvector_from_the_clusters(X):
    model = SC(3, affinity="self_representation", coupling=10.0, sparsity=0.1, random_state=0)
    labels = model.fit(X).labels_
    assert components_of(model.affinity_matrix_).count <= 3
    assert len(set(labels)) == 3
    assert (labels[30:] == labels[[0, 10, 20]]).all()
    assert all(len(set(labels[10 * c : 10 * c + 10])) == 1 for c in range(3))
