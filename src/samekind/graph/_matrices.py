"""Sparse matrices: checked where a user provides them, and a few operations on them."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.sparse.csgraph import reverse_cuthill_mckee
from sklearn.utils import check_array

from samekind._typing import FloatArray, IntArray

# Beyond these, differences and their lengths leave the range of floating-point numbers.
SMALLEST_UNIT, LARGEST_UNIT = 1e-290, 1e290
FILL_IN = (
    "leave such rows out, or fill them in, for instance by sklearn.impute.SimpleImputer from "
    "filled(np.nan)"
)
ORDERED_FROM, SAMPLES_PER_PART = 10_000, 8000  # samples


def sample_matrix(X: Any) -> Any:
    """X as a dense or csr array of finite numbers; the same object where it is one already.

    Examples
    --------
    >>> sample_matrix([[0, 1]])
    array([[0., 1.]])
    """
    refuse_masked(X, "X")
    X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
    refuse_extreme_units(X)
    return X


def refuse_masked(given: Any, name: str, remedy: str = FILL_IN) -> None:
    """Refuse masked entries: numpy and scikit-learn drop the mask without a word.

    Examples
    --------
    >>> refuse_masked(np.ma.masked_array([[0.0, 1.0], [2.0, 9.0]], [[0, 0], [0, 1]]), "X")
    Traceback (most recent call last):
        ...
    ValueError: X has 1 masked entry, the first in row 1; expected a number in every place; leave \
such rows out, or fill them in, for instance by sklearn.impute.SimpleImputer from filled(np.nan)
    """
    if not isinstance(given, np.ma.MaskedArray) or not np.ma.is_masked(given):
        return
    rows = np.argwhere(np.ma.getmaskarray(given))[:, 0]
    raise ValueError(
        f"{name} has {len(rows)} masked {'entry' if len(rows) == 1 else 'entries'}, the first in "
        f"row {rows[0]}; expected a number in every place; {remedy}"
    )


def refuse_extreme_units(X: Any) -> None:
    """Refuse values near the ends of the range of floating-point numbers.

    Examples
    --------
    >>> refuse_extreme_units(np.array([[1e300]]))
    Traceback (most recent call last):
        ...
    ValueError: the largest absolute value of X is 1e+300; expected 0 or between 1e-290 and \
