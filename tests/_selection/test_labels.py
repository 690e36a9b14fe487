import numpy as np
import pytest

from samekind import PairConstraints
from samekind._kernels.trace_ratio import bottom_eigenvectors
from samekind._selection.labels import _decided, grouped_k_means, seeds, spread_labels
from samekind.graph import local_graph, normalized_laplacian
from samekind.metrics import clustering_accuracy


@pytest.fixture
def three():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = 5 * np.eye(3)[y] + rng.standard_normal((90, 3))
    W = local_graph(X, 8, 4)
    return y, W, bottom_eigenvectors(normalized_laplacian(W), 3).vectors


def spread(W, H, k, pairs, named=()):
    return spread_labels(
        W,
        H,
        k,
        group_of=pairs.group_of,
        named=named,
        cannot_link=pairs.cannot_link,
        random_state=np.random.RandomState(0),
    )


def test_clusters_are_found_without_names(three):
    y, W, H = three
    found = spread(W, H, 3, PairConstraints(90))
    assert clustering_accuracy(y, found.labels) > 0.95
    assert found.start == "k-means"


def test_must_links_hold_even_against_the_graph(three):
    _, W, H = three
    pairs = PairConstraints(90, must_link=[(0, 1), (1, 2), (30, 31)])  # of three classes
    labels = spread(W, H, 3, pairs).labels
    assert labels[0] == labels[1] == labels[2]
    assert labels[30] == labels[31]


def test_named_groups_take_their_clusters(three):
    y, W, H = three
    pairs = PairConstraints.from_labels([0, 1, 2] * 2 + [-1] * 84)
    named = [int(pairs.group_of[i]) for i in (0, 1, 2)]
    found = spread(W, H, 3, pairs, named)
    assert found.labels[:3].tolist() == [0, 1, 2]  # columns in the order of the names
    assert clustering_accuracy(y, found.labels) > 0.95


def test_probabilities_agree_with_labels(three):
    _, W, H = three
    found = spread(W, H, 3, PairConstraints(90))
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(found.probabilities.argmax(axis=1), found.labels)


def test_a_part_that_no_seed_reaches_gets_a_label(three):
    y, W, H = three
    W = W.tolil()
    W[:3, :] = W[:, :3] = 0  # three samples without edges
    labels = spread(W.tocsr(), H, 3, PairConstraints(90)).labels
    assert clustering_accuracy(y, labels) > 0.9


def test_groups_move_as_one(three):
    _, _, H = three
    group_of = np.arange(90)
    group_of[:10] = 0
    group_of = np.unique(group_of, return_inverse=True)[1]
    state = np.random.RandomState(0)
    for partition in grouped_k_means(H, 3, group_of, [], state):
        assert len(set(partition.labels[:10])) == 1


def test_seeds_have_one_column_each_with_sum_one(three):
    y, _, H = three
    Y = seeds(y, H, 3, np.arange(90), [4])
    np.testing.assert_allclose(Y.sum(axis=0), 1)
    assert Y.shape == (90, 3)
    assert Y[4, 0] >= 0.5  # the named sample, with the heart of its cluster beside it
    assert set(y[Y[:, 0] > 0]) == {y[4]}


def test_between_two_clusters_a_sample_goes_to_the_larger():
    F = np.repeat([[3.0, 0.0], [0.0, 1.0], [1.05, 1.0], [2.0, 1.0]], [10, 30, 1, 1], axis=0)
    shares = _decided(F, np.ones((42, 1)), np.arange(42))
    # Each column sums to about 31; where the smaller one has far more, it keeps the sample.
    assert shares[-2:].argmax(axis=1).tolist() == [1, 0]
    assert np.allclose(shares.sum(axis=1), 1)


def test_the_largest_does_not_take_what_nearly_all_clusters_share():
    """Shares that are nearly even say little; sizes would decide alone."""
    rng = np.random.default_rng(0)
    F = 1 + 0.02 * rng.random((300, 3))
    F[:120, 0] += 0.02
    even = F / F.sum(axis=0)
    shares = _decided(F, np.ones((300, 1)), np.arange(300))
    assert (shares.argmax(axis=1) == even.argmax(axis=1)).all()
