import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import block_diag, csr_array
from scipy.sparse.linalg import ArpackError, aslinearoperator, eigsh

from libraries import needs_seeded_restarts
from samekind._kernels import eigen
from samekind._kernels.eigen import nothing_above, top_eigenvectors
from samekind.graph import local_graph, normalized_laplacian


def assert_certified(S, top, k):
    """Values, orthonormality and residuals against the dense spectrum."""
    dense = S.toarray() if hasattr(S, "toarray") else S
    np.testing.assert_allclose(top.values, np.linalg.eigvalsh(dense)[::-1][:k], atol=1e-10)
    np.testing.assert_allclose(top.vectors.T @ top.vectors, np.eye(k), atol=1e-10)
    np.testing.assert_allclose(dense @ top.vectors, top.vectors * top.values, atol=1e-8)
    assert top.verified


def graph_of_components(seed, count, n_each):
    rng = np.random.default_rng(seed)
    parts = [local_graph(rng.standard_normal((n_each, 3)), 8, 5) for _ in range(count)]
    return csr_array(-1.0 * normalized_laplacian(csr_array(block_diag(parts))))


@pytest.mark.parametrize("count", [1, 4, 12])
def test_no_copy_of_a_repeated_eigenvalue_is_lost(count):
    S = graph_of_components(0, count, 120)
    assert_certified(S, top_eigenvectors(S, 15), 15)


def test_an_operator_in_components_is_completed_from_the_complement():
    """Components cannot be seen in an operator: here the search of the complement has to do it."""
    S = graph_of_components(1, 10, 60)
    truth = np.linalg.eigvalsh(S.toarray())[-12:]
    starts = np.random.default_rng(0).standard_normal((20, 600))
    plain = [eigsh(S, 12, which="LA", v0=v0)[0] for v0 in starts]  # restarts are not seeded
    assert np.abs(np.array(plain) - truth).max() > 1e-6  # the trap is real on this graph
    assert_certified(S, top_eigenvectors(aslinearoperator(S), 12), 12)


def test_identical_components_joined_by_nothing():
    part = graph_of_components(2, 1, 400)
    S = csr_array(block_diag([part, part, part]))
    assert_certified(S, top_eigenvectors(S, 9), 9)


def test_a_large_multiplicity_inside_one_component():
    """A complete graph has one eigenvalue n - 1 times over."""
    n = 400
    S = csr_array(np.ones((n, n)) - np.eye(n))
    assert_certified(S, top_eigenvectors(S, 6), 6)


def test_a_start_inside_an_invariant_subspace_does_not_blind_lanczos():
    S = graph_of_components(3, 1, 500)
    exact = top_eigenvectors(S, 5)
    assert_certified(S, top_eigenvectors(S, 5, v0=exact.vectors[:, 0]), 5)


def test_samples_without_edges_and_all_vectors_wanted():
    S = csr_array(np.diag([3.0, 1.0, 2.0, 2.0]))
    top = top_eigenvectors(S, 4)
    assert_certified(S, top, 4)


@pytest.mark.parametrize("k", [1, 7, 40])
def test_dense_sparse_and_operator_routes_agree(k):
    S = graph_of_components(4, 1, 450)
    dense = top_eigenvectors(S.toarray(), k)
    for other in (top_eigenvectors(S, k), top_eigenvectors(aslinearoperator(S), k)):
        np.testing.assert_allclose(other.values, dense.values, atol=1e-11)
        np.testing.assert_allclose(
            other.vectors @ other.vectors.T, dense.vectors @ dense.vectors.T, atol=1e-7
        )


def test_a_failing_lanczos_falls_back_to_the_dense_solver(monkeypatch):
    def fail(*args, **kwargs):
        raise eigen.ArpackError(3)

    S = graph_of_components(5, 1, 400)
    monkeypatch.setattr(eigen, "eigsh", fail)
    assert_certified(S, top_eigenvectors(S, 4), 4)


def test_what_cannot_be_verified_says_so(monkeypatch):
    monkeypatch.setattr(eigen, "MAX_ROUNDS", 0)
    monkeypatch.setattr(eigen, "DENSE_LIMIT", 10)
    assert not top_eigenvectors(graph_of_components(6, 1, 400), 4).verified


def test_a_value_repeated_very_often_is_complete_in_the_dense_route():
    """LAPACK's partial solver returns fewer vectors than asked on such matrices."""
    for size in (30, 86, 114):
        S = np.kron(np.eye(size // 2), np.ones((2, 2)))
        S -= np.ones((size, size)) / size
        assert_certified(S, top_eigenvectors(S, 3), 3)
        assert_certified(np.zeros((size, size)), top_eigenvectors(np.zeros((size, size)), 3), 3)


def test_values_close_together_do_not_keep_lanczos_busy(monkeypatch):
    """Where Lanczos does not settle in its restarts, the dense solver answers."""
    S = graph_of_components(7, 1, 400)
    monkeypatch.setattr(eigen, "RESTARTS", 1)
    assert not nothing_above(S, np.eye(400)[:, :1], 0.0, 2.0)
    assert_certified(S, top_eigenvectors(S, 4), 4)


@pytest.mark.parametrize("failure", ["an error", "fewer vectors"])
def test_a_failing_partial_solver_is_replaced_by_the_whole_one(monkeypatch, failure):
    def fail(S, subset_by_index):
        if failure == "an error":
            raise np.linalg.LinAlgError("Internal Error.")
        return np.ones(1), np.eye(len(S))[:, :1]

    S = graph_of_components(8, 1, 50).toarray()
    monkeypatch.setattr(eigen, "eigh", fail)
    assert_certified(S, top_eigenvectors(S, 4), 4)


@needs_seeded_restarts
def test_the_same_vectors_always_where_lanczos_has_to_start_again():
    """It finds all that its start can reach, and draws another one."""
    S = aslinearoperator(np.diag(np.repeat([1.0, 0.0], [3, 397])))
    found = {top_eigenvectors(S, 4).vectors.tobytes() for _ in range(6)}
    assert len(found) == 1


def test_an_operator_that_is_zero():
    found = top_eigenvectors(aslinearoperator(np.zeros((40, 40))), 3)
    assert_allclose(found.vectors.T @ found.vectors, np.eye(3), atol=1e-12)
    assert (found.values == 0).all()


def test_what_lanczos_cannot_solve_is_not_called_verified(monkeypatch):
    def fail(*given, **more):
        raise ArpackError(-9)

    monkeypatch.setattr(eigen, "eigsh", fail)
    monkeypatch.setattr(eigen, "DENSE_LIMIT", 10)
    found = top_eigenvectors(aslinearoperator(np.diag(np.arange(40.0))), 3)
    assert not found.verified
    assert_allclose(found.values, [39, 38, 37], rtol=0.05)
