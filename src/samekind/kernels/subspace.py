"""Eigenvectors from a start that is nearly right: subspace iteration with a Chebyshev filter.

A polynomial of S that is small on the unwanted part of the spectrum and grows fast above it
is applied to a whole block of vectors at once; the best combinations inside the block follow
from a small eigenproblem. A block does not lose copies of a repeated eigenvalue, as long as
its start holds a share of each of them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array

from samekind.typing import FloatArray

# Degrees of the filter: below, a round costs more than it gives; above, columns grow alike.
LOWEST_DEGREE, HIGHEST_DEGREE = 6, 40


@dataclass(frozen=True)
class Ritz:
    """The best approximate eigenvectors inside a block, values falling."""

    values: FloatArray  # (m,)
    vectors: FloatArray  # (n, m), orthonormal columns
    products: FloatArray  # (n, m), S times the vectors

    def residual(self, k: int) -> float:
        """Largest |S v - theta v| among the first k."""
        error = self.products[:, :k] - self.vectors[:, :k] * self.values[:k]
        return float(np.sqrt(np.einsum("ij,ij->j", error, error).max()))


def rayleigh_ritz(S: Any, block: FloatArray) -> Ritz:
    """Solve the eigenproblem of S inside the span of a block.

    Examples
    --------
    >>> import numpy as np
    >>> rayleigh_ritz(np.diag([1.0, 5.0, 3.0]), np.eye(3)[:, :2]).values
    array([5., 1.])
    """
    Q, _ = np.linalg.qr(block)
    products = S @ Q
    inner = Q.T @ products
    values, turn = np.linalg.eigh((inner + inner.T) / 2)
    turn = turn[:, ::-1]
    return Ritz(values[::-1], Q @ turn, products @ turn)


def ratio_in_block(B: Any, E: Any, block: FloatArray, k: int) -> tuple[float, Ritz]:
    """The best trace ratio of k vectors inside the span of a block, and B - rho E there.

    Newton's iteration costs little on matrices as small as the block; it starts from the
    ratio of the first k columns.

    Examples
    --------
    >>> import numpy as np
    >>> B, E = np.diag([1.0, 4.0, 3.0]), np.eye(3)
    >>> rho, ritz = ratio_in_block(B, E, np.eye(3), k=2)
    >>> rho, ritz.values
    (3.5, array([ 0.5, -0.5, -2.5]))
    """
    Q, _ = np.linalg.qr(block)
    BQ, EQ = B @ Q, E @ Q
    b, e = Q.T @ BQ, Q.T @ EQ
    b, e = (b + b.T) / 2, (e + e.T) / 2
    rho = _divided(np.trace(b[:k, :k]), np.trace(e[:k, :k]))
    rho = rho if np.isfinite(rho) else 0.0
    for _ in range(50):
        values, turn = np.linalg.eigh(b - rho * e)
        top = turn[:, -k:]
        previous, rho = rho, _divided(np.vdot(top, b @ top), np.vdot(top, e @ top))
        if not np.isfinite(rho) or abs(rho - previous) <= 1e-13 * (1 + rho):
            break
    turn = turn[:, ::-1]
    products = BQ - (rho if np.isfinite(rho) else 0.0) * EQ
    return rho, Ritz(values[::-1], Q @ turn, products @ turn)


def _divided(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator > 0 else np.inf


def sharpened(S: csr_array, ritz: Ritz, k: int, low: float, goal: float) -> FloatArray:
    """The block, filtered so that its first k vectors come near to residual ``goal``.

    ``low`` lies below every eigenvalue of S. The last Ritz value of the block is taken as the
    upper end of the unwanted part.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> S = csr_array(np.diag(np.arange(50.0)))
    >>> ritz = rayleigh_ritz(S, np.random.default_rng(0).standard_normal((50, 6)))
    >>> for _ in range(4):
    ...     ritz = rayleigh_ritz(S, sharpened(S, ritz, k=2, low=-1.0, goal=1e-8))
    >>> ritz.values[:2].round(6)
    array([49., 48.])
    """
    high = float(ritz.values[-1])
    growth = np.arccosh(1 + 2 * max(ritz.values[k - 1] - high, 1e-9 * (high - low)) / (high - low))
    wanted = np.log(max(5 * ritz.residual(k) / goal, 10.0)) / growth
    degree = int(np.clip(np.ceil(wanted), LOWEST_DEGREE, HIGHEST_DEGREE))
    return _filtered(S, ritz.vectors, low, high, float(ritz.values[0]), degree)


def _filtered(
    S: csr_array, V: FloatArray, low: float, high: float, top: float, degree: int
) -> FloatArray:
    """The Chebyshev polynomial for [low, high] of S, scaled to 1 at ``top``, times V."""
    centre, half = (low + high) / 2, (high - low) / 2
    T = csr_array((S - diags_array(np.full(len(V), centre))) / half)
    first = scale = half / (top - centre)
    before, now = V, (T @ V) * first
    for _ in range(degree - 1):
        after_scale = 1 / (2 / first - scale)
        after = T @ now
        after *= 2 * after_scale
        after -= (scale * after_scale) * before
        before, now, scale = now, after, after_scale
    return np.asarray(now)
