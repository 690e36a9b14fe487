"""Labels that ignore the neighbors: what a learned graph ends with when it has collapsed.

A learned graph can turn into one in which samples in pairs stand apart and all others are one
mass. The labels then cut through the local graph, which shows in their modularity there. It is
compared with that of the k clusters that the local graph has by itself:

    far lower, whatever is known                          collapsed
    lower, while those clusters agree with the pairs      collapsed: a better partition is at hand
    lower, and those clusters contradict the pairs        the pairs have overruled the local graph

The numbers were chosen on six Gaussian groups in many sizes and units; see benchmarks/collapse.py.
"""

import numpy as np
from scipy.sparse import csr_array

from samekind._selection.modularity import modularity
from samekind._selection.own_clusters import own_clusters
from samekind._typing import BoolArray, IntArray
from samekind.constraints import PairConstraints

FAR_LOWER, LOWER = 0.4, 0.9  # as a share of the modularity of the local graph's own clusters
AGREEING = 0.8  # share of the pairs that these satisfy, of the kind that they satisfy less
FEWEST_IN_PAIRS = 4  # samples in pairs, or one for each cluster, before agreement counts
WORTH_COMPARING = 0.1  # a graph with less modularity has no clusters of its own
# Clusters of the local graph take as long as spectral clustering; beyond, they are not made.
MOST_SAMPLES = 20_000
NEARLY_ALL = 0.9


def collapsed(
    labels: IntArray,
    pairs: PairConstraints,
    local: csr_array | None,
    n_clusters: int,
    order: IntArray | None = None,
) -> bool:
    """Whether labels ignore the local graph; without one, whether pairs stand apart from the rest.

    ``order`` of the samples does not depend on how they came; see ``assign``.

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
    if n_clusters < 2 or n < 3 * n_clusters or 2 * in_pairs(pairs).sum() > n:
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


def in_pairs(pairs: PairConstraints) -> BoolArray:
    """Which samples are in a pair."""
    inside = np.zeros(pairs.n_samples, dtype=bool)
    inside[pairs.must_link.ravel()] = inside[pairs.cannot_link.ravel()] = True
    return inside


def _agreement(labels: IntArray, pairs: PairConstraints, n_clusters: int) -> float:
    """Share of must-links or of cannot-links that hold, whichever is smaller; 0 of too few."""
    if in_pairs(pairs).sum() < max(FEWEST_IN_PAIRS, n_clusters):
        return 0.0
    shares = []
    for links, same in ((pairs.must_link, True), (pairs.cannot_link, False)):
        if len(links):
            i, j = links.T
            shares.append(float(np.mean((labels[i] == labels[j]) == same)))
    return min(shares)
