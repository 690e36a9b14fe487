"""Trace ratio: the orthonormal H that makes Tr(H'BH) / Tr(H'EH) largest.

Let g(rho) be the sum of the largest eigenvalues of B - rho E. The best ratio is the one root
of g, and a Newton step on g reads: take the top eigenvectors, then their ratio (Algorithm 1;
Ngo, Bellalij and Saad, 2012). As g is convex and falling, the ratios can only rise from one
step to the next, and g at the last rho, which has to be zero, certifies the optimum.

Differs from the paper: a large sparse problem is solved by a filter on a block of vectors,
from the block that is given or a random one; any other starts from the H that is given,
or from the bottom eigenvectors of E (a better start than B's when B has low rank). Where
the null space of E has n_components dimensions or more, the ratio is unbounded: H is then that
part of the null space with the largest Tr(H'BH), the limit of E + eps I, and the status says
so. A denominator that is zero up to rounding counts as zero.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import ArpackError, aslinearoperator

from samekind._kernels.eigen import (
    DENSE_BELOW,
    DENSE_LIMIT,
    DENSE_SHARE,
    TopEigen,
    largest_eigenvalue,
    noise,
    top_eigenvectors,
    vector_above,
)
from samekind._kernels.pencil import FewRows, Pencil
from samekind._kernels.status import Status
from samekind._kernels.subspace import Ritz, missed_by, ratio_in_block, sharpened
from samekind._typing import FloatArray, IntArray
from samekind.graph._by_rows import ByRows
from samekind.graph._components import Components, components_of

NEARBY_FROM = 100  # samples from which on a nearby start is faster than the dense solver
GUARD = 8  # columns beside H in a block, at least
# Residual of a solution, relative to the size of the matrix.
RESIDUAL = 1e-9
# Of more samples than this, H is done once rho moves by no more than this share and the angle
# between H and the solution, estimated from residual and gap, is no larger than this: the labels
# have stopped to change long before. Values as near to each other as the residual are equal.
MANY, RHO_OF_MANY, ANGLE_OF_MANY, RESIDUAL_OF_MANY = DENSE_LIMIT, 1e-6, 1e-2, 1e-8
# Values nearer to each other than this share of the size: either of their vectors will do in
# intermediate steps.
AS_GOOD_AS_EQUAL = 1e-3
MAX_ITER = 20


@dataclass(frozen=True)
class TraceRatioSolution:
    """The best H, its ratio, and the certificate."""

    H: FloatArray  # (n_samples, n_components), orthonormal columns
    rho: float  # Tr(H'BH) / Tr(H'EH) at this H; inf where the ratio is unbounded
    path: tuple[float, ...]  # rho after each step; rises, as far as the step is exact
    gap: float  # g at the last rho that was tried, over Tr(H'EH): zero at the optimum
    residual: float  # of the last eigenproblem, relative to the size of B - rho E
    status: Status
    block: FloatArray  # H and more directions: a start for a similar problem
    rough: bool = False  # low accuracy and no check, as requested
    angle: float = np.nan  # of H to the solution, estimated; nan where it is not

    @property
    def rho_change(self) -> float:
        """How far rho moved last, relative; nan after a single step."""
        return abs(self.path[-1] / self.path[-2] - 1) if len(self.path) > 1 else np.nan


def trace_ratio(
    B: Any,
    E: Any,
    n_components: int,
    *,
    null_space: csr_array | None = None,
    start: FloatArray | None = None,
    overwrite_start: bool = False,
    bound: float | None = None,
    rough: float | None = None,
    shift: float = 0.0,
    order: IntArray | None = None,
    tol: float = 1e-9,
    max_iter: int = MAX_ITER,
) -> TraceRatioSolution:
    """Maximize Tr(H'(B + shift I)H) / Tr(H'EH) over H with orthonormal columns.

    Parameters
    ----------
    B, E : ndarray, csr_array or LinearOperator, (n_samples, n_samples)
        Symmetric positive semidefinite, B not zero. Two ndarrays take the dense route, two
        sparse arrays are solved component by component, operators are only multiplied with.
    n_components : int
        Columns of H, at most n_samples.
    null_space : sparse array, (n_samples, c), optional
        Orthonormal basis of the null space of E, if known.
    start : ndarray, (n_samples, n_components or more), optional
        Orthonormal columns to start from: H or ``block`` of a similar problem.
    overwrite_start : bool
        Whether the result may take the memory of ``start``.
    bound : float, optional
        An upper bound of the eigenvalues of E, if known; approximate is enough with ``rough``.
    rough : float, optional
        From a nearby start, stop once the error of H, estimated from its residual, is at most
        this angle, without verification; for intermediate steps, never for the solution.
    shift : float
        gamma >= 0. As H'H = I, the numerator is Tr(H'BH) + gamma n_components: the eigenvectors
        stay those of B - rho E, and rho is where their sum is -gamma n_components, so that
        B + gamma I is never formed and B keeps its few rows.
    order : ndarray, (n_samples,), optional
        The samples that the rows are, where they come in an order that must not matter.
    tol : float
        Stop once rho moves by no more than ``tol * (1 + rho)``.
    max_iter : int
        Reaching it is not an error; the status says how the run ended.

    Examples
    --------
    >>> import numpy as np
    >>> trace_ratio(np.diag([1.0, 4.0, 3.0]), np.eye(3), 2).rho
    3.5
    """
    if null_space is not None and null_space.shape[1] >= n_components:
        return _unbounded(_inside_null_space(B, null_space, n_components))
    B, E = _same_kind(B, E)
    smallest = DENSE_BELOW if start is None else NEARBY_FROM
    if issparse(E) and E.shape[0] > max(smallest, DENSE_SHARE * n_components):
        bound = largest_eigenvalue(E) if bound is None else bound
        start = np.empty((E.shape[0], 0)) if start is None else start
        block = _guarded(start, n_components, order, overwrite=overwrite_start)
        nearby = _from_nearby(B, E, block, n_components, bound, rough, shift, max_iter)
        if nearby is not None:
            return nearby
        start = None if overwrite_start else start
    components = components_of(B, E) if issparse(E) else None
    if start is None or start.shape[1] == 0:
        start = top_eigenvectors(-1.0 * E, n_components, components=components, rough=True).vectors
    return _newton(B, E, start[:, :n_components], components, shift * n_components, tol, max_iter)


def bottom_eigenvectors(E: Any, n_components: int) -> TopEigen:
    """H for a problem without B: the eigenvectors of the smallest eigenvalues of E.

    Examples
    --------
    >>> import numpy as np
    >>> (-bottom_eigenvectors(np.diag([1.0, 4.0, 3.0]), 2).values).tolist()
    [1.0, 3.0]
    """
    return top_eigenvectors(-1.0 * E, n_components)


def bottom_from_nearby(
    E: csr_array,
    n_components: int,
    start: FloatArray,
    bound: float,
    rough: float | None,
    order: IntArray | None = None,
) -> TraceRatioSolution | None:
    """The same from the block of a similar problem; None where that is slower or fails.

    With B = 0, gamma k / Tr(H'EH) is largest where Tr(H'EH) is smallest; see ``trace_ratio``.
    """
    if E.shape[0] <= max(NEARBY_FROM, DENSE_SHARE * n_components):
        return None
    none, block = csr_array(E.shape), _guarded(start, n_components, order)
    return _from_nearby(none, E, block, n_components, bound, rough, 1.0, MAX_ITER)


def _newton(
    B: Any,
    E: Any,
    H: FloatArray,
    components: Components | None,
    added: float,
    tol: float,
    max_iter: int,
) -> TraceRatioSolution:
    """Newton's iteration; ``added`` is gamma k, what the shift adds to the numerator."""
    rho, path = _ratio(B, E, H, added), []
    if not np.isfinite(rho):
        rho = 0.0  # any value from zero to the best ratio is a valid start
    gap, residual, status, rough = np.inf, 0.0, Status.MAX_ITER, True
    for _ in range(max_iter):
        v0 = _mixed(H)
        top = top_eigenvectors(B - rho * E, H.shape[1], components=components, v0=v0, rough=rough)
        following = _ratio(B, E, top.vectors, added)
        if not np.isfinite(following):
            return _unbounded(top.vectors)
        H, residual, previous, rho = top.vectors, top.residual, rho, following
        path.append(rho)
        below = np.vdot(H, E @ H)
        gap = float((top.values.sum() + added) / below)
        moved = abs(rho - previous) / (1 + rho)
        if not rough and not top.verified:
            status = Status.UNVERIFIED
            break
        # Rounding of the denominator moves rho, the more the smaller it is.
        if not rough and moved <= tol + 1e-14 * H.shape[1] * _typical(E) / below:
            status = Status.CONVERGED
            break
        # Newton doubles the digits: from here on they have to be right.
        rough = rough and moved > 1e-3
    return TraceRatioSolution(H, rho, tuple(path), gap, residual, status, H)


