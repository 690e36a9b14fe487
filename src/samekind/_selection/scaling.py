"""Rows centered, in one scale; standardized, or by principal components, where that was chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from samekind._typing import FloatArray, IntArray

BLOCK_ENTRIES = 1 << 23
# A feature whose deviation is this share of the largest is rounding.
CONSTANT = 1e-12
N_PERMUTED, ABOVE_NOISE = 2, 1.05  # times the variance that features, each permuted, have at most
EQUAL_VARIANCES = 1e-9  # of the largest: components whose variances differ by less
# Features that hold nearly all variance are few below this share of all, counted up to so many;
# where most entries are zero, below this number.
FEW_OF_MANY, MANY, MOSTLY_ZERO, FEW_OF_COUNTS = 0.48, 30, 0.5, 3.0
# Mean squared correlation, times the rows, of features without any is 1.
UNCORRELATED, SOME_ROWS, SOME_FEATURES = 2.0, 2000, 200

Moments = tuple[FloatArray | None, FloatArray, float]  # see ``moments_of``


@dataclass(frozen=True)
class Scaling:
    """(x - center) / scale, computed in double precision whatever comes in.

    ``center`` is None for sparse rows, which keep their zeros. With ``components`` V, the scaled
    row along them, x V; with ``stretch`` M, in other units, x V M.
    """

    center: FloatArray | None  # (n_features,)
    scale: FloatArray  # (n_features,), above zero
    dtype: Any
    components: FloatArray | None = None  # (n_features, n_components), orthonormal columns
    stretch: FloatArray | None = None  # (n_components, n_components)

    def apply(self, X: Any) -> Any:
        """Scaled rows, a new array."""
        if issparse(X):
            scaled = csr_array(X, dtype=np.float64, copy=True)
            scaled.data /= self.scale[scaled.indices]
            return scaled
        n, d = X.shape
        left = self._left
        rows = np.empty((n, d if left is None else left.shape[1]), dtype=self.dtype)
        step = max(1, BLOCK_ENTRIES // max(d, 1))
        for start in range(0, n, step):
            block = (X[start : start + step].astype(np.float64) - self.center) / self.scale
            # Not by BLAS, in which the last digit of a row depends on its place: a row of the fit
            # has to be the same row in predict.
            kept = block if left is None else np.einsum("ij,jk->ik", block, left)
            rows[start : start + step] = kept
        return rows

    def undone(self, rows: Any) -> Any:
        """Scaled rows in the units that they came in, as far as components keep them."""
        if issparse(rows):
            return csr_array(rows.multiply(self.scale))
        if self.stretch is not None:
            rows = np.linalg.solve(self.stretch.T, rows.T).T
        if self.components is not None:
            rows = rows @ self.components.T
        return rows * self.scale + self.center

    @property
    def _left(self) -> FloatArray | None:
        V, M = self.components, self.stretch
        return V if V is None or M is None else np.asarray(V @ M)


def scaling_of(
    X: Any, *, standardize: bool, dtype: Any = np.float64, moments: Moments | None = None
) -> Scaling:
    """Center and scale of rows: one scale for all features, or the deviation of each.

    ``moments``: those of X, if they are known.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1e9, 0.0], [1e9, 4.0]])
    >>> scaling_of(X, standardize=False).apply(X)
    array([[ 0., -1.],
           [ 0.,  1.]])
    """
    center, deviation, largest = moments_of(X) if moments is None else moments
    if standardize:
        scale = np.where(deviation > CONSTANT * deviation.max(initial=0.0), deviation, 1.0)
    else:
        scale = np.full(len(deviation), largest if largest > 0 else 1.0)
    return Scaling(center, scale, dtype)


def principal_components(X: FloatArray, n_components: int) -> FloatArray | None:
    """The first principal components of centered rows, as orthonormal columns.

    None where they are not defined, as of components with equal variances any could be the last;
    and where the first holds no more than it would of independent features, noise.

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(0).standard_normal((50, 3))
    >>> np.abs(principal_components(noise + 9 * noise[:, :1], 1)).round(1).ravel()
    array([0.6, 0.6, 0.6])
    >>> principal_components(noise, 1) is None
    True
    """
    n, d = X.shape
    if n_components >= min(n, d):
        return None
    variance, vectors = np.linalg.eigh(_inner(X))
    last, next_one = variance[-n_components], variance[-n_components - 1]
    if last - next_one <= EQUAL_VARIANCES * variance[-1]:
        return None
    rows, rng = X[own_order(X)], np.random.default_rng(0)
    noise = max(
        float(np.linalg.eigvalsh(_inner(rng.permuted(rows, axis=0)))[-1]) for _ in range(N_PERMUTED)
    )
    if variance[-1] <= ABOVE_NOISE * noise:
        return None
    first = vectors[:, -n_components:]
    return np.asarray(first if d <= n else X.T @ first / np.sqrt(variance[-n_components:]))


def variances(X: FloatArray) -> FloatArray:
    """Of centered rows along their principal components, the largest first, without zeros.

    Examples
    --------
    >>> import numpy as np
    >>> variances(np.array([[3.0, 3.0], [-3.0, -3.0]]))
    array([18.])
    """
    found = np.linalg.eigvalsh(_inner(X))[::-1] / len(X)
    return np.asarray(found[found > EQUAL_VARIANCES * found[0]])


def _inner(X: FloatArray) -> FloatArray:
    """Products of features, or of rows if these are fewer: the same largest eigenvalues."""
    return np.asarray(X.T @ X if X.shape[1] <= len(X) else X @ X.T)


def few_features_decide(X: Any, moments: Moments | None = None) -> bool:
    """Whether so few features hold nearly all variance that the others hardly count.

    That is what mixed units look like. The number of features that share the variance,
    (sum v)^2 / sum v^2, does not depend on a common unit. Counts, most of which are zero, have
    one unit though the frequent ones vary most; principal components, known by falling variances
    and no correlation, are meant to be unequal.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((100, 5))
    >>> few_features_decide(X), few_features_decide(X * [1, 1, 100, 1, 1])
    (False, True)
    """
    if issparse(X):
        return False
    deviation = (moments_of(X) if moments is None else moments)[1]
    largest = deviation.max(initial=0.0)
    # In units of the largest: in huge ones squares overflow, in tiny ones nothing would vary.
    share = (deviation / (largest or 1.0)) ** 2
    varying = np.flatnonzero(share > 0)
    if len(varying) < 3:
        return False
    share = share[varying]
    effective = share.sum() ** 2 / (share**2).sum()
    limit = FEW_OF_MANY * min(len(varying), MANY)
    some = X[:: max(1, len(X) // SOME_ROWS)]
    if effective < limit and np.mean(some == 0) > MOSTLY_ZERO:
        limit = min(limit, FEW_OF_COUNTS)
    return bool(effective < limit) and not _are_components(some[:, varying] / largest, share)


def _are_components(X: FloatArray, variance: FloatArray) -> bool:
    """Whether features are the scores of a principal component analysis."""
    if (np.diff(variance) > 0).any():
        return False
    X = np.asarray(X[:, :SOME_FEATURES], dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):  # constant among these rows: nan
        correlation = np.asarray(np.corrcoef(X, rowvar=False))[np.triu_indices(X.shape[1], 1)]
    return bool(np.mean(correlation**2) * len(X) < UNCORRELATED)


def moments_of(X: Any) -> Moments:
    """Mean (None for sparse rows), deviation, and the largest distance of an entry from its mean.

    Examples
    --------
    >>> import numpy as np
    >>> moments_of(np.array([[1.0, 0.0], [1.0, 4.0]]))
    (array([1., 2.]), array([0., 2.]), 2.0)
    """
    n, d = X.shape
    if issparse(X):
        X = csr_array(X)
        mean = np.asarray(X.mean(axis=0)).ravel()
        largest = float(abs(X).max()) if X.nnz else 0.0
        square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
        return None, np.sqrt(np.maximum(square - mean**2, 0.0)), largest
    step = max(1, BLOCK_ENTRIES // max(d, 1))
    origin = np.asarray(X[0], dtype=np.float64)
    blocks = [slice(start, start + step) for start in range(0, n, step)]
    # Twice: from the first row, and from the mean that gives; no digits are lost far away.
    center = origin + sum((X[b].astype(np.float64) - origin).sum(axis=0) for b in blocks) / n
    square, largest = np.zeros(d), 0.0
    size = max(float(np.abs(X[b].astype(np.float64) - center).max(initial=0.0)) for b in blocks)
    if size == 0:
        return center, np.zeros(d), 0.0
    for b in blocks:
        block = (X[b].astype(np.float64) - center) / size
        square += (block**2).sum(axis=0)
    largest = size
    return center, np.asarray(size * np.sqrt(square / n)), largest


def own_order(X: Any, known: Sequence[IntArray] = ()) -> IntArray:
    """An order of the rows that does not depend on how they came: along one generic direction.

    ``known``: what tells equal rows apart, an array with a number for each row or several.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(1).standard_normal((5, 3))
    >>> mixed = [3, 0, 4, 1, 2]
    >>> bool((X[mixed][own_order(X[mixed])] == X[own_order(X)]).all())
    True
    """
    if known:
        first = np.lexsort(tuple(known))
        return np.asarray(first[own_order(X[first])])
    n, d = X.shape
    direction = np.random.default_rng(0).standard_normal(d)
    if issparse(X):
        return np.argsort(np.asarray(X @ direction), kind="stable")
    # From the least of each feature: far from the origin no digits are lost, in any order.
    least, step = X.min(axis=0).astype(np.float64), max(1, BLOCK_ENTRIES // max(d, 1))
    # Not by BLAS, in which the last digit of a row depends on its place: equal rows have to tie.
    along = [((X[at : at + step] - least) * direction).sum(axis=1) for at in range(0, n, step)]
    return np.argsort(np.concatenate(along), kind="stable")
