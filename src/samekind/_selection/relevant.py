"""Rows in units of what varies among samples of the same kind: relevant component analysis.

Samples that are known to be the same kind show what does not matter: the speaker of a letter, the
light on a face, a feature that is noise. Directions in which these samples vary count less, and
distances become those of Mahalanobis with the covariance within must-link groups (Bar-Hillel et
al., 2005). Few samples know few directions: the covariance is shrunk towards a multiple of the
identity, and there are no more directions than the first principal components of all rows.

Where every kind is known by labels, directions in which kinds differ can count more, too: those of
linear discriminant analysis. Features that say nothing are then no longer most of a distance.

Whether that helps, pairs say that are held out (``held_out``).
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from samekind._typing import BoolArray, FloatArray, IntArray

MOST_COMPONENTS = 100  # principal components of the rows that are looked at
STRENGTH = 0.5  # of the shrinkage: the identity counts as so many times n_components samples
EMPHASIS = 10.0  # times as long are rows along directions in which kinds differ
CONSTANT = 1e-20  # of the largest variance: directions in which rows differ by rounding


@dataclass(frozen=True)
class Relevant:
    """Rows x become x V M, with V orthonormal."""

    components: FloatArray  # V, (n_features, m)
    stretch: FloatArray  # M, (m, m)


@dataclass(frozen=True)
class Scatter:
    """How samples vary within groups of the same kind, and between such as are different."""

    within: FloatArray  # (m, m), sum of squares around the means of the groups
    between: FloatArray  # (m, m), of the means of groups marked different, by their sizes
    freedom: int  # samples less groups

    def stretch(self, n_directions: int = 0) -> FloatArray:
        """M: rows x M have the identity as their shrunk covariance within groups.

        They are EMPHASIS times as long along the ``n_directions`` in which groups then differ most.
        """
        m = len(self.within)
        typical = float(np.trace(self.within)) / self.freedom / m
        shrunk = self.within / typical + STRENGTH * m * np.eye(m)
        values, vectors = np.linalg.eigh(shrunk / (self.freedom + STRENGTH * m))
        M: FloatArray = (vectors / np.sqrt(values)) @ vectors.T
        if n_directions:
            values, vectors = np.linalg.eigh(M @ self.between @ M)
            U = vectors[:, values > CONSTANT**0.5 * values[-1]][:, -n_directions:]
            M = M + (EMPHASIS - 1) * (M @ U) @ U.T
        return M


def scatter_of(rows: FloatArray, group: IntArray, differ: BoolArray) -> Scatter | None:
    """The scatter of rows within and between their groups; None where nothing varies within.

    Parameters
    ----------
    rows : ndarray, (n_samples, m)
    group : ndarray, (n_samples,)
    differ : ndarray, (n_groups, n_groups)
        Whether two groups are marked different.

    Examples
    --------
    >>> rows = np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 9.0]])
    >>> found = scatter_of(rows, np.array([0, 0, 1]), ~np.eye(2, dtype=bool))
    >>> found.within.tolist(), found.between.tolist(), found.freedom
    ([[8.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 162.0]], 1)
    """
    size = np.bincount(group, minlength=len(differ))
    means = np.zeros((len(size), rows.shape[1]))
    np.add.at(means, group, rows)
    means /= np.maximum(size, 1)[:, None]
    rest = rows - means[group]
    within, freedom = rest.T @ rest, len(rows) - int(np.count_nonzero(size))
    weight = differ * np.outer(size, size)
    between = means.T @ (np.diag(weight.sum(axis=1)) - weight) @ means
    varies = np.trace(within) > CONSTANT * np.einsum("ij,ij->", rows, rows)
    return Scatter(within, between, freedom) if freedom and varies else None


def directions(rows: FloatArray) -> FloatArray:
    """The first principal components of centered rows, as orthonormal columns: all, or many.

    Examples
    --------
    >>> np.abs(directions(np.array([[3.0, 3.0], [-3.0, -3.0]]))).round(2)
    array([[0.71],
           [0.71]])
    """
    n, d = rows.shape
    inner = rows.T @ rows if d <= n else rows @ rows.T
    last = len(inner) - 1
    first = max(0, last - MOST_COMPONENTS + 1)
    variance, vectors = eigh(inner, subset_by_index=[first, last])
    varies = variance > CONSTANT**0.5 * variance[-1]
    vectors = vectors[:, varies]
    return np.asarray(vectors if d <= n else rows.T @ vectors / np.sqrt(variance[varies]))
