"""The objective (13), its Z-step, and how far a state is from a stationary point of it."""

import numpy as np
from scipy.sparse import csr_array

from samekind.kernels.self_representation import response
from samekind.kernels.shrink import shrink
from samekind.solver.records import Embedding, Optimality, Problem
from samekind.typing import FloatArray


def shrunk(problem: Problem, A: FloatArray, embedding: Embedding, alpha1: float) -> csr_array:
    """The Z-step (22), with the thresholds (21) or (25)."""
    factor = alpha1 / (2 * problem.lam * embedding.trace)
    return shrink(A, problem.steps.rows(embedding.H), factor, problem.lam_z / problem.lam)


def objective(
    problem: Problem,
    A: FloatArray,
    previous: csr_array,
    Z: csr_array,
    embedding: Embedding,
    alpha1: float,
) -> float:
    """The objective (13), without a product with X.

    A is the update for the previous Z, so that A - previous = (I - previous) P, and then
    |X - AX|^2 = lam (<A - previous, I - previous> - |A - previous|^2).
    """
    norm_A, A_previous, norm_previous = np.vdot(A, A), _inner(A, previous), _norm(previous)
    fit = (np.trace(A) - A_previous + norm_previous) - (norm_A - 2 * A_previous + norm_previous)
    bridge = norm_A - 2 * _inner(A, Z) + _norm(Z)
    rough = roughness(Z, embedding.H) + problem.local_ratio * roughness(problem.local, embedding.H)
    return float(
        problem.lam / 2 * (fit + bridge)
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
    S = abs(S)
    degree = (np.asarray(S.sum(axis=0)).ravel() + np.asarray(S.sum(axis=1)).ravel()) / 2
    return float(degree @ np.einsum("ij,ij->i", H, H) - np.vdot(H, S @ H))


def optimality(
    problem: Problem,
    A: FloatArray,
    previous: csr_array,
    Z: csr_array,
    embedding: Embedding,
    W_fused: csr_array,
    alpha1: float,
) -> Optimality:
    """Residuals of the three conditions of Theorem 1 at (A, Z, H); A belongs to ``previous``."""
    return Optimality(
        H=_embedding_residual(problem, embedding, problem.steps.laplacian(W_fused)),
        A=largest(response(problem.P, Z - previous)),
        Z=largest((Z - shrunk(problem, A, embedding, alpha1)).data),
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


def largest(values: FloatArray) -> float:
    """The largest absolute value; zero of nothing."""
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


def _inner(A: FloatArray, Z: csr_array) -> float:
    """<A, Z>, reading A only where Z is not zero."""
    entries = Z.tocoo()
    return float(A[entries.coords] @ entries.data)


def _norm(Z: csr_array) -> float:
    return float(Z.data @ Z.data)
