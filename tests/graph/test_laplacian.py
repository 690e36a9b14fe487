import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind._solver.objective import roughness
from samekind.graph import laplacian, normalized_laplacian
from samekind.graph._components import components_of, null_space
from samekind.graph._matrices import scale_rows


def random_graph(seed, n=30, density=0.2):
    rng = np.random.default_rng(seed)
    W = rng.random((n, n)) * (rng.random((n, n)) < density)
    W = np.triu(W, 1)
    return csr_array(W + W.T)


def blocks(*sizes):
    """Complete graphs side by side; a size of one is a sample without edges."""
    n = sum(sizes)
    W, start = np.zeros((n, n)), 0
    for size in sizes:
        W[start : start + size, start : start + size] = 1 - np.eye(size)
        start += size
    return csr_array(W)


@pytest.mark.parametrize("seed", range(3))
def test_proposition_1(seed):
    """Tr(H'L_S H) = 1/2 sum |s_ij| |h_i - h_j|^2 for any S, also one that is not symmetric."""
    rng = np.random.default_rng(seed)
    S, H = rng.standard_normal((20, 20)), rng.standard_normal((20, 3))
    distances = ((H[:, None, :] - H[None, :, :]) ** 2).sum(axis=2)
    by_pairs = 0.5 * (np.abs(S) * distances).sum()
    L_S = laplacian(csr_array((np.abs(S) + np.abs(S).T) / 2))
    assert np.vdot(H, L_S @ H) == pytest.approx(by_pairs)
    assert roughness(csr_array(S), H) == pytest.approx(by_pairs)


def test_the_normalized_spectrum_lies_between_0_and_2():
    values = np.linalg.eigvalsh(normalized_laplacian(random_graph(0)).toarray())
    assert values.min() > -1e-12
    assert values.max() < 2 + 1e-12


def test_the_normalized_laplacian_does_not_see_units():
    W = random_graph(1)
    np.testing.assert_allclose(
        normalized_laplacian(7 * W).toarray(), normalized_laplacian(W).toarray(), atol=1e-14
    )


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("sizes", [(5,), (3, 4, 2), (4, 1, 1, 3)])
def test_the_null_space_is_exact_and_complete(sizes, normalized):
    W = blocks(*sizes)
    E = (normalized_laplacian if normalized else laplacian)(W)
    Q = null_space(W, normalized=normalized).toarray()
    assert Q.shape[1] == len(sizes) == (np.linalg.eigvalsh(E.toarray()) < 1e-10).sum()
    np.testing.assert_allclose(Q.T @ Q, np.eye(len(sizes)), atol=1e-15)
    assert np.abs(E @ Q).max() < 1e-15


def test_an_edge_below_rounding_joins_nothing():
    W = blocks(3, 3).toarray()
    W[0, 5] = W[5, 0] = 1e-18
    assert null_space(csr_array(W), normalized=True).shape[1] == 2
    W[0, 5] = W[5, 0] = 1e-6
    assert null_space(csr_array(W), normalized=True).shape[1] == 1


def test_components_come_largest_first_and_join_several_graphs():
    W = blocks(2, 3, 2)
    bridge = np.zeros((7, 7))
    bridge[0, 6] = -1.0  # a negative entry joins as well
    assert [len(m) for m in components_of(W).members] == [3, 2, 2]
    assert [m.tolist() for m in components_of(W, csr_array(bridge)).members] == [
        [0, 1, 5, 6],
        [2, 3, 4],
    ]


def test_rows_of_zeros_stay_zero_when_scaled():
    S = csr_array([[0.0, -4.0, 2.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.5]])
    expected = [[0.0, -1.0, 0.5], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    np.testing.assert_array_equal(scale_rows(S).toarray(), expected)
