import numpy as np
import pytest
from scipy.sparse import csr_array

from problems import blobs
from samekind import SC
from samekind.graph import (
    hypergraph_laplacian,
    hypergraph_operator,
    incidence_from_adjacency,
    incidence_from_neighbors,
    local_graph,
    normalized_laplacian,
)


def random_hypergraph(seed, n=20, m=12):
    """Incidence with samples in no hyperedge, and weights of which one is zero."""
    rng = np.random.default_rng(seed)
    U = (rng.random((n, m)) < 0.25).astype(float)
    U[rng.integers(3, n, m), np.arange(m)] = 1.0  # no hyperedge is empty
    U[:3] = 0.0
    w = rng.uniform(0.1, 3.0, m)
    w[0] = 0.0
    return U, w


@pytest.mark.parametrize("seed", range(4))
def test_the_operator_is_the_printed_product(seed):
    U, w = random_hypergraph(seed)
    d, delta = U @ w, U.sum(axis=0)
    root = np.divide(1, np.sqrt(d), where=d > 0, out=np.zeros_like(d))
    published = np.diag(root) @ U @ np.diag(w) @ np.diag(1 / delta) @ U.T @ np.diag(root)
    O = hypergraph_operator(csr_array(U), w)
    np.testing.assert_allclose(O.toarray(), published, atol=1e-14)
    assert abs(O - O.T).max() == 0
    assert O.indices.dtype == np.int32


@pytest.mark.parametrize("seed", range(4))
def test_the_roots_of_the_degrees_are_kept_and_the_spectrum_lies_between_0_and_1(seed):
    U, w = random_hypergraph(seed)
    O, root = hypergraph_operator(U, w), np.sqrt(U @ w)
    np.testing.assert_allclose(O @ root, root, atol=1e-13)
    for values in (np.linalg.eigvalsh(O.toarray()), laplacian_values(U, w)):
        assert values.min() > -1e-13
        assert values.max() < 1 + 1e-13


def laplacian_values(U, w):
    return np.linalg.eigvalsh(hypergraph_laplacian(U, w).toarray())


def test_the_laplacian_sums_differences_within_hyperedges():
    U, w = random_hypergraph(1)
    f, d = np.random.default_rng(0).standard_normal(len(U)), U @ w
    g = np.divide(f, np.sqrt(d), where=d > 0, out=np.zeros_like(f))
    by_pairs = sum(
        w[e] / U[:, e].sum() * ((g[U[:, e] == 1][:, None] - g[U[:, e] == 1][None, :]) ** 2).sum()
        for e in range(U.shape[1])
    )
    assert f @ (hypergraph_laplacian(U, w) @ f) == pytest.approx(by_pairs / 2)


@pytest.mark.parametrize("isolated", [0, 2])
def test_hyperedges_of_two_give_half_the_normalized_laplacian(isolated):
    rng = np.random.default_rng(3)
    n = 12
    W = np.triu(rng.uniform(0.5, 2.0, (n, n)) * (rng.random((n, n)) < 0.4), 1)
    W[:isolated] = 0.0
    i, j = np.nonzero(W)
    U = np.zeros((n, len(i)))
    U[i, np.arange(len(i))] = U[j, np.arange(len(i))] = 1.0
    half = normalized_laplacian(csr_array(W + W.T)).toarray() / 2
    np.testing.assert_allclose(hypergraph_laplacian(U, W[i, j]).toarray(), half, atol=1e-14)


def test_samples_in_no_hyperedge_have_rows_of_zeros():
    U, w = random_hypergraph(0)
    assert np.abs(hypergraph_operator(U, w).toarray()[:3]).max() == 0
    assert np.abs(hypergraph_laplacian(U, w).toarray()[:3]).max() == 0


@pytest.mark.parametrize("unit", [1e-300, 7.0, 1e307])
def test_the_unit_of_the_weights_does_not_matter(unit):
    U, w = random_hypergraph(2)
    np.testing.assert_allclose(
        hypergraph_operator(U, unit * w).toarray(), hypergraph_operator(U, w).toarray(), atol=1e-14
    )


