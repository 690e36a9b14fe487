import numpy as np
import pytest
from scipy.linalg import block_diag, eigvalsh
from scipy.sparse import csr_array
from scipy.sparse.linalg import aslinearoperator

from samekind._kernels import subspace
from samekind._kernels import trace_ratio as module
from samekind._kernels.eigen import TopEigen
from samekind._kernels.pencil import FewRows, Pencil
from samekind._kernels.status import Status
from samekind._kernels.subspace import missed_by, rayleigh_ritz
from samekind._kernels.trace_ratio import bottom_eigenvectors, trace_ratio
from samekind.graph import laplacian, local_graph, normalized_laplacian
from samekind.graph._components import null_space
from samekind.graph._matrices import in_order


@pytest.fixture(params=range(3))
def pair(request):
    """A low-rank numerator and a positive definite denominator."""
    rng = np.random.default_rng(request.param)
    F, G = rng.standard_normal((40, 6)), rng.standard_normal((40, 60))
    return F @ F.T, G @ G.T / 60


@pytest.mark.parametrize("k", [1, 3, 8, 40])
def test_the_ratio_is_the_root(pair, k):
    B, E = pair
    solution = trace_ratio(B, E, k)
    top = eigvalsh(B - solution.rho * E)[-k:]
    assert solution.status is Status.CONVERGED
    assert abs(top.sum()) <= 1e-8 * np.abs(B).sum()  # certificate of the optimum
    np.testing.assert_allclose(solution.H.T @ solution.H, np.eye(k), atol=1e-12)
    assert (np.diff(solution.path) >= -1e-9).all()


def test_the_solution_carries_its_certificate(pair):
    B, E = pair
    solution = trace_ratio(B, E, 3)
    assert 0 <= solution.gap + 1e-12
    assert solution.gap <= 1e-8 * (1 + solution.rho)
    assert solution.residual < 1e-12


def test_no_other_subspace_does_better(pair):
    B, E = pair
    best, rng = trace_ratio(B, E, 2), np.random.default_rng(0)
    for _ in range(300):
        near = np.linalg.qr(best.H + rng.uniform(0, 1) * rng.standard_normal(best.H.shape))[0]
        assert np.vdot(near, B @ near) / np.vdot(near, E @ near) <= best.rho * (1 + 1e-12)


def test_one_column_is_a_generalized_eigenproblem(pair):
    assert trace_ratio(*pair, 1).rho == pytest.approx(eigvalsh(*pair)[-1])


def test_a_unit_denominator_gives_the_mean_of_the_top_eigenvalues(pair):
    B, _ = pair
    assert trace_ratio(B, np.eye(40), 4).rho == pytest.approx(eigvalsh(B)[-4:].mean())


def test_equal_matrices_give_one_and_the_ratio_scales(pair):
    B, E = pair
    assert trace_ratio(E, E, 3).rho == pytest.approx(1)
    assert trace_ratio(5 * B, E, 3).rho == pytest.approx(5 * trace_ratio(B, E, 3).rho)


@pytest.mark.parametrize("wrap", [csr_array, aslinearoperator])
def test_dense_sparse_and_operator_routes_agree(pair, wrap):
    B, E = pair
    dense, lazy = trace_ratio(B, E, 3), trace_ratio(wrap(B), wrap(E), 3)
    assert lazy.rho == pytest.approx(dense.rho)
    # Eigenvectors are free up to rotation: compare the subspaces they span.
    np.testing.assert_allclose(lazy.H @ lazy.H.T, dense.H @ dense.H.T, atol=1e-6)


def test_a_warm_start_saves_eigenproblems_and_changes_nothing(pair):
    B, E = pair
    cold = trace_ratio(B, E, 3)
    warm = trace_ratio(B, E, 3, start=cold.H)
    assert len(warm.path) < len(cold.path)
    assert warm.rho == pytest.approx(cold.rho, rel=1e-12)


