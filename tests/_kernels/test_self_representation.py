import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from samekind._kernels.self_representation import response, ridge_projection


def represent(P, Z):
    """A = P + Z - Z P (18), as the solver reaches it from zero."""
    return P + response(P, Z)


def sparse(n, density, seed=0):
    return csr_array(random_array((n, n), density=density, rng=np.random.default_rng(seed)))


@pytest.mark.parametrize("d", [3, 20, 50])  # fewer, as many and more features than samples
@pytest.mark.parametrize("density", [0.0, 0.05, 0.9])
def test_it_is_the_ridge_solution(d, density):
    """The gradient of 1/2 |X - AX|^2 + lam/2 |A - Z|^2 vanishes at A (17)."""
    X = np.random.default_rng(d).standard_normal((20, d))
    Z, lam = sparse(20, density), 3.0
    A = represent(ridge_projection(X, lam), Z)
    gradient = (A @ X - X) @ X.T + lam * (A - Z.toarray())
    assert np.abs(gradient).max() < 1e-11


@pytest.mark.parametrize("d", [5, 40])
def test_the_three_published_forms_agree(d):
    X, Z, lam = np.random.default_rng(d).standard_normal((20, d)), sparse(20, 0.1), 7.0
    gram = X @ X.T
    published = (gram + lam * Z.toarray()) @ np.linalg.inv(gram + lam * np.eye(20))
    low_rank = Z + (X - Z @ X) @ np.linalg.inv(X.T @ X + lam * np.eye(d)) @ X.T
    ours = represent(ridge_projection(X, lam), Z)
    np.testing.assert_allclose(ours, published, atol=1e-12)
    np.testing.assert_allclose(ours, low_rank, atol=1e-12)


@pytest.mark.parametrize("d", [5, 40])
def test_sparse_samples_give_the_same(d):
    X = random_array((20, d), density=0.3, rng=np.random.default_rng(0))
    np.testing.assert_allclose(
        ridge_projection(csr_array(X), 2.0), ridge_projection(X.toarray(), 2.0), atol=1e-13
    )


def test_a_change_of_z_moves_a_by_no_more_than_its_norm():
    P = ridge_projection(np.random.default_rng(0).standard_normal((20, 8)), 1.0)
    before, after = sparse(20, 0.1, 1), sparse(20, 0.1, 2)
    moved = response(P, after - before)
    np.testing.assert_allclose(moved, represent(P, after) - represent(P, before), atol=1e-13)
    assert np.linalg.norm(moved) <= np.linalg.norm((after - before).toarray())


def test_the_projection_is_symmetric_with_spectrum_in_0_1():
    P = ridge_projection(np.random.default_rng(0).standard_normal((15, 30)), 0.5)
    values = np.linalg.eigvalsh(P)
    np.testing.assert_array_equal(P, P.T)
    assert values.min() > 0
    assert values.max() < 1


@pytest.mark.parametrize("d", [3, 60])
def test_values_far_from_the_origin_are_no_trouble(d):
    X = np.random.default_rng(0).random((50, d)) + 1e8
    P = ridge_projection(X, 100.0)
    # Nearly all of X is its mean: P is nearly the projection onto the constant vector.
    np.testing.assert_allclose(P.mean(), 1 / 50, rtol=1e-6)
    assert np.linalg.eigvalsh(P).max() < 1 + 1e-12
