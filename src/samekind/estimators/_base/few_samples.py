"""Labels of few samples beside the clusters of k-means.

Of few samples the local graph can say little: a neighborhood holds whole clusters, or all samples.
Labels are worse than the clusters of k-means if these are others and better by every measure: they
leave less variance inside, keep as many pairs, and cut no more of the local graph, or keep more
pairs. The variance has to be clearly less, unless they are better in both other measures, or keep
clearly more pairs and cut little more of the graph; if they are worse in neither, it has to be
somewhat less. Two kinds of graphs cannot object: one without clusters of its own; and, if k-means
cuts little more of it, one in which a sample has as many neighbors as a cluster has samples, or
as the smallest has. If labels have far less of the sum of squares, a graph with fewer neighbors is
asked in place of the last, too.

If labels have less than half of what k-means has, of the sum of squares between clusters and of the
modularity, a few known samples on its other side are no reason for it.

Nor can any graph where clusters of k-means, none of them a few strays, leave so little variance
that they must lie apart. Of samples that are spread evenly on a line, k clusters leave 1 / k^2 of
the variance; no other even distribution leaves less.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array, issparse
from sklearn.cluster import KMeans
from sklearn.metrics.cluster import contingency_matrix

from samekind._selection.modularity import modularity, weight_cut
from samekind._selection.row_clusters import sum_between
from samekind._typing import FloatArray, IntArray
from samekind.constraints import PairConstraints
from samekind.graph import local_graph

FEW_SAMPLES = 400  # k-means is made of no more
ALIKE = 0.8  # share of samples in clusters that match those of k-means
MOVED = 0.2  # share of known samples that k-means may have in other clusters
MOVED_AT_MOST = 1 / 3  # the same, where labels have less than FAR times as much of both
FAR = 0.5  # of the sum of squares between clusters, and of the modularity
STARTS = 20  # of k-means
EXPLAINED = 0.9  # share of the variance between the clusters of k-means
NEARLY_EXPLAINED = 0.95  # the same, where k-means is worse in nothing
LEFT = 1.15  # variance inside clusters, as a multiple of that inside those of k-means
APART = 1.2  # the same, over k^2
NEARLY = 0.9  # share of the modularity that clusters of k-means may have instead
ONE_UNSEEN = 0.95  # the same, where neighborhoods are larger than the smallest of them alone
# Labels with less of the sum of squares between those clusters have to cut no more than these do,
# but for this share, of a graph with few neighbors.
FAR_LESS, CUTS_LESS, FEW_NEIGHBORS = 0.75, 0.8, 4
MORE_KEPT = 0.1  # shares of both kinds of pairs, added up
NO_CLUSTERS = 0.1  # a graph in which neither has more modularity says nothing
STRAYS = 0.2  # of the mean size of a cluster


def beside_k_means(
    X: Any,
    labels: IntArray,
    pairs: PairConstraints,
    local: csr_array | None,
    n_clusters: int,
    order: IntArray | None = None,
) -> Literal["alike", "worse", "other"]:
    """Whether labels are like the clusters of k-means, or worse by every measure.

    "other" too where there are more samples, no k different ones, or clusters of a few strays.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]])
    >>> pairs = PairConstraints(6, cannot_link=[(0, 5)])
    >>> [
    ...     beside_k_means(X, np.array(labels), pairs, None, 2)
    ...     for labels in ([0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 1])
    ... ]
    ['alike', 'worse', 'worse']
    """
    n = len(labels)
    if not 2 <= n_clusters <= n <= FEW_SAMPLES:
        return "other"
    rows = np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64)
    rows = rows - rows[0]  # far from the origin, or in huge units, squares keep their digits
    rows /= np.abs(rows).max(initial=0.0) or 1.0
    rows -= rows.mean(axis=0)
    if len(np.unique(rows, axis=0)) < n_clusters:
        return "other"
    order = np.arange(n) if order is None else order
    groups = pairs.distinct_groups(n_clusters)
    own = _k_means(rows, n_clusters, groups, order)
    others = with_groups(own, groups)
    if _n_unlike(labels, others) <= max(1.0, (1 - ALIKE) * n):
        return "other" if _smallest(others) < STRAYS * n / n_clusters else "alike"
    worse = any(_worse(rows, labels, one, pairs, local, n_clusters) for one in (others, own))
    most = with_groups(own, groups, MOVED_AT_MOST)
    return "worse" if worse or _far_worse(rows, labels, most, pairs, local) else "other"


def _far_worse(
    rows: FloatArray,
    labels: IntArray,
    others: IntArray,
    pairs: PairConstraints,
    local: csr_array | None,
) -> bool:
    """Whether labels have so little of what others have that a few odd known samples are why."""
    if local is None or sum(kept(others, pairs)) < sum(kept(labels, pairs)):
        return False
    ours, theirs = (modularity(local, one) for one in (labels, others))
    between, between_others = sum_between(rows, labels), sum_between(rows, others)
    return ours < FAR * theirs and NO_CLUSTERS < theirs and between < FAR * between_others


def _worse(
    rows: FloatArray,
    labels: IntArray,
    others: IntArray,
    pairs: PairConstraints,
    local: csr_array | None,
    n_clusters: int,
) -> bool:
    """Whether labels are worse than others by every measure."""
    n, total = len(rows), (rows**2).sum()
    between, between_others = sum_between(rows, labels), sum_between(rows, others)
    left, left_by_others = total - between, total - between_others
    ours, theirs = (
        (0.0, 0.0) if local is None else (modularity(local, one) for one in (labels, others))
    )
    no_clusters = max(ours, theirs) < NO_CLUSTERS
    clearly = between < EXPLAINED * between_others or left > LEFT * left_by_others
    n_kept, n_kept_by_others = sum(kept(labels, pairs)), sum(kept(others, pairs))
    somewhat = n_kept_by_others > n_kept or between < NEARLY_EXPLAINED * between_others
    in_the_others = (somewhat and theirs >= ours) or (
        n_kept_by_others > n_kept + MORE_KEPT and theirs >= NEARLY * ours
    )
    if left <= left_by_others or not (clearly or no_clusters or in_the_others):
        return False
    if n_kept_by_others != n_kept or no_clusters or local is None:
        return n_kept_by_others >= n_kept
    no_strays = _smallest(others) >= max(2.0, STRAYS * n / n_clusters)
    one_unseen = no_strays and local.nnz >= n * _smallest(others)
    if no_strays and left > APART * n_clusters**2 * left_by_others:
        return True
    if one_unseen and between < FAR_LESS * between_others:
        narrow = local_graph(rows, min(FEW_NEIGHBORS, _smallest(others)), 2)
        if weight_cut(narrow, others) < CUTS_LESS * weight_cut(narrow, labels):
            return True
    dense = local.nnz * n_clusters >= n**2
    return bool(theirs >= (NEARLY if dense else ONE_UNSEEN if one_unseen else 1.0) * ours)


def kept(labels: IntArray, pairs: PairConstraints) -> tuple[float, float]:
    """The shares of must-links and of cannot-links that hold; 1 of none.

    Examples
    --------
    >>> kept(np.array([0, 0, 1]), PairConstraints(3, [(0, 1)], [(0, 2), (1, 2)]))
    (1.0, 1.0)
    """
    same, different = (
        labels[links[:, 0]] == labels[links[:, 1]] for links in (pairs.must_link, pairs.cannot_link)
    )
    return (
        float(np.mean(same)) if len(same) else 1.0,
        float(np.mean(~different)) if len(different) else 1.0,
    )


def _k_means(
    rows: FloatArray, n_clusters: int, groups: Sequence[IntArray], order: IntArray
) -> IntArray:
    """Clusters of k-means from many starts, and from the means of groups known to differ.

    Of a few rows with many features, random starts can all miss clusters that the groups are in.

    Examples
    --------
    >>> rows, groups = np.array([[0.0], [0.1], [9.0], [9.1]]), [np.array([0]), np.array([3])]
    >>> _k_means(rows, 2, groups, np.arange(4)).tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    True
    """
    found, back = (
        KMeans(n_clusters, n_init=STARTS, random_state=0).fit(rows[order]),
        order.argsort(),
    )
    centers = found.cluster_centers_.copy()
    for group, cluster in _places(found.labels_[back], groups):
        centers[cluster] = rows[group].mean(axis=0)
    known = KMeans(n_clusters, init=centers, n_init=1).fit(rows[order])
    best = known if known.inertia_ < found.inertia_ else found
    return np.asarray(best.labels_[back])


def with_groups(
    labels: IntArray, groups: Sequence[IntArray], share_moved: float = MOVED
) -> IntArray:
    """Labels that keep groups known to differ, if few samples have to move for it.

    Examples
    --------
    >>> with_groups(np.array([0, 0, 0, 1, 1]), [np.array([0]), np.array([2, 4])])
    array([0, 0, 1, 1, 1])
    """
    told = labels.copy()
    for group, cluster in _places(labels, groups):
        told[group] = cluster
    n_moved, n_known = int((told != labels).sum()), sum(len(group) for group in groups)
    return told if n_moved <= max(1, share_moved * n_known) else labels


def _places(labels: IntArray, groups: Sequence[IntArray]) -> list[tuple[IntArray, int]]:
    """Groups, each with a cluster of its own in which as many as possible are already.

    Examples
    --------
    >>> _places(np.array([0, 1, 0]), [np.array([1]), np.array([0])])
    [(array([1]), 1), (array([0]), 0)]
    """
    if not groups:
        return []
    counts = [np.bincount(labels[group], minlength=int(labels.max()) + 1) for group in groups]
    matched = zip(*linear_sum_assignment(-np.array(counts)), strict=True)
    return [(groups[one], int(cluster)) for one, cluster in matched]


def _n_unlike(a: IntArray, b: IntArray) -> int:
    """The number of samples that are not in matching clusters."""
    counts = contingency_matrix(a, b)
    return len(a) - int(counts[linear_sum_assignment(-counts)].sum())


def _smallest(labels: IntArray) -> int:
    return int(np.bincount(labels).min())
