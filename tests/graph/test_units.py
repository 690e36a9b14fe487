"""Neighbors do not depend on where the origin is, nor on the units."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from samekind.graph import _neighbors as module
from samekind.graph import find_neighbors, local_graph
from samekind.graph._knn import nearest_rows, recall_by_differences
from samekind.graph._matrices import sample_matrix


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    return 4 * rng.standard_normal((5, 20))[np.arange(300) % 5] + rng.standard_normal((300, 20))


def recall(found, true):
    return np.mean([len(np.intersect1d(*both)) for both in zip(found, true, strict=True)])


@pytest.mark.parametrize("cells_from", [10_000, 100])
@pytest.mark.parametrize("kind", [np.float64, csr_array])
def test_a_constant_column_of_large_numbers_changes_nothing(X, cells_from, kind):
    with_time = np.column_stack([X, np.full(len(X), 1.7e9)])
    found = find_neighbors(kind(with_time), 6, cells_from=cells_from)
    assert recall(found.nearest, nearest_rows(X, 6)[0]) / 6 > 0.99
    assert found.recall > 0.99


@pytest.mark.parametrize("cells_from", [10_000, 100])
def test_neighbors_far_from_the_origin_are_found(X, cells_from):
    found = find_neighbors(X + 1e9, 6, cells_from=cells_from)
    assert recall(found.nearest, nearest_rows(X, 6)[0]) / 6 > 0.99
    assert found.recall > 0.99


def test_recall_is_measured_where_all_rows_are_compared(X, monkeypatch):
    """Neighbors that are not the nearest, with their distances."""
    D = cdist(X, X)
    far = np.argsort(D, axis=1)[:, 200:206]
    wrong = far, np.take_along_axis(D, far, axis=1)
    monkeypatch.setattr(module, "nearest_rows", lambda *_, **__: wrong)
    assert find_neighbors(X, 6).recall < 0.5


def test_groups_far_from_each_other_keep_their_neighbors(X):
    """The mean is far from all of them: products of such rows are rounding."""
    apart = X + 1e9 * (np.arange(300) % 2)[:, None]
    nearest, distance = nearest_rows(apart, 6)
    D = cdist(apart, apart)
    np.fill_diagonal(D, np.inf)
    assert_allclose(distance, np.sort(D, axis=1)[:, :6], rtol=1e-6)
    assert (nearest % 2 == (np.arange(300) % 2)[:, None]).all()


@pytest.mark.parametrize("scale", [1e-200, 1e-150, 1e150, 1e200])
@pytest.mark.parametrize("cells_from", [10_000, 100])
def test_distances_are_right_in_any_unit(X, scale, cells_from):
    found, usual = (find_neighbors(rows, 6, cells_from=cells_from) for rows in (scale * X, X))
    assert_array_equal(found.nearest, usual.nearest)
    assert_allclose(found.distance, scale * usual.distance, rtol=1e-10)
    assert found.recall == usual.recall


@pytest.mark.parametrize("scale", [1e-200, 1e-3, 1e200])
@pytest.mark.parametrize("repeated", [False, True])
def test_the_local_graph_has_no_units(X, scale, repeated):
    """Repeated samples meet the floor of the length scale."""
    X = np.vstack([X[:40], np.repeat(X[40:44], 8, axis=0) + 1e-9]) if repeated else X
    difference = local_graph(scale * X) - local_graph(X)
    assert abs(difference).max() < 1e-9


def test_sparse_rows_in_other_units_have_the_same_graph():
    X = np.random.default_rng(0).poisson(0.5, (40, 20)) * np.linspace(1, 2, 20)
    difference = local_graph(csr_array(1e200 * X)) - local_graph(X)
    assert abs(difference).max() < 1e-9


def test_recall_is_measured(X):
    true = nearest_rows(X, 6)[1]
    assert recall_by_differences(X, true) == 1
    assert recall_by_differences(X, true * 3) == 0
    assert recall_by_differences(X, np.where(np.arange(6) < 3, true, np.inf)) == 0.5


def test_a_low_recall_is_searched_for_again(X, monkeypatch):
    """Single precision cannot tell neighbors from others so far from the mean."""
    apart = np.tile(X, (3, 1)) + np.repeat([0.0, 3e5, -1e6], 300)[:, None]
    apart += np.random.default_rng(1).standard_normal(apart.shape)
    monkeypatch.setattr(module, "TOO_LOW", 0.0)
    once = find_neighbors(apart, 6, cells_from=100).recall
    monkeypatch.undo()
    assert once < 0.9 < find_neighbors(apart, 6, cells_from=100).recall


@pytest.mark.parametrize("value", [1e300, 1e-300])
def test_values_at_the_end_of_the_range_are_refused(value):
    with pytest.raises(ValueError, match="multiply X by a constant"):
        sample_matrix(np.full((3, 2), value))
