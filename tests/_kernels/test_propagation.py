import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.semi_supervised import LabelPropagation, LabelSpreading

from samekind._kernels import propagation
from samekind._kernels.propagation import (
    class_mass,
    harmonic,
    local_and_global,
    one_hot,
    solve_spd,
    spread_by,
    with_class_masses,
)
from samekind._kernels.status import Status
from samekind.graph import laplacian, normalized_laplacian

N, CLASSES = 30, 3


def random_graph(seed, n=N, density=0.15):
    """A ring, so that it is connected, and edges drawn at random."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), 1)
    W[np.arange(n - 1), np.arange(1, n)] += 0.1
    return csr_array(W + W.T)


@pytest.fixture(params=range(3))
def problem(request):
    """A connected graph and labels of six of its samples."""
    rng = np.random.default_rng(request.param)
    y = np.full(N, -1)
    y[rng.permutation(N)[:6]] = np.arange(6) % CLASSES
    return random_graph(request.param), y, one_hot(y, np.arange(CLASSES))


def dense_lgc(W, Y, alpha):
    S = np.eye(len(Y)) - normalized_laplacian(W).toarray()
    F = np.linalg.solve(np.eye(len(Y)) - alpha * S, Y)
    return F / F.sum(axis=1, keepdims=True)


def test_every_other_sample_is_the_mean_of_its_neighbors(problem):
    W, y, Y = problem
    run = harmonic(W, Y)
    mean = (W @ run.F) / np.asarray(W.sum(axis=1))[:, None]
    np.testing.assert_allclose(run.F[y < 0], mean[y < 0], atol=1e-12)
    np.testing.assert_array_equal(run.F[y >= 0], Y[y >= 0])
    assert run.status is Status.CONVERGED
    assert run.reached.all()


@pytest.mark.parametrize("spread", [harmonic, class_mass, local_and_global])
def test_rows_are_distributions(problem, spread):
    W, _, Y = problem
    F = spread(W, Y).F
    np.testing.assert_allclose(F.sum(axis=1), 1.0, atol=1e-12)
    assert F.min() >= 0


def test_class_masses_are_the_shares_of_the_labels(problem):
    """Zhu, Ghahramani and Lafferty: q_c F_ic / sum_j F_jc, the sum over unlabeled samples."""
    W, y, _ = problem
    y = y.copy()
    y[np.flatnonzero(y == 0)[0]] = -1  # classes of different shares
    Y = one_hot(y, np.arange(CLASSES))
    unlabeled, shares = y < 0, Y.sum(axis=0) / Y.sum()
    L = laplacian(W).toarray()
    F = np.linalg.solve(L[np.ix_(unlabeled, unlabeled)], -L[np.ix_(unlabeled, ~unlabeled)])
    scaled = with_class_masses(F @ Y[~unlabeled], shares)
    np.testing.assert_allclose(scaled.sum(axis=0), shares, rtol=1e-12)
    run = class_mass(W, Y)
    closed_form = scaled / scaled.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(run.F[unlabeled], closed_form, atol=1e-10)
    np.testing.assert_array_equal(run.F[~unlabeled], Y[~unlabeled])


def test_a_dense_graph_does_not_give_one_class_to_all():
    """Everything joined to everything, one class a little more: harmonic values follow it."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 20)
    W = np.ones((40, 40)) + 0.3 * (truth[:, None] == truth) + 0.05 * rng.random((40, 40))
    W[0] += 0.5  # the labeled sample of class 0 is joined more strongly to all
    W[:, 0] += 0.5
    np.fill_diagonal(W, 0.0)
    y = np.full(40, -1)
    y[[0, 20]] = [0, 1]
    W, Y = csr_array((W + W.T) / 2), one_hot(y, np.arange(2))
    assert (harmonic(W, Y).F.argmax(axis=1) == 0).sum() == 39
    np.testing.assert_array_equal(class_mass(W, Y).F.argmax(axis=1), truth)


def test_harmonic_labels_make_the_energy_smallest(problem):
    W, y, Y = problem
    F, L, rng = harmonic(W, Y).F, laplacian(W), np.random.default_rng(0)
    for _ in range(50):
        other = F + 0.1 * rng.standard_normal(F.shape) * (y < 0)[:, None]
        assert np.vdot(F, L @ F) <= np.vdot(other, L @ other)


@pytest.mark.parametrize("alpha", [0.2, 0.9, 0.99])
def test_local_and_global_is_the_fixed_point(problem, alpha):
    W, _, Y = problem
    run = local_and_global(W, Y, alpha)
    np.testing.assert_allclose(run.F, dense_lgc(W, Y, alpha), atol=1e-11)
    # F <- alpha S F + (1 - alpha) Y, repeated until it stands.
    S, F = np.eye(N) - normalized_laplacian(W).toarray(), Y
    for _ in range(int(30 / (1 - alpha))):
        F = alpha * S @ F + (1 - alpha) * Y
    np.testing.assert_allclose(run.F, F / F.sum(axis=1, keepdims=True), atol=1e-9)


