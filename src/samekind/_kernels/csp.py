"""Cuts of a graph that agree with pairs: constrained spectral clustering.

Among unit vectors v with v'Qv >= b find those with the smallest cost v'Nv, where N is the
normalized Laplacian and Q holds 1 for must-links, -1 for cannot-links, and 1 on the diagonal
of the samples in any pair (Wang, Qian and Davidson, 2014). Stationary points solve
N v = lam (Q - bI) v, and those with lam > 0 are feasible.

That pencil is indefinite. N is not negative, so with a little of the identity added the
problem reads (Q - bI) v = (N + eps I) v / lam: symmetric, with as many positive eigenvalues as
Q - bI has (Sylvester's law). Their number is known from the samples in pairs alone, and no
other eigenvector is computed.

Differs from the authors' code: b is taken from the eigenvalues of Q, where theirs takes
singular values, which also count what the pairs rule out, and is half the (K-1)-th, where theirs
lies half way to the K-th. With labels of all classes the K-th is zero and both are the same; with
random pairs there is no gap between the two, and with their b the graph hardly counts. Vectors
of one sign, which cut nothing, are skipped in the two-way form as in the K-way form, so that a
cut between components of the graph, which costs nothing, counts. A sample without edges has
degree 1, and N_ii = 1 as in their code: with 0, leaving it aside would be a cut free of cost.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, eigvalsh, solve_triangular
from scipy.sparse import csr_array, diags_array, eye_array

from samekind._kernels.eigen import top_eigenvectors
from samekind._kernels.spectral import Embedding
from samekind._kernels.status import Status
from samekind._typing import BoolArray, FloatArray
from samekind.graph import normalized_laplacian
from samekind.graph._components import components_of
from samekind.graph._matrices import diagonal

EPS = 1e-8  # of the identity beside N, whose eigenvalues lie in [0, 2]
TIE = 1e-6  # of the largest eigenvalue: what b lies lower in the authors' K-way code
RESIDUAL = 1e-7  # of |N v - lam Q1 v|, relative to |N| + lam |Q1|
ROUNDING = 1e-9  # of the largest entry of a vector; what is smaller has no sign


@dataclass(frozen=True)
class Cuts:
    """Feasible vectors, cheapest first."""

    V: FloatArray  # (n_samples, n_feasible), columns of unit length
    lam: FloatArray  # (n_feasible,), positive
    cost: FloatArray  # (n_feasible,), v'Nv
    status: Status


def constrained_embedding(
    W: csr_array, Q: csr_array, n_clusters: int, *, normalized: bool = True
) -> Embedding:
    """Coordinates from the cheapest feasible cuts: one for two clusters, else up to K - 1.

    Parameters
    ----------
    W : csr_array, (n_samples, n_samples)
        Symmetric, weights of 0 or more.
    Q : csr_array, (n_samples, n_samples)
        Symmetric; rows of zeros for samples in no pair.
    n_clusters : int
        K, 2 or more.
    normalized : bool
        Whether Q is divided by the square roots of the degrees, as W is in N.

    Returns
    -------
    Embedding
        H = D^-1/2 V diag(1 - cost) sqrt(vol), without columns where no cut is feasible. Rows
        of zeros for samples without a path to a pair, about which the pairs say nothing.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> W = csr_array([[0.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    >>> Q = csr_array([[1.0, 0, 0, -1], [0, 0, 0, 0], [0, 0, 0, 0], [-1, 0, 0, 1]])
    >>> H = constrained_embedding(W, Q, 2).H[:, 0]
    >>> bool(H[0] * H[1] > 0 > H[1] * H[2])
    True
    """
    degree = np.asarray(W.sum(axis=1)).ravel()
    isolated = degree == 0
    degree[isolated] = 1.0
    N = csr_array(normalized_laplacian(W) + diagonal(isolated.astype(np.float64)))
    inverse_root = diags_array(1 / np.sqrt(degree))
    if normalized:
        Q = csr_array(inverse_root @ Q @ inverse_root)
    values = eigenvalues_of_pairs(Q)
    cuts = feasible_cuts(N, Q, bound_on(values, n_clusters), values)
    kept = slice(_first_that_cuts(cuts.V), None)
    V, cost = cuts.V[:, kept][:, : n_clusters - 1], cuts.cost[kept][: n_clusters - 1]
    H = inverse_root @ V * ((1 - cost) * np.sqrt(degree.sum()))
    H[~_reached(W, Q)] = 0.0
    return Embedding(H, cost, cuts.status)


def eigenvalues_of_pairs(Q: csr_array) -> FloatArray:
    """All eigenvalues of Q, largest first, from the block of the samples in pairs.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> eigenvalues_of_pairs(csr_array([[1.0, 0, -1], [0, 0, 0], [-1, 0, 1]])).round(12) + 0.0
    array([2., 0., 0.])
    """
    rows = np.flatnonzero(np.diff(Q.indptr))
    of_block = eigvalsh(Q[rows][:, rows].toarray())
    return np.sort(np.append(of_block, np.zeros(Q.shape[0] - len(rows))))[::-1]


def bound_on(values: FloatArray, n_clusters: int) -> float:
    """b: half the (K-1)-th largest eigenvalue, for two clusters half the largest.

    Where the (K-1)-th is not positive there are too few vectors that agree with the pairs, and
    the two-way rule is used.

    Examples
    --------
    >>> import numpy as np
    >>> round(bound_on(np.array([4.0, 4.0, 1.0, 0.0]), 3), 4)
    2.0
    """
    largest = float(values[0])
    if n_clusters == 2 or values[n_clusters - 2] <= TIE * largest:
        return largest / 2
    return float(values[n_clusters - 2]) / 2 - TIE * largest


def feasible_cuts(N: csr_array, Q: csr_array, b: float, values: FloatArray) -> Cuts:
    """All v with N v = lam (Q - bI) v and lam > 0, the cheapest first.

    ``values`` are the eigenvalues of Q; as many as lie above b are looked for.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> N, Q = csr_array([[1.0, -1], [-1, 1]]), csr_array([[1.0, -1], [-1, 1]])
    >>> feasible_cuts(N, Q, 1.0, eigenvalues_of_pairs(Q)).lam.round(6)
    array([2.])
    """
    identity = eye_array(N.shape[0])
    Q1 = csr_array(Q - b * identity)
    lower = cholesky((N + EPS * identity).toarray(), lower=True)
    half = solve_triangular(lower, Q1.toarray(), lower=True)
    pencil = solve_triangular(lower, half.T, lower=True)
    found = top_eigenvectors(pencil, int((values > b).sum()))
    mu = found.values[found.values > 0]  # all of them, but for rounding
    V = solve_triangular(lower, found.vectors[:, : len(mu)], lower=True, trans="T")
    V /= np.linalg.norm(V, axis=0)
    NV = N @ V
    cost = np.einsum("ij,ij->j", V, NV)
    order = np.argsort(cost, kind="stable")
    residual = np.linalg.norm(NV - (Q1 @ V) / mu, axis=0)
    settled = (residual <= RESIDUAL * (2 + np.abs(values - b).max() / mu)).all()
    status = Status.CONVERGED if settled else Status.UNVERIFIED
    return Cuts(V[:, order], 1 / mu[order], cost[order], status)


def _first_that_cuts(V: FloatArray) -> int:
    """How many leading vectors have one sign."""
    tiny = ROUNDING * np.abs(V).max(axis=0, initial=0.0)
    mixed = (V > tiny).any(axis=0) & (V < -tiny).any(axis=0)
    return int(mixed.argmax()) if mixed.any() else len(mixed)


def _reached(W: csr_array, Q: csr_array) -> BoolArray:
    """Whether a sample has a path to a pair; the vectors are zero elsewhere, but for rounding."""
    components = components_of(W, Q)
    with_pair = np.bincount(components.component_of, weights=np.diff(Q.indptr)) > 0
    return np.asarray(with_pair[components.component_of])
