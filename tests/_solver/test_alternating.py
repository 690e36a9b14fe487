from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, eye_array

import reference
from problems import SmallProblem, blobs, pair_matrices, random_problem
from samekind._kernels.shrink import unit_rows
from samekind._kernels.status import Status
from samekind._solver import solve
from samekind._solver.embedding import Embedder
from samekind.graph import laplacian, local_graph, normalized_laplacian


@pytest.mark.parametrize("normalized", [True, False])
def test_it_is_the_textbook_algorithm(problem, normalized):
    arguments, weights = problem.reference()
    slow = reference.solve(
        *arguments, **weights, normalized=normalized, tol=1e-3, record_objective=True
    )
    fast = solve(problem.solver(normalized=normalized), tol=1e-3)
    assert fast.n_iter == slow.n_iter
    assert fast.alpha1 == pytest.approx(slow.alpha1, rel=1e-8)
    assert fast.rho == pytest.approx(slow.rho, rel=1e-6)
    np.testing.assert_allclose(fast.Z.toarray(), slow.Z.T, atol=1e-7)
    np.testing.assert_allclose(fast.H @ fast.H.T, slow.H.T @ slow.H, atol=1e-6)
    np.testing.assert_allclose([r.objective for r in fast.history], slow.objective, rtol=1e-7)


@pytest.fixture
def larger():
    """Enough samples for H to be computed roughly on the way."""
    X, y = blobs(0, n_per_class=110, d=60, spread=1.2)
    M, C = pair_matrices(y, np.concatenate([np.flatnonzero(y == c)[:3] for c in range(3)]))
    W = local_graph(X, 12, 5).toarray() + 1e-5 * (1 - np.eye(len(X)))
    return SmallProblem(X, y, W, M, C, k=3)


@pytest.mark.parametrize("normalized", [True, False])
def test_rough_steps_on_the_way_lead_to_the_same_result(larger, normalized):
    states = []
    arguments, weights = larger.reference()
    slow = reference.solve(*arguments, **weights, normalized=normalized, record_objective=True)
    fast = solve(larger.solver(normalized=normalized), callback=states.append)
    assert [state.embedding.rough for state in states] == [True] * (fast.n_iter - 1) + [False]
    assert fast.n_iter == slow.n_iter
    assert fast.status is Status.CONVERGED
    np.testing.assert_allclose(fast.Z.toarray(), slow.Z.T, atol=1e-7)
    np.testing.assert_allclose(fast.H @ fast.H.T, slow.H.T @ slow.H, atol=1e-6)
    np.testing.assert_allclose([r.objective for r in fast.history], slow.objective, rtol=1e-7)


def test_a_last_step_that_does_not_settle_is_said_and_not_tried_again(larger, monkeypatch):
    seen = []

    def unsettled(self, W_fused, rough):
        other = np.roll(rough.H, 1, axis=0)
        return replace(rough, H=other, rough=False, status=Status.UNVERIFIED)

    monkeypatch.setattr(Embedder, "polished", unsettled)
    run = solve(larger.solver(), callback=lambda state: seen.append(state.iteration))
    assert run.status is Status.UNVERIFIED
    assert seen == list(range(1, run.n_iter + 1))


def test_an_eigenvector_missed_on_the_way_is_found_out_at_the_end(larger, monkeypatch):
    right, seen = solve(larger.solver()), []

    def another(self, W_fused, rough):
        return replace(rough, H=np.roll(rough.H, 1, axis=0), rough=False)

    monkeypatch.setattr(Embedder, "polished", another)
    again = solve(larger.solver(), callback=seen.append)
    # Done twice: on the way that was wrong at the end, and with every H checked.
    n_iter = right.n_iter
    assert [state.iteration for state in seen] == [*range(1, n_iter), *range(1, n_iter + 1)]
    assert not any(state.embedding.rough for state in seen[-n_iter:])
    np.testing.assert_allclose(again.Z.toarray(), right.Z.toarray(), atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    k=st.integers(2, 4),
    tau=st.floats(0.005, 0.5),
    lam=st.floats(0.5, 200),
    lam_z=st.floats(0, 1),
    ratio=st.floats(0.05, 2),
    shift=st.sampled_from([0.0, 0.01, 1.0]),
)
def test_proposition_2(seed, k, tau, lam, lam_z, ratio, shift):
    """Each step of Algorithm 2 lowers (13) by lam/2 (|dA|^2 + |dZ|^2) or more.

    The proof needs a fixed numerator, so it holds for L_C + shift I as well.
    """
    small = random_problem(seed, k=k)
    small.tau, small.lam, small.lam_z, small.ratio = tau, lam, lam_z, ratio
    states = []

    def keep(state):
        states.append((state.record.objective, state.A.copy(), state.Z.toarray()))

    problem = replace(small.solver(normalized=False), shift=shift)
    solve(problem, tol=1e-6, max_iter=15, callback=keep)
    for (f0, A0, Z0), (f1, A1, Z1) in pairwise(states):
        moved = np.linalg.norm(A1 - A0) ** 2 + np.linalg.norm(Z1 - Z0) ** 2
        assert f1 <= f0 - lam / 2 * moved + 1e-8 * (1 + abs(f0))