def _unbounded(H: FloatArray) -> TraceRatioSolution:
    return TraceRatioSolution(H, np.inf, (), 0.0, 0.0, Status.UNBOUNDED, H)


def _from_nearby(
    B: csr_array,
    E: csr_array,
    block: FloatArray,
    k: int,
    bound: float,
    rough: float | None,
    shift: float,
    max_iter: int,
) -> TraceRatioSolution | None:
    """The best ratio inside a block, and iterations of a filter that turn the block to the optimum.

    All of them in the memory of the block, so that many samples fit in memory.
    None where it does not converge or fails verification: then Newton steps are taken.
    """
    few, E_by_rows, path = FewRows(B), ByRows(E), list[float]()
    # Beyond, the graph is nearly disconnected, and B is below the rounding of B - rho E.
    highest = 1e6 * (_typical(B) + shift) / bound
    many = len(block) > MANY
    for iteration in range(max_iter):
        # The first ratio is that of a guess: low accuracy is enough.
        tol = 1e-10 if path else 1e-4
        rho, ritz = ratio_in_block(few, E_by_rows, block, k, tol, shift, overwrite=True)
        if not 0 < rho < highest:
            return None
        path.append(rho)
        # B - rho E has no eigenvalue below -size, as B has none below zero.
        size, pencil = rho * bound, Pencil(few, E, rho)
        residual, apart = ritz.residual(k) / size, (ritz.values[k - 1] - ritz.values[k]) / size
        low = min(-size, 1.1 * float(ritz.values[-1]))  # where the bound does not hold
        goal, settled = _goal(float(apart), path, many)
        if rough is not None:
            goal, settled = max(goal, rough * max(float(apart), AS_GOOD_AS_EQUAL)), True
        if residual <= goal and settled:
            found = _of_block(B, rho, ritz, k, shift, path, residual, Status.CONVERGED)
            if rough is not None:
                return replace(found, rough=True)
            checked, missing = _checked(pencil, ritz, k, low, size, many)
            if checked and missing is None:
                return found
            if not many:
                return None
            # Newton steps would take hours.
            if missing is None:
                return replace(found, status=Status.UNVERIFIED)
            block = ritz.vectors
            block[:, -1] = missing
            continue
        if iteration < max_iter - 1:
            # The error of rho is that of H squared: a filter for this rho cannot be more accurate.
            block = sharpened(pencil, ritz, k, low, max(goal, residual**2) * size)
            del ritz  # or its products stay beside the next ones
    if not many:
        return None
    found = _of_block(B, rho, ritz, k, shift, path, residual, Status.MAX_ITER)
    return replace(found, rough=rough is not None)


