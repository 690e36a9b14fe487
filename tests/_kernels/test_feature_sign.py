"""One lasso, exactly: certificates of the optimum, from any start."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from samekind._kernels import feature_sign as module
from samekind._kernels.feature_sign import feature_sign


@pytest.fixture(params=[(0, 30, 60), (1, 30, 6), (2, 80, 10)], ids=["full", "rank 6", "rank 10"])
def lasso(request):
    """A gram matrix, of low rank in two of three cases, a target in its range, and weights."""
    seed, n, d = request.param
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) / np.sqrt(d)
    weights = rng.uniform(0.05, 0.3, n)
    weights[3] = np.inf
    return 10 * X @ X.T, 10 * X @ rng.standard_normal(d), weights


def descent(G, target, c, ridge):
    return target - G @ c - ridge * c


def test_the_optimality_conditions_hold(lasso):
    G, target, weights = lasso
    c = feature_sign(G, target, weights, np.zeros(len(G)), 1e-9)
    gain = descent(G, target, c, 1e-9)
    assert np.count_nonzero(c) > 2
    assert c[3] == 0
    assert (np.abs(gain) <= weights * (1 + 1e-7) + 1e-9).all()
    assert_allclose(gain[c != 0], weights[c != 0] * np.sign(c[c != 0]), atol=1e-7)


def test_the_start_does_not_matter(lasso):
    G, target, weights = lasso
    from_zero = feature_sign(G, target, weights, np.zeros(len(G)), 1e-6)
    start = np.random.default_rng(5).standard_normal(len(G))
    start[3] = 0.0
    assert_allclose(feature_sign(G, target, weights, start, 1e-6), from_zero, atol=1e-7)
    assert_allclose(feature_sign(G, target, weights, -from_zero, 1e-6), from_zero, atol=1e-7)


def test_an_optimum_is_left_as_it_is_and_arrays_too(lasso):
    G, target, weights = lasso
    c = feature_sign(G, target, weights, np.zeros(len(G)), 1e-6)
    copies = [array.copy() for array in (G, target, weights, c)]
    assert_allclose(feature_sign(G, target, weights, c, 1e-6), c, atol=1e-12)
    for array, copy in zip((G, target, weights, c), copies, strict=True):
        assert_array_equal(array, copy)


def test_dear_weights_leave_nothing(lasso):
    G, target, weights = lasso
    c = feature_sign(G, target, weights + 1e6, np.ones(len(G)) * (weights < np.inf), 1e-9)
    assert not c.any()


def test_equal_samples_share_a_weight():
    """The ridge makes the solution unique, hence as symmetric as the problem."""
    G, target = np.ones((3, 3)), np.ones(3)
    c = feature_sign(G, target, np.full(3, 0.1), np.array([0.7, 0.2, 0.1]), 1e-6)
    assert_allclose(c, 0.3, rtol=1e-5)


def test_a_search_that_does_not_end_says_so(lasso, monkeypatch):
    monkeypatch.setattr(module, "MAX_STEPS", 2)
    G, target, weights = lasso
    assert feature_sign(G, target, weights, np.zeros(len(G)), 1e-6) is None
