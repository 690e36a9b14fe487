"""The objective (13), its thresholds, and how far a state is from a stationary point of it."""

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.thresholds import Thresholds
from samekind._solver.records import Embedding, Optimality, Problem
from samekind._solver.representation import Representation, largest
from samekind._solver.restricted import RestrictedRepresentation
from samekind._typing import FloatArray


def thresholds(problem: Problem, embedding: Embedding, alpha1: float) -> Thresholds:
    """(21) or (25)."""
    factor = alpha1 / (2 * problem.lam * embedding.trace)
    rows, scale_free = problem.steps.rows(embedding.H), problem.scale_free
    if scale_free is not None:
        return Thresholds(rows, factor * scale_free.largest, scale_free.floor)
    return Thresholds(rows, factor, problem.lam_z / problem.lam)


def objective(
    problem: Problem,
    represent: Representation | RestrictedRepresentation,
    previous: csr_array,
    Z: csr_array,
    embedding: Embedding,
    alpha1: float,
) -> float:
    """The objective (13) at A, Z and H, where A is the update for the previous Z.

    nan in the scale-free form, whose thresholds belong to no objective.
    """
    if problem.scale_free is not None:
        return float("nan")
    rough = roughness(Z, embedding.H)
    rough += problem.local_ratio * float(np.vdot(embedding.H, problem.L_local @ embedding.H))
    return float(
        problem.lam / 2 * represent.fit(previous, Z)
        + problem.lam_z * np.abs(Z.data).sum()
        + alpha1 * rough / embedding.trace
    )


def roughness(S: csr_array, H: FloatArray) -> float:
    """Tr(H'L_S H) = 1/2 sum |s_ij| |h_i - h_j|^2, S not necessarily symmetric (Proposition 1).

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> roughness(csr_array([[0.0, -2.0], [0.0, 0.0]]), np.array([[0.0], [3.0]]))
    9.0
    """
    S, ones = abs(S), np.ones(len(H))
    degree = (S @ ones + S.T @ ones) / 2
    return float(degree @ np.einsum("ij,ij->i", H, H) - np.vdot(H, S @ H))


def optimality(
    problem: Problem,
    represent: Representation | RestrictedRepresentation,
    previous: csr_array,
    Z: csr_array,
    embedding: Embedding,
    W_fused: csr_array,
    alpha1: float,
) -> Optimality:
    """Residuals of the three conditions of Theorem 1 at (A, Z, H); A belongs to ``previous``."""
    return Optimality(
        H=_embedding_residual(problem, embedding, problem.steps.laplacian(W_fused)),
        A=represent.next_move(Z - previous),
        Z=largest((Z - represent.shrunk(thresholds(problem, embedding, alpha1))).data),
        rho_change=embedding.rho_change,
        angle=embedding.angle,
    )


def _embedding_residual(problem: Problem, embedding: Embedding, E: csr_array) -> float:
    """|(I - HH') S H| relative to |S| with S = L_C - rho E, the gradient of the trace ratio.

    S = -E without cannot-links or without a bound: H has to span the bottom of E.
    """
    bounded = problem.L_cannot is not None and np.isfinite(embedding.rho)
    S = problem.L_cannot - embedding.rho * E if bounded else -E
    gradient = S @ embedding.H
    gradient -= embedding.H @ (embedding.H.T @ gradient)
    size = float(abs(S).sum(axis=1).max())
    return float(np.linalg.norm(gradient, 2) / size) if size > 0 else 0.0
