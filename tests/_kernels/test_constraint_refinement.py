import numpy as np
import pytest

from samekind._kernels import constraint_refinement
from samekind._kernels.constraint_refinement import refine


@pytest.fixture
def weights_and_beliefs():
    rng = np.random.default_rng(0)
    return rng.uniform(0, 1, (30, 30)), rng.uniform(-1, 1, (30, 30))


def as_published(W, F):
    return np.where(F >= 0, 1 - (1 - F) * (1 - W), (1 + F) * W)


@pytest.mark.parametrize("block", [1, 100, 1 << 20])
def test_it_is_the_published_rule_whatever_the_blocks(weights_and_beliefs, monkeypatch, block):
    W, F = weights_and_beliefs
    monkeypatch.setattr(constraint_refinement, "BLOCK_ENTRIES", block)
    np.testing.assert_allclose(refine(W.copy(), F), as_published(W, F), atol=1e-15)


def test_weights_stay_between_0_and_1_and_follow_the_belief(weights_and_beliefs):
    W, F = weights_and_beliefs
    refined = refine(W.copy(), F)
    assert refined.min() >= 0
    assert refined.max() <= 1
    assert (refined >= W)[F > 0].all()
    assert (refined <= W)[F < 0].all()


def test_certainty_decides_and_ignorance_changes_nothing(weights_and_beliefs):
    W, _ = weights_and_beliefs
    for belief, expected in ((1.0, np.ones_like(W)), (-1.0, np.zeros_like(W)), (0.0, W)):
        np.testing.assert_array_equal(refine(W.copy(), np.full_like(W, belief)), expected)


def test_weights_are_overwritten_and_beliefs_are_not(weights_and_beliefs):
    W, F = weights_and_beliefs
    before = F.copy()
    assert refine(W, F) is W
    np.testing.assert_array_equal(F, before)


def test_some_rows_of_a_graph_can_be_refined_where_they_stand(weights_and_beliefs):
    W, F = weights_and_beliefs
    expected = np.vstack([as_published(W[:10], F[:10]), W[10:]])
    refine(W[:10], F[:10])
    np.testing.assert_allclose(W, expected, atol=1e-15)
