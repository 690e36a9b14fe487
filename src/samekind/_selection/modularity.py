"""Modularity: how much more weight a partition keeps inside than chance would."""

import numpy as np
from scipy.sparse import csr_array

from samekind._typing import IntArray


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
    n = len(labels)
    Y = csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, int(labels.max()) + 1))
    between = (Y.T @ (W @ Y)).toarray()
    total = between.sum()
    if total <= 0:
        return 0.0
    between /= total
    return float(np.trace(between) - (between.sum(axis=1) ** 2).sum())
