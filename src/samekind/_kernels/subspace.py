"""Eigenvectors from an approximate start: subspace iteration with a Chebyshev filter.

A polynomial of S that is small on the unwanted part of the spectrum and grows fast above it
is applied to a whole block of vectors at once; the best combinations inside the block follow
from a small eigenproblem. A block does not lose copies of a repeated eigenvalue, as long as
its start holds a share of each of them.

The filter works on residuals: of p(S) V only the part that differs from V p(Theta) has to be
computed. It is as small as the residual, so that single precision, which halves the
memory traffic, loses digits of the correction alone.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf, dtrtri
from scipy.sparse import csr_array

from samekind._kernels.pencil import FewRows, Pencil, single
from samekind._threads import each, row_blocks
from samekind._typing import FloatArray
from samekind.graph._by_rows import inner, squares, turned

# Degrees of the filter: lower ones gain less than they cost; higher ones than the usual make
# columns dependent where the largest value grows by more than a factor.
LOWEST_DEGREE, USUAL_DEGREE, HIGHEST_DEGREE = 3, 40, 120
LARGEST_GROWTH = 1e12
# Random vectors that a search for missed ones starts from, how far one has to stand out among all
# others, and the most products of the search.
BESIDE, STANDS_OUT, MOST_PRODUCTS = 4, 1e3, 2000
# Cosine of the largest angle of a move that the next one will be like; one beyond belongs to a
# graph that has changed, and leads away from where the next one goes.
NEAR = 0.999
# The factor by which a filter in single precision can reduce a residual.
LARGEST_GAIN = 1e6


@dataclass(frozen=True)
class Ritz:
    """The best approximate eigenvectors inside a block, values falling."""

    values: FloatArray  # (m,)
    vectors: FloatArray  # (n, m), orthonormal columns
    products: FloatArray  # (n, m), S times the vectors

    def errors(self, block: slice = slice(None)) -> FloatArray:
        """S v - theta v of each vector, in some rows."""
        return np.asarray(self.products[block] - self.vectors[block] * self.values)

    def residual(self, k: int) -> float:
        """Largest |S v - theta v| among the first k."""

        def part(block: slice) -> FloatArray:
            error = self.products[block, :k] - self.vectors[block, :k] * self.values[:k]
            return np.asarray(np.einsum("ij,ij->j", error, error))

        return float(np.sqrt(np.sum(each(part, row_blocks(len(self.vectors))), axis=0).max()))


def orthonormal(block: FloatArray, *, overwrite: bool = False) -> FloatArray:
    """An orthonormal basis of the span of the columns; the first stays as it is but for length.

    ``overwrite``: in the memory of the block.

    Cholesky's factor of the inner products takes a fraction of the time of Householder's
    reflections and is as good where columns are far from dependent, or if done twice.

    Examples
    --------
    >>> import numpy as np
    >>> Q = orthonormal(np.array([[2.0, 1.0], [0.0, 1.0], [0.0, 0.0]]))
    >>> np.abs(Q @ Q.T).round(12).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    Q = np.divide(block, np.sqrt(squares(block)), out=block if overwrite else None)
    for _ in range(2):
        root, failed = dpotrf(inner(Q, Q))
        smallest = 0.0 if failed else float(root.diagonal().min())
        if not smallest > 1e-5:
            return np.linalg.qr(Q)[0]
        turned(Q, dtrtri(root)[0], out=Q)
        if smallest > 0.1:  # the second time it is
            break
    return np.asarray(Q)


def extrapolated(now: FloatArray, before: FloatArray) -> FloatArray:
    """The span of ``now``, extrapolated by its last move from ``before``; not by a long one.

    Examples
    --------
    >>> import numpy as np
    >>> angle = np.array([0.0, 0.01, 0.02])
    >>> before, now, after = (np.array([[np.cos(a)], [np.sin(a)]]) for a in angle)
    >>> [round(1 - (orthonormal(V).T @ after).item(), 8) for V in (now, extrapolated(now, before))]
    [5e-05, 0.0]
    """
    turn = inner(before, now)
    if np.linalg.svd(turn, compute_uv=False)[-1] < NEAR:
        return now
    return np.asarray(2 * now - turned(before, turn))


