import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind._kernels.self_representation import ridge_projection
from samekind._kernels.shrink import shrink, unit_rows
from samekind._kernels.thresholds import Thresholds
from samekind._solver import representation as module
from samekind._solver.representation import Representation


@pytest.fixture
def samples():
    """Groups of 20 in random order: X, and rows that separate the groups."""
    rng = np.random.default_rng(0)
    group = rng.permutation(np.repeat(np.arange(4), 20))
    X = 2 * rng.standard_normal((4, 12))[group] + rng.standard_normal((80, 12))
    return X, unit_rows(np.eye(4)[group] + 0.1 * rng.standard_normal((80, 4)))


@pytest.fixture(params=["one block", "groups", "single precision"])
def way(request, monkeypatch):
    """The three ways A is held and moved; how exact they are."""
    monkeypatch.setattr(module, "SMALLEST_GROUP", 1 if request.param == "groups" else 1 << 15)
    if request.param == "single precision":
        monkeypatch.setattr(module, "SINGLE_FROM", 1)
        monkeypatch.setattr(module, "SINGLE_BELOW", np.inf)
        return 1e-7
    return 1e-13


def test_a_follows_z_and_z_is_a_shrunk(samples, way):
    X, rows = samples
    P = ridge_projection(X, 5.0)
    represent, previous, change = Representation(P), csr_array((80, 80)), None
    for step in range(9):
        if change is None:
            Z, A = represent.shrunk(Thresholds(rows, 0.02, 0.001)), P
        else:
            Z, moved = represent.step(change, Thresholds(rows, 0.02 / step, 0.001))
            before, A = A, P + previous.toarray() @ (np.eye(80) - P)
            assert moved == pytest.approx(np.abs(A - before).max(), abs=way)
        np.testing.assert_allclose(represent.A, A, atol=way)
        expected = shrink(A, Thresholds(rows, 0.02 / max(step, 1), 0.001))
        np.testing.assert_allclose(Z.toarray(), expected.toarray(), atol=way)
        assert Z.has_sorted_indices
        change, previous = Z - previous, Z
    after = previous.toarray() @ (np.eye(80) - P) + P
    assert represent.next_move(change) == pytest.approx(np.abs(after - A).max(), abs=way)


def test_groups_are_kept_together(samples, monkeypatch):
    monkeypatch.setattr(module, "SMALLEST_GROUP", 1)
    X, rows = samples
    represent = Representation(ridge_projection(X, 5.0))
    Z = represent.shrunk(Thresholds(rows, 0.05, 0.0))
    represent.step(Z, Thresholds(rows, 0.05, 0.0))
    group = rows.argmax(axis=1)[represent._order]
    assert np.count_nonzero(np.diff(group)) == 3
    assert len(represent._blocks) == 4


def test_quiet_rows_change_nothing(samples, monkeypatch):
    """Rows far from the thresholds outside their group are not computed there, and need not be."""
    monkeypatch.setattr(module, "SMALLEST_GROUP", 1)
    X, rows = samples
    P = ridge_projection(X, 5.0)
    represent, A, quiet = Representation(P), P, []
    Z = represent.shrunk(Thresholds(rows, 0.05, 0.0))
    change, rng = Z, np.random.default_rng(0)
    for step in range(1, 30):
        previous, before, A = Z, A, P + Z.toarray() @ (np.eye(80) - P)
        moving = unit_rows(rows + 0.02 * rng.standard_normal(rows.shape))
        factor = 0.01 if step == 20 else 0.05  # every row leaves its group for a while
        Z, moved = represent.step(change, Thresholds(moving, factor, 0.0))
        expected = shrink(A, Thresholds(moving, factor, 0.0)).toarray()
        np.testing.assert_allclose(Z.toarray(), expected, atol=1e-13)
        assert moved == pytest.approx(np.abs(A - before).max(), abs=1e-13)
        fit = ((X - A @ X) ** 2).sum() / 5.0 + ((A - expected) ** 2).sum()
        assert represent.fit(previous, Z) == pytest.approx(fit, rel=1e-12)
        change = csr_array(Z - previous)
        quiet.append(80 - represent._n_loud)
    assert max(quiet) == 80
    assert quiet[19] < 40
    np.testing.assert_allclose(represent.A, A, atol=1e-13)


def test_the_fit_needs_no_product_with_x(samples):
    X, rows = samples
    lam = 5.0
    represent = Representation(ridge_projection(X, lam))
    previous = represent.shrunk(Thresholds(rows, 0.02, 0.001))
    Z, _ = represent.step(previous, Thresholds(rows, 0.03, 0.001))
    A = represent.A
    expected = ((X - A @ X) ** 2).sum() / lam + ((A - Z.toarray()) ** 2).sum()
    assert represent.fit(previous, Z) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [1, 7, 3000])
def test_blocks_cover_every_row_once(n):
    groups = np.sort(np.random.default_rng(0).integers(0, 3, n))
    for blocks in (module._even_blocks(n), module._group_blocks(groups)):
        rows = np.concatenate([np.arange(n)[block] for block in blocks])
        np.testing.assert_array_equal(rows, np.arange(n))
        assert all(block.stop > block.start for block in blocks)
