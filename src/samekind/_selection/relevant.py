"""Rows in units of what varies among samples of the same kind: relevant component analysis.

Samples that are known to be the same kind show what does not matter: the speaker of a letter, the
light on a face, a feature that is noise. Directions in which these samples vary count less, and
distances become those of Mahalanobis with the covariance within must-link groups (Bar-Hillel et
al., 2005). Few samples know few directions: the covariance is shrunk towards a multiple of the
identity, and there are no more directions than the first principal components of all rows.

Whether that helps, pairs say that are held out (``held_out``).
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from samekind._typing import FloatArray, IntArray

MOST_COMPONENTS = 100  # principal components of the rows that are looked at
STRENGTH = 0.5  # of the shrinkage: the identity counts as so many times n_components samples
CONSTANT = 1e-20  # of the largest variance: directions in which rows differ by rounding


@dataclass(frozen=True)
class Relevant:
    """Rows x become x V M V', with V orthonormal and M symmetric."""

    components: FloatArray  # V, (n_features, m)
    stretch: FloatArray  # M, (m, m)


@dataclass(frozen=True)
class Within:
    """The scatter within groups of the same kind."""

    scatter: FloatArray  # (m, m), sum of squares around the means of the groups
    freedom: int  # samples less groups

    @property
    def stretch(self) -> FloatArray:
        """M, symmetric: rows x M have the identity as their shrunk covariance within groups."""
        m = len(self.scatter)
        typical = float(np.trace(self.scatter)) / self.freedom / m
        shrunk = self.scatter / typical + STRENGTH * m * np.eye(m)
        values, vectors = np.linalg.eigh(shrunk / (self.freedom + STRENGTH * m))
        return np.asarray((vectors / np.sqrt(values)) @ vectors.T)


def within(rows: FloatArray, group: IntArray) -> Within | None:
    """The scatter of rows within their groups; None where nothing varies.

    Examples
    --------
    >>> found = within(np.array([[0.0, 0.0], [4.0, 0.0], [9.0, 9.0]]), np.array([0, 0, 1]))
    >>> found.scatter.tolist(), found.freedom
    ([[8.0, 0.0], [0.0, 0.0]], 1)
    """
    size = np.bincount(group)
    sums = np.zeros((len(size), rows.shape[1]))
    np.add.at(sums, group, rows)
    rest = rows - (sums / np.maximum(size, 1)[:, None])[group]
    scatter, freedom = rest.T @ rest, len(rows) - int(np.count_nonzero(size))
    varies = np.trace(scatter) > CONSTANT * np.einsum("ij,ij->", rows, rows)
    return Within(scatter, freedom) if freedom and varies else None


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
