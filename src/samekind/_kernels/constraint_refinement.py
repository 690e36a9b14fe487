"""Confidence values of pairs, incorporated into a graph.

A confidence F between -1 (surely different) and 1 (surely the same) moves a weight W between
0 and 1 towards 0 or 1, in proportion to the distance that is left:

    W <- 1 - (1 - F)(1 - W) where F >= 0,    W <- (1 + F) W elsewhere

(Lu and Ip, 2010). Both are one formula, W <- (1 - |F|) W + max(F, 0).
"""

import numpy as np
from scipy.sparse import csr_array

from samekind._typing import FloatArray

BLOCK_ENTRIES = 1 << 20


def refine(W: FloatArray, F: FloatArray) -> FloatArray:
    """Adjust the weights W by the confidences F, in place.

    Parameters
    ----------
    W : ndarray, (n_rows, n_samples)
        Weights in [0, 1]; overwritten. All rows of a graph or some of them.
    F : ndarray, (n_rows, n_samples)
        Confidences in [-1, 1], of the same pairs.

    Returns
    -------
    W : ndarray
        The given array, still in [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> refine(np.array([[0.5, 0.5, 0.5, 0.5]]), np.array([[1.0, 0.5, 0.0, -0.5]]))
    array([[1.  , 0.75, 0.5 , 0.25]])
    """
    step = max(1, BLOCK_ENTRIES // max(W.shape[1], 1))  # so that nothing large is held beside W
    for start in range(0, len(W), step):
        weight, confidence = W[start : start + step], F[start : start + step]
        weight *= 1 - np.abs(confidence)
        weight += np.maximum(confidence, 0.0)
    return W


def at_most_one(W: csr_array) -> csr_array:
    """W, divided by its largest weight where that is above 1.

    Examples
    --------
    >>> at_most_one(csr_array([[0.0, 4.0, 2.0]])).toarray(), at_most_one(csr_array([[0.5]])).data
    (array([[0. , 1. , 0.5]]), array([0.5]))
    """
    return csr_array(W / max(1.0, float(W.data.max(initial=0.0))))
