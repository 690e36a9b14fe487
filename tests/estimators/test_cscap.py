import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from problems import blobs
from samekind import SC, PairConstraints, Status, sample_labels, sample_pairs
from samekind._kernels import affinity_propagation
from samekind._kernels.affinity_propagation import correlation, covariance, weakened_between
from samekind._kernels.assign import assign
from samekind._kernels.spectral import Embedding, spectral_embedding
from samekind.constraints.closure import linked_groups
from samekind.estimators._cscap import CSCAP
from samekind.graph import local_graph


@pytest.fixture(scope="module")
def touching():
    """Four blobs that run into each other, and the pairs of four labels each."""
    X, y = blobs(1, n_per_class=30, k=4, d=10, spread=2.0)
    return X, y, PairConstraints.from_labels(sample_labels(y, 4, random_state=0))


def test_without_pairs_it_is_spectral_clustering(touching):
    X, _, _ = touching
    model, plain = CSCAP(4, random_state=0).fit(X), SC(4, random_state=0).fit(X)
    assert_array_equal(model.labels_, plain.labels_)
    W = model.affinity_matrix_ * (plain.affinity_matrix_.max() / model.affinity_matrix_.max())
    assert abs(W - plain.affinity_matrix_).max() < 1e-12


def test_the_affinity_holds_what_the_pairs_say(touching):
    X, _, pairs = touching
    W = CSCAP(4, random_state=0).fit(X, constraints=pairs).affinity_matrix_.toarray()
    assert (W[tuple(pairs.cannot_link.T)] == 0).all()
    assert W[tuple(pairs.must_link.T)].min() > 0.5  # less than 1 where two groups are near
    assert_array_equal(W, W.T)
    assert not W.diagonal().any()
    assert W.min() >= 0


def test_labels_of_all_classes_take_one_update_for_each_two_of_them(touching):
    _, _, pairs = touching
    assert len(linked_groups(pairs.group_of, pairs.cannot_link)) == 4 * 3 // 2


def test_both_forms_agree_on_two_blobs_with_cannot_links_alone():
    X, y = blobs(0, n_per_class=40, k=2, d=5, spread=1.0)
    pairs = sample_pairs(y, 0, 15, random_state=0)
    two_class = CSCAP(2, n_neighbors=10, random_state=0).fit(X, constraints=pairs)
    R = correlation(covariance(local_graph(X, 10, 5), 1e-2)[0])
    R = weakened_between(R, pairs.group_of, linked_groups(pairs.group_of, pairs.cannot_link))
    np.fill_diagonal(R, 0)
    H = spectral_embedding(csr_array(R), 2).H
    multi_class = assign(H, 2, random_state=np.random.RandomState(0))
    assert adjusted_rand_score(two_class.labels_, multi_class) == 1
    assert adjusted_rand_score(two_class.labels_, y) == 1


def test_cannot_links_spread_between_two_classes():
    """Each moon is told from the other by pairs between them alone, where the graph is not."""
    X, y = make_moons(200, noise=0.15, random_state=2)
    pairs = sample_pairs(y, 0, 60, random_state=0)
    model, plain = (kind(2, random_state=0) for kind in (CSCAP, SC))
    told = adjusted_rand_score(y, model.fit(X, constraints=pairs).labels_)
    assert told > adjusted_rand_score(y, plain.fit(X).labels_)
    assert model.constraint_report_.violated <= 2


def test_pairs_that_two_classes_cannot_hold_are_survived():
    """f_1 = -f_2 = f_3 = -f_1 leaves no variance but the noise."""
    X, _ = blobs(0, n_per_class=10, k=2, d=3)
    triangle = [(0, 1), (1, 2), (0, 2)]
    for noise in (1e-4, 1e-30):
        with pytest.warns(UserWarning, match="marked different"):
            model = CSCAP(2, noise=noise, random_state=0).fit(X, cannot_link=triangle)
        assert np.isfinite(model.embedding_).all()
        assert model.constraint_report_.violated >= 1


def test_the_noise_of_pairs_weakens_them(touching):
    X, _, pairs = touching
    strength = [
        CSCAP(4, noise=noise, random_state=0)
        .fit(X, constraints=pairs)
        .affinity_matrix_.toarray()[tuple(pairs.must_link.T)]
        .mean()
        for noise in (1e-4, 1.0, 100.0)
    ]
    assert strength[0] > strength[1] > strength[2]


def test_many_random_pairs_are_met():
    X, y = blobs(2, n_per_class=50, k=4, d=10, spread=3.0)
    pairs = sample_pairs(y, 400, 1200, random_state=0)
    model = CSCAP(4, random_state=0).fit(X, constraints=pairs)
    assert model.status_ is Status.CONVERGED
    assert model.constraint_report_.satisfaction > 0.95


def test_an_unverified_diagonal_is_a_warning(touching, monkeypatch):
    X, _, pairs = touching

    def unverified(W, k):
        return Embedding(np.ones((W.shape[0], k)), np.full(k, -5.0), Status.UNVERIFIED)

    monkeypatch.setattr(affinity_propagation, "bottom_eigenvectors", unverified)
    with pytest.warns(ConvergenceWarning, match="could not be verified"):
        model = CSCAP(4).fit(X, constraints=pairs)
    assert model.status_ is Status.UNVERIFIED
