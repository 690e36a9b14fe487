"""Ordering and reducing, compared with the full matrices."""

import itertools

import numpy as np
import pytest
from scipy.sparse import block_diag, coo_array, csr_array, random_array

from samekind._kernels.shrink import unit_rows
from samekind.inspection._ordering import (
    block_edges,
    cluster_order,
    cluster_spans,
    largest_by_block,
    mean_distance_by_block,
)


def by_blocks(full, edges, reduce):
    pieces = [slice(a, b) for a, b in itertools.pairwise(edges)]
    return np.array([[reduce(full[rows, columns]) for columns in pieces] for rows in pieces])


@pytest.mark.parametrize(("n", "most"), [(7, 3), (20, 400), (401, 400), (1000, 7), (1, 1)])
def test_edges_cover_all_rows_in_nearly_equal_runs(n, most):
    size = np.diff(block_edges(n, most))
    assert size.sum() == n
    assert len(size) == min(n, most)
    assert size.min() >= 1
    assert size.max() - size.min() <= 1


def test_a_shuffled_block_diagonal_graph_becomes_block_diagonal():
    rng = np.random.default_rng(0)
    sizes = [5, 9, 4]
    labels = np.repeat([0, 1, 2], sizes)
    Z = csr_array(block_diag([np.ones((size, size)) for size in sizes]))
    shuffle = rng.permutation(18)
    reduced = largest_by_block(
        Z[shuffle][:, shuffle], cluster_order(labels[shuffle]), np.array([0, 5, 14, 18])
    )
    np.testing.assert_array_equal(reduced, np.eye(3))


@pytest.mark.parametrize("most", [50, 11, 1])
def test_the_largest_weight_agrees_with_the_full_matrix(most):
    rng = np.random.default_rng(1)
    Z = csr_array(random_array((50, 50), density=0.1, rng=rng)) * -3.0
    Z.data[Z.indptr[7] : Z.indptr[8]] = 0  # stored zeros: a row of zeros stays zero
    order = rng.permutation(50)
    full = np.abs(Z.toarray())
    peak = full.max(axis=1, keepdims=True)
    full = np.divide(full, peak, out=np.zeros_like(full), where=peak > 0)[np.ix_(order, order)]
    edges = block_edges(50, most)
    np.testing.assert_allclose(largest_by_block(Z, order, edges), by_blocks(full, edges, np.max))


def test_entries_given_twice_count_with_their_sum():
    Z = coo_array(([1.0, 1.0, 4.0], ([0, 0, 0], [1, 1, 2])), shape=(3, 3))
    assert largest_by_block(Z, np.arange(3), np.arange(4))[0].tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("most", [40, 9, 1])
def test_the_mean_distance_agrees_with_the_full_matrix(most):
    rng = np.random.default_rng(2)
    H = rng.standard_normal((40, 4))
    H[3] = 0
    order = rng.permutation(40)
    rows = unit_rows(H)[order]
    full = ((rows[:, None] - rows) ** 2).sum(axis=2)
    edges = block_edges(40, most)
    np.testing.assert_allclose(
        mean_distance_by_block(H, order, edges), by_blocks(full, edges, np.mean), atol=1e-12
    )


def test_order_and_spans_agree():
    labels = np.array([5, 2, 5, 9, 2, 2])
    ordered = labels[cluster_order(labels)]
    for cluster, begin, end in cluster_spans(labels):
        assert set(ordered[round(6 * begin) : round(6 * end)]) == {cluster}
