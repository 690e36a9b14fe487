import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from samekind._kernels.candidates import strongest
from samekind._kernels.self_representation import ridge_projection
from samekind._kernels.shrink import unit_rows
from samekind._kernels.thresholds import Thresholds
from samekind._solver import restricted as module
from samekind._solver.representation import Representation
from samekind._solver.restricted import RestrictedRepresentation, leading


@pytest.fixture
def samples():
    rng = np.random.default_rng(0)
    group = rng.permutation(np.repeat(np.arange(4), 20))
    X = 2 * rng.standard_normal((4, 12))[group] + rng.standard_normal((80, 12))
    return ridge_projection(X, 5.0), unit_rows(
        np.eye(4)[group] + 0.1 * rng.standard_normal((80, 4))
    )


@pytest.mark.parametrize("block", [7, 4096])
def test_with_all_candidates_every_step_is_that_of_the_whole(samples, monkeypatch, block):
    monkeypatch.setattr(module, "BLOCK_ROWS", block)
    P, rows = samples
    both = Representation(P), RestrictedRepresentation(strongest(P, 79))
    assert both[0].first_move == both[1].first_move
    before, now = csr_array((80, 80)), [one.shrunk(Thresholds(rows, 0.02, 0.001)) for one in both]
    for step in range(1, 6):
        assert_allclose(now[1].toarray(), now[0].toarray(), atol=1e-12)
        assert both[1].fit(before, now[0]) == pytest.approx(both[0].fit(before, now[0]))
        change = csr_array(now[0] - before)
        assert both[1].next_move(change) == pytest.approx(both[0].next_move(change))
        taken = [one.step(change, Thresholds(rows, 0.02 / step, 0.001)) for one in both]
        before, now = now[0], [Z for Z, _ in taken]
        assert taken[0][1] == pytest.approx(taken[1][1])
        assert_allclose(both[1].A.toarray(), both[0].A, atol=1e-12)


def test_on_candidates_a_and_z_are_those_of_the_rule_there(samples):
    P, rows = samples
    candidates = strongest(P, 10)
    represent = RestrictedRepresentation(candidates)
    Z = represent.shrunk(Thresholds(rows, 0.02, 0.001))
    allowed = np.zeros((80, 80), dtype=bool)
    np.put_along_axis(allowed, candidates.columns, True, axis=1)
    assert not Z.toarray()[~allowed].any()
    assert not Z.diagonal().any()
    represent.step(Z, Thresholds(rows, 0.02, 0.001))
    A = P + Z.toarray() @ (np.eye(80) - P)
    assert_allclose(represent.A.toarray()[allowed], A[allowed], atol=1e-12)


def test_a_few_samples_that_still_move_do_not_count(samples, monkeypatch):
    monkeypatch.setattr(module, "SAMPLES_PER_STRAGGLER", 40)
    P = samples[0]
    represent = RestrictedRepresentation(strongest(P, 79))
    change = csr_array(([5.0, 4.0, 0.1], ([3, 9, 20], [4, 8, 21])), shape=(80, 80))
    moves = np.abs(change @ (np.eye(80) - P)).max(axis=1)
    assert represent.next_move(change) == pytest.approx(np.sort(moves)[-3])
    assert leading(moves, 0) == moves.max()
