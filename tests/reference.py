"""The paper's algorithms, transcribed: slow, dense and column-wise, as published.

Columns are samples here, as in the paper: X is d x n, Z and A are n x n with column i
for sample i, H is k x n. Nothing is clever, so that it can be compared with the paper line
by line. The one departure is alpha1, half the published rule, which makes every published
formula equal to the authors' code.

This file is the yardstick of the benchmarks: it stays as it is.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh, inv


@dataclass
class Result:
    A: np.ndarray  # n x n, column i represents sample i
    Z: np.ndarray  # n x n, zero diagonal
    H: np.ndarray  # k x n, orthonormal rows
    rho: float
    alpha1: float
    n_iter: int
    n_eigenproblems: int
    objective: list[float]


def laplacian(S):
    S = (np.abs(S) + np.abs(S).T) / 2
    return np.diag(S.sum(axis=0)) - S


def normalized_laplacian(S):
    L = laplacian(S)
    degree = np.abs(S + S.T).sum(axis=0) / 2
    scale = 1 / np.sqrt(degree + np.finfo(float).eps)
    return scale[:, None] * L * scale[None, :]


def top_eigenvectors(S, k):
    n = len(S)
    return eigh(S, subset_by_index=[n - k, n - 1])[1].T


def trace_ratio(B, E, k, tol=1e-8, max_iter=20):
    """Algorithm 1. Returns H (k x n), rho and the number of eigenproblems."""
    H = top_eigenvectors(B, k)
    rho = np.trace(H @ B @ H.T) / np.trace(H @ E @ H.T)
    for step in range(1, max_iter + 1):
        H = top_eigenvectors(B - rho * E, k)
        previous, rho = rho, np.trace(H @ B @ H.T) / np.trace(H @ E @ H.T)
        if abs(rho - previous) <= tol:
            break
    return H, rho, step + 1


def squared_distances(H):
    gram = H.T @ H
    square = np.diag(gram)
    return np.maximum(square[:, None] + square[None, :] - 2 * gram, 0)


def objective(X, A, Z, H, W, M, L_C, *, lam, lam_z, lam_m, alpha1, alpha2):
    """The penalized objective (13)."""
    t = np.trace(H @ L_C @ H.T)
    return (
        0.5 * np.linalg.norm(X - X @ A) ** 2
        + 0.5 * lam * np.linalg.norm(A - Z) ** 2
        + lam_z * np.abs(Z).sum()
        + alpha1 * np.trace(H @ laplacian(Z) @ H.T) / t
        + alpha2 * np.trace(H @ (laplacian(W) + lam_m * laplacian(M)) @ H.T) / t
    )


def solve(
    X,
    W,
    M,
    C,
    k,
    *,
    tau,
    lam_z,
    lam_m,
    ratio,
    lam=100.0,
    normalized=True,
    tol=1e-2,
    max_iter=50,
    record_objective=False,
):
    """Algorithm 3, or Algorithm 2 with ``normalized=False``. ``C`` holds ones."""
    n = X.shape[1]
    C = C / np.count_nonzero(C)  # (6)
    L_C = laplacian(C)
    gram = X.T @ X
    inverse = inv(gram + lam * np.eye(n))
    H1, _, n_eigenproblems = trace_ratio(L_C, normalized_laplacian(W + lam_m * M), k)
    alpha1 = tau * lam * np.trace(H1 @ L_C @ H1.T)
    alpha2 = ratio * alpha1
    A, Z = np.zeros((n, n)), np.zeros((n, n))
    weights = {"lam": lam, "lam_z": lam_z, "lam_m": lam_m, "alpha1": alpha1, "alpha2": alpha2}
    history = []
    for n_iter in range(1, max_iter + 1):
        if normalized:
            peak = np.abs(Z).max(axis=0)
            W_fused = alpha1 * np.abs(Z) / np.where(peak > 0, peak, 1)[None, :]  # (23)
            W_fused = W_fused + alpha2 * (W + lam_m * M)
            H, rho, steps = trace_ratio(L_C, normalized_laplacian(W_fused), k)  # (24)
            norm = np.linalg.norm(H, axis=0)
            rows = H / np.where(norm > 0, norm, 1)[None, :]
        else:
            L_fused = alpha1 * laplacian(Z) + alpha2 * (laplacian(W) + lam_m * laplacian(M))
            H, rho, steps = trace_ratio(L_C, L_fused, k)  # (16)
            rows = H
        n_eigenproblems += steps
        A_next = inverse @ (gram + lam * Z)  # (18)
        t = np.trace(H @ L_C @ H.T)
        Theta = alpha1 * squared_distances(rows) / (2 * lam * t) + lam_z / lam  # (21), (25)
        Z_next = np.sign(A_next) * np.maximum(np.abs(A_next) - Theta, 0)
        np.fill_diagonal(Z_next, 0)  # (22)
        change = max(np.abs(Z_next - Z).max(), np.abs(A_next - A).max())
        A, Z = A_next, Z_next
        if record_objective:
            history.append(objective(X, A, Z, H, W, M, L_C, **weights))
        if change < tol:
            break
    return Result(A, Z, H, rho, alpha1, n_iter, n_eigenproblems, history)
