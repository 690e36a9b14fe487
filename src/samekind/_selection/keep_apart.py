"""Cannot-links that the spreading violates, mended where they are."""

import numpy as np
from scipy.sparse import coo_array

from samekind._typing import FloatArray, IntArray

TINY = 1e-12  # of a share: what no seed reaches can still be compared
DECIMALS = 8  # of what a move costs: differences beyond are rounding


def keep_apart(
    shares: FloatArray, group_of: IntArray, cannot_link: IntArray, place: IntArray
) -> FloatArray:
    """Shares in which groups marked different have different largest clusters, as far as may be.

    One at a time, the group that loses least goes to its best cluster among those where it is
    different from nobody. A move violates nothing new, so violations only become fewer; a group
    without such a cluster stays.

    Parameters
    ----------
    shares : ndarray, (n_samples, n_clusters)
        Rows sum to 1, equal within a must-link group.
    group_of : ndarray, (n_samples,)
        Must-link group of each sample.
    cannot_link : ndarray, (m, 2)
    place : ndarray, (n_samples,)
        Of each sample in an order of its own; decides between equal costs.

    Examples
    --------
    >>> import numpy as np
    >>> shares = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> keep_apart(shares, np.arange(3), np.array([[0, 1]]), np.arange(3)).argmax(axis=1)
    array([0, 1, 1])
    """
    a, b = group_of[cannot_link].T
    at = np.full(int(group_of.max()) + 1, -1)
    at[group_of] = shares.argmax(axis=1)
    if not (at[a] == at[b]).any():
        return shares
    groups, n_clusters = len(at), shares.shape[1]
    both = np.concatenate([a, b]), np.concatenate([b, a])
    differ = coo_array((np.ones(len(both[0])), both), shape=(groups, groups)).tocsr()
    differ.data[:] = 1.0  # a pair may have been given twice
    first = np.full(groups, len(shares))
    np.minimum.at(first, group_of, place)
    sample, size = np.argsort(place)[first], np.bincount(group_of)
    # Of the groups that may move: shares, and how many groups that differ are in each cluster.
    moving = np.unique(np.concatenate([a[at[a] == at[b]], b[at[a] == at[b]]]))
    share = np.log(np.maximum(shares[sample[moving]], TINY))
    others = differ[moving] @ np.eye(n_clusters)[at]
    among = differ[moving][:, moving]
    rows = np.arange(len(moving))
    while True:
        now = at[moving]
        allowed = np.where(others > 0, -np.inf, share)
        best = allowed.argmax(axis=1)
        cost = size[moving] * (share[rows, now] - allowed[rows, best])
        cost[others[rows, now] == 0] = np.inf
        one = np.lexsort((first[moving], np.round(cost, DECIMALS)))[0]
        if not np.isfinite(cost[one]):
            break
        beside = among.indices[among.indptr[one] : among.indptr[one + 1]]
        others[beside, now[one]] -= 1
        others[beside, best[one]] += 1
        at[moving[one]] = best[one]
    mended = shares.copy()
    for group, taken in zip(moving, others > 0, strict=True):
        if not taken[at[group]]:
            row = np.maximum(shares[sample[group]], TINY)
            # A cluster that became free only after the move has a larger share still.
            out = taken | ((row >= row[at[group]]) & (np.arange(n_clusters) != at[group]))
            row[out] = 0.0
            mended[group_of == group] = row / row.sum()
    return mended
