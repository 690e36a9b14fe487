import numpy as np
import pytest
from scipy.linalg import eig
from scipy.sparse import block_diag, csr_array
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from problems import pair_matrices
from samekind._kernels import csp
from samekind._kernels.csp import (
    bound_on,
    constrained_embedding,
    eigenvalues_of_pairs,
    feasible_cuts,
)
from samekind._kernels.shrink import unit_rows
from samekind._kernels.status import Status
from samekind.graph import local_graph, normalized_laplacian


def agreement_of(M, C):
    """Q, written out."""
    return csr_array(M - C + np.diag((M + C).any(axis=1).astype(float)))


def cosines(H):
    """What is left of coordinates when columns may turn and rows have unit length."""
    rows = unit_rows(H)
    return rows @ rows.T


@pytest.fixture(params=["normalized", "raw"])
def pencil(request, problem):
    """N, Q and b of a small problem."""
    W, Q = problem.W, agreement_of(problem.M, problem.C)
    if request.param == "normalized":
        root = np.sqrt(W.sum(axis=1))
        Q = csr_array(Q.toarray() / np.outer(root, root))
    return normalized_laplacian(csr_array(W)), Q, bound_on(eigenvalues_of_pairs(Q), problem.k)


def test_feasible_vectors_solve_the_pencil(pencil):
    N, Q, b = pencil
    cuts = feasible_cuts(N, Q, b, eigenvalues_of_pairs(Q))
    Q1 = Q.toarray() - b * np.eye(N.shape[0])
    np.testing.assert_allclose(N @ cuts.V, Q1 @ cuts.V * cuts.lam, atol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(cuts.V, axis=0), 1.0)
    assert (cuts.lam > 0).all()
    assert (np.einsum("ij,ij->j", cuts.V, Q1 @ cuts.V) > 0).all()
    assert cuts.status is Status.CONVERGED


def test_costs_are_those_of_the_vectors_in_rising_order(pencil):
    N, Q, b = pencil
    cuts = feasible_cuts(N, Q, b, eigenvalues_of_pairs(Q))
    np.testing.assert_allclose(cuts.cost, np.diag(cuts.V.T @ (N @ cuts.V)), atol=1e-12)
    assert (np.diff(cuts.cost) >= 0).all()


def test_as_many_are_feasible_as_the_law_of_sylvester_says(pencil):
    N, Q, b = pencil
    Q1 = Q.toarray() - b * np.eye(N.shape[0])
    cuts = feasible_cuts(N, Q, b, eigenvalues_of_pairs(Q))
    assert cuts.V.shape[1] == (np.linalg.eigvalsh(Q1) > 0).sum()


def test_no_feasible_vector_is_missing(pencil):
    """The indefinite pencil, solved as it stands, has the same positive eigenvalues."""
    N, Q, b = pencil
    values = eig(N.toarray(), Q.toarray() - b * np.eye(N.shape[0]), right=False)
    assert np.abs(values.imag).max() < 1e-6
    positive = np.sort(values.real[values.real > 1e-6])
    cuts = feasible_cuts(N, Q, b, eigenvalues_of_pairs(Q))
    np.testing.assert_allclose(np.sort(cuts.lam), positive, rtol=1e-5)


def test_the_block_of_the_pairs_has_all_eigenvalues(problem):
    Q = agreement_of(problem.M, problem.C)
    values = np.linalg.eigvalsh(Q.toarray())[::-1]
    np.testing.assert_allclose(eigenvalues_of_pairs(Q), values, atol=1e-12)


@pytest.mark.parametrize(("f", "k"), [(2, 3), (4, 5)])
def test_labels_of_all_classes_make_exactly_one_cut_less_than_classes(f, k):
    """Q has the eigenvalue 2f (K - 1 times), f(2 - K) once, and else 0."""
    y = np.repeat(np.arange(k), f + 3)
    labeled = np.concatenate([np.flatnonzero(y == c)[:f] for c in range(k)])
    values = eigenvalues_of_pairs(agreement_of(*pair_matrices(y, labeled)))
    np.testing.assert_allclose(values[: k - 1], 2 * f, atol=1e-10)
    np.testing.assert_allclose(values[k - 1 : -1], 0, atol=1e-10)
    assert values[-1] == pytest.approx(f * (2 - k), abs=1e-10)
    assert (values > bound_on(values, k)).sum() == k - 1


def test_with_labels_of_all_classes_the_bound_is_the_authors_rule(problem):
    """Their rule is the middle of the (K-1)-th and the K-th value, and the K-th is zero."""
    W, Q = problem.W, agreement_of(problem.M, problem.C).toarray()
    root = np.sqrt(W.sum(axis=1))
    for one in (Q, Q / np.outer(root, root)):
        values, k = eigenvalues_of_pairs(csr_array(one)), problem.k
        middle = (values[k - 2] + values[k - 1]) / 2 - 1e-6 * values[0]
        assert bound_on(values, k) == pytest.approx(middle, rel=1e-12)


def test_with_random_pairs_the_graph_still_counts():
    """Where there is no gap, the middle of two values would be nearly all that pairs can give."""
    close = np.linspace(2.0, 1.0, 21)
    assert bound_on(close, 3) == pytest.approx(close[1] / 2, rel=1e-5)
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 40)
    X = 3 * np.eye(3)[y] + rng.standard_normal((120, 3))
    a, b = rng.integers(0, 120, (2, 80))
    same = csr_array((np.where(y[a] == y[b], 1.0, -1.0) * (a != b), (a, b)), shape=(120, 120))
    M, C = (np.sign((part + part.T).toarray()) for part in (same.maximum(0), (-same).maximum(0)))
    W, Q = local_graph(X, 8, 4), agreement_of(M, C)
    rows = unit_rows(constrained_embedding(W, Q, 3).H)
    labels = KMeans(3, n_init=10, random_state=0).fit_predict(rows)
    assert adjusted_rand_score(y, labels) > 0.8


