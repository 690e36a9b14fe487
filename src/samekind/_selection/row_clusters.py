"""Clusters of k-means on the rows, where they are plainer than those that labels spread to.

Modularity, by which partitions of a graph are compared, prefers clusters of equal size: it would
rather cut the largest of unequal groups through its middle than find one of a tenth of its size,
however far they lie apart. k-means has no such wish where groups are round. Its clusters are taken
if they leave clearly less variance inside, violate no more cannot-links, and neighbors agree:
together they lose no more weight in the graph of neighbors than the clusters of the labels, and the
worst of them loses clearly less than their worst, or all far less; and none loses much. Of a single
feature of which hardly anything is known, neighbors know gaps alone, the widest of which may be due
to chance: there they are not asked.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array, issparse
from sklearn.metrics import pairwise_distances_argmin

from samekind._kernels.assign import grouped_k_means
from samekind._selection.modularity import STRAY, weight_between
from samekind._selection.views import View
from samekind._typing import FloatArray, IntArray

SOME_ROWS = 2000  # that k-means is made of, where there are more
MEMBERS = 20  # of each named group that are among them
BLOCK_ENTRIES = 1 << 23
MOST_DIMENSIONS = 50  # that k-means is made in
STARTS = 8
EXPLAINED = 1.05  # times the sum of squares between the clusters of the labels
HOLDS = 0.75  # share of its weight in the graph of neighbors that each cluster keeps
WORST, ALL = 0.8, 0.5  # times what the worst cluster of the labels loses, or all together


def plainer_clusters(
    view: View,
    labels: IntArray,
    n_clusters: int,
    *,
    group_of: IntArray,
    named: Sequence[int],
    cannot_link: IntArray,
    little_known: bool = False,
) -> IntArray | None:
    """Clusters of k-means on the rows that are plainer than labels by every measure, or None.

    Parameters
    ----------
    view : View
    labels : ndarray, (n_samples,)
    n_clusters, group_of, named, cannot_link
        As in ``spread_labels``.
    little_known : bool
        Whether too few samples are known for these to tell what neighbors are worth.
    """
    X = view.X
    if issparse(X) or not 1 < n_clusters <= group_of.max():
        return None
    found = k_means_of_rows(X, n_clusters, group_of, named, view.order)
    size = np.bincount(found, minlength=n_clusters)
    if size.min() <= STRAY * len(found) / n_clusters:
        return None
    # Neighborhoods larger than a cluster would reach out of it, however far it lies apart.
    W = view.graphs.local_up_to(int(size.min()))
    worst, lost = _losses(W, found)
    worst_of_labels, lost_of_labels = _losses(W, labels)
    neighbors_agree = (
        worst <= 1 - HOLDS
        and lost <= lost_of_labels
        and (worst <= WORST * worst_of_labels or lost <= ALL * lost_of_labels)
    )
    a, b = cannot_link.T
    holds = np.count_nonzero(found[a] == found[b]) <= np.count_nonzero(labels[a] == labels[b])
    neighbors_agree |= little_known and np.count_nonzero(np.ptp(X, axis=0)) == 1
    if not neighbors_agree or not holds:  # reading all rows is what takes time
        return None
    return found if sum_between(X, found) >= EXPLAINED * sum_between(X, labels) else None


def k_means_of_rows(
    X: FloatArray, n_clusters: int, group_of: IntArray, named: Sequence[int], order: IntArray
) -> IntArray:
    """Clusters of k-means, of many rows by the centers of some; must-link groups stay whole.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]])
    >>> labels = k_means_of_rows(X, 2, np.array([0, 1, 2, 3, 3]), [], np.arange(5))
    >>> (labels == labels[4]).tolist()
    [False, False, True, True, True]
    """
    some = order
    if len(X) > SOME_ROWS:
        members = [np.flatnonzero(group_of == group)[:MEMBERS] for group in named]
        some = np.unique(np.concatenate([order[:: -(-len(X) // SOME_ROWS)], *members]))
        some = order[np.isin(order, some)]
    present, group = np.unique(group_of[some], return_inverse=True)
    at = np.searchsorted(present, named).tolist()
    rows: FloatArray = np.asarray(X[some], dtype=np.float64)
    if min(rows.shape) > MOST_DIMENSIONS:
        rows = _principal(rows)
    fixed = np.random.RandomState(0)
    best = grouped_k_means(rows, n_clusters, group, at, fixed, STARTS)[0]
    if len(some) == len(X):
        labels = np.empty(len(X), dtype=np.int64)
        labels[some] = best.labels
        return labels
    present, at_once = np.unique(best.labels, return_inverse=True)
    share = _indicator(at_once, len(present))
    centers = (share.T @ X[some]) / share.sum(axis=0)[:, None]
    nearest = pairwise_distances_argmin(X, centers.astype(X.dtype)).astype(np.int64)
    # Groups of several samples vote; of very many samples most are on their own.
    several = np.flatnonzero(np.bincount(group_of)[group_of] > 1)
    if len(several):
        group = np.unique(group_of[several], return_inverse=True)[1]
        votes = _indicator(group, int(group.max()) + 1).T @ _indicator(
            nearest[several], len(present)
        )
        nearest[several] = votes.toarray().argmax(axis=1)[group]
    return np.asarray(nearest)


def _principal(rows: FloatArray) -> FloatArray:
    """The rows along the directions of most variance: k-means takes a tenth of the time."""
    n, d = rows.shape
    inner = rows.T @ rows if d <= n else rows @ rows.T
    last = len(inner) - 1
    values, vectors = eigh(inner, subset_by_index=[last - MOST_DIMENSIONS + 1, last])
    return np.asarray(rows @ vectors if d <= n else vectors * np.sqrt(np.maximum(values, 0.0)))


def sum_between(rows: FloatArray, labels: IntArray) -> float:
    """The sum of squares between clusters, of rows around the origin.

    Examples
    --------
    >>> sum_between(np.array([[-2.0], [-2.0], [4.0]]), np.array([0, 0, 1]))
    24.0
    """
    k = int(labels.max()) + 1
    sums, step = np.zeros((k, rows.shape[1])), max(1, BLOCK_ENTRIES // max(rows.shape[1], 1))
    for start in range(0, len(rows), step):
        b = slice(start, start + step)
        sums += _indicator(labels[b], k).T @ rows[b].astype(np.float64)
    return float((sums**2 / np.maximum(np.bincount(labels), 1)[:, None]).sum())


def _losses(W: csr_array, labels: IntArray) -> tuple[float, float]:
    """Shares of weight that lead out: the largest of any cluster, and that of all together."""
    between = weight_between(W, labels)
    weight = between.sum(axis=1)
    counts = weight > 0
    if not counts.any():
        return 1.0, 1.0
    inside = np.diag(between)
    return (
        float(1 - (inside[counts] / weight[counts]).min()),
        float(1 - inside.sum() / weight.sum()),
    )


def _indicator(labels: IntArray, n_clusters: int) -> csr_array:
    n = len(labels)
    return csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, n_clusters))