def test_scikit_learn_spreads_alike(problem):
    W, y, Y = problem

    def graph(rows, others=None):
        return W.toarray()

    settings = {"kernel": graph, "max_iter": 20_000, "tol": 1e-12}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs = LabelPropagation(**settings).fit(np.zeros((N, 1)), y)
        softly = LabelSpreading(alpha=0.8, **settings).fit(np.zeros((N, 1)), y)
    np.testing.assert_allclose(harmonic(W, Y).F, theirs.label_distributions_, atol=1e-8)
    np.testing.assert_allclose(
        local_and_global(W, Y, 0.8).F, softly.label_distributions_, atol=1e-8
    )


@pytest.mark.parametrize("spread", [harmonic, local_and_global])
def test_samples_without_a_path_to_a_label_get_the_shares_of_the_labels(spread):
    W = np.zeros((9, 9))
    for i, j in ((0, 1), (1, 2), (3, 4), (5, 6)):  # 5 and 6 are a component, 7 and 8 alone
        W[i, j] = W[j, i] = 1.0
    y = np.array([0, -1, 0, 1, -1, -1, -1, -1, 0])
    run = spread(csr_array(W), one_hot(y, [0, 1]))
    assert run.reached.tolist() == [True] * 5 + [False] * 3 + [True]
    np.testing.assert_allclose(run.F[5:8], [[0.75, 0.25]] * 3)
    np.testing.assert_allclose(run.F[[0, 3, 8]], [[1, 0], [0, 1], [1, 0]])
    assert run.F.argmax(axis=1).tolist() == [0, 0, 0, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("spread", [harmonic, local_and_global])
def test_a_graph_without_edges_keeps_the_labels(spread):
    Y = one_hot(np.array([0, 1, -1]), [0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = spread(csr_array((3, 3)), Y)
    np.testing.assert_allclose(run.F, [[1, 0], [0, 1], [0.5, 0.5]])
    assert run.reached.tolist() == [True, True, False]


def test_all_labels_given_are_the_answer(problem):
    W = problem[0]
    Y = one_hot(np.arange(N) % CLASSES, np.arange(CLASSES))
    np.testing.assert_array_equal(harmonic(W, Y).F, Y)


@pytest.mark.parametrize("spread", [harmonic, local_and_global])
def test_permuting_samples_permutes_the_answer_and_units_do_not_matter(problem, spread):
    W, _, Y = problem
    order = np.random.default_rng(1).permutation(N)
    mixed = spread(7 * W[order][:, order], Y[order]).F
    np.testing.assert_allclose(mixed, spread(W, Y).F[order], atol=1e-10)


@pytest.mark.parametrize("spread", [harmonic, local_and_global])
def test_the_iterated_route_agrees_with_the_factorized_one(problem, spread, monkeypatch):
    W, _, Y = problem
    direct = spread(W, Y)
    monkeypatch.setattr(propagation, "FACTORIZED_UP_TO", 0)
    iterated = spread(W, Y)
    assert iterated.status is Status.CONVERGED
    np.testing.assert_allclose(iterated.F, direct.F, atol=1e-8)


def test_a_system_that_is_not_solved_is_reported(problem, monkeypatch):
    W, _, Y = problem
    monkeypatch.setattr(propagation, "FACTORIZED_UP_TO", 0)
    monkeypatch.setattr(propagation, "CG_STEPS", 1)
    assert harmonic(W, Y).status is Status.UNVERIFIED
    assert local_and_global(W, Y).status is Status.UNVERIFIED


@pytest.mark.parametrize("limit", [0, 1000])
def test_systems_of_very_different_scales_are_solved(limit, monkeypatch):
    monkeypatch.setattr(propagation, "FACTORIZED_UP_TO", limit)
    rng = np.random.default_rng(0)
    G, scale = rng.standard_normal((8, 20)), np.logspace(-4, 4, 8)
    A, X = scale[:, None] * (G @ G.T) * scale, rng.standard_normal((8, 2)) / scale[:, None]
    found, status = solve_spd(csr_array(A), A @ X)
    assert status is Status.CONVERGED
    np.testing.assert_allclose(found * scale[:, None], X * scale[:, None], atol=1e-7)


def test_a_diagonal_in_the_operator_counts():
    """S of a hypergraph has one; it keeps labels at home."""
    S = np.array([[0.5, 0.5], [0.5, 0.5]])
    F = np.linalg.solve(np.eye(2) - 0.9 * S, np.eye(2))
    run = spread_by(csr_array(S), np.eye(2), 0.9)
    np.testing.assert_allclose(run.F, F / F.sum(axis=1, keepdims=True), atol=1e-14)


def test_class_mass_leaves_fewer_samples_than_classes_to_the_graph():
    """Of a single one, masses would take the place of all that the graph says."""
    W = csr_array(np.array([[0.0, 0, 1, 0], [0, 0, 9, 0], [1, 9, 0, 1], [0, 0, 1, 0]]))
    Y = np.array([[1.0, 0], [0, 1], [0, 0], [1, 0]])
    assert class_mass(W, Y).F[2].argmax() == 1