@pytest.fixture
def graphs():
    """Two graphs on the same samples, near to each other, and cannot-links between some."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 3))
    C = np.zeros((500, 500))
    C[np.ix_(range(5), range(5, 10))] = 1.0
    first, second = (
        normalized_laplacian(local_graph(X + noise * rng.standard_normal(X.shape), 10, 5))
        for noise in (0.0, 0.01)
    )
    return laplacian(csr_array((C + C.T) / 50)), first, second


def test_a_block_from_nearby_leads_to_the_same_optimum(graphs):
    B, first, second = graphs
    start = trace_ratio(B, first, 5)
    near, far = trace_ratio(B, second, 5, start=start.block), trace_ratio(B, second, 5)
    assert near.status is far.status is Status.CONVERGED
    assert near.block.shape[1] > 5  # it took the way of the block
    assert near.rho == pytest.approx(far.rho, rel=1e-12)
    np.testing.assert_allclose(near.H @ near.H.T, far.H @ far.H.T, atol=1e-7)
    assert abs(near.gap) <= 1e-8 * (1 + near.rho)
    assert (np.diff(near.path) >= -1e-9).all()
    top = eigvalsh((B - near.rho * second).toarray())[-5:]
    assert abs(top.sum()) <= 1e-8 * np.abs(top).sum()


def test_a_block_that_misses_a_direction_is_found_out(graphs, monkeypatch):
    B, _, E = graphs
    right = trace_ratio(B, E, 5)
    asked = []

    def doubtful(S, *arguments):
        asked.append(arguments)
        return np.ones(S.shape[0])

    monkeypatch.setattr(module, "vector_above", doubtful)
    again = trace_ratio(B, E, 5, start=right.H)
    assert len(asked) == 1  # the block was refused, and the way from scratch taken
    assert again.rho == pytest.approx(right.rho, rel=1e-10)


def test_a_rough_answer_is_near_and_says_that_it_is_rough(graphs, monkeypatch):
    B, first, second = graphs
    start, right = trace_ratio(B, first, 5).block, trace_ratio(B, second, 5)
    monkeypatch.setattr(module, "vector_above", None)  # not called
    rough = trace_ratio(B, second, 5, start=start, rough=1e-4)
    assert rough.rough
    assert not right.rough
    angle = np.linalg.norm(rough.H - right.H @ (right.H.T @ rough.H), 2)
    assert 1e-8 < angle < 1e-4
    assert rough.rho == pytest.approx(right.rho, rel=1e-7)


def test_a_bound_that_is_none_does_no_harm_on_the_way(graphs):
    B, first, second = graphs
    start, right = trace_ratio(B, first, 5).block, trace_ratio(B, second, 5)
    rough = trace_ratio(B, second, 5, start=start, rough=1e-8, bound=0.8)
    assert rough.rho == pytest.approx(right.rho, rel=1e-10)


def test_a_direction_missing_in_the_block_is_found_by_the_column_beside_it(graphs):
    """The start lacks one eigenvector altogether, and nothing is checked."""
    B, _, E = graphs
    right = trace_ratio(B, E, 5)
    S = B - right.rho * E
    vectors = np.linalg.eigh(S.toarray())[1][:, ::-1]
    start = np.delete(vectors, 2, axis=1)[:, :15]
    rough = trace_ratio(B, E, 5, start=start, rough=1e-7)
    assert rough.rho == pytest.approx(right.rho, rel=1e-10)


@pytest.mark.parametrize("wrong", ["no share of B", "null space of E"])
def test_a_useless_start_does_no_harm(graphs, wrong):
    B, _, E = graphs
    if wrong == "no share of B":
        start = np.eye(500)[:, 490:495]
    else:
        start = np.linalg.qr(np.linalg.eigh(E.toarray())[1][:, :5])[0]
    assert trace_ratio(B, E, 5, start=start).rho == pytest.approx(trace_ratio(B, E, 5).rho)


def test_a_graph_of_components_is_unbounded_and_its_components_are_separated():
    triangle = np.ones((3, 3)) - np.eye(3)
    W = csr_array(block_diag(triangle, triangle, triangle))
    C = np.zeros((9, 9))
    C[0, 3] = C[3, 0] = 1.0  # components one and two are marked different, the third is free
    B, E, Q = laplacian(csr_array(C)), laplacian(W), null_space(W, normalized=False)
    solution = trace_ratio(B, E, 2, null_space=Q)
    assert solution.status is Status.UNBOUNDED
    assert solution.rho == np.inf
    assert np.abs(E @ solution.H).max() < 1e-14
    # The limit of E + eps I, where the optimum is unique up to rotation in its first column.
    limit = trace_ratio(B.toarray(), E.toarray() + 1e-9 * np.eye(9), 1)
    assert np.linalg.norm(solution.H.T @ limit.H) == pytest.approx(1, abs=1e-6)


def test_components_without_a_cannot_link_across_stay_in_the_null_space():
    path = np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)
    W = csr_array(block_diag(path, path, path))
    C = np.zeros((12, 12))
    C[0, 3] = C[3, 0] = 1.0  # inside the first component
    B, E, Q = laplacian(csr_array(C)), laplacian(W), null_space(W, normalized=False)
    solution = trace_ratio(B, E, 2, null_space=Q)
    assert solution.status is Status.UNBOUNDED
    assert np.abs(E @ solution.H).max() < 1e-14


@pytest.mark.parametrize("bridge", [1e-11, 1e-13, 1e-17])
def test_components_joined_by_next_to_nothing_have_no_bound(bridge):
    """Whether the bridge is seen as an edge or not, the components are separated."""
    rng = np.random.default_rng(0)
    W = block_diag(*(rng.random((30, 30)) for _ in range(2)))
    W = (W + W.T) / 2
    W[0, 59] = W[59, 0] = bridge
    C = np.zeros((60, 60))
    C[3, 40] = C[40, 3] = 1.0
    B, E = laplacian(csr_array(C)), normalized_laplacian(csr_array(W))
    solution = trace_ratio(B, E, 2, null_space=null_space(csr_array(W), normalized=True))
    assert solution.status is Status.UNBOUNDED
    parts = np.repeat(np.eye(2), 30, axis=0)
    share = np.linalg.norm(np.linalg.qr(parts * np.sqrt(W.sum(axis=1))[:, None])[0].T @ solution.H)
    assert share == pytest.approx(np.sqrt(2), abs=1e-6)


def test_a_small_bridge_is_a_bound_and_converges():
    rng = np.random.default_rng(0)
    W = block_diag(*(rng.random((30, 30)) for _ in range(2)))
    W = (W + W.T) / 2
    W[0, 59] = W[59, 0] = 1e-6
    C = np.zeros((60, 60))
    C[3, 40] = C[40, 3] = 1.0
    B, E = laplacian(csr_array(C)), normalized_laplacian(csr_array(W))
    solution = trace_ratio(B, E, 2)
    assert solution.status is Status.CONVERGED
    top = eigvalsh((B - solution.rho * E).toarray())[-2:]
    assert abs(top.sum()) <= 10 * np.finfo(float).eps * solution.rho  # rounding of rho E


def test_running_out_of_steps_is_reported(pair):
    assert trace_ratio(*pair, 3, max_iter=2).status is Status.MAX_ITER


def test_vectors_that_fail_their_check_are_reported(pair, monkeypatch):
    def doubtful(S, k, **kwargs):
        return TopEigen(np.zeros(k), np.eye(40)[:, :k], 1.0, False)

    monkeypatch.setattr(module, "top_eigenvectors", doubtful)
    assert trace_ratio(*pair, 3).status is Status.UNVERIFIED


def test_bottom_eigenvectors_minimize_the_trace(pair):
    _, E = pair
    H = bottom_eigenvectors(E, 4).vectors
    assert np.vdot(H, E @ H) == pytest.approx(eigvalsh(E)[:4].sum())


def test_a_block_of_very_many_samples_that_does_not_settle_is_returned_as_it_is(
    graphs, monkeypatch
):
    """Another way would take hours: the time has a bound, and the status says what it cost."""
    B, E = graphs[:2]
    best = trace_ratio(B, E, 4)
    monkeypatch.setattr(module, "MANY", 100)
    monkeypatch.setattr(module, "_newton", None)  # is not asked
    short = trace_ratio(B, E, 4, max_iter=3)
    assert short.status is Status.MAX_ITER
    assert len(short.path) == 3
    assert short.rho <= best.rho * (1 + 1e-9)
    assert np.allclose(short.H.T @ short.H, np.eye(4))
    settled = trace_ratio(B, E, 4)
    assert settled.status is Status.CONVERGED
    assert settled.rho == pytest.approx(best.rho, rel=1e-6)


@pytest.mark.parametrize("k", [1, 3, 8])
@pytest.mark.parametrize("wrap", [np.asarray, csr_array, aslinearoperator])
def test_a_shift_equals_the_identity_added_to_the_numerator(pair, wrap, k):
    B, E = pair
    explicit = trace_ratio(B + 0.7 * np.eye(40), E, k)
    shifted = trace_ratio(wrap(B), wrap(E), k, shift=0.7)
    assert shifted.rho == pytest.approx(explicit.rho)
    assert abs(shifted.gap) <= 1e-8 * (1 + shifted.rho)
    np.testing.assert_allclose(shifted.H @ shifted.H.T, explicit.H @ explicit.H.T, atol=1e-6)


def test_a_shift_agrees_on_a_large_sparse_graph():
    """Where the filter on a block does the work; B has few rows, B + gamma I has all."""
    rng = np.random.default_rng(0)
    E = normalized_laplacian(local_graph(rng.standard_normal((700, 4)), 10, 5))
    C = csr_array(([1.0] * 6, ([0, 1, 2, 50, 60, 70], [50, 60, 70, 0, 1, 2])), shape=(700, 700))
    B, gamma = laplacian(C), 0.3
    explicit = trace_ratio(csr_array(B + gamma * csr_array(np.eye(700))), E, 4)
    shifted = trace_ratio(B, E, 4, shift=gamma)
    assert shifted.status is explicit.status is Status.CONVERGED
    assert shifted.rho == pytest.approx(explicit.rho)
    np.testing.assert_allclose(shifted.H @ shifted.H.T, explicit.H @ explicit.H.T, atol=1e-6)


@pytest.fixture
def many(monkeypatch):
    monkeypatch.setattr(module, "MANY", 100)


def test_of_very_many_samples_rho_and_angle_say_when_to_stop(graphs, many):
    B, first, second = graphs
    exact = trace_ratio(B.toarray(), second.toarray(), 5)
    for start in (None, trace_ratio(B, first, 5).block):
        found = trace_ratio(B, second, 5, start=start)
        assert found.status is Status.CONVERGED
        assert found.rho_change <= 1e-6
        assert found.angle <= 1e-2
        assert found.rho == pytest.approx(exact.rho, rel=1e-5)
        beside = found.H - exact.H @ (exact.H.T @ found.H)
        assert np.linalg.norm(beside, 2) <= 2 * found.angle + 1e-7


def test_what_was_missed_joins_the_block_of_very_many_samples(graphs, many, monkeypatch):
    B, _, E = graphs
    right, asked = trace_ratio(B, E, 5), []

    def once(S, *arguments):
        asked.append(arguments)
        return True, np.ones(S.shape[0]) if len(asked) == 1 else None

    monkeypatch.setattr(module, "missed_by", once)
    monkeypatch.setattr(module, "_newton", None)  # not called
    found = trace_ratio(B, E, 5, start=right.H)
    assert found.status is Status.CONVERGED
    assert len(asked) == 2
    assert found.rho == pytest.approx(right.rho, rel=1e-6)


def test_a_check_that_takes_too_long_leaves_very_many_samples_unverified(graphs, many, monkeypatch):
    B, _, E = graphs
    monkeypatch.setattr(subspace, "MOST_PRODUCTS", 0)
    monkeypatch.setattr(module, "_newton", None)  # not called
    assert trace_ratio(B, E, 5).status is Status.UNVERIFIED


@pytest.mark.parametrize("many_samples", [False, True])
def test_the_order_of_the_rows_does_not_matter(graphs, many_samples, monkeypatch):
    monkeypatch.setattr(module, "MANY", 100 if many_samples else 10**9)
    B, _, E = graphs
    order = np.random.default_rng(3).permutation(500)
    plain = trace_ratio(B, E, 5)
    moved = trace_ratio(in_order(B, order), in_order(E, order), 5, order=order)
    assert moved.rho == pytest.approx(plain.rho, rel=1e-9)
    assert len(moved.path) == len(plain.path)
    np.testing.assert_allclose(
        moved.H @ moved.H.T, (plain.H @ plain.H.T)[np.ix_(order, order)], atol=1e-5
    )


@pytest.mark.parametrize("missing", [0, 2, 4])
def test_an_eigenvector_that_a_settled_block_misses_is_found(graphs, many, missing):
    """Exact eigenvectors, but for one among the first: nothing in the block points to it."""
    B, _, E = graphs
    right = trace_ratio(B, E, 5)
    pencil = Pencil(FewRows(B), E, right.rho)
    vectors = np.linalg.eigh((B - right.rho * E).toarray())[1][:, ::-1]
    low = -2.0 * right.rho
    whole = rayleigh_ritz(pencil, vectors[:, :14])
    assert missed_by(pencil, whole, 5, low) == (True, None)
    known, found = missed_by(
        pencil, rayleigh_ritz(pencil, np.delete(vectors, missing, 1)[:, :14]), 5, low
    )
    assert known
    assert abs(found @ vectors[:, missing]) > 0.99
