"""Modularity: how much more weight a partition keeps inside than chance would."""

import numpy as np
from scipy.sparse import csr_array

from samekind._typing import FloatArray, IntArray


def modularity(W: csr_array, labels: IntArray) -> float:
    """Newman's modularity of a partition of a weighted graph; 0 for a graph without edges.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import block_diag, csr_array
    >>> W = csr_array(block_diag([np.ones((2, 2)), np.ones((2, 2))]))
    >>> modularity(W, np.array([0, 0, 1, 1]))
    0.5
    """
    between = _between(W, labels)
    total = between.sum()
    if total <= 0:
        return 0.0
    between /= total
    return float(np.trace(between) - (between.sum(axis=1) ** 2).sum())


def even_modularity(W: csr_array, labels: IntArray) -> float:
    """Modularity in which every cluster counts the same, whatever its size.

    The mean over clusters of (weight inside / weight of the cluster - weight of the cluster /
    weight of all). Clusters of equal weight give ``modularity`` itself; of unequal ones that would
    prefer to cut the largest, even where nothing separates its halves.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import block_diag, csr_array
    >>> W = csr_array(block_diag([np.ones((2, 2)), np.ones((18, 18))]))
    >>> labels = np.repeat([0, 1], [2, 18])
    >>> even_modularity(W, labels), round(modularity(W, labels), 2)
    (0.5, 0.02)
    """
    between = _between(W, labels)
    weight = between.sum(axis=1)
    if weight.sum() <= 0:
        return 0.0
    inside = np.trace(between / np.where(weight > 0, weight, 1.0)[:, None])
    return float((inside - 1) / len(weight))


def _between(W: csr_array, labels: IntArray) -> FloatArray:
    """Weight between each two clusters."""
    n = len(labels)
    Y = csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, int(labels.max()) + 1))
    return np.asarray((Y.T @ (W @ Y)).toarray())