def test_permuting_samples_and_hyperedges_permutes_the_operator():
    U, w = random_hypergraph(3)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(U)), rng.permutation(len(w))
    O = hypergraph_operator(U, w).toarray()
    permuted = hypergraph_operator(U[rows][:, columns], w[columns]).toarray()
    np.testing.assert_allclose(permuted, O[np.ix_(rows, rows)], atol=1e-14)


def test_a_vertex_and_its_neighbors_make_a_hyperedge():
    A = np.zeros((5, 5))
    A[0, 1], A[2, 1], A[3, 3] = 2.0, -1.0, 5.0  # one direction will do; a loop adds nothing
    U = incidence_from_adjacency(csr_array(A)).toarray()
    members = [np.flatnonzero(column).tolist() for column in U.T]
    assert members == [[0, 1], [0, 1, 2], [1, 2], [3], [4]]
    assert set(U.ravel()) == {0.0, 1.0}


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_a_sample_and_its_nearest_make_a_hyperedge(wrap):
    X, _ = blobs(0, n_per_class=8)
    U = incidence_from_neighbors(wrap(X), 4).toarray()
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    for e in range(len(X)):
        assert set(np.flatnonzero(U[:, e])) == set(np.argsort(distances[e])[:4])


@pytest.mark.parametrize(("asked", "size"), [(1, 1), (100, 6)])
def test_hyperedges_hold_one_sample_at_least_and_all_at_most(asked, size):
    U = incidence_from_neighbors(np.arange(6.0)[:, None], asked)
    assert (U.sum(axis=0) == size).all()


@pytest.mark.parametrize(
    ("incidence", "weights", "sentence"),
    [
        ([[1, 0], [1, 0]], None, "hyperedge 1 of the incidence matrix holds no sample"),
        ([[1, 2], [1, 0]], None, "incidence holds 2; expected 1 where"),
        ([[1, -1], [1, 0]], None, "incidence holds -1"),
        ([[1, np.nan], [1, 0]], None, "incidence holds nan"),
        ([1, 0], None, "1 dimensions"),
        ([["a"], ["b"]], None, "expected a sparse or dense matrix"),
        ([[1, 1], [1, 0]], [1.0, -1.0], r"weights\[1\] is -1"),
        ([[1, 1], [1, 0]], [np.inf, 1.0], r"weights\[0\] is inf"),
        ([[1, 1], [1, 0]], [np.nan, 1.0], r"weights\[0\] is nan"),
        ([[1, 1], [1, 0]], [1.0], r"shape \(1,\) but there are 2 hyperedges"),
    ],
)
def test_a_hypergraph_that_is_none_is_refused(incidence, weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        hypergraph_operator(incidence, weights)


def test_an_adjacency_that_is_not_square_or_not_finite_is_refused():
    with pytest.raises(ValueError, match=r"shape \(2, 3\)"):
        incidence_from_adjacency(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="not finite"):
        incidence_from_adjacency([[0, np.nan], [np.nan, 0]])


def test_the_incidence_given_is_left_alone():
    U = csr_array(np.eye(4))
    U.data[0] = 0.0  # an explicit zero, and so an empty hyperedge
    with pytest.raises(ValueError, match="hyperedge 0"):
        hypergraph_operator(U)
    assert U.nnz == 4


def test_pair_methods_run_beside_hyperedges():
    """Hyperedges that join what the features mix up are followed once they weigh enough."""
    X, _ = blobs(0, n_per_class=10, k=1)
    halves = np.arange(10) % 2
    W, O = local_graph(X), hypergraph_operator(np.eye(2)[halves])
    labels = SC(2, random_state=0).fit(X, graph=W + 100.0 * O).labels_
    assert len({*zip(halves, labels, strict=True)}) == 2
