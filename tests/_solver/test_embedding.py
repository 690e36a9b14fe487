import numpy as np
import pytest
from numpy.testing import assert_allclose

from problems import random_problem
from samekind._solver import solve
from samekind.graph import _matrices as module


@pytest.mark.parametrize("normalized", [True, False])
def test_an_order_that_suits_memory_changes_nothing(monkeypatch, normalized):
    problem = random_problem(3).solver(normalized=normalized)
    before = solve(problem)
    monkeypatch.setattr(module, "ORDERED_FROM", 1)
    assert not np.array_equal(module.order_in_memory(problem.local), np.arange(len(before.H)))
    after = solve(problem)
    assert after.n_iter == before.n_iter
    assert after.rho == pytest.approx(before.rho)
    assert_allclose(after.Z.toarray(), before.Z.toarray(), atol=1e-8)
    assert_allclose(after.H @ after.H.T, before.H @ before.H.T, atol=1e-7)
