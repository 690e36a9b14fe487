"""Algorithms 2 and 3: learn the embedding H, then A and Z, and repeat until Z converges.

    H   maximizes Tr(H'L_C H) / Tr(H'E H), E a Laplacian of alpha1 |Z| + alpha2 (W + lam_m M)
    A   represents each sample by the others, near to Z                                  (18)
    Z   is A with each entry shrunk, the more the farther apart H puts the two samples   (22)

Differs from the paper: alpha1 = tau lam Tr(H1'L_C H1), half the published rule, with H1 from
(24) on W + lam_m M. With it the published thresholds (21) and (25) and the objective (13) hold
as they stand, and the result equals that of the authors' code for the same tau. Without
cannot-links H is the bottom eigenvectors of the Laplacian, and Tr(H'L_C H) counts as 1.

An error of an intermediate H moves Z by a small share of it (tau) and later steps correct it, so
H is computed to a fraction of the current change. The last H is computed to full accuracy and
verified, and Z follows it; if that shows that an eigenvector was missed before, the run is
repeated with every H verified.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.callback import ended_by
from samekind._kernels.status import Status
from samekind._solver.embedding import Embedder
from samekind._solver.objective import objective, optimality, thresholds
from samekind._solver.records import Embedding, Iteration, Problem, Solution, State
from samekind._solver.representation import largest
from samekind._solver.restricted import largest_change, representation

# If the last H is farther than this from the approximate one, an eigenvector was missed.
FAR = 1e-2

Callback = Callable[[State], object]


def solve(
    problem: Problem, *, max_iter: int = 50, tol: float = 1e-2, callback: Callback | None = None
) -> Solution:
    """Run Algorithm 3, or Algorithm 2 where ``problem.normalized`` is false.

    Parameters
    ----------
    problem : Problem
    max_iter : int
        At least 1.
    tol : float
        Stop once no entry of A or Z moves by this much.
    callback : callable, optional
        Called with the State after each iteration; the run ends there where it raises
        StopIteration, with status INTERRUPTED. Called again from the first one in the rare case
        that the run has to be repeated.
    """
    try:
        return _run(problem, max_iter, tol, callback, careful=False)
    except EigenvectorMissed:
        return _run(problem, max_iter, tol, callback, careful=True)


class EigenvectorMissed(Exception):
    """The verified H is far from the approximate one."""


def _run(
    problem: Problem, max_iter: int, tol: float, callback: Callback | None, *, careful: bool
) -> Solution:
    """One run, with each H to a fraction of the change or, if careful, verified."""
    began = perf_counter()
    embedder, represent = Embedder(problem), representation(problem.P)
    alpha1 = problem.tau * problem.lam * embedder.first.trace
    previous = Z = csr_array(problem.local.shape)
    difference, change, history = Z, represent.first_move, []
    settled = interrupted = False
    for iteration in range(1, max_iter + 1):
        W_fused = _fused(problem, Z, alpha1)
        embedding = embedder.step(W_fused, rough=None if careful else represent.share * change)
        previous, theta = Z, thresholds(problem, embedding, alpha1)
        if iteration == 1:
            Z, change_A = represent.shrunk(theta), represent.first_move
        else:
            Z, change_A = represent.step(difference, theta)
        del theta  # as large as H
        difference = csr_array(Z - previous)
        change_Z = largest_change(difference, represent.stragglers)
        if embedding.rough and (max(change_A, change_Z) < tol or iteration == max_iter):
            embedding = _polished(embedder, W_fused, embedding, 3 * represent.share * change)
            Z = represent.shrunk(thresholds(problem, embedding, alpha1))
            difference = csr_array(Z - previous)
            change_Z = largest_change(difference, represent.stragglers)
        change = max(change_A, change_Z)
        record = Iteration(
            objective=objective(problem, represent, previous, Z, embedding, alpha1),
            rho=embedding.rho,
            change_A=change_A,
            change_Z=change_Z,
            nonzeros_per_row=Z.nnz / Z.shape[0],
            seconds=perf_counter() - began,
        )
        history.append(record)
        interrupted = ended_by(callback, State(iteration, embedding, represent, Z, record))
        settled = change < tol
        if settled or interrupted:
            break
    W_fused = _fused(problem, Z, alpha1)
    return Solution(
        H=embedding.H,
        first_H=embedder.first.H,
        Z=Z,
        W_fused=W_fused,
        rho=embedding.rho,
        alpha1=alpha1,
        history=tuple(history),
        optimality=optimality(problem, represent, previous, Z, embedding, W_fused, alpha1),
        status=Status.INTERRUPTED
        if interrupted
        else _status(problem, embedding.status, settled, Z, tol),
    )


def _polished(
    embedder: Embedder, W_fused: csr_array, rough: Embedding, expected: float
) -> Embedding:
    polished = embedder.polished(W_fused, rough)
    if not polished.status.converged:
        return polished  # it did not converge, as its status says; a second run would not either
    beside = rough.H - polished.H @ (polished.H.T @ rough.H)
    if np.linalg.norm(beside, 2) > max(FAR, expected):
        raise EigenvectorMissed
    return polished


def _fused(problem: Problem, Z: csr_array, alpha1: float) -> csr_array:
    """(15) or (23), symmetrized; where Z is still zero, the graph that is given."""
    if problem.scale_free is not None and Z.nnz == 0:
        return problem.local
    learned = problem.steps.spread(abs(Z))
    W_fused = csr_array(learned + learned.T.tocsr() + problem.twice_local)
    W_fused.data *= alpha1 / 2
    return W_fused


def _status(problem: Problem, embedding: Status, settled: bool, Z: csr_array, tol: float) -> Status:
    n, weighed = (
        Z.shape[0],
        problem.scale_free is None,
    )  # else the graph has its share whatever Z is
    if weighed and (Z.nnz < n * min(2, n - 1) or (settled and largest(Z.data) < tol)):
        return Status.VANISHED  # the second: nothing could move by as much as tol
    return embedding if settled or embedding is Status.UNVERIFIED else Status.MAX_ITER
