"""One lasso, exactly: search for the signs of its solution.

Where the signs are known, and hence which entries are zero, the solution is that of a linear
system. Signs are guessed from a start and corrected one by one: an entry that would change its
sign is stopped at zero where that gives the lowest objective, and the zero entry whose gradient
exceeds its weight most is activated. Each step lowers the objective and no guess is repeated, so
the search ends at the optimum, after few steps from a good start (Lee, Battle, Raina and Ng,
"Efficient sparse coding algorithms", 2007).
"""

import numpy as np

from samekind._typing import FloatArray

MAX_STEPS = 200
# What a gradient may exceed its weight by, in parts of the weight and, for rounding, of the data.
SLACK, ROUNDING = 1e-9, 1e-12


def feature_sign(
    G: FloatArray, target: FloatArray, weights: FloatArray, start: FloatArray, ridge: float
) -> FloatArray | None:
    """Minimize sum_j w_j |c_j| + c'(G + ridge I)c / 2 - target'c.

    Parameters
    ----------
    G : ndarray, (n, n)
        Symmetric, positive semidefinite.
    target, weights, start : ndarray, (n,)
        Weights are positive; an entry of infinite weight is 0, in ``start`` too.
    ridge : float
        Above 0, so that the solution is unique.

    Returns
    -------
    c : ndarray, (n,), or None
        None where the search did not end, which only rounding can cause, or a bad start.

    Examples
    --------
    >>> import numpy as np
    >>> G, target = np.eye(3), np.array([3.0, -0.5, 2.0])
    >>> feature_sign(G, target, np.array([1.0, 1.0, np.inf]), np.zeros(3), 1e-12).round(9)
    array([2., 0., 0.])
    """
    c, sign = start.copy(), np.sign(start)
    slack = SLACK * weights + ROUNDING * np.abs(target).max()
    for _ in range(MAX_STEPS):
        S = np.flatnonzero(sign)
        H = G[np.ix_(S, S)]
        H.flat[:: len(S) + 1] += ridge
        x = np.linalg.solve(H, target[S] - weights[S] * sign[S])
        if not (x * sign[S] > 0).all():
            c[S] = _lowest_between(c[S], x, H, target[S], weights[S])
            sign[S] = np.sign(c[S])
            continue
        c[S] = x
        gradient = target - x @ G[S]
        excess = np.abs(gradient) - weights - slack
        excess[S] = -np.inf
        worst = excess.argmax()
        if excess[worst] <= 0:
            return c
        sign[worst] = np.sign(gradient[worst])
    return None


def _lowest_between(
    old: FloatArray, new: FloatArray, H: FloatArray, target: FloatArray, weights: FloatArray
) -> FloatArray:
    """The best point between two at which an entry becomes zero, or the end."""
    way = new - old
    crossing = old * new < 0
    shares = np.append(old[crossing] / -way[crossing], 1.0)
    points = old + shares[:, None] * way
    points[np.arange(len(shares) - 1), np.flatnonzero(crossing)] = 0.0
    heights = 0.5 * np.einsum("ij,ij->i", points @ H, points) - points @ target
    return np.asarray(points[(heights + np.abs(points) @ weights).argmin()])
