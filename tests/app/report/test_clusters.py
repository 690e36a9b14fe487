"""Which rows stand for a cluster, and which are in doubt."""

import numpy as np

from samekind.app.report.clusters import (
    N_CENTRAL,
    N_UNCERTAIN,
    composition,
    describe_clusters,
    distinctive_features,
)
from samekind.inspection._ordering import unit_rows


def around_unit_vectors(n=90, k=3, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) % k)
    return np.eye(k)[labels] + 0.25 * rng.standard_normal((n, k)), labels


def test_central_rows_are_those_nearest_to_the_mean():
    H, labels = around_unit_vectors()
    for cluster in describe_clusters(H, labels):
        rows = unit_rows(H)[labels == cluster.label]
        distance = np.linalg.norm(rows - rows.mean(axis=0), axis=1)
        nearest = np.flatnonzero(labels == cluster.label)[np.argsort(distance)]
        np.testing.assert_array_equal(cluster.central, nearest[:N_CENTRAL])


def test_a_row_near_another_cluster_is_the_least_certain():
    H, labels = around_unit_vectors()
    row = int(np.flatnonzero(labels == 0)[4])
    H[row] = [0.1, 0.0, 1.0]  # looks like cluster 2
    first = describe_clusters(H, labels)[0]
    assert first.uncertain[0] == row
    assert first.rivals[row] == 2
    assert len(first.uncertain) == N_UNCERTAIN
    assert not set(first.uncertain) & set(first.central)


def test_one_cluster_has_no_rivals_and_shows_its_outliers():
    H = np.ones((20, 2))
    H[13] = [1.0, -1.0]
    (only,) = describe_clusters(H, np.zeros(20, dtype=int))
    assert only.uncertain[0] == 13
    assert only.rivals == {}


def test_small_clusters_show_every_row_once():
    H, labels = around_unit_vectors(n=9)
    for cluster in describe_clusters(H, labels):
        assert sorted(cluster.central) == cluster.members.tolist()
        assert len(cluster.uncertain) == 0


def test_labels_need_not_count_from_zero():
    H, labels = around_unit_vectors()
    shifted = describe_clusters(H, 7 * labels - 3)
    assert [cluster.label for cluster in shifted] == [-3, 4, 11]
    assert [cluster.position for cluster in shifted] == [0, 1, 2]


def test_features_that_set_a_cluster_apart_come_first():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 50)
    X = rng.standard_normal((100, 12)) * np.logspace(-3, 3, 12)  # units do not matter
    X[:, 5] = 1.0  # constant
    X[labels == 1, 9] += 20 * X[:, 9].std()
    X[labels == 1, 2] += 5 * X[:, 2].std()
    for columns in distinctive_features(X, describe_clusters(X, labels), 6):
        assert columns[:2].tolist() == [9, 2]
        assert len(columns) == 6
        assert 5 not in columns


def test_unknown_labels_are_not_counted():
    assert composition(["b", "", "a", "b", "a", "c"], np.arange(5)) == [("a", 2), ("b", 2)]


def test_the_least_certain_rows_are_those_of_the_smallest_probability():
    H = np.repeat(np.eye(2), 20, axis=0)
    labels = np.repeat(["a", "b"], 20)
    sure = np.ones(40)
    sure[[15, 12, 33]] = 0.4, 0.6, 0.5
    first, second = describe_clusters(H, labels, (sure, np.where(labels == "a", "b", "")))
    assert first.uncertain[:2].tolist() == [15, 12]
    assert second.uncertain[0] == 33
    assert first.rivals[15] == "b"