@pytest.mark.parametrize("normalized", [True, False])
def test_a_shift_is_the_identity_beside_the_cannot_links(larger, normalized):
    """Ratio, weight, thresholds and objective are those of an explicit L_C + gamma I."""
    spec, gamma = larger.solver(normalized=normalized), 0.02
    beside = csr_array(spec.L_cannot + gamma * eye_array(len(larger.X)))
    explicit = solve(replace(spec, L_cannot=beside))
    shifted = solve(replace(spec, shift=gamma))
    assert shifted.n_iter == explicit.n_iter
    assert shifted.alpha1 == pytest.approx(explicit.alpha1)
    assert shifted.rho == pytest.approx(explicit.rho)
    np.testing.assert_allclose(shifted.Z.toarray(), explicit.Z.toarray(), atol=1e-7)
    np.testing.assert_allclose(shifted.H @ shifted.H.T, explicit.H @ explicit.H.T, atol=1e-6)
    np.testing.assert_allclose(
        [one.objective for one in shifted.history], [one.objective for one in explicit.history]
    )
    assert shifted.rho != pytest.approx(solve(spec).rho, rel=0.1)  # it is another problem


def test_theorem_1(problem):
    """At the end of Algorithm 2 all three blocks are stationary, and that is reported."""
    run = solve(problem.solver(normalized=False), tol=1e-9, max_iter=1000)
    assert run.status is Status.CONVERGED
    assert run.optimality.H < 1e-6
    assert run.optimality.A < 1e-8
    assert run.optimality.Z < 1e-8


def test_the_reported_residuals_are_the_gradients(problem):
    """The H-condition, computed again from the definition, early on where it is not small."""
    spec, states = problem.solver(normalized=False), []
    run = solve(spec, max_iter=2, callback=states.append)
    E, B, H = laplacian(run.W_fused).toarray(), spec.L_cannot.toarray(), run.H
    S = B - run.rho * E
    gradient = (np.eye(len(H)) - H @ H.T) @ S @ H
    size = np.abs(S).sum(axis=1).max()
    assert run.optimality.H == pytest.approx(np.linalg.norm(gradient, 2) / size)
    assert run.optimality.H > 1e-6


def test_the_result_holds_what_it_promises(problem):
    run = solve(problem.solver(), tol=1e-3, max_iter=500)
    n = len(problem.X)
    assert (run.Z.diagonal() == 0).all()
    np.testing.assert_allclose(run.H.T @ run.H, np.eye(problem.k), atol=1e-10)
    np.testing.assert_allclose(run.W_fused.toarray(), run.W_fused.T.toarray(), atol=1e-15)
    seconds = [record.seconds for record in run.history]
    assert seconds == sorted(seconds)
    assert run.history[-1].nonzeros_per_row == run.Z.nnz / n
    assert max(run.history[-1].change_A, run.history[-1].change_Z) < 1e-3


def test_every_iteration_is_shown(problem):
    seen = []
    run = solve(problem.solver(), callback=lambda state: seen.append(state.record))
    assert tuple(seen) == run.history


def test_stopping_early_is_reported(problem):
    run = solve(problem.solver(), tol=1e-12, max_iter=2)
    assert run.status is Status.MAX_ITER
    assert not run.status.converged
    assert run.n_iter == 2


@pytest.mark.parametrize("normalized", [True, False])
def test_without_cannot_links_h_is_the_bottom_of_the_laplacian(normalized):
    small = random_problem(0)
    small.C[:] = 0
    states = []
    run = solve(small.solver(normalized=normalized), callback=states.append)
    make = normalized_laplacian if normalized else laplacian
    # The first H sees the local graph alone.
    E = make(small.solver().local).toarray()
    bottom = np.linalg.eigh(E)[1][:, : small.k]
    H = states[0].H
    np.testing.assert_allclose(H @ H.T, bottom @ bottom.T, atol=1e-7)
    # The factor of the threshold is 1: theta = tau/2 d^2 + lam_z / lam.
    rows = unit_rows(H) if normalized else H
    d2 = ((rows[:, None] - rows[None]) ** 2).sum(axis=2)
    A = small.solver().P
    expected = np.maximum(np.abs(A) - (small.tau / 2 * d2 + small.lam_z / small.lam), 0)
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(np.abs(states[0].Z.toarray()), expected, atol=1e-12)
    assert np.isnan(run.rho)


def test_small_units_make_z_vanish_and_that_is_no_convergence(problem):
    problem.X *= 1e-3
    run = solve(problem.solver())
    assert run.Z.nnz == 0
    assert run.status is Status.VANISHED
    assert not run.status.converged


@pytest.mark.parametrize("with_cannot_links", [True, False])
def test_a_graph_in_as_many_pieces_as_clusters_is_separated(with_cannot_links):
    X, y = blobs(1, k=3, spread=0.05)
    M, C = pair_matrices(y, np.arange(12) if with_cannot_links else [])
    small = SmallProblem(X, y, local_graph(X, 5, 4).toarray(), M, C, k=3, lam=1.0, lam_z=0.0)
    run = solve(small.solver())
    same = unit_rows(run.H) @ unit_rows(run.H).T
    np.testing.assert_allclose(same, (y[:, None] == y[None]).astype(float), atol=1e-9)
    assert run.status is Status.UNBOUNDED
    assert (run.rho == np.inf) == with_cannot_links


def test_one_cluster_is_a_graph_in_one_part():
    small = random_problem(0)
    small.k = 1
    assert solve(small.solver(), max_iter=200).status is Status.CONVERGED
