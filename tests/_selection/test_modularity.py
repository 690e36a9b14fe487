"""Modularity, held against its definition; networkx computes the same."""

import numpy as np
import pytest
from scipy.sparse import block_diag, csr_array

from samekind._selection.modularity import even_modularity, modularity


def by_definition(W, labels):
    """1 / 2m sum_ij (w_ij - d_i d_j / 2m) [c_i = c_j]."""
    degree, total = W.sum(axis=1), W.sum()
    same = labels[:, None] == labels
    return ((W - np.outer(degree, degree) / total) * same).sum() / total


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_definition(seed):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((30, 30)) * (rng.random((30, 30)) < 0.3), 1)
    W, labels = W + W.T, rng.integers(4, size=30)
    found = modularity(csr_array(W), labels)
    assert found == pytest.approx(by_definition(W, labels), abs=1e-12)


def test_it_is_that_of_networkx():
    networkx = pytest.importorskip("networkx")
    rng = np.random.default_rng(0)
    W = np.triu(rng.random((30, 30)) * (rng.random((30, 30)) < 0.3), 1)
    labels = rng.integers(4, size=30)
    parts = [set(np.flatnonzero(labels == c).tolist()) for c in np.unique(labels)]
    graph = networkx.from_numpy_array(W + W.T)
    expected = networkx.community.modularity(graph, parts, weight="weight")
    assert modularity(csr_array(W + W.T), labels) == pytest.approx(expected, abs=1e-12)


def test_a_graph_without_edges_has_none():
    assert modularity(csr_array((4, 4)), np.array([0, 1, 0, 1])) == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_even_modularity_is_modularity_where_clusters_have_equal_weight(seed):
    rng = np.random.default_rng(seed)
    ring = rng.random(24)
    ring = ring + np.roll(ring[::-1], 1)  # a circulant graph: all degrees are equal
    W = csr_array(ring[(np.arange(24)[:, None] - np.arange(24)) % 24])
    labels = rng.permutation(np.arange(24) % 4)
    assert even_modularity(W, labels) == pytest.approx(modularity(W, labels), abs=1e-12)


def test_even_modularity_does_not_cut_a_large_cluster_and_join_small_ones():
    sizes = [20, 10, 5]
    rings = [np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1) for n in sizes]
    W = csr_array(block_diag(rings))
    true = np.repeat([0, 1, 2], sizes)
    cut = np.repeat([0, 1, 2], [10, 10, 15])
    assert even_modularity(W, true) > even_modularity(W, cut)
    assert modularity(W, true) < modularity(W, cut)


def test_even_modularity_of_a_graph_without_edges_is_zero():
    assert even_modularity(csr_array((4, 4)), np.array([0, 1, 0, 1])) == 0.0
