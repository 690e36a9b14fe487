"""Modularity, held against its definition; networkx computes the same."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind._selection.modularity import modularity


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
