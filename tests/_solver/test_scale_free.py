"""The scale-free form: thresholds by row, row sums, the same loop."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from problems import random_problem
from samekind._kernels.shrink import unit_rows
from samekind._kernels.trace_ratio import trace_ratio
from samekind._solver import Problem, solve
from samekind._solver.records import ScaleFree
from samekind.graph import laplacian, normalized_laplacian


def shares(Z):
    total = np.abs(Z).sum(axis=1, keepdims=True)
    S = np.abs(Z) / np.where(total > 0, total, 1)
    return (S + S.T) / 2


def transcribed(P, first, beside, L, k, feedback, shift, tol, max_iter):
    """The loop as it is described: dense, every H from scratch."""
    off = np.abs(P - np.diag(np.diag(P)))
    largest, floor = off.max(axis=1), np.sort(off, axis=1)[:, -8]
    Z, A, fused, t1 = np.zeros_like(P), P, first, None
    for n_iter in range(1, max_iter + 1):
        H = trace_ratio(L, normalized_laplacian(csr_array(fused)).toarray(), k, shift=shift).H
        t = np.vdot(H, L @ H) + shift * k
        t1 = t if t1 is None else t1
        R = unit_rows(H)
        theta = ((R[:, None] - R[None]) ** 2).sum(axis=2)
        theta = feedback / 2 * (t1 / t) * largest[:, None] * theta + floor[:, None]
        new = np.sign(A) * np.maximum(np.abs(A) - theta, 0)
        np.fill_diagonal(new, 0)
        A_new = P + new - new @ P
        moved = max(np.abs(A_new - A).max(), np.abs(new - Z).max())
        Z, A = new, A_new
        fused = shares(Z) + beside
        if moved < tol:
            break
    return Z, H


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_loop_as_described(seed):
    problem = random_problem(seed).solver()
    P, first = problem.P, shares(problem.local.toarray())
    beside, L = 0.4 * first, problem.L_cannot.toarray()
    off = np.abs(P - np.diag(np.diag(P)))
    scale_free = ScaleFree(off.max(axis=1), np.sort(off, axis=1)[:, -8], csr_array(beside))
    shift = 0.01
    solution = solve(
        Problem(
            P=P,
            local=csr_array(first),
            L_cannot=problem.L_cannot,
            n_components=3,
            tau=3.0,
            lam=1.0,
            lam_z=0.0,
            local_ratio=1.0,
            shift=shift,
            scale_free=scale_free,
        ),
        max_iter=4,
        tol=0.0,
    )
    Z, H = transcribed(P, first, beside, L, 3, 3.0, shift, 0.0, 4)
    np.testing.assert_allclose(solution.Z.toarray(), Z, atol=1e-6 * off.max())
    np.testing.assert_allclose(solution.H @ solution.H.T, H @ H.T, atol=1e-5)


def test_units_do_not_matter():
    """Twice the coefficients: twice Z, the same H."""
    problem = random_problem(0).solver()
    first = csr_array(shares(problem.local.toarray()))
    off = np.abs(problem.P - np.diag(np.diag(problem.P)))
    runs = []
    for scale in (1.0, 2.0**10):
        # Z of the first step is P shrunk, so it scales with P.
        floor = scale * np.sort(off, axis=1)[:, -8]
        runs.append(
            solve(
                Problem(
                    P=scale * problem.P,
                    local=first,
                    L_cannot=laplacian(csr_array(np.ones((45, 45)) - np.eye(45))),
                    n_components=3,
                    tau=3.0,
                    lam=1.0,
                    lam_z=0.0,
                    local_ratio=1.0,
                    scale_free=ScaleFree(scale * off.max(axis=1), floor, first),
                ),
                max_iter=1,
                tol=0.0,
            )
        )
    np.testing.assert_allclose(runs[1].Z.toarray(), 2.0**10 * runs[0].Z.toarray(), rtol=1e-6)
