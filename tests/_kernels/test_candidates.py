import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from samekind._kernels import candidates
from samekind._kernels.candidates import neighbors, strongest
from samekind._kernels.self_representation import ridge_projection


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((30, 7))


def test_strongest_holds_the_largest_entries_of_p_and_the_sample_itself(X):
    P = ridge_projection(X, 3.0)
    found = strongest(P, 5)
    for i, columns in enumerate(found.columns):
        others = np.delete(np.arange(30), i)
        expected = others[np.argsort(-np.abs(P[i, others]))[:5]]
        assert set(columns) == {i, *expected}
        assert (np.diff(columns) > 0).all()
        assert_allclose(found.first[i], P[i, columns])
        assert_allclose(found.response[i], np.eye(6) - P[np.ix_(columns, columns)], atol=1e-15)


@pytest.mark.parametrize("kind", [np.asarray, csr_array, np.float32])
def test_neighbors_represent_a_sample_alone(X, kind):
    """Row i of A minimizes |x_i - a X_c|^2 + lam |a - z|^2 over its few samples."""
    rng, lam = np.random.default_rng(1), 2.0
    nearest = np.array(
        [rng.choice(np.delete(np.arange(30), i), 4, replace=False) for i in range(30)]
    )
    found = neighbors(kind(X), nearest, lam)
    for i in (0, 13, 29):
        columns = found.columns[i]
        assert_array_equal(columns, np.sort([i, *nearest[i]]))
        z = rng.standard_normal(5) * (columns != i)
        a, some = found.first[i] + z @ found.response[i], X[columns]
        gradient = (a @ some - X[i]) @ some.T + lam * (a - z)
        assert_allclose(gradient, 0, atol=1e-5 if kind is np.float32 else 1e-12)


def test_all_samples_as_neighbors_are_all_samples(X):
    others = np.array([np.delete(np.arange(30), i) for i in range(30)])
    local, whole = neighbors(X, others, 3.0), strongest(ridge_projection(X, 3.0), 29)
    for name in ("columns", "first", "response"):
        assert_allclose(getattr(local, name), getattr(whole, name), atol=1e-12)


def test_blocks_and_single_precision_change_little(X, monkeypatch):
    nearest = (np.arange(30)[:, None] + [1, 2, 3]) % 30
    before = neighbors(X, nearest, 3.0)
    monkeypatch.setattr(candidates, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(candidates, "DOUBLE_UP_TO", 0)
    after = neighbors(X, nearest, 3.0)
    assert after.response.dtype == np.float32
    assert_allclose(after.response, before.response, atol=1e-6)
    assert_allclose(after.first, before.first, atol=1e-6)
