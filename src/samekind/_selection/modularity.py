"""Modularity: how much more weight a partition keeps inside than chance would."""

import numpy as np
from scipy.sparse import csr_array

from samekind._typing import FloatArray, IntArray

PLAIN = 0.97  # share of its weight that stays inside a cluster that is plainly one
STRAY = 0.05  # of the mean weight of a cluster: what has less may be a few stray samples


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
    between = weight_between(W, labels)
    total = between.sum()
    if total <= 0:
        return 0.0
    between /= total
    return float(np.trace(between) - (between.sum(axis=1) ** 2).sum())


def even_modularity(W: csr_array, labels: IntArray) -> float:
    """Modularity in which large clusters count less: by the root of their weight.

    The mean over clusters, so weighted, of (weight inside / weight of the cluster - weight of the
    cluster / weight of all). Clusters of equal weight give ``modularity`` itself. That prefers to
    cut the largest of unequal clusters, even where nothing separates its halves; if all clusters
    counted the same, a few stray samples would be worth a cluster.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import block_diag, csr_array
    >>> W = csr_array(block_diag([np.ones((2, 2)), np.ones((18, 18))]))
    >>> labels = np.repeat([0, 1], [2, 18])
    >>> round(even_modularity(W, labels), 2), round(modularity(W, labels), 2)
    (0.11, 0.02)
    """
    between = weight_between(W, labels)
    weight = between.sum(axis=1)
    counts = weight > 0
    weight, inside = weight[counts], np.diag(between)[counts]
    if not counts.any():
        return 0.0
    root = np.sqrt(weight)
    return float(root @ (inside / weight - weight / weight.sum()) / root.sum())


def separated(W: csr_array, labels: IntArray, n_clusters: int) -> float | None:
    """Mean share of weight that stays inside clusters, if hardly any leaves one of them; or None.

    Such clusters are plain, however unequal, while modularity would rather cut the largest. None
    where there are fewer clusters, or one so small that it may be a stray.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import block_diag, csr_array
    >>> W = csr_array(block_diag([np.ones((4, 4)), np.ones((16, 16))]))
    >>> separated(W, np.repeat([0, 1], [4, 16]), 2), separated(W, np.repeat([0, 1], 10), 2)
    (1.0, None)
    """
    between = weight_between(W, labels)
    weight = between.sum(axis=1)
    if len(weight) < n_clusters or weight.min() <= STRAY * weight.mean():
        return None
    inside = np.diag(between) / weight
    return float(inside.mean()) if inside.min() >= PLAIN else None


def weight_cut(W: csr_array, labels: IntArray) -> float:
    """Weight that leads from one cluster to another, both ways.

    Examples
    --------
    >>> import numpy as np
    >>> W = csr_array([[0.0, 2.0, 1.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    >>> weight_cut(W, np.array([0, 0, 1]))
    2.0
    """
    between = weight_between(W, labels)
    return float(between.sum() - np.trace(between))


def weight_between(W: csr_array, labels: IntArray) -> FloatArray:
    """Weight between each two clusters."""
    n = len(labels)
    Y = csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, int(labels.max()) + 1))
    return np.asarray((Y.T @ (W @ Y)).toarray())
