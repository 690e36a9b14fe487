import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import block_diag, csr_array
from sklearn.exceptions import ConvergenceWarning

from problems import blobs
from samekind import SC, PairConstraints, Status, sample_labels
from samekind.estimators import _e2cp
from samekind.estimators._e2cp import E2CP
from samekind.estimators._spectral_learning import SL
from samekind.graph import local_graph, normalized_laplacian


@pytest.fixture
def touching():
    """Blobs that run into each other, and pairs among twelve samples."""
    X, y = blobs(0, n_per_class=30, spread=2.5)
    return X, PairConstraints.from_labels(sample_labels(y, 4, random_state=0))


def as_published(W, pairs, alpha):
    """The refined graph from dense inverses."""
    degree = W.sum(axis=1)
    spread = np.linalg.inv(np.eye(len(W)) - alpha * W / np.sqrt(np.outer(degree, degree)))
    Q = (pairs.must_link_matrix() - pairs.cannot_link_matrix()).toarray()
    F = (1 - alpha) ** 2 * spread @ Q @ spread
    F /= np.abs(F).max()
    refined = np.where(F >= 0, 1 - (1 - F) * (1 - W), (1 + F) * W)
    np.fill_diagonal(refined, 0)
    return refined


@pytest.mark.parametrize("alpha", [0.2, 0.5, 0.95])
@pytest.mark.parametrize("block", [7, 256])
def test_the_graph_is_the_published_one_whatever_the_blocks(touching, monkeypatch, alpha, block):
    X, pairs = touching
    monkeypatch.setattr(_e2cp, "BLOCK_ROWS", block)
    A = E2CP(3, alpha=alpha).fit(X, constraints=pairs).affinity_matrix_
    assert_allclose(A.toarray(), as_published(local_graph(X).toarray(), pairs, alpha), atol=1e-12)


def test_the_embedding_is_that_of_spectral_clustering_of_the_graph(touching):
    X, pairs = touching
    model = E2CP(3, random_state=0).fit(X, constraints=pairs)
    N = normalized_laplacian(model.affinity_matrix_).toarray()
    bottom = np.linalg.eigh(N)[1][:, :3]
    assert_allclose(model.embedding_ @ model.embedding_.T, bottom @ bottom.T, atol=1e-7)


def test_weights_are_symmetric_and_between_0_and_1(touching):
    X, pairs = touching
    A = E2CP(3).fit(X, constraints=pairs).affinity_matrix_
    assert A.data.min() >= 0
    assert A.data.max() <= 1
    assert abs(A - A.T).max() < 1e-14


def test_without_spreading_the_graph_is_that_of_spectral_learning(touching):
    X, pairs = touching
    ours, theirs = (
        model.fit(X, constraints=pairs).affinity_matrix_.toarray()
        for model in (E2CP(3, alpha=0), SL(3))
    )
    assert_allclose(ours, theirs, atol=1e-15)


def test_without_pairs_it_is_plain_spectral_clustering(touching):
    X, _ = touching
    ours, plain = (model(3, random_state=0).fit(X) for model in (E2CP, SC))
    assert_array_equal(ours.labels_, plain.labels_)
    assert_array_equal(ours.embedding_, plain.embedding_)


def test_a_pair_speaks_for_the_neighbors_of_its_samples():
    """Two blobs joined by one must-link, one of them cut in two by a cannot-link."""
    X = np.random.default_rng(0).standard_normal((40, 2)) + np.repeat([[0], [50]], 20, axis=0)
    W = local_graph(X).toarray()
    near = [np.flatnonzero(W[i] > 0) for i in range(40)]
    joined = E2CP(2, alpha=0.8).fit(X, must_link=[(0, 30)]).affinity_matrix_.toarray()
    assert (joined[np.ix_(near[0], near[30])] > 1e-3).all()
    other = int(near[0][0])
    cut = E2CP(2, alpha=0.8).fit(X, cannot_link=[(0, other)]).affinity_matrix_.toarray()
    assert cut[0, other] == 0
    both = np.intersect1d(near[0], near[other])
    assert (cut[0, both] < W[0, both]).all()
    assert_array_equal(cut[20:, 20:], W[20:, 20:])  # nothing is known of the other blob


def test_a_graph_in_many_pieces_loses_none():
    parts = [local_graph(np.random.default_rng(seed).standard_normal((40, 2))) for seed in range(9)]
    W, y = csr_array(block_diag(parts)), np.repeat(np.arange(9), 40)
    pairs = PairConstraints.from_labels(sample_labels(y, 2, random_state=0))
    model = E2CP(9, random_state=0).fit(np.zeros((360, 1)), constraints=pairs, graph=W)
    assert len(set(zip(model.labels_.tolist(), y.tolist(), strict=True))) == 9
    assert model.constraint_report_.violated == 0


def test_a_ready_graph_with_larger_weights_is_scaled_so_that_1_is_the_largest(touching):
    X, pairs = touching
    W = local_graph(X)
    large, scaled = (
        E2CP(3).fit(X, constraints=pairs, graph=csr_array(W * (top / W.max()))).affinity_matrix_
        for top in (8, 1)
    )
    assert_allclose(large.toarray(), scaled.toarray(), atol=1e-12)


def test_pairs_that_did_not_settle_are_reported(touching, monkeypatch):
    X, pairs = touching
    solve = _e2cp.solve_spd
    monkeypatch.setattr(_e2cp, "solve_spd", lambda A, B: (solve(A, B)[0], Status.UNVERIFIED))
    with pytest.warns(ConvergenceWarning):
        assert E2CP(3).fit(X, constraints=pairs).status_ is Status.UNVERIFIED


@pytest.mark.parametrize("alpha", [-0.1, 1.0, float("nan")])
def test_an_alpha_out_of_range_is_refused(touching, alpha):
    with pytest.raises(ValueError, match=r"'alpha'.*a float in the range \[0.0, 1.0\)"):
        E2CP(3, alpha=alpha).fit(touching[0])


def test_more_samples_than_fit_are_refused(touching):
    X, pairs = touching
    needed = 8 * 3 * len(X) ** 2
    with pytest.raises(MemoryError, match="E2CP of 90 samples, 3 dense arrays"):
        E2CP(3, memory_limit=needed - 1).fit(X, constraints=pairs)
    E2CP(3, memory_limit=needed).fit(X, constraints=pairs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [32, 127])
def test_the_same_labels_always_on_one_hot_rows(seed):
    """Few eigenvalues, each repeated often: Lanczos has to start again."""
    rng = np.random.default_rng(seed)
    n, d, k = (int(rng.integers(*ends)) for ends in ((20, 200), (2, 20), (2, 8)))
    X, y = np.eye(d)[rng.integers(d, size=n)], rng.integers(k, size=n)
    pairs = PairConstraints.from_labels(sample_labels(y, 1, random_state=seed))
    found = {E2CP(k, random_state=0).fit(X, constraints=pairs).labels_.tobytes() for _ in range(5)}
    assert len(found) == 1
