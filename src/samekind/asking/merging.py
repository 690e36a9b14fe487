"""More groups than clusters: which of them are taken for one, as long as nobody was asked."""

import numpy as np

from samekind._typing import BoolArray, FloatArray


def merged(near: FloatArray, differ: BoolArray, size: FloatArray, n_left: int) -> list[list[int]]:
    """Join the two nearest that are not known to be different, until so many are left.

    Parameters
    ----------
    near : ndarray, (m, m)
        Symmetric.
    differ : ndarray, (m, m)
    size : ndarray, (m,)
        Weights in the mean of two that are joined.
    n_left : int
        More are left where all are different.

    Examples
    --------
    >>> near = np.array([[9.0, 5.0, 4.0], [5.0, 9.0, 1.0], [4.0, 1.0, 9.0]])
    >>> differ = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    >>> merged(near, differ, np.ones(3), 2)
    [[0, 2], [1]]
    """
    near, size = np.where(differ, -np.inf, near), size.astype(float)
    np.fill_diagonal(near, -np.inf)
    items: dict[int, list[int]] = {i: [i] for i in range(len(near))}
    while len(items) > n_left:
        a, b = sorted(np.unravel_index(near.argmax(), near.shape))
        if near[a, b] == -np.inf:
            break
        # The mean with what is known to be different is -inf: different from both.
        near[a] = near[:, a] = (size[a] * near[a] + size[b] * near[b]) / (size[a] + size[b])
        near[b] = near[:, b] = near[a, a] = -np.inf
        size[a] += size[b]
        items[int(a)] += items.pop(int(b))
    return list(items.values())