def rayleigh_ritz(S: Any, block: FloatArray) -> Ritz:
    """Solve the eigenproblem of S inside the span of a block.

    Examples
    --------
    >>> import numpy as np
    >>> rayleigh_ritz(np.diag([1.0, 5.0, 3.0]), np.eye(3)[:, :2]).values
    array([5., 1.])
    """
    Q = orthonormal(block)
    products = S @ Q
    small = inner(Q, products)
    values, turn = np.linalg.eigh((small + small.T) / 2)
    turn = turn[:, ::-1]
    return Ritz(values[::-1], turned(Q, turn), turned(products, turn))


def ratio_in_block(
    B: FewRows,
    E: Any,
    block: FloatArray,
    k: int,
    tol: float = 1e-12,
    shift: float = 0.0,
    *,
    overwrite: bool = False,
) -> tuple[float, Ritz]:
    """The best trace ratio of k vectors inside the span of a block, and B - rho E there.

    ``shift`` adds shift I to B in the ratio, and leaves B - rho E as it is. ``overwrite``: the
    vectors take the memory of the block.

    Newton's iteration costs little on matrices as small as the block; it starts from the
    ratio of the first k columns and stops once the ratio moves by no more than a share ``tol``.
    The vectors belong to the ratio before this last move; their residuals say what that means.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> B, E = FewRows(csr_array(np.diag([1.0, 4.0, 3.0]))), np.eye(3)
    >>> rho, ritz = ratio_in_block(B, E, np.eye(3), k=2)
    >>> rho, ritz.values
    (3.5, array([ 0.5, -0.5, -2.5]))
    """
    Q = orthonormal(block, overwrite=overwrite)
    BQ, products = B.small @ Q[B.rows], E @ Q
    b, e = Q[B.rows].T @ BQ, inner(Q, products)
    b, e = (b + b.T) / 2, (e + e.T) / 2
    following = _divided(np.trace(b[:k, :k]) + shift * k, np.trace(e[:k, :k]))
    following = following if np.isfinite(following) else 0.0
    for _ in range(50):
        rho = following
        values, turn = np.linalg.eigh(b - rho * e)
        top = turn[:, -k:]
        following = _divided(np.vdot(top, b @ top) + shift * k, np.vdot(top, e @ top))
        if not np.isfinite(following) or abs(following - rho) <= tol * following:
            break
    turn = turn[:, ::-1]
    last = following if np.isfinite(following) else rho
    values = values[::-1] - (last - rho) * np.einsum("ij,ij->j", turn, e @ turn)

    turned(Q, turn, out=Q)
    turned(products, -last * turn, out=products)
    products[B.rows] += BQ @ turn
    return following, Ritz(values, Q, products)


def _divided(numerator: float, denominator: float) -> float:
    return float(numerator / denominator) if denominator > 0 else np.inf


def sharpened(S: csr_array | Pencil, ritz: Ritz, k: int, low: float, goal: float) -> FloatArray:
    """The block, filtered so that its first k vectors come near to residual ``goal``.

    It takes the memory of the vectors, so that ``ritz`` is of no more use.

    ``low`` lies below every eigenvalue of S. The last column may be anything; the Ritz value
    of the last but one is taken as the upper end of the unwanted part.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> S = csr_array(np.diag(np.arange(50.0)))
    >>> ritz = rayleigh_ritz(S, np.random.default_rng(0).standard_normal((50, 6)))
    >>> for _ in range(6):
    ...     ritz = rayleigh_ritz(S, sharpened(S, ritz, k=2, low=-1.0, goal=1e-8))
    >>> ritz.values[:2].round(6)
    array([49., 48.])
    """
    gain = np.clip(2 * ritz.residual(k) / goal, 10.0, LARGEST_GAIN)
    degree = np.ceil(np.log(gain) / _growth(ritz, k - 1, low))
    degree = int(np.clip(degree, LOWEST_DEGREE, _highest_degree(ritz, low)))
    return _filtered(S, ritz, low, float(ritz.values[-2]), degree)