def test_a_labeled_sample_without_edges_is_no_free_cut(problem):
    """N_ii = 1 as in the authors' code, whose degree is not zero but the smallest number.

    With N_ii = 0 the vector of this sample alone costs nothing and comes before all others.
    """
    n, k = len(problem.W), problem.k
    W = np.zeros((n + 1, n + 1))
    W[:n, :n] = problem.W
    y = np.append(problem.y, 0)
    labeled = np.append(np.flatnonzero((problem.M + problem.C).any(axis=1)), n)
    Q = agreement_of(*pair_matrices(y, labeled))
    found = constrained_embedding(csr_array(W), Q, k, normalized=False)
    degree = np.append(problem.W.sum(axis=1), 1.0)
    root = 1 / np.sqrt(degree)
    N = np.eye(n + 1) - W * np.outer(root, root)
    b = bound_on(eigenvalues_of_pairs(Q), k)
    lam, V = eig(N, Q.toarray() - b * np.eye(n + 1))
    V = V.real[:, lam.real > 1e-9]
    V /= np.linalg.norm(V, axis=0)
    cost = np.einsum("ij,ij->j", V, N @ V)
    V = V[:, np.argsort(cost)]
    mixed = [(v > 1e-9).any() and (v < -1e-9).any() for v in V.T]
    V = V[:, mixed.index(True) :][:, : k - 1]
    expected = root[:, None] * V * (1 - np.einsum("ij,ij->j", V, N @ V))
    np.testing.assert_allclose(cosines(found.H), cosines(expected), atol=1e-5)
    assert found.values.min() > 1e-3


def test_the_bound_lies_below_equal_eigenvalues_and_above_zero():
    twins = np.array([2.0, 2.0, 2.0, 2.0, 0.0, 0.0])
    assert (twins > bound_on(twins, 3)).sum() == 4
    too_few = np.array([2.0, 0.0, 0.0, -1.0])
    assert bound_on(too_few, 4) == bound_on(too_few, 2) == 1.0


def test_the_scale_of_the_graph_does_not_matter(problem):
    Q = agreement_of(problem.M, problem.C)
    once = constrained_embedding(csr_array(problem.W), Q, 3)
    twice = constrained_embedding(csr_array(7 * problem.W), Q, 3)
    np.testing.assert_allclose(cosines(twice.H), cosines(once.H), atol=1e-5)
    np.testing.assert_allclose(twice.values, once.values, atol=1e-7)


def test_equal_degrees_make_both_forms_of_q_the_same():
    ring = np.roll(np.eye(12), 1, axis=1) + 0.3 * np.roll(np.eye(12), 5, axis=1)
    y = np.repeat(np.arange(3), 4)
    Q = agreement_of(*pair_matrices(y, [0, 1, 4, 6, 9, 10]))
    W = csr_array(ring + ring.T)
    scaled, raw = (constrained_embedding(W, Q, 3, normalized=how) for how in (True, False))
    np.testing.assert_allclose(cosines(scaled.H), cosines(raw.H), atol=1e-6)


def test_a_cut_between_components_costs_nothing_and_counts():
    component = np.ones((4, 4)) - np.eye(4)
    W = csr_array(block_diag([component, component]))
    y = np.repeat([0, 1], 4)
    found = constrained_embedding(W, agreement_of(*pair_matrices(y, [0, 1, 2, 4, 5, 6])), 2)
    assert found.values == pytest.approx(0, abs=1e-7)
    assert (np.sign(found.H[:, 0]) * np.sign(found.H[0, 0])).tolist() == [1] * 4 + [-1] * 4


def test_a_vector_of_one_sign_is_no_cut():
    """One must-link is best kept by a hump around it, which divides nothing."""
    path = np.diag(np.ones(5), 1)
    M = np.zeros((6, 6))
    M[0, 1] = M[1, 0] = 1
    W, Q = csr_array(path + path.T), agreement_of(M, np.zeros((6, 6)))
    assert constrained_embedding(W, Q, 2).H.shape == (6, 0)


def test_samples_that_no_pair_reaches_are_at_zero(problem):
    W = csr_array(block_diag([problem.W, np.ones((5, 5)) - np.eye(5), np.zeros((1, 1))]))
    n = len(problem.W)
    M, C = (np.pad(part, (0, 6)) for part in (problem.M, problem.C))
    found = constrained_embedding(W, agreement_of(M, C), 3)
    alone = constrained_embedding(csr_array(problem.W), agreement_of(problem.M, problem.C), 3)
    assert (found.H[n:] == 0).all()
    np.testing.assert_allclose(cosines(found.H[:n]), cosines(alone.H), atol=1e-5)


def test_samples_without_edges_follow_their_pairs():
    """A must-link holds at no cost between two samples that nothing else holds."""
    W = csr_array(block_diag([np.ones((4, 4)) - np.eye(4), np.zeros((2, 2))]))
    y = np.array([0, 0, 0, 0, 1, 1])
    found = constrained_embedding(W, agreement_of(*pair_matrices(y, [0, 1, 4, 5])), 2)
    sides = np.sign(found.H[:, 0])
    assert sides[4] == sides[5] == -sides[0] == -sides[3]


def test_vectors_that_do_not_solve_the_pencil_are_not_called_converged(pencil, monkeypatch):
    N, Q, b = pencil
    monkeypatch.setattr(csp, "EPS", 0.1)  # another problem than the one that was asked for
    assert feasible_cuts(N, Q, b, eigenvalues_of_pairs(Q)).status is Status.UNVERIFIED
