"""Partitions made better by merging two clusters and splitting a third.

k-means can end with two clusters in one and another cut in half. No sample alone can mend that, and
few of many random starts find the way around. Merging and splitting at once leads there: the two
clusters that lose least modularity as one, and the cluster that does as two.
"""

import warnings
from itertools import product

import numpy as np
from scipy.sparse import csr_array
from sklearn.cluster import KMeans

from samekind._kernels.assign import GroupMeans
from samekind._selection.modularity import modularity, weight_between
from samekind._typing import FloatArray, IntArray

ROUNDS = 12
MERGES, TRIES = 6, 4  # pairs of clusters that are looked at in a round; exchanges that are tried
LEAST_GAIN = 1e-4  # of modularity
LEAST_POINTS = 4  # that a cluster needs to be split
DECIMALS = 10  # of modularity: differences beyond are rounding


def exchanged(W: csr_array, groups: GroupMeans, labels: IntArray) -> IntArray:
    """Labels after exchanges that raise their modularity in W; the same array where none does.

    Parameters
    ----------
    W : csr_array, (n_samples, n_samples)
    groups : GroupMeans
        Of the must-link groups, which stay whole.
    labels : ndarray, (n_samples,)
        Equal within a group.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import block_diag
    >>> from samekind._kernels.assign import group_means
    >>> W = csr_array(block_diag([np.ones((4, 4))] * 3))
    >>> R = np.repeat(np.eye(3), 4, axis=0) + np.linspace(0, 0.1, 36).reshape(12, 3)
    >>> wrong = np.array([0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2])
    >>> exchanged(W, group_means(R, np.arange(12)), wrong)
    array([0, 0, 0, 0, 2, 2, 2, 2, 1, 1, 1, 1])
    """
    best = modularity(W, labels)
    degree = np.asarray(W.sum(axis=1)).ravel()
    total = float(degree.sum())
    for _ in range(ROUNDS):
        at = np.unique(labels, return_inverse=True)[1]
        if at.max() < 2 or total <= 0:
            break
        merges = _merges(W, at, total)
        splits = [
            split
            for cluster in range(int(at.max()) + 1)
            if (split := _split(W, degree / total, total, groups, at, cluster)) is not None
        ]
        several = [
            (gain - loss, pair, cut)
            for (gain, pair), (loss, cluster, cut) in product(merges, splits)
            if cluster not in pair
        ]
        # In the order found where only rounding separates them.
        several.sort(key=lambda one: -round(one[0], DECIMALS))
        for _, (a, b), cut in several[:TRIES]:
            found = _settled(groups, np.where(cut == b, a, cut))
            if (after := modularity(W, found)) > best + LEAST_GAIN:
                best, labels = after, found
                break
        else:
            break
    return labels


def _merges(W: csr_array, labels: IntArray, total: float) -> list[tuple[float, tuple[int, int]]]:
    """Pairs of clusters, with the modularity that is won if they are one, the best first."""
    between = weight_between(W, labels) / total
    weight = between.sum(axis=1)
    a, b = np.triu_indices(len(between), 1)
    gain = 2 * (between[a, b] - weight[a] * weight[b])
    first = np.argsort(-np.round(gain, DECIMALS), kind="stable")[:MERGES]
    return [(float(gain[i]), (int(a[i]), int(b[i]))) for i in first]


def _split(
    W: csr_array,
    share: FloatArray,
    total: float,
    groups: GroupMeans,
    labels: IntArray,
    cluster: int,
) -> tuple[float, int, IntArray] | None:
    """A cluster cut in two by k-means: modularity lost, the cluster, and labels with the cut."""
    at = groups.of_points(labels)
    inside = np.flatnonzero(at == cluster)
    if len(inside) < LEAST_POINTS:
        return None
    model = KMeans(2, n_init=2, random_state=0)
    half = _fitted(model, groups.points[inside], groups.weight[inside]) == 1
    if half.all() or not half.any():
        return None
    at[inside[half]] = labels.max() + 1
    cut = at[groups.of_sample]
    one, other = cut == cluster, cut == labels.max() + 1
    across = float((W @ other.astype(np.float64))[one].sum()) / total
    return 2 * (across - float(share[one].sum() * share[other].sum())), cluster, cut


def _settled(groups: GroupMeans, labels: IntArray) -> IntArray:
    """k-means from the means of clusters."""
    at = np.unique(groups.of_points(labels), return_inverse=True)[1]
    size = np.bincount(at, groups.weight)
    centers = np.zeros((len(size), groups.points.shape[1]))
    np.add.at(centers, at, groups.weight[:, None] * groups.points)
    model = KMeans(len(size), init=centers / size[:, None], n_init=1)
    return _fitted(model, groups.points, groups.weight)[groups.of_sample]


def _fitted(model: KMeans, points: FloatArray, weight: IntArray) -> IntArray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fewer different points than clusters
        return np.asarray(model.fit(points, sample_weight=weight).labels_, dtype=np.int64)
