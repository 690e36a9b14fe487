import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from samekind.graph import _cells as module
from samekind.graph import find_neighbors, local_graph
from samekind.graph._cells import cells_of, smallest
from samekind.graph._knn import local_graph_of, nearest_rows
from samekind.graph._neighbors import find_in_cells


@pytest.fixture
def X():
    rng = np.random.default_rng(0)
    return 3 * rng.standard_normal((12, 5))[rng.integers(12, size=900)] + rng.standard_normal(
        (900, 5)
    )


def test_cells_find_nearly_all_neighbors_and_say_how_many(X, monkeypatch):
    monkeypatch.setattr(module, "CELLS_NEARBY", 8)
    true = nearest_rows(X, 8)[0]
    found = find_neighbors(X, 8, cells_from=100)
    shared = [len(np.intersect1d(a, b)) for a, b in zip(true, found.nearest, strict=True)]
    assert np.mean(shared) / 8 > 0.98
    assert found.recall == pytest.approx(np.mean(shared) / 8, abs=0.02)
    assert (found.nearest != np.arange(900)[:, None]).all()
    assert all(len(set(row)) == 8 for row in found.nearest)
    assert (np.diff(found.distance, axis=1) >= 0).all()
    gap = X[found.nearest[:, 3]] - X
    assert_allclose(found.distance[:, 3], np.linalg.norm(gap, axis=1))


def test_few_cells_nearby_lower_the_recall(X, monkeypatch):
    monkeypatch.setattr(module, "CELLS_NEARBY", 1)
    assert find_neighbors(X, 8, cells_from=100).recall < 0.95


def test_all_pairs_are_looked_at_for_few_samples_and_for_sparse_ones(X):
    for kind in (X, csr_array(X)):
        found = find_neighbors(kind, 4, cells_from=10_000 if kind is X else 1)
        assert found.recall == 1.0
        assert_array_equal(found.nearest, nearest_rows(X, 4)[0])


def test_cells_do_not_mind_far_from_the_origin_and_repeated_samples(X):
    far = find_neighbors(X + 1e4, 8, cells_from=100)
    assert far.recall > 0.95
    same = np.repeat(X[:30], 20, axis=0)
    found = find_neighbors(same, 5, cells_from=100)
    assert (found.distance == 0).all()
    assert (found.nearest != np.arange(600)[:, None]).all()


def test_the_graph_of_known_neighbors_is_the_local_graph(X):
    found = find_neighbors(X, 6)
    graph = local_graph_of(found.nearest, found.distance, 7, 5)
    assert abs(graph - local_graph(X, 7, 5)).max() == 0


@pytest.mark.parametrize("width", [40, 300, 2051])
def test_the_smallest_values_are_found_in_bundles(width):
    values = np.random.default_rng(width).standard_normal((20, width))
    found = np.sort(smallest(values, 9), axis=1)
    assert_array_equal(found, np.sort(np.argsort(values, axis=1)[:, :9], axis=1))


def test_new_rows_find_their_neighbors_in_cells(X):
    rng = np.random.default_rng(1)
    new = np.vstack([X[:50], X[50:300] + 0.1 * rng.standard_normal((250, 5)), X[:1] + 1e3])
    true, far = nearest_rows(X, 6, rows=new)
    nearest, distance = find_in_cells(X, cells_of(X), 6, new)
    shared = [len(np.intersect1d(a, b)) for a, b in zip(true, nearest, strict=True)]
    assert np.mean(shared) / 6 > 0.98
    assert (distance[:50, 0] == 0).all()  # a row that is there is found
    assert_array_equal(nearest[:50, 0], np.arange(50))
    assert (distance >= far - 1e-12).all()


def test_each_new_row_is_searched_for_on_its_own(X):
    cells, new = cells_of(X), X + 0.05
    whole = find_in_cells(X, cells, 4, new)[0]
    alone = np.vstack([find_in_cells(X, cells, 4, new[[i]])[0] for i in range(40)])
    assert_array_equal(whole[:40], alone)


def test_new_rows_that_single_precision_confuses_are_compared_with_all(X):
    """Groups far from each other, whose rows differ in digits that float32 has not."""
    apart = np.vstack([X, X + 1e9])
    new = apart[::7] + 1e-3
    assert_array_equal(
        find_in_cells(apart, cells_of(apart), 4, new)[0], nearest_rows(apart, 4, rows=new)[0]
    )
