import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from samekind._kernels.candidates import strongest
from samekind._kernels.self_representation import ridge_projection
from samekind._kernels.shrink import shrink
from samekind._kernels.thresholds import Thresholds
from samekind._solver import representation as module
from samekind._solver.representation import Representation
from samekind._solver.restricted import RestrictedRepresentation

N = 30


@pytest.fixture
def rows():
    return np.random.default_rng(0).standard_normal((N, 3))


@pytest.fixture(params=["numbers", "factor by row", "floor by row", "both by row"])
def thresholds(request, rows):
    rng = np.random.default_rng(1)
    factor, floor = 0.3, 0.2
    if request.param in ("factor by row", "both by row"):
        factor = rng.uniform(0, 1, N)
    if request.param in ("floor by row", "both by row"):
        floor = rng.uniform(0, 1, N)
    return Thresholds(rows, factor, floor)


def by_definition(thresholds):
    column = np.reshape(thresholds.factor, (-1, 1)), np.reshape(thresholds.floor, (-1, 1))
    return column[0] * cdist(thresholds.rows, thresholds.rows, "sqeuclidean") + column[1]


def test_every_form_is_the_definition(thresholds):
    theta, rng = by_definition(thresholds), np.random.default_rng(2)
    samples, groups = np.array([4, 0, 17]), rng.permutation(N).reshape(5, 6)
    columns = rng.integers(0, N, (8, 4))
    np.testing.assert_allclose(thresholds.of(samples), theta[samples], atol=1e-13)
    np.testing.assert_allclose(thresholds.single(samples), theta[samples], atol=1e-5)
    expected = theta[groups[:, :, None], groups[:, None, :]]
    np.testing.assert_allclose(thresholds.inside(groups), expected, atol=1e-13)
    expected = theta[np.arange(3, 11)[:, None], columns]
    np.testing.assert_allclose(thresholds.at(slice(3, 11), columns), expected, atol=1e-13)
    assert thresholds.largest >= theta.max()


def solved(kind, P, thresholds, monkeypatch):
    """Z after some steps with A held in one block, inside groups, or on candidates."""
    monkeypatch.setattr(module, "SMALLEST_GROUP", 1 if kind == "inside" else 1 << 15)
    if kind == "restricted":
        represent = RestrictedRepresentation(strongest(P, 10))
    else:
        represent = Representation(P)
    previous, Z = csr_array(P.shape), represent.shrunk(thresholds)
    for _ in range(6):
        change, previous = csr_array(Z - previous), Z
        Z, _ = represent.step(change, thresholds)
    assert kind != "inside" or represent._inside is not None
    return Z.toarray()


@pytest.fixture
def grouped():
    """Samples of four groups: P, and rows that separate the groups."""
    rng = np.random.default_rng(0)
    group = rng.permutation(np.repeat(np.arange(4), 15))
    X = 2 * rng.standard_normal((4, 12))[group] + rng.standard_normal((60, 12))
    return ridge_projection(X, 5.0), np.eye(4)[group] + 0.1 * rng.standard_normal((60, 4))


@pytest.mark.parametrize("kind", ["whole", "inside", "restricted"])
class TestRepresentations:
    def test_numbers_equal_constant_vectors(self, kind, grouped, monkeypatch):
        P, rows = grouped
        vectors = Thresholds(rows, np.full(60, 0.05), np.full(60, 0.01))
        found = [
            solved(kind, P, thresholds, monkeypatch)
            for thresholds in (Thresholds(rows, 0.05, 0.01), vectors)
        ]
        np.testing.assert_allclose(found[1], found[0], atol=1e-13)
        assert 0 < np.count_nonzero(found[0]) < 60 * 59

    def test_vectors_act_row_by_row(self, kind, grouped, monkeypatch):
        """Rows of A and Z are independent: each is that of a run with its own numbers."""
        P, rows = grouped
        rng = np.random.default_rng(1)
        factor, floor = rng.uniform(0.03, 0.2, 60), rng.uniform(0, 0.02, 60)
        Z = solved(kind, P, Thresholds(rows, factor, floor), monkeypatch)
        for i in range(0, 60, 7):
            alone = Thresholds(rows, float(factor[i]), float(floor[i]))
            expected = solved(kind, P, alone, monkeypatch)[i]
            np.testing.assert_allclose(Z[i], expected, atol=1e-13)


def test_shrinking_by_row(rows):
    A = np.random.default_rng(3).standard_normal((N, N))
    factor, floor = np.linspace(0, 1, N), np.linspace(0.5, 0, N)
    Z = shrink(A, Thresholds(rows, factor, floor)).toarray()
    for i in range(N):
        expected = shrink(A, Thresholds(rows, factor[i], floor[i])).toarray()[i]
        np.testing.assert_allclose(Z[i], expected, atol=1e-13)
