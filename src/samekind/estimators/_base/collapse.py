"""Labels that ignore the neighbors: what a learned graph ends with when it has collapsed.

A learned graph can turn into one in which samples in pairs stand apart and all others are one
mass. The labels then cut through the local graph, which shows in their modularity there. It is
compared with that of the k clusters that the local graph has by itself:

    far lower, whatever is known                          collapsed
    lower, while those clusters agree with the pairs      collapsed: a better partition is at hand
    lower, and those clusters contradict the pairs        the pairs have overruled the local graph

Of few samples the local graph can say little: a neighborhood holds whole clusters, or all samples.
There labels are compared with k-means too. They have collapsed if its clusters are others and
better by every measure: they leave less variance inside, keep as many pairs, and cut no more of the
local graph, or keep more pairs.

Rows that are equal belong together unless pairs tell them apart: where there are fewer different
rows than clusters, any other labels are arbitrary.

The numbers were chosen on six Gaussian groups in many sizes and units; see benchmarks/collapse.py.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array, issparse
from sklearn.cluster import KMeans
from sklearn.metrics.cluster import contingency_matrix

from samekind._selection.modularity import modularity
from samekind._selection.own_clusters import own_clusters
from samekind._selection.scaling import own_order
from samekind._typing import BoolArray, FloatArray, IntArray
from samekind.constraints import PairConstraints

FAR_LOWER, LOWER = 0.4, 0.9  # as a share of the modularity of the local graph's own clusters
AGREEING = 0.8  # share of the pairs that these satisfy, of the kind that they satisfy less
FEWEST_IN_PAIRS = 4  # samples in pairs, or one for each cluster, before agreement counts
WORTH_COMPARING = 0.1  # a graph with less modularity has no clusters of its own
# Clusters of the local graph take as long as spectral clustering; beyond, they are not made, and
# equal rows are not looked for.
MOST_SAMPLES = 20_000
NEARLY_ALL = 0.9
CUT = 0.1  # share of samples that are not where most rows equal to them are
FEW_SAMPLES = 400  # k-means is made of no more
ALIKE = 0.85  # share of samples in clusters that match those of k-means
MOVED = 0.1  # share of known samples that k-means may have in other clusters
STARTS = 10  # of k-means; of more than 100 samples fewer
EXPLAINED = 0.9  # share of the variance between the clusters of k-means


def collapsed(
    labels: IntArray,
    pairs: PairConstraints,
    local: csr_array | None,
    n_clusters: int,
    order: IntArray | None = None,
    X: Any = None,
) -> bool:
    """Whether labels ignore the local graph; without one, whether pairs stand apart from the rest.

    ``order`` of the samples does not depend on how they came; see ``assign``. ``X``: the rows
    that the local graph was made of.

    Examples
    --------
    >>> from samekind.graph import local_graph
    >>> X = np.random.default_rng(0).standard_normal((60, 2)) + 9 * (np.arange(60) % 3)[:, None]
    >>> pairs = PairConstraints(60, [(0, 3), (1, 4), (2, 5)], [(0, 1), (0, 2), (1, 2)])
    >>> true, wrong = np.arange(60) % 3, np.where(np.arange(60) < 6, np.arange(60) % 3, 0)
    >>> [collapsed(one, pairs, local_graph(X), 3) for one in (true, wrong)]
    [False, True]
    """
    n = len(labels)
    if n_clusters < 2:
        return False
    if X is not None and cuts_equal_rows(X, labels, pairs):
        return True
    if (
        X is not None
        and n <= FEW_SAMPLES
        and k_means_is_better(X, labels, pairs, local, n_clusters, order)
    ):
        return True
    if n < 3 * n_clusters or 2 * in_pairs(pairs).sum() > n:
        return False  # too few samples, or most of the answer was given
    if stranded(labels, pairs):
        return True
    if local is None or n > MOST_SAMPLES or local.nnz == 0:
        return False
    own = own_clusters(local, n_clusters, order)
    usual = modularity(local, own)
    if usual < WORTH_COMPARING:
        return False
    share = modularity(local, labels) / usual
    if share < FAR_LOWER:
        return True
    return bool(share < LOWER and _agreement(own, pairs, n_clusters) > AGREEING)


def stranded(labels: IntArray, pairs: PairConstraints) -> bool:
    """Whether clusters hold samples in pairs alone, and nearly all others lie in one.

    Examples
    --------
    >>> pairs = PairConstraints(100, cannot_link=[(0, 1), (0, 2), (1, 2)])
    >>> stranded(np.minimum(np.arange(100), 3), pairs), stranded(np.arange(100) % 4, pairs)
    (True, False)
    """
    inside = in_pairs(pairs)
    free = np.bincount(labels[~inside], minlength=int(labels.max()) + 1)
    tied = np.bincount(labels[inside], minlength=len(free))
    if 2 * free.sum() <= len(labels):
        return False
    alone = int(((tied > 0) & (free == 0)).sum())
    return bool(alone >= 2 and free.max() > NEARLY_ALL * free.sum())


def k_means_is_better(
    X: Any,
    labels: IntArray,
    pairs: PairConstraints,
    local: csr_array | None,
    n_clusters: int,
    order: IntArray | None = None,
) -> bool:
    """Whether the clusters of k-means are better by every measure.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]])
    >>> pairs = PairConstraints(6, cannot_link=[(0, 5)])
    >>> [
    ...     k_means_is_better(X, np.array(labels), pairs, None, 2)
    ...     for labels in ([0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1])
    ... ]
    [False, True, True]
    """
    rows = np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64)
    rows = rows - rows[0]  # far from the origin, or in huge units, squares keep their digits
    rows /= np.abs(rows).max(initial=0.0) or 1.0
    rows -= rows.mean(axis=0)
    between = _between(rows, labels)
    if between >= EXPLAINED * (rows**2).sum() or len(np.unique(rows, axis=0)) < n_clusters:
        return False  # no clusters explain so much more, or there are no k
    order = np.arange(len(rows)) if order is None else order
    starts = min(STARTS, max(3, 100 * STARTS // len(rows)))
    found = KMeans(n_clusters, n_init=starts, random_state=0).fit(rows[order])
    others = _with_groups(found.labels_[np.argsort(order)], pairs.distinct_groups(n_clusters))
    if between >= EXPLAINED * _between(rows, others) or _alike(labels, others) > ALIKE:
        return False
    kept, kept_by_others = sum(_kept(labels, pairs)), sum(_kept(others, pairs))
    if kept_by_others != kept or local is None or local.nnz == 0:
        return kept_by_others >= kept
    ours, theirs = modularity(local, labels), modularity(local, others)
    return theirs >= ours or max(ours, theirs) < WORTH_COMPARING


def _with_groups(labels: IntArray, groups: Sequence[IntArray]) -> IntArray:
    """Labels that keep groups known to differ, if few samples have to move for it.

    Examples
    --------
    >>> _with_groups(np.array([0, 0, 0, 1, 1]), [np.array([0]), np.array([2, 4])])
    array([0, 0, 1, 1, 1])
    """
    if not groups:
        return labels
    counts = [np.bincount(labels[group], minlength=int(labels.max()) + 1) for group in groups]
    told = labels.copy()
    for one, cluster in zip(*linear_sum_assignment(-np.array(counts)), strict=True):
        told[groups[one]] = cluster
    n_moved, n_known = int((told != labels).sum()), sum(len(group) for group in groups)
    return told if n_moved <= max(1, MOVED * n_known) else labels


def _alike(a: IntArray, b: IntArray) -> float:
    """The share of samples in matching clusters."""
    counts = contingency_matrix(a, b)
    return float(counts[linear_sum_assignment(-counts)].sum() / len(a))


def _between(rows: FloatArray, labels: IntArray) -> float:
    """The sum of squares between clusters, of rows around the origin."""
    sums = np.zeros((int(labels.max()) + 1, rows.shape[1]))
    np.add.at(sums, labels, rows)
    return float((sums**2 / np.maximum(np.bincount(labels), 1)[:, None]).sum())


def cuts_equal_rows(X: Any, labels: IntArray, pairs: PairConstraints) -> bool:
    """Whether many rows lie in other clusters than most that are equal to them, or some must.

    Rows in pairs do not count.

    Examples
    --------
    >>> X, labels = np.ones((9, 2)), np.arange(9) % 3
    >>> (
    ...     cuts_equal_rows(X, labels, PairConstraints(9)),
    ...     cuts_equal_rows(X, 0 * labels, PairConstraints(9)),
    ... )
    (True, False)
    """
    free = np.flatnonzero(~in_pairs(pairs))
    if not 2 <= len(free) <= MOST_SAMPLES:
        return False  # there would be several copies of X
    order = free[own_order(X[free])]  # puts equal rows beside each other
    first, second = X[order[:-1]], X[order[1:]]
    unlike = np.asarray((first != second).sum(axis=1)).ravel() > 0
    value_of = np.concatenate([[0], np.cumsum(unlike)])
    counts = contingency_matrix(value_of, labels[order], sparse=True)
    n_values, n_clusters = counts.shape
    n_cut = len(order) - int(counts.max(axis=1).sum())
    return bool(n_values < n_clusters or n_cut > CUT * len(labels))


def in_pairs(pairs: PairConstraints) -> BoolArray:
    """Which samples are in a pair."""
    inside = np.zeros(pairs.n_samples, dtype=bool)
    inside[pairs.must_link.ravel()] = inside[pairs.cannot_link.ravel()] = True
    return inside


def _agreement(labels: IntArray, pairs: PairConstraints, n_clusters: int) -> float:
    """Share of must-links or of cannot-links that hold, whichever is smaller; 0 of too few."""
    if in_pairs(pairs).sum() < max(FEWEST_IN_PAIRS, n_clusters):
        return 0.0
    return min(_kept(labels, pairs))


def _kept(labels: IntArray, pairs: PairConstraints) -> tuple[float, float]:
    """The shares of must-links and of cannot-links that hold; 1 of none."""
    same, different = (
        labels[links[:, 0]] == labels[links[:, 1]] for links in (pairs.must_link, pairs.cannot_link)
    )
    return (
        float(np.mean(same)) if len(same) else 1.0,
        float(np.mean(~different)) if len(different) else 1.0,
    )
