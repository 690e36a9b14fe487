"""Eigenvectors of the largest eigenvalues of a symmetric matrix, verified.

Lanczos starts from one vector and can therefore return one copy only of a repeated
eigenvalue, with success reported. Disconnected graphs usually have repeated eigenvalues. So
the connected components of a sparse matrix are solved separately, and what Lanczos returns is
checked by a second run in the orthogonal complement, which finds what is missing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from samekind._kernels.subspace import Ritz, rayleigh_ritz
from samekind._typing import FloatArray, IntArray
from samekind.graph._by_rows import ByRows, inner, turned
from samekind.graph._components import Components, components_of

# The dense solver is faster than products with a sparse matrix below this size, with so many
# vectors wanted, or where n^3 is not this many times the number of non-zeros.
DENSE_BELOW = 300
DENSE_SHARE = 8
DENSE_WORK = 4000
# Searches of the complement before the dense solver is used.
MAX_ROUNDS = 6
# The dense solver as a last resort: beyond this size it would take too long and too much.
DENSE_LIMIT = 20_000
# Restarts of Lanczos. Where values lie close together it can take thousands; up to some size
# the dense solver is faster than that.
RESTARTS = 100
STEPS_WITHOUT_LANCZOS = 50
MORE_RESTARTS, MORE_RESTARTS_FROM = 2000, 3000
CAN_BE_SEEDED = "rng" in signature(eigsh).parameters


@dataclass(frozen=True)
class TopEigen:
    """The largest eigenvalues of a symmetric matrix, in falling order, and their vectors."""

    values: FloatArray  # (k,)
    vectors: FloatArray  # (n, k), orthonormal columns
    residual: float  # largest |S v - theta v|, relative to the size of S
    verified: bool  # nothing above values[-1] is missing, and the residual is small


def top_eigenvectors(
    S: Any,
    k: int,
    *,
    components: Components | None = None,
    v0: FloatArray | None = None,
    rough: bool = False,
) -> TopEigen:
    """The k largest eigenvalues of S and orthonormal eigenvectors.

    Parameters
    ----------
    S : ndarray, csr_array or LinearOperator, (n, n)
        Symmetric. A sparse array is solved component by component; an operator is only
        multiplied with.
    k : int
        At most n.
    components : Components, optional
        Connected components of S, where the caller knows them.
    v0 : ndarray, (n,), optional
        First vector of Lanczos; a generic one by default.
    rough : bool
        Low accuracy and no check, for intermediate steps; never for the solution itself.

    Examples
    --------
    >>> import numpy as np
    >>> top_eigenvectors(np.diag([1.0, 5.0, 3.0]), 2).values
    array([5., 3.])
    """
    if isinstance(S, np.ndarray):
        return _checked(S.__matmul__, *_dense(S, k), _size(S))
    if not issparse(S):
        return _lanczos(S, k, v0, 2 * largest_eigenvalue(S), rough)
    components = components_of(S) if components is None else components
    if components.count == 1:
        return _one_component(S, k, v0, rough)
    return _many_components(S, k, components, v0, rough)


def is_small(S: csr_array, k: int) -> bool:
    """Whether the dense solver is the faster one for k vectors.

    Examples
    --------
    >>> from scipy.sparse import eye_array
    >>> is_small(eye_array(100), 3), is_small(eye_array(1000), 3)
    (True, False)
    """
    n = S.shape[0]
    return bool(n <= max(DENSE_BELOW, DENSE_SHARE * k) or n**3 < DENSE_WORK * S.nnz)


def _one_component(S: csr_array, k: int, v0: FloatArray | None, rough: bool) -> TopEigen:
    if is_small(S, k):
        return _checked(S.__matmul__, *_dense(S.toarray(), k), _size(S))
    return _lanczos(S, k, v0, _size(S), rough)


def _many_components(
    S: csr_array, k: int, components: Components, v0: FloatArray | None, rough: bool
) -> TopEigen:
    """Solve each component and keep the largest values; ties go to larger components."""
    scale = max(_size(S), np.finfo(float).tiny)
    solved = [
        _one_component(S[rows][:, rows], min(k, len(rows)), None if v0 is None else v0[rows], rough)
        for rows in components.members
    ]
    owner = np.repeat(np.arange(len(solved)), [len(part.values) for part in solved])
    column = np.concatenate([np.arange(len(part.values)) for part in solved])
    values = np.concatenate([part.values for part in solved])
    # Rounded, so that equal values of different components are seen as equal.
    best = np.lexsort((column, owner, -np.round(values / scale, 12)))[:k]
    vectors = np.zeros((S.shape[0], k))
    for place, at in enumerate(best):
        vectors[components.members[owner[at]], place] = solved[owner[at]].vectors[:, column[at]]
    residual = max(part.residual for part in solved)
    return TopEigen(values[best], vectors, residual, all(part.verified for part in solved))


def _dense(S: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    n = len(S)
    try:
        values, vectors = eigh(S, subset_by_index=[n - k, n - 1])
        complete = len(values) == k
    except np.linalg.LinAlgError:
        complete = False
    if not complete:  # LAPACK's partial solver can fail where a value is repeated very often
        values, vectors = (part[..., n - k :] for part in np.linalg.eigh(S))
    return values[::-1], vectors[:, ::-1]


def _lanczos(S: Any, k: int, v0: FloatArray | None, size: float, rough: bool) -> TopEigen:
    """Lanczos, then search of the complement until nothing above the k-th value is left."""
    n = S.shape[0]
    if n <= k + 2:
        return _checked(S.__matmul__, *_dense(S @ np.eye(n), k), size)
    try:
        start = np.random.default_rng(0).standard_normal(n) if v0 is None else v0
        tol = 1e-3 if rough else 0.0
        ritz = rayleigh_ritz(S, _eigsh(S, k, start, tol)[1])
        if rough:
            return TopEigen(ritz.values, ritz.vectors, np.inf, False)
        for _ in range(MAX_ROUNDS):
            values, vectors = ritz.values[:k], ritz.vectors[:, :k]
            if nothing_above(S, vectors, values[-1], size):
                return _checked(S.__matmul__, values, vectors, size)
            _, missing = _complement(S, vectors, min(k, n - k - 2), size, tol=0.0)
            ritz = rayleigh_ritz(S, np.hstack([vectors, missing]))
    except ArpackError:
        if n > DENSE_LIMIT:
            ritz = _filtered(S, k, size)
    if n <= DENSE_LIMIT:  # the dense solver does not depend on a start vector
        return _checked(S.__matmul__, *_dense(S @ np.eye(n), k), size)
    return TopEigen(ritz.values[:k], ritz.vectors[:, :k], np.inf, False)


def _filtered(S: Any, k: int, size: float) -> Ritz:
    """Vectors of low accuracy, by products alone, for what Lanczos cannot solve."""
    V = np.linalg.qr(np.random.default_rng(0).standard_normal((S.shape[0], k)))[0]
    for _ in range(STEPS_WITHOUT_LANCZOS):
        V = np.linalg.qr(S @ V + size * V)[0]  # shifted: the largest have the largest values
    return rayleigh_ritz(S, V)


def nothing_above(S: Any, V: FloatArray, value: float, size: float) -> bool:
    """Whether S is shown to have no eigenvalue above ``value`` on the complement of V.

    ``size`` is a bound of the eigenvalues' absolute values.

    Examples
    --------
    >>> import numpy as np
    >>> S, V = np.diag(np.arange(9.0)), np.eye(9)[:, -1:]
    >>> nothing_above(S, V, 7.5, 8.0), nothing_above(S, V, 6.5, 8.0)
    (True, False)
    """
    try:
        return vector_above(S, V, value, size) is None
    except ArpackError:
        return False  # not shown


def vector_above(S: Any, V: FloatArray, value: float, size: float) -> FloatArray | None:
    """An approximate eigenvector of S on the complement of V with a value above ``value``, if any.

    An ArpackError where that is not found out. ``size`` as in ``nothing_above``.

    Examples
    --------
    >>> import numpy as np
    >>> S, V = np.diag(np.arange(9.0)), np.eye(9)[:, -1:]
    >>> int(np.abs(vector_above(S, V, 6.5, 8.0)).argmax())
    7
    """
    highest, vectors = _complement(S, V, 1, size, tol=1e-4)
    return vectors[:, 0] if highest[0] > value + 1e-9 * size else None


def _complement(
    S: Any, V: FloatArray, k: int, size: float, *, tol: float
) -> tuple[FloatArray, FloatArray]:
    """Largest eigenpairs of S on the orthogonal complement of V.

    S is shifted by its size, so that the complement lies above the zeros that V leaves.
    """
    n, S = S.shape[0], ByRows(S) if issparse(S) else S

    def project(x: FloatArray) -> FloatArray:
        return x - turned(V, inner(V, x))

    def multiply(x: FloatArray) -> FloatArray:
        x = project(x.ravel())
        return project(S @ x + size * x)

    operator = LinearOperator((n, n), matvec=multiply, dtype=np.float64)
    start = project(np.random.default_rng(1).standard_normal(n))
    values, vectors = _eigsh(operator, k, start, tol)
    return values - size, vectors


def _eigsh(S: Any, k: int, start: FloatArray, tol: float) -> tuple[FloatArray, FloatArray]:
    restarts = RESTARTS if S.shape[0] < MORE_RESTARTS_FROM else MORE_RESTARTS
    values, vectors = eigsh(S, k, which="LA", v0=start, tol=tol, maxiter=restarts, **_seeded())
    return values, vectors


def _seeded() -> dict[str, Any]:
    """Where vectors that were found span all that the start can reach, ARPACK draws a new one.

    Before SciPy 1.17 it draws from a generator that cannot be seeded.
    """
    return {"rng": np.random.default_rng(0)} if CAN_BE_SEEDED else {}


def _checked(
    multiply: Callable[[FloatArray], FloatArray], values: FloatArray, V: FloatArray, size: float
) -> TopEigen:
    residual = float(np.linalg.norm(multiply(V) - V * values, axis=0).max(initial=0.0))
    residual = residual / size if size > 0 else residual
    return TopEigen(values, V, residual, residual <= 1e-9)


def _size(S: Any) -> float:
    """Largest absolute row sum: no eigenvalue is larger in absolute value."""
    return float(np.asarray(abs(S).sum(axis=1)).max(initial=0.0))


def noise(shape: tuple[int, ...], order: IntArray | None) -> FloatArray:
    """Random numbers for each sample, in an order of the samples: the same in any.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = noise((2,), None), noise((2,), np.array([1, 0]))
    >>> bool((a == b[::-1]).all())
    True
    """
    drawn = np.random.default_rng(0).standard_normal(shape)
    return drawn if order is None else np.asarray(drawn[order])


def largest_eigenvalue(E: Any, order: IntArray | None = None) -> float:
    """A bound just above the largest eigenvalue of a positive semidefinite E; see ``noise``.

    Examples
    --------
    >>> import numpy as np
    >>> 8 < largest_eigenvalue(np.diag(np.arange(9.0))) < 9
    True
    """
    start = noise((E.shape[0],), order)
    try:
        value = eigsh(E, 1, which="LM", v0=start, tol=1e-2, return_eigenvectors=False, **_seeded())
    except ArpackError:
        if not (E @ start).any():
            return 0.0
        value = _filtered(E, 1, 0.0).values
    return 1.05 * float(np.abs(value[0]))
