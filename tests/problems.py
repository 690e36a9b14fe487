"""Small problems with a known truth, for tests of several subpackages."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.self_representation import ridge_projection
from samekind._solver import Problem
from samekind.graph import laplacian, local_graph


@dataclass
class SmallProblem:
    """Samples, their classes and constraints, dense; ``solver`` is the same for the solver."""

    X: np.ndarray
    y: np.ndarray
    W: np.ndarray
    M: np.ndarray
    C: np.ndarray
    k: int
    tau: float = 0.05
    lam: float = 30.0
    lam_z: float = 0.1
    lam_m: float = 5.0
    ratio: float = 0.3

    def solver(self, *, normalized=True):
        cannot = csr_array(self.C / max(np.count_nonzero(self.C), 1))
        return Problem(
            P=ridge_projection(self.X, self.lam),
            local=csr_array(self.W + self.lam_m * self.M),
            L_cannot=laplacian(cannot) if self.C.any() else None,
            n_components=self.k,
            tau=self.tau,
            lam=self.lam,
            lam_z=self.lam_z,
            local_ratio=self.ratio,
            normalized=normalized,
        )

    def reference(self):
        """Arguments of ``reference.solve``: columns are samples there."""
        arguments = self.X.T, self.W, self.M, self.C, self.k
        weights = {"tau": self.tau, "lam": self.lam, "lam_z": self.lam_z}
        return arguments, weights | {"lam_m": self.lam_m, "ratio": self.ratio}


def blobs(seed, n_per_class=15, k=3, d=4, spread=0.6):
    """Gaussian blobs around random centers, in random order."""
    rng = np.random.default_rng(seed)
    centers = 3 * rng.standard_normal((k, d))
    y = rng.permutation(np.repeat(np.arange(k), n_per_class))
    return centers[y] + spread * rng.standard_normal((len(y), d)), y


def pair_matrices(y, labeled):
    """M and C from the classes of the labeled samples."""
    known = np.zeros(len(y), dtype=bool)
    known[labeled] = True
    both = known[:, None] & known[None, :]
    same = y[:, None] == y[None, :]
    M = (both & same).astype(float)
    np.fill_diagonal(M, 0)
    return M, (both & ~same).astype(float)


def random_problem(seed, k=3, d=60, n_neighbors=12):
    """Three blobs with three labeled samples each, on a graph connected."""
    X, y = blobs(seed, k=k, d=d, spread=1.2)
    labeled = np.concatenate([np.flatnonzero(y == c)[:3] for c in range(k)])
    M, C = pair_matrices(y, labeled)
    # A faint complete graph keeps it connected whatever the blobs do.
    W = local_graph(X, n_neighbors, 5).toarray() + 1e-3 * (1 - np.eye(len(X)))
    return SmallProblem(X, y, W, M, C, k)