def _checked(
    pencil: Pencil, ritz: Ritz, k: int, low: float, size: float, many: bool
) -> tuple[bool, FloatArray | None]:
    """Whether it is known if an eigenvector was missed, and that vector or None."""
    if many:  # Lanczos would take too long to tell the k-th value from the next
        return missed_by(pencil, ritz, k, low)
    try:
        return True, vector_above(pencil, ritz.vectors[:, :k], float(ritz.values[k - 1]), size)
    except ArpackError:
        return False, None


def _goal(apart: float, path: list[float], many: bool) -> tuple[float, bool]:
    """The residual to be reached for a gap, and whether rho has settled."""
    if not many:
        return RESIDUAL, True
    settled = len(path) > 1 and abs(path[-1] - path[-2]) <= RHO_OF_MANY * path[-1]
    return max(RESIDUAL_OF_MANY, ANGLE_OF_MANY * apart), settled


def _of_block(
    B: csr_array,
    rho: float,
    ritz: Ritz,
    k: int,
    shift: float,
    path: list[float],
    residual: float,
    status: Status,
) -> TraceRatioSolution:
    H, g = ritz.vectors[:, :k], float(ritz.values[:k].sum()) + shift * k
    gap = g * rho / (float(np.vdot(H, B @ H)) + shift * k - g)  # g over Tr(H'EH)
    apart = float(ritz.values[k - 1] - ritz.values[k])
    angle = ritz.residual(k) / apart if apart > 0 else np.inf
    return TraceRatioSolution(
        H, rho, tuple(path), gap, residual, status, ritz.vectors, angle=min(angle, np.pi / 2)
    )


