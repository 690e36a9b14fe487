import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from problems import blobs
from samekind import SC, PairConstraints, sample_labels
from samekind.estimators._spectral_learning import SL
from samekind.graph import local_graph


@pytest.fixture
def fitted():
    """Touching blobs, pairs among twelve samples, and the model."""
    X, y = blobs(0, n_per_class=30, spread=2.5)
    pairs = PairConstraints.from_labels(sample_labels(y, 4, random_state=0))
    return X, pairs, SL(3, random_state=0).fit(X, constraints=pairs)


def original(A):
    """N = (A + d_max I - D) / d_max, as published."""
    degree = A.sum(axis=1)
    return (A + np.diag(degree.max() - degree)) / degree.max()


def test_pairs_overrule_the_graph_and_nothing_else_changes(fitted):
    X, pairs, model = fitted
    A, W = model.affinity_matrix_.toarray(), local_graph(X).toarray()
    must, cannot = pairs.must_link.T, pairs.cannot_link.T
    assert (A[*must] == 1).all()
    assert (A[*cannot] == 0).all()
    for one, other in (must, cannot):
        W[one, other] = W[other, one] = A[one, other]
    assert_array_equal(A, W)
    assert model.affinity_matrix_.nnz == np.count_nonzero(W)


def test_the_normalization_of_the_original_gives_the_same_embedding(fitted):
    _, _, model = fitted
    N = original(model.affinity_matrix_.toarray())
    values, vectors = np.linalg.eigh(N)
    assert_allclose(N.sum(axis=1), 1)
    assert np.abs(values).max() <= 1 + 1e-12
    assert values[-1] == pytest.approx(1)
    assert_allclose(N @ model.embedding_, model.embedding_ @ np.diag(values[:-4:-1]), atol=1e-9)
    top = vectors[:, -3:]
    assert_allclose(model.embedding_ @ model.embedding_.T, top @ top.T, atol=1e-7)


def test_a_path_is_cut_where_it_is_told():
    path = np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)
    model = SL(2, random_state=0).fit(np.zeros((4, 1)), cannot_link=[(1, 2)], graph=path)
    assert model.labels_[0] == model.labels_[1] != model.labels_[2] == model.labels_[3]
    assert model.constraint_report_.violated == 0


def test_a_regular_graph_without_pairs_is_that_of_plain_spectral_clustering():
    n = 40
    ring = np.roll(np.eye(n), 1, axis=1) + 0.5 * np.roll(np.eye(n), 2, axis=1)
    graph, X = csr_array(ring + ring.T) / 2, np.zeros((n, 1))
    ours, plain = (model(3).fit(X, graph=graph).embedding_ for model in (SL, SC))
    assert_allclose(ours @ ours.T, plain @ plain.T, atol=1e-9)


def test_a_ready_graph_with_larger_weights_is_scaled_so_that_1_is_the_largest():
    X, _ = blobs(1)
    W = local_graph(X)
    pairs = PairConstraints(len(X), [(0, 1)], [(2, 3)])
    large = SL(3).fit(X, constraints=pairs, graph=csr_array(W * (8 / W.max())))
    scaled = SL(3).fit(X, constraints=pairs, graph=csr_array(W / W.max()))
    assert large.affinity_matrix_.max() == 1
    assert_allclose(large.affinity_matrix_.toarray(), scaled.affinity_matrix_.toarray())
