"""The exact optimum of the rows of a lasso representation, from a start near it.

Without classes each row is a lasso of its own, and ``feature_sign`` ends at its solution. Where
classes couple rows, rows and means of classes are solved by turns: for given means rows are
independent, and for rows of given signs the means are the solution of a linear system. That is
Newton's method for the means. It usually converges within three to ten iterations, when the rows
have the means they were computed for; otherwise the result is None.
"""

import numpy as np

from samekind._kernels.feature_sign import feature_sign
from samekind._kernels.lasso import Lasso
from samekind._typing import FloatArray

MAX_TURNS = 20
# In parts of the mean square of a sample, so that no linear system is singular.
RIDGE = 1e-10
# How far means may be from those that the rows were made for, in the gradient.
SLACK = 1e-9


def exact_rows(problem: Lasso, C: FloatArray, weights: float | FloatArray) -> FloatArray | None:
    """The optimum, searched from C; None where it was not found.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> exact_rows(Lasso.of(X, 20.0), np.zeros((4, 4)), 1.0).round(3)
    array([[0.  , 0.95, 0.  , 0.  ],
           [0.95, 0.  , 0.  , 0.  ],
           [0.  , 0.  , 0.  , 0.95],
           [0.  , 0.  , 0.95, 0.  ]])
    """
    w = np.array(np.broadcast_to(weights, C.shape))
    np.fill_diagonal(w, np.inf)
    ridge = RIDGE * np.trace(problem.gram) / len(C) + problem.pull[:, 0]
    # An independent row needs no more entries than the rank; extra ones are removed one by one.
    C = np.where(problem.pull > 0, C, strongest(C, len(problem.s)))
    means = problem.means(C)
    for _ in range(MAX_TURNS):
        for i, target in enumerate(problem.gram + problem.pull * means):
            row = feature_sign(problem.gram, target, w[i], C[i], ridge[i])
            if row is None:
                return None
            C[i] = row
        if np.abs(problem.pull * (problem.means(C) - means)).max() <= SLACK:
            return C
        try:
            means = _means_of_signs(problem, C, w, ridge)
        except np.linalg.LinAlgError:  # where the ridge is lost in rounding beside a large b
            return None
    return None


def strongest(C: FloatArray, count: int) -> FloatArray:
    """C with at most ``count`` entries in each row, those of largest absolute value.

    Examples
    --------
    >>> strongest(np.array([[3.0, 0.0, -2.0, 1.0]]), 2)
    array([[ 3.,  0., -2.,  0.]])
    """
    if count >= C.shape[1]:
        return C
    size = np.abs(C)
    next_largest = -np.partition(-size, count, axis=1)[:, [count]]
    return np.asarray(np.where(size > next_largest, C, 0.0))


def _means_of_signs(problem: Lasso, C: FloatArray, w: FloatArray, ridge: FloatArray) -> FloatArray:
    """Means that are those of the rows made for them, as long as these keep their signs.

    Row i of class c is then H_i^-1 (gram_i - w_i s_i + 2 b m) on its support, 0 elsewhere, where
    s_i are the signs and H_i is the gram matrix of the support + ridge_i I; and n_c m is the sum
    of such rows.
    """
    means = np.zeros_like(C)
    for rows in (np.flatnonzero(one) for one in problem.hard.T):
        reached = C[rows].any(axis=0)
        place = np.cumsum(reached) - 1  # among the columns that any row of the class needs
        system, total = len(rows) * np.eye(reached.sum()), np.zeros(reached.sum())
        for i in rows:
            S = np.flatnonzero(C[i])
            H = problem.gram[np.ix_(S, S)]
            H.flat[:: len(S) + 1] += ridge[i]
            inverse = np.linalg.inv(H)
            system[np.ix_(place[S], place[S])] -= 2 * problem.coherence * inverse
            total[place[S]] += inverse @ (problem.gram[i, S] - w[i, S] * np.sign(C[i, S]))
        means[np.ix_(rows, np.flatnonzero(reached))] = np.linalg.solve(system, total)
    return means