def _ratio(B: Any, E: Any, H: FloatArray, added: float) -> float:
    """(Tr(H'BH) + added) / Tr(H'EH); inf where the denominator is zero up to rounding."""
    numerator, denominator = np.vdot(H, B @ H) + added, np.vdot(H, E @ H)
    return float(numerator / denominator) if denominator > 1e-10 * _typical(E) else np.inf


def block_width(k: int) -> int:
    """Columns of the block that k vectors are computed with.

    Examples
    --------
    >>> block_width(10)
    20
    """
    width = k + max(GUARD, k // 4) + 1
    return width + -width % 4  # single precision is processed in fours


def _guarded(
    V: FloatArray, k: int, order: IntArray | None = None, *, overwrite: bool = False
) -> FloatArray:
    """V with random guard columns beside the first k, which help a filter to separate these.

    The last column is always a new one: it has a share of whatever the others miss.
    ``overwrite``: in the memory of V where it is wide enough.
    """
    width = min(block_width(k), len(V))
    kept = V[:, : max(width - 1, k)]
    missing = max(width - kept.shape[1], 0)
    guard = noise((len(V), missing), order) / np.sqrt(len(V))
    if overwrite and V.shape[1] == width:
        V[:, kept.shape[1] :] = guard
        return V
    return np.hstack([kept, guard])


def _mixed(H: FloatArray) -> FloatArray:
    """One vector with a share of every column, and of everything else."""
    rng = np.random.default_rng(0)
    return np.asarray(H @ rng.uniform(0.5, 1.5, H.shape[1]) + 1e-3 * rng.standard_normal(len(H)))


def _same_kind(B: Any, E: Any) -> tuple[Any, Any]:
    if isinstance(B, np.ndarray) and isinstance(E, np.ndarray):
        return B, E
    if issparse(B) and issparse(E):
        return csr_array(B), csr_array(E)
    return aslinearoperator(B), aslinearoperator(E)


def _inside_null_space(B: Any, Q: csr_array, k: int) -> FloatArray:
    """The k-dimensional part of span(Q) with the largest Tr(H'BH).

    Columns that B does not see come last, in their order.
    """
    BQ = B @ Q.toarray()
    seen = np.abs(BQ).max(axis=0) > 0
    Q_seen = Q[:, seen].toarray()
    _, rotation = np.linalg.eigh(Q_seen.T @ BQ[:, seen])
    return np.hstack([Q_seen @ rotation[:, ::-1], Q[:, ~seen].toarray()])[:, :k]


def _typical(S: Any) -> float:
    """The size of S x for a generic x of unit length: a scale to measure zero by."""
    x = np.random.default_rng(0).standard_normal(S.shape[0])
    return float(np.linalg.norm(S @ x) / np.linalg.norm(x))
