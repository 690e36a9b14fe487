import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from samekind import PairConstraints
from samekind._kernels.assign import assign, assign_groups, spread
from samekind._kernels.shrink import unit_rows
from samekind.graph import local_graph


@pytest.fixture
def H():
    """Rows around four directions, of lengths that do not matter."""
    rng = np.random.default_rng(0)
    rows = np.eye(4)[np.repeat(np.arange(4), 15)] + 0.1 * rng.standard_normal((60, 4))
    return rows * rng.uniform(0.1, 10, (60, 1))


def run(H, groups=(), seed=0):
    return assign(H, 4, groups=groups, random_state=np.random.RandomState(seed))


def test_without_groups_it_is_k_means_on_unit_rows(H):
    expected = KMeans(4, n_init=20, max_iter=1000, random_state=np.random.RandomState(3))
    np.testing.assert_array_equal(run(H, seed=3), expected.fit_predict(unit_rows(H)))


def test_groups_number_the_clusters(H):
    groups = [np.array([50, 51]), np.array([0]), np.array([20, 21, 22]), np.array([40])]
    labels = run(H, groups)
    truth = np.repeat([1, 2, 3, 0], 15)
    np.testing.assert_array_equal(labels, truth)


def test_missing_centers_are_drawn_far_from_the_seeds(H):
    for seed in range(5):
        labels = run(H, [np.array([50, 51]), np.array([0])], seed)
        assert len({tuple(labels[15 * c : 15 * c + 15]) for c in range(4)}) == 4
        assert labels[50] == 0
        assert labels[0] == 1


def grouped(H, k, pairs, seed=0, named=()):
    return assign_groups(
        H,
        k,
        group_of=pairs.group_of,
        named=named,
        cannot_link=pairs.cannot_link,
        random_state=np.random.RandomState(seed),
    )


def test_groups_that_move_as_one_keep_every_must_link(H):
    pairs = PairConstraints(60, must_link=[(0, 20), (20, 40), (1, 50)])  # against the rows
    labels = grouped(H, 4, pairs)
    assert pairs.evaluate(labels).violated == 0
    assert len(set(labels)) == 4


def test_moving_as_one_is_k_means_on_weighted_means(H):
    """The winner is no worse than k-means whose samples are forced into their groups."""
    pairs = PairConstraints(60, must_link=[(0, 20), (1, 2), (33, 34)])
    labels, rows = grouped(H, 4, pairs), unit_rows(H)
    sizes = np.bincount(pairs.group_of)
    mean = np.array([rows[pairs.group_of == g].mean(axis=0) for g in range(len(sizes))])
    model = KMeans(4, n_init=20, random_state=3).fit(mean, sample_weight=sizes)
    assert adjusted_rand_score(labels, model.labels_[pairs.group_of]) == 1


def test_a_violated_cannot_link_costs_as_much_as_inertia():
    """Three kinds of rows in two clusters: joining the first two has the smallest inertia, 5.5.

    Beside the third, the first has 5.8, so that any cannot-link with the second decides.
    """
    rows = np.repeat(np.eye(3), [5, 6, 7], axis=0)
    alone = grouped(rows, 2, PairConstraints(18))
    assert alone[0] == alone[5] != alone[11]
    told = grouped(rows, 2, PairConstraints(18, cannot_link=[(0, 5)]))
    assert told[0] == told[11] != told[5]


def test_no_more_groups_than_clusters_is_plain_k_means(H):
    pairs = PairConstraints(6, must_link=[(0, 1), (1, 2), (3, 4)])
    with_groups = grouped(H[:6], 3, pairs, seed=1)
    np.testing.assert_array_equal(
        with_groups, assign(H[:6], 3, random_state=np.random.RandomState(1))
    )


def test_fewer_different_rows_than_centers():
    H = np.ones((6, 2))
    with pytest.warns(UserWarning, match="distinct clusters"):
        labels = assign(H, 3, groups=[np.array([0])], random_state=np.random.RandomState(0))
    assert labels.shape == (6,)


def test_spreading_solves_its_equation_and_gives_seeds_their_label():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2)) + 4 * np.eye(3)[:, :2][np.repeat(range(3), 20)]
    W = local_graph(X, 7, 5)
    groups = [np.array([0, 1]), np.array([20]), np.array([40, 41, 42])]
    labels = spread(W, rng.standard_normal((60, 3)), groups)
    degree = np.asarray(W.sum(axis=1)).ravel()
    S = W.toarray() / np.sqrt(np.outer(degree, degree))
    Y = np.zeros((60, 3))
    for cluster, group in enumerate(groups):
        Y[group, cluster] = 1 / len(group)
    F = np.linalg.solve(np.eye(60) - 0.99 * S, Y)
    assert_array_equal(labels, F.argmax(axis=1))
    for cluster, group in enumerate(groups):
        assert (labels[group] == cluster).all()


def test_samples_that_no_seed_reaches_go_to_the_nearest_cluster_of_the_embedding():
    W = csr_array(np.kron(np.eye(3), np.ones((2, 2)) - np.eye(2)))
    H = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.1, 1.0], [1.0, 0.1]])
    assert spread(W, H, [np.array([0]), np.array([2])]).tolist() == [0, 0, 1, 1, 1, 0]
