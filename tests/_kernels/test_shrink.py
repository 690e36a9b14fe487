import numpy as np
import pytest
from scipy.spatial.distance import cdist

from samekind._kernels import shrink as module
from samekind._kernels.shrink import shrink, unit_rows
from samekind._kernels.thresholds import Thresholds


@pytest.mark.parametrize("block", [1, 50, 1 << 17])
def test_it_is_the_soft_threshold_entry_by_entry(block, monkeypatch):
    monkeypatch.setattr(module, "BLOCK_ENTRIES", block)
    rng = np.random.default_rng(0)
    A, H = rng.standard_normal((25, 25)), rng.standard_normal((25, 3))
    theta = 0.1 * cdist(H, H, "sqeuclidean") + 0.2
    expected = np.sign(A) * np.maximum(np.abs(A) - theta, 0)
    np.fill_diagonal(expected, 0)
    Z = shrink(A, Thresholds(H, 0.1, 0.2))
    np.testing.assert_allclose(Z.toarray(), expected, atol=1e-14)
    assert Z.nnz == np.count_nonzero(expected)
    assert Z.has_sorted_indices


def test_it_minimizes_its_objective():
    """1/2 |z - a|^2 + theta |z| is smallest at the entry that comes out (20)."""
    A, H = np.array([[0.0, 0.7], [-0.3, 0.0]]), np.array([[0.0], [1.0]])
    Z, grid = shrink(A, Thresholds(H, 0.4, 0.1)).toarray(), np.linspace(-1, 1, 20001)
    for i, j in [(0, 1), (1, 0)]:
        cost = 0.5 * (grid - A[i, j]) ** 2 + 0.5 * np.abs(grid)
        assert Z[i, j] == pytest.approx(grid[cost.argmin()], abs=1e-4)


def test_everything_can_vanish():
    assert shrink(np.ones((4, 4)), Thresholds(np.zeros((4, 2)), 1.0, 2.0)).nnz == 0


def test_rows_of_zeros_stay_zero():
    rows = unit_rows(np.array([[0.0, 0.0], [0.0, -2.0]]))
    np.testing.assert_array_equal(rows, [[0, 0], [0, -1]])
