import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import KMeans

from samekind import PairConstraints
from samekind._selection.row_clusters import (
    _losses,
    k_means_of_rows,
    plainer_clusters,
    sum_between,
)
from samekind._selection.views import view_of
from samekind.metrics import clustering_accuracy


@pytest.fixture
def unequal():
    rng, y = np.random.default_rng(0), np.repeat([0, 1], [190, 10])
    return np.column_stack([8.0 * y, 0 * y]) + rng.standard_normal((200, 2)), y


def plainer(X, labels, pairs, k=2, named=()):
    return plainer_clusters(
        view_of(X, None, standardized=False),
        labels,
        k,
        group_of=pairs.group_of,
        named=named,
        cannot_link=pairs.cannot_link,
    )


def test_a_small_group_is_plainer_than_halves_of_a_large_one(unequal):
    X, y = unequal
    halves = (X[:, 1] > np.median(X[:, 1])).astype(int)
    found = plainer(X, halves, PairConstraints(200))
    assert clustering_accuracy(y, found) == 1


def test_a_group_smaller_than_neighborhoods_is_plainer():
    rng, y = np.random.default_rng(1), np.repeat([0, 1], [150, 10])
    X = rng.standard_normal((160, 10))
    X[y == 1, 0] += 12
    halves = (X[:, 1] > np.median(X[:, 1])).astype(int)
    assert clustering_accuracy(y, plainer(X, halves, PairConstraints(160))) == 1


def test_the_same_clusters_are_not_plainer(unequal):
    X, y = unequal
    assert plainer(X, y, PairConstraints(200)) is None


def test_clusters_that_violate_more_are_not_plainer(unequal):
    X, _ = unequal
    halves = (X[:, 1] > np.median(X[:, 1])).astype(int)
    one, other = np.argmin(X[:190, 1]), np.argmax(X[:190, 1])  # in one cluster of k-means
    pairs = PairConstraints(200, cannot_link=[(one, other)])
    assert plainer(X, halves, pairs) is None


def test_clusters_that_neighbors_do_not_show_are_not_plainer():
    """Two long strips beside each other: k-means cuts both, and leaves less variance."""
    rng, y = np.random.default_rng(0), np.arange(200) % 2
    X = np.column_stack([rng.uniform(0, 40, 200), 4 * y + rng.uniform(0, 1, 200)])
    cut = KMeans(2, n_init=10, random_state=0).fit(X).labels_
    centered = X - X.mean(axis=0)
    assert sum_between(centered, cut) > sum_between(centered, y)
    assert plainer(X, y, PairConstraints(200)) is None


def test_strays_are_no_cluster(unequal):
    X, _ = unequal
    X = X[:190].copy()
    X[:3] += 50
    halves = (X[:, 1] > np.median(X[:, 1])).astype(int)
    assert plainer(X, halves, PairConstraints(190)) is None


def test_must_links_hold_and_centers_of_some_rows_serve_all(monkeypatch, unequal):
    X, y = unequal
    pairs = PairConstraints(200, must_link=[(0, 195), (195, 199)])
    order = np.argsort(X[:, 0])
    every = k_means_of_rows(X, 2, pairs.group_of, [], order)
    assert every[0] == every[195] == every[199]
    monkeypatch.setattr("samekind._selection.row_clusters.SOME_ROWS", 50)
    some = k_means_of_rows(X, 2, pairs.group_of, [int(pairs.group_of[0])], order)
    assert some[0] == some[195] == some[199]
    assert clustering_accuracy(y, some) > 0.98


def test_fewer_different_rows_than_clusters_leave_clusters_empty(monkeypatch):
    monkeypatch.setattr("samekind._selection.row_clusters.SOME_ROWS", 50)
    X = np.repeat([[0.0], [1.0], [5.0]], 40, axis=0)
    found = k_means_of_rows(X, 5, np.arange(120), [], np.arange(120))
    assert len(np.unique(found)) == 3
    assert plainer(X, np.arange(120) % 5, PairConstraints(120), k=5) is None


def test_more_features_than_rows_give_the_same_clusters(unequal):
    X, y = unequal
    wide = np.hstack([X, np.zeros((200, 300))])
    found = k_means_of_rows(wide, 2, np.arange(200), [], np.arange(200))
    assert clustering_accuracy(y, found) == 1


def test_losses_are_shares_of_weight_between_clusters():
    W = csr_array([[0.0, 3.0, 1.0], [3.0, 0.0, 0.0], [1.0, 0.0, 2.0]])
    worst, lost = _losses(W, np.array([0, 0, 1]))
    assert worst == pytest.approx(1 / 3)
    assert lost == pytest.approx(2 / 10)
