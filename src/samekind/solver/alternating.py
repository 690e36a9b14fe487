"""Algorithms 2 and 3: learn the embedding H, then A and Z, and again, until Z settles.

    H   maximises Tr(H'L_C H) / Tr(H'E H), E a Laplacian of alpha1 |Z| + alpha2 (W + lam_m M)
    A   represents each sample by the others, near to Z                                  (18)
    Z   is A with each entry shrunk, the more the farther apart H puts the two samples   (22)

Differs from the paper: alpha1 = tau lam Tr(H1'L_C H1), half the printed rule, with H1 from
(24) on W + lam_m M. With it the printed thresholds (21) and (25) and the objective (13) hold
as they stand, and the result equals that of the authors' code for the same tau. Without
cannot-links H is the bottom eigenvectors of the Laplacian, and Tr(H'L_C H) counts as 1.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np
from scipy.sparse import csr_array

from samekind.graph import null_space, symmetrised
from samekind.kernels.self_representation import response
from samekind.kernels.status import Status
from samekind.kernels.trace_ratio import bottom_eigenvectors, trace_ratio
from samekind.solver.objective import largest, objective, optimality, shrunk
from samekind.solver.records import Embedding, Iteration, Problem, Solution, State
from samekind.solver.steps import NORMALISED, Steps
from samekind.typing import FloatArray


def solve(
    problem: Problem,
    *,
    max_iter: int = 50,
    tol: float = 1e-2,
    callback: Callable[[State], object] | None = None,
) -> Solution:
    """Run Algorithm 3, or Algorithm 2 where ``problem.normalised`` is false.

    Parameters
    ----------
    problem : Problem
    max_iter : int
        At least 1.
    tol : float
        Stop once no entry of A or Z moves by this much.
    callback : callable, optional
        Called with the State after each iteration.
    """
    began = perf_counter()
    # H1, whose trace sets the scale of the thresholds: (24) in either algorithm.
    first = _embed(problem, problem.local, NORMALISED, None, None)
    alpha1 = problem.tau * problem.lam * first.trace
    n = len(problem.P)
    A, Z = np.zeros((n, n)), csr_array((n, n))
    moved = problem.P  # the first A is P, as Z starts at zero
    embedding, history, settled = first, [], False
    for iteration in range(1, max_iter + 1):
        W_fused = _fused(problem, Z, alpha1)
        embedding = _embed(problem, W_fused, problem.steps, first, embedding.block)
        A += moved
        previous, Z = Z, shrunk(problem, A, embedding, alpha1)
        record = Iteration(
            objective=objective(problem, A, previous, Z, embedding, alpha1),
            rho=embedding.rho,
            change_A=largest(moved),
            change_Z=largest((Z - previous).data),
            nonzeros_per_row=Z.nnz / n,
            seconds=perf_counter() - began,
        )
        history.append(record)
        if callback is not None:
            callback(State(iteration, embedding, A, Z, record))
        settled = max(record.change_A, record.change_Z) < tol
        if settled:
            break
        if iteration < max_iter:
            moved = response(problem.P, Z - previous)
    W_fused = _fused(problem, Z, alpha1)
    return Solution(
        H=embedding.H,
        Z=Z,
        W_fused=W_fused,
        rho=embedding.rho,
        alpha1=alpha1,
        history=tuple(history),
        optimality=optimality(problem, A, previous, Z, embedding, W_fused, alpha1),
        status=_status(embedding.status, settled, Z, tol),
    )


def _embed(
    problem: Problem,
    W_fused: csr_array,
    steps: Steps,
    first: Embedding | None,
    block: FloatArray | None,
) -> Embedding:
    """The H-step: (24), or (16) with the plain steps; ``block`` is where to start from."""
    E, L_cannot, k = steps.laplacian(W_fused), problem.L_cannot, problem.n_components
    Q = null_space(W_fused, normalised=steps.normalised)
    if L_cannot is None:
        bottom = bottom_eigenvectors(E, k)
        H, rho, trace = bottom.vectors, np.nan, 1.0
        settled = Status.UNBOUNDED if Q.shape[1] >= k else Status.CONVERGED
        status = settled if bottom.verified else Status.UNVERIFIED
    else:
        bound = 2 * float(E.diagonal().max())  # of the eigenvalues of a Laplacian
        found = trace_ratio(L_cannot, E, k, null_space=Q, start=block, bound=bound)
        H, rho, status, block = found.H, found.rho, found.status, found.block
        trace = _trace(L_cannot, H, first)
    if k == 1 and status is Status.UNBOUNDED:
        status = Status.CONVERGED  # one cluster is one part: nothing to tell apart
    if status is Status.MAX_ITER:
        status = Status.UNVERIFIED  # the caller's max_iter is another one
    return Embedding(H, rho, trace, status, block)


def _trace(L_cannot: csr_array, H: FloatArray, first: Embedding | None) -> float:
    """Tr(H'L_C H). Where every cannot-link lies inside a part that H takes for one point, it is
    zero: then the factor of the thresholds is 1, as without cannot-links."""
    trace = float(np.vdot(H, L_cannot @ H))
    if trace > 1e-12 * float(L_cannot.diagonal().max()):
        return trace
    return 1.0 if first is None else first.trace


def _fused(problem: Problem, Z: csr_array, alpha1: float) -> csr_array:
    """(15) or (23), symmetrised."""
    learned = symmetrised(problem.steps.spread(abs(Z)))
    return csr_array(alpha1 * (learned + problem.local_ratio * problem.local))


def _status(embedding: Status, settled: bool, Z: csr_array, tol: float) -> Status:
    n = Z.shape[0]
    if Z.nnz < n * min(2, n - 1) or (settled and largest(Z.data) < tol):
        return Status.VANISHED  # the second: nothing could move by as much as tol
    return embedding if settled or embedding is Status.UNVERIFIED else Status.MAX_ITER