1e+290; multiply X by a constant
    """
    largest = _largest(X)
    if largest != 0 and not SMALLEST_UNIT <= largest <= LARGEST_UNIT:
        raise ValueError(
            f"the largest absolute value of X is {largest:g}; expected 0 or between "
            f"{SMALLEST_UNIT:g} and {LARGEST_UNIT:g}; multiply X by a constant"
        )


def power_of_two(X: Any) -> float:
    """A power of two near the largest absolute value of X, 1 if that is zero.

    To divide by it is exact: results in this unit are those in the unit of X, digit by digit.

    Examples
    --------
    >>> power_of_two(np.array([[5.0, -9.0]]))
    16.0
    """
    largest = _largest(X)
    return float(np.ldexp(1.0, np.frexp(largest)[1])) if largest > 0 else 1.0


def unit_scaled_rows(X: Any) -> tuple[Any, FloatArray]:
    """Each row divided by a power of two near its largest absolute value, and these.

    Examples
    --------
    >>> unit_scaled_rows(np.array([[3e200, 0.0], [0.0, 0.0]]))[0].round(3)
    array([[0.98, 0.  ],
           [0.  , 0.  ]])
    """
    if issparse(X):
        X = csr_array(X, dtype=np.float64, copy=True)
        unit = _powers_of_two(abs(X).max(axis=1).toarray().ravel())
        X.data /= np.repeat(unit, np.diff(X.indptr))
        return X, unit
    unit = _powers_of_two(np.maximum(X.max(axis=1, initial=0.0), -X.min(axis=1, initial=0.0)))
    return X / unit[:, None], unit


def _powers_of_two(largest: FloatArray) -> FloatArray:
    exponent = np.frexp(largest.astype(np.float64))[1]
    return np.asarray(np.where(largest > 0, np.ldexp(1.0, exponent), 1.0))


def _largest(X: Any) -> float:
    values = X.data if issparse(X) else X
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


def real_matrix(given: Any, name: str) -> csr_array:
    """A sparse copy without entries that are zero; anything but a matrix of numbers is refused.

    Examples
    --------
    >>> real_matrix([[0, 2], [1, 0]], "graph").data
    array([2., 1.])
    """
    refuse_masked(given, name, "if they stand for no edge, use filled(0)")
    raw = given if issparse(given) else np.asarray(given)
    if raw.ndim != 2 or raw.dtype.kind not in "fiub":
        raise ValueError(
            f"{name} is {type(given).__name__} with {raw.ndim} dimensions of {raw.dtype}; expected "
            "a sparse or dense matrix of real weights, for instance of scipy.sparse"
        )
    S = csr_array(raw, dtype=np.float64, copy=True)
    S.sum_duplicates()
    S.eliminate_zeros()
    return S


def compact(S: csr_array) -> csr_array:
    """S with 32-bit indices where they fit: faster products, and scikit-learn asks for them.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> wide = csr_array((np.ones(1), np.array([0]), np.array([0, 1])), shape=(1, 1))
    >>> compact(wide).indices.dtype
    dtype('int32')
    """
    if max(S.nnz, *S.shape) < np.iinfo(np.int32).max:
        indices, indptr = (part.astype(np.int32, copy=False) for part in (S.indices, S.indptr))
        return csr_array((S.data, indices, indptr), shape=S.shape)
    return S


def order_in_memory(W: csr_array, *, many_products: bool = False) -> IntArray | None:
    """An order in which samples that are joined lie near to each other; None for few samples.

    Products with a graph of very many samples are bound by memory access; this order makes them
    several times faster. For ``many_products`` METIS cuts the graph into parts of some thousand
    samples first, if pymetis is installed (extra ``large``): half as fast again.

    Examples
    --------
    >>> from scipy.sparse import eye_array
    >>> order_in_memory(eye_array(5)) is None
    True
    """
    n = W.shape[0]
    if n < ORDERED_FROM:
        return None
    W = compact(W)
    order = np.asarray(reverse_cuthill_mckee(W, symmetric_mode=True), dtype=np.int64)
    parts = _metis_parts(W, n // SAMPLES_PER_PART) if many_products else None
    return order if parts is None else order[np.argsort(parts[order], kind="stable")]


def _metis_parts(W: csr_array, n_parts: int) -> IntArray | None:
    """The part of each sample, few edges between parts; None without pymetis."""
    if n_parts < 2:
        return None
    try:
        import pymetis
    except ImportError:
        return None
    edges = W.copy()
    edges.setdiag(0)
    edges.eliminate_zeros()
    adjacency = pymetis.CSRAdjacency(edges.indptr, edges.indices)
    return np.asarray(pymetis.part_graph(n_parts, adjacency, options=pymetis.Options(seed=0))[1])


def in_order(W: csr_array, order: IntArray | None) -> csr_array:
    """W with rows and columns in another order, or as it is.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> in_order(csr_array([[1.0, 2.0], [2.0, 3.0]]), np.array([1, 0])).toarray()
    array([[3., 2.],
           [2., 1.]])
    """
    if order is None:
        return W
    W = csr_array(W[order][:, order])
    W.sort_indices()
    return W


def symmetrized(S: csr_array) -> csr_array:
    """(S + S') / 2.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> symmetrized(csr_array([[0.0, 2.0], [0.0, 0.0]])).toarray()
    array([[0., 1.],
           [1., 0.]])
    """
    return csr_array((S + S.T) * 0.5)


def scale_rows(S: csr_array) -> csr_array:
    """Divide each row by its largest absolute entry; rows of zeros stay zero.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> scale_rows(csr_array([[0.0, 2.0, -4.0], [0.0, 0.0, 0.0]])).toarray()
    array([[ 0. ,  0.5, -1. ],
           [ 0. ,  0. ,  0. ]])
    """
    peak = np.zeros(S.shape[0])
    filled = np.flatnonzero(np.diff(S.indptr))
    if len(filled):
        peak[filled] = np.maximum.reduceat(np.abs(S.data), S.indptr[filled])
    peak[peak == 0] = 1.0
    return csr_array((S.data / np.repeat(peak, np.diff(S.indptr)), S.indices, S.indptr), S.shape)


def row_shares(S: csr_array) -> csr_array:
    """Divide each row by the sum of its absolute entries; rows of zeros stay zero.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> row_shares(csr_array([[0.0, 1.0, -3.0], [0.0, 0.0, 0.0]])).toarray()
    array([[ 0.  ,  0.25, -0.75],
           [ 0.  ,  0.  ,  0.  ]])
    """
    total = np.asarray(abs(S).sum(axis=1)).ravel()
    total[total == 0] = 1.0
    return csr_array((S.data / np.repeat(total, np.diff(S.indptr)), S.indices, S.indptr), S.shape)


def identity_minus(S: csr_array) -> csr_array:
    """I - S.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> identity_minus(csr_array([[0.5, 2.0], [0.0, 0.0]])).toarray()
    array([[ 0.5, -2. ],
           [ 0. ,  1. ]])
    """
    return csr_array(diagonal(np.ones(S.shape[0])) - S)


def diagonal(values: FloatArray) -> csr_array:
    """The diagonal matrix of these values.

    Examples
    --------
    >>> import numpy as np
    >>> diagonal(np.array([1.0, 2.0])).toarray()
    array([[1., 0.],
           [0., 2.]])
    """
    n = len(values)
    places = np.arange(n + 1, dtype=np.int32)
    return csr_array((values, places[:n], places), shape=(n, n))