def _growth(ritz: Ritz, place: int, low: float) -> float:
    """The logarithm of the factor by which each degree of the filter raises a Ritz vector."""
    value, high = float(ritz.values[place]), float(ritz.values[-2])
    return float(np.arccosh(1 + 2 * max(value - high, 1e-9 * (high - low)) / (high - low)))


def _highest_degree(ritz: Ritz, low: float) -> int:
    most = np.log(LARGEST_GROWTH) / _growth(ritz, 0, low)
    return int(np.clip(most, USUAL_DEGREE, HIGHEST_DEGREE))


def missed_by(S: Pencil, ritz: Ritz, k: int, low: float) -> tuple[bool, FloatArray | None]:
    """Whether it is known that the first k vectors miss an eigenvector, and that one or None.

    Random vectors beside these k are filtered until one with a value as large as the k-th would
    stand out. Not known where that takes more products than MOST_PRODUCTS.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> from samekind._kernels.pencil import FewRows
    >>> E = csr_array(np.diag(np.arange(50.0)))
    >>> S = Pencil(FewRows(csr_array((50, 50))), E, rho=1.0)
    >>> ritz = rayleigh_ritz(S, np.delete(np.eye(50)[:, :9], 1, axis=1))
    >>> known, missed = missed_by(S, ritz, k=2, low=-50.0)
    >>> known, int(np.abs(missed).argmax())
    (True, 1)
    """
    H, n = ritz.vectors[:, :k], len(ritz.vectors)
    needed = np.log(STANDS_OUT * np.sqrt(n)) / _growth(ritz, k - 1, low)
    if needed > MOST_PRODUCTS:
        return False, None
    high, degree = float(ritz.values[-2]), _highest_degree(ritz, low)
    V: FloatArray = np.random.default_rng(1).standard_normal((n, BESIDE))
    for _ in range(int(np.ceil(needed / degree))):
        found = rayleigh_ritz(S, V - turned(H, inner(H, V)))
        V = _filtered(S, found, low, high, degree)
    found = rayleigh_ritz(S, V - turned(H, inner(H, V)))
    if found.values[0] < (ritz.values[k - 1] + ritz.values[k]) / 2:
        return True, None
    return True, found.vectors[:, 0]


def _filtered(
    S: csr_array | Pencil, ritz: Ritz, low: float, high: float, degree: int
) -> FloatArray:
    """The Chebyshev polynomial for [low, high] of S times the vectors, in their memory.

    With x = (theta - center) / half the part beside T_j(x) v follows the recurrence of T_j,
    driven by the residual of v.
    """
    center, half = (low + high) / 2, (high - low) / 2
    double = single(S, 2 / half)
    shift = np.float32(2 * center / half)
    driving = np.empty(ritz.vectors.shape, dtype=np.float32)
    blocks = row_blocks(len(driving))

    def drive(rows: slice) -> None:
        driving[rows] = (2 / half) * ritz.errors(rows)

    each(drive, blocks)
    x = (ritz.values - center) / half
    before, now = np.zeros_like(driving), np.float32(0.5) * driving
    t_before, t = np.ones_like(x), x

    def follow(rows: slice, after: FloatArray) -> None:
        after -= shift * now[rows]
        after -= before[rows]
        after += driving[rows] * t.astype(np.float32)
        before[rows] = after  # of these rows nothing else reads it

    for _ in range(degree - 1):
        double.by_rows(now, follow)
        before, now = now, before
        t_before, t = t, 2 * x * t - t_before

    def add(rows: slice) -> None:
        ritz.vectors[rows] *= t
        ritz.vectors[rows] += now[rows]

    each(add, blocks)
    return ritz.vectors
