"""Exchanges find partitions that k-means misses, keep groups whole, and never lower modularity."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind._kernels.assign import group_means, grouped_k_means
from samekind._kernels.shrink import unit_rows
from samekind._kernels.spectral import spectral_embedding
from samekind._selection.exchange import exchanged
from samekind._selection.modularity import modularity
from samekind.graph import local_graph
from samekind.metrics import clustering_accuracy

K, N = 20, 400


@pytest.fixture(scope="module")
def graph():
    """Twenty groups, their graph, and the unit rows of its embedding."""
    rng = np.random.default_rng(1)
    y = np.arange(N) % K
    X = 3 * rng.standard_normal((K, 6))[y] + rng.standard_normal((N, 6))
    W = csr_array(local_graph(X))
    return y, W, unit_rows(spectral_embedding(W, K).H)


def merged_and_cut(y, R):
    """Two clusters as one, and another in two."""
    wrong = np.where(y == 1, 0, y)
    along = R @ R[y == 2].mean(axis=0)
    wrong[(y == 2) & (along > np.median(along[y == 2]))] = 1
    return wrong


def test_two_clusters_in_one_and_another_in_two_are_mended(graph):
    y, W, R = graph
    best = exchanged(W, group_means(R, np.arange(N)), y)
    wrong = merged_and_cut(y, R)
    found = exchanged(W, group_means(R, np.arange(N)), wrong)
    usual, before, after = (modularity(W, one) for one in (best, wrong, found))
    assert before < usual - 0.01
    assert after > usual - 0.001
    assert clustering_accuracy(best, wrong) < 0.96 * clustering_accuracy(best, found)


@pytest.mark.parametrize("seed", range(5))
def test_modularity_never_falls_and_groups_stay_whole(graph, seed):
    _, W, R = graph
    rng = np.random.default_rng(seed)
    group_of = np.arange(N)
    for one, other in rng.choice(N, (10, 2), replace=False):
        group_of[group_of == group_of[other]] = group_of[one]
    group_of = np.unique(group_of, return_inverse=True)[1]
    start = grouped_k_means(R, K, group_of, [], np.random.RandomState(seed), 1)[0].labels
    found = exchanged(W, group_means(R, group_of), start)
    assert modularity(W, found) >= modularity(W, start)
    assert len(np.unique(found)) == len(np.unique(start))
    for group in range(group_of.max() + 1):
        assert len(set(found[group_of == group])) == 1


def test_what_cannot_be_made_better_is_returned_as_it_is(graph):
    y, W, R = graph
    best = exchanged(W, group_means(R, np.arange(N)), y)
    assert exchanged(W, group_means(R, np.arange(N)), best) is best
    two = y % 2
    assert exchanged(W, group_means(R, np.arange(N)), two) is two  # nothing to split beside a pair
    none = csr_array((N, N))
    assert exchanged(none, group_means(R, np.arange(N)), y) is y


def test_two_starts_with_exchanges_find_what_a_hundred_find(graph):
    """The best modularity; without exchanges two starts miss it."""
    _, W, R = graph
    groups = group_means(R, np.arange(N))

    def found_by(n_starts, seed):
        state = np.random.RandomState(seed)
        some = grouped_k_means(R, K, np.arange(N), [], state, n_starts)
        return sorted((one.labels for one in some), key=lambda labels: -modularity(W, labels))

    usual = modularity(W, found_by(100, 0)[0])
    few = [found_by(2, seed) for seed in range(5)]
    before = [max(modularity(W, labels) for labels in two) for two in few]
    after = [max(modularity(W, exchanged(W, groups, labels)) for labels in two) for two in few]
    assert min(after) > usual - 0.002 > max(before)
