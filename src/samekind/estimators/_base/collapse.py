"""Labels that ignore the neighbors: what a learned graph ends with when it has collapsed.

A learned graph can turn into one in which samples in pairs stand apart and all others are one
mass. The labels then cut through the local graph, which shows in their modularity there. It is
compared with that of the k clusters that the local graph has by itself:

    far lower, whatever is known                          collapsed
    lower, while those clusters agree with the pairs      collapsed: a better partition is at hand
    lower, and those clusters contradict the pairs        the pairs have overruled the local graph

Where most samples are in pairs, most of the answer was given, right or wrong for the local graph.
There its clusters take the samples that are known, and are better only if they keep all pairs that
the labels keep.

Of few samples the local graph can say little; there k-means is asked too, see ``few_samples``.

A graph that was given is another matter: X may say what it does not, and the method may have heard
both. Only labels that are far below its own clusters have collapsed.

Rows that are equal belong together unless pairs tell them apart: where there are fewer different
rows than clusters, any other labels are arbitrary.

The numbers were chosen on six Gaussian groups in many sizes and units; see benchmarks/collapse.py.
"""

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.metrics.cluster import contingency_matrix

from samekind._selection.modularity import modularity
from samekind._selection.own_clusters import own_clusters
from samekind._selection.scaling import own_order
from samekind._typing import BoolArray, IntArray
from samekind.constraints import PairConstraints
from samekind.estimators._base.few_samples import (
    FEW_SAMPLES,
    STRAYS,
    beside_k_means,
    kept,
    with_groups,
)
from samekind.graph._components import components_of

FAR_LOWER, LOWER = 0.4, 0.9  # as a share of the modularity of the local graph's own clusters
AGREEING = 0.8  # share of the pairs that these satisfy, of the kind that they satisfy less
FEWEST_IN_PAIRS = 4  # samples in pairs, or one for each cluster, before agreement counts
WORTH_COMPARING = 0.1  # a graph with less modularity has no clusters of its own
# Clusters of the local graph take as long as spectral clustering; beyond, they are not made, and
# equal rows are not looked for.
MOST_SAMPLES = 20_000
NEARLY_ALL = 0.9
CUT = 0.1  # share of samples that are not where most rows equal to them are


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
    that the local graph was made of; None if it was given.

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
    if X is not None:
        found = beside_k_means(X, labels, pairs, local, n_clusters, order)
        if found != "other":
            return found == "worse"
    mostly_known = 2 * in_pairs(pairs).sum() > n
    if n < 3 * n_clusters or (mostly_known and n <= FEW_SAMPLES):
        return False  # too few samples, or most of the answer was given and k-means was asked
    if stranded(labels, pairs):
        return True
    if local is None or n > MOST_SAMPLES or local.nnz == 0:
        return False
    joined = _joined(local, n_clusters)
    if len(joined) < 3 * n_clusters:
        return False
    if len(joined) < n:
        local, labels, pairs = local[joined][:, joined], labels[joined], pairs.subset(joined)
        order = None if order is None else np.searchsorted(joined, order[np.isin(order, joined)])
    return _far_from_own_clusters(labels, pairs, local, n_clusters, order, given=X is None)


def _far_from_own_clusters(
    labels: IntArray,
    pairs: PairConstraints,
    local: csr_array,
    n_clusters: int,
    order: IntArray | None,
    *,
    given: bool,
) -> bool:
    """Whether labels cut through the local graph, where its own clusters do not."""
    own = own_clusters(local, n_clusters, order)
    mostly_known = 2 * in_pairs(pairs).sum() > len(labels)
    if mostly_known:
        own = with_groups(own, pairs.distinct_groups(n_clusters))
    usual = modularity(local, own)
    if usual < WORTH_COMPARING:
        return False
    share = modularity(local, labels) / usual
    if mostly_known:
        as_many = sum(kept(own, pairs)) >= sum(kept(labels, pairs))
        return bool(as_many and share < (FAR_LOWER if given else LOWER))
    if share < FAR_LOWER or given:
        return bool(share < FAR_LOWER)
    return bool(share < LOWER and _agreement(own, pairs, n_clusters) > AGREEING)


def _joined(local: csr_array, n_clusters: int) -> IntArray:
    """Samples but those in parts of the graph that are too small for a cluster.

    As clusters of their own they would leave none to the others.

    Examples
    --------
    >>> W = np.kron(np.eye(2), np.ones((20, 20)))
    >>> W[3], W[:, 3] = 0, 0
    >>> len(_joined(csr_array(W), 2))
    39
    """
    parts = components_of(local)
    sizes = np.bincount(parts.component_of)
    large = sizes >= STRAYS * local.shape[0] / n_clusters
    return np.flatnonzero(large[parts.component_of])


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
    counts = contingency_matrix(row_values(X[free]), labels[free], sparse=True)
    n_values, n_clusters = counts.shape
    n_cut = len(free) - int(counts.max(axis=1).sum())
    return bool(n_values < n_clusters or n_cut > CUT * len(labels))


def fewer_rows_than_clusters(X: Any, labels: IntArray, known: IntArray) -> bool:
    """Whether there are more clusters than different rows, so that some are cut at will.

    ``known``: a number for each row, the same for rows known to be the same kind; -1 where nothing
    is known. It may tell equal rows apart, but not to which of these the others belong.

    Examples
    --------
    >>> X, labels = np.ones((9, 2)), np.minimum(np.arange(9), 1)
    >>> fewer_rows_than_clusters(X, labels, np.where(labels, -1, labels))
    True
    >>> fewer_rows_than_clusters(X, labels, labels)
    False
    """
    if len(labels) > MOST_SAMPLES:
        return False
    values = row_values(X)
    if known.min() >= 0:
        values = np.unique([values, known], axis=1, return_inverse=True)[1]
    return bool(values.max() + 1 < len(np.unique(labels)))


def row_values(X: Any) -> IntArray:
    """A number for each row, the same for rows that are equal.

    Examples
    --------
    >>> row_values(np.array([[3.0], [1.0], [3.0]])).tolist() in ([0, 1, 0], [1, 0, 1])
    True
    """
    order = own_order(X)  # puts equal rows beside each other
    first, second = X[order[:-1]], X[order[1:]]
    unlike = np.asarray((first != second).sum(axis=1)).ravel() > 0
    values = np.empty(len(order), dtype=np.int64)
    values[order] = np.concatenate([[0], np.cumsum(unlike)])
    return values


def in_pairs(pairs: PairConstraints) -> BoolArray:
    """Which samples are in a pair."""
    inside = np.zeros(pairs.n_samples, dtype=bool)
    inside[pairs.must_link.ravel()] = inside[pairs.cannot_link.ravel()] = True
    return inside


def _agreement(labels: IntArray, pairs: PairConstraints, n_clusters: int) -> float:
    """Share of must-links or of cannot-links that hold, whichever is smaller; 0 of too few."""
    if in_pairs(pairs).sum() < max(FEWEST_IN_PAIRS, n_clusters):
        return 0.0
    return min(kept(labels, pairs))
