"""How many clusters, where nobody says: a suggestion with pairs, a guess without.

For every number k between bounds, the first k eigenvectors of the chosen graph are cut into k
clusters. Their modularity says how clearly the graph falls into them; the share of pairs that
they satisfy says whether that is the number that the person means. Groups that are known to be
different from one another are a lower bound.

Modularity alone would rather cut few large clusters, even where nothing separates their parts. So
clusters that lie plainly apart are taken, if the pairs do not object: hardly any weight leaves one
of them, and every cut into more of them costs clearly more.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, svd
from scipy.sparse import csr_array

from samekind._kernels.trace_ratio import bottom_eigenvectors
from samekind._selection.graphs import sharing
from samekind._selection.modularity import (
    STRAY,
    even_modularity,
    modularity,
    weight_between,
)
from samekind._typing import FloatArray, IntArray
from samekind.graph import normalized_laplacian
from samekind.graph._matrices import compact

CLOSE, CLOSE_WITHOUT_PAIRS = 0.005, 0.02  # of totals this close, the smallest number wins
# Share of its weight that a cluster which lies apart may lose, and what the worst one of any finer
# cut has to lose: this share or more, and so many times as much.
PLAIN, CUT, CUT_TIMES = 0.03, 0.05, 3.0
SAME_PAIRS = 0.02  # share of the pairs that clusters which lie apart may keep less
MOST = 100  # clusters that are looked for, unless the pairs name more
N_ALTERNATIVES = 2
PART = 0.2  # of a cluster: less that goes elsewhere is no split
MOST_SAID = 3  # changes that a sentence lists


@dataclass(frozen=True)
class Alternative:
    """Another number of clusters, and what it would change."""

    n_clusters: int
    total: float
    sentence: str


@dataclass(frozen=True)
class NumberOfClusters:
    """What was found for every number of clusters, and which one was taken.

    Attributes
    ----------
    candidates : ndarray of shape (n_candidates,)
        Numbers of clusters that were compared.
    modularity : ndarray of shape (n_candidates,)
        Of the clusters in the graph.
    satisfied : ndarray of shape (n_candidates,)
        Mean share of must-links and of cannot-links that hold; nan without both kinds.
    total : ndarray of shape (n_candidates,)
        Both together; the chosen number has the largest, or nearly.
    chosen : int
    at_least : int
        Groups that are known to be different from one another.
    by_pairs : bool
        Whether pairs had a say; without, the number is a guess unless it is plain.
    plain : bool
        Whether the clusters lie plainly apart, and no finer cut does.
    alternatives : tuple of Alternative
        The best other numbers.
    """

    candidates: IntArray
    modularity: FloatArray
    satisfied: FloatArray
    total: FloatArray
    chosen: int
    at_least: int
    by_pairs: bool
    plain: bool = False
    alternatives: tuple[Alternative, ...] = ()

    def __str__(self) -> str:
        how = "suggested by the pairs and the graph" if self.by_pairs else "a guess, without pairs"
        how = "which lie plainly apart" if self.plain else how
        others = "; ".join(f"{one.n_clusters}: {one.sentence}" for one in self.alternatives)
        return f"{self.chosen} clusters, {how}" + (f" (else {others})" if others else "")


def bounds(n_samples: int, n_named: int) -> tuple[int, int]:
    """The smallest and largest number of clusters that is looked at.

    Examples
    --------
    >>> bounds(100, 3)
    (3, 20)
    """
    low = min(max(2, n_named), n_samples)
    usual = min(max(2 * np.sqrt(n_samples), 3 * n_named if n_named > 2 else 0), n_samples / 4, MOST)
    return low, int(min(max(low + 2, usual), n_samples))


def choose_n_clusters(
    W: csr_array,
    must_link: IntArray,
    cannot_link: IntArray,
    M: csr_array,
    n_named: int,
    neighbors: csr_array | None = None,
) -> NumberOfClusters:
    """The number of clusters of a graph that was made without pairs, and the pairs.

    Parameters
    ----------
    W : csr_array, (n_samples, n_samples)
    must_link, cannot_link : ndarray, (m, 2)
        Pairs with all that follows from them.
    M : csr_array, (n_samples, n_samples)
        The must-links as a graph.
    n_named : int
        Groups that are known to be different from one another.
    neighbors : csr_array, (n_samples, n_samples), optional
        In which clusters may lie plainly apart; W by default. Neighborhoods as large as clusters
        would hide them.

    Examples
    --------
    >>> from scipy.sparse import block_diag
    >>> W, none = csr_array(block_diag([np.ones((6, 6))] * 5)), np.empty((0, 2), dtype=int)
    >>> choose_n_clusters(W, none, none, 0 * W, 0).chosen
    5
    """
    low, high = bounds(W.shape[0], n_named)
    numbers = range(low, high + 1)
    ks = np.array(numbers)
    alone = cuts(W, high)
    linked = cuts(csr_array(W + sharing(M)), high) if len(must_link) else alone
    quality = np.array([modularity(W, linked[k]) for k in numbers])
    by_pairs = bool(len(must_link) and len(cannot_link))
    satisfied = np.full(len(ks), np.nan)
    if by_pairs:
        satisfied = np.array(
            [
                np.mean([_satisfied(cut[k], must_link, cannot_link) for cut in (alone, linked)])
                for k in numbers
            ]
        )
    total = quality + (satisfied if by_pairs else 0.0)
    close = CLOSE if by_pairs else CLOSE_WITHOUT_PAIRS
    chosen = int(ks[np.flatnonzero(total >= total.max() - close)[0]])
    plain = plain_number(W if neighbors is None else neighbors, ks)
    if by_pairs and plain is not None:
        # Pairs tell of finer or coarser kinds by what they lose there.
        lost = satisfied[chosen - low] - satisfied[plain - low]
        plain = plain if lost <= SAME_PAIRS else None
    chosen = chosen if plain is None else plain
    alternatives = tuple(
        Alternative(k, float(total[k - low]), difference(linked[chosen], linked[k]))
        for k in peaks(ks, total, chosen)
    )
    return NumberOfClusters(
        ks, quality, satisfied, total, chosen, n_named, by_pairs, plain is not None, alternatives
    )


def plain_number(W: csr_array, ks: IntArray) -> int | None:
    """The largest number of clusters that lie plainly apart, if every finer cut costs far more.

    Examples
    --------
    >>> from scipy.sparse import block_diag
    >>> W = csr_array(block_diag([np.ones((12, 12))] * 3))
    >>> plain_number(W, np.arange(2, 7))
    3
    """
    cut = cuts(W, int(ks[-1]))
    weight = [weight_between(W, cut[k]) for k in ks]
    total = [one.sum(axis=1) for one in weight]
    lost = np.array(
        [
            (1 - np.diag(one) / np.maximum(all_of, np.finfo(float).tiny))[all_of > 0].max(initial=0)
            for one, all_of in zip(weight, total, strict=True)
        ]
    )
    no_strays = np.array(
        [len(one) == k and one.min() > STRAY * one.mean() for one, k in zip(total, ks, strict=True)]
    )
    finer = np.append(np.minimum.accumulate(lost[::-1])[::-1][1:], 1.0)
    plain = no_strays & (lost <= PLAIN) & (finer >= np.maximum(CUT, CUT_TIMES * lost))
    return int(ks[plain][-1]) if plain.any() else None


def best_modularity(W: csr_array, low: int, high: int) -> float:
    """The largest modularity that a graph has for any number of clusters."""
    found = cuts(W, high)
    return max(even_modularity(W, found[k]) for k in range(low, high + 1))


def cuts(W: csr_array, most: int) -> dict[int, IntArray]:
    """Labels for every number of clusters from 1 to ``most``.

    The rows of the first k eigenvectors are turned such that each is nearest to an axis, its
    cluster (Damle, Minden and Ying, 2019).
    """
    V = bottom_eigenvectors(normalized_laplacian(compact(W)), most).vectors
    found: dict[int, IntArray] = {1: np.zeros(len(V), dtype=np.int64)}
    for k in range(2, most + 1):
        rows = qr(V[:, :k].T, mode="economic", pivoting=True)[2][:k]
        left, _, right = svd(V[rows, :k].T)
        found[k] = np.abs(V[:, :k] @ (left @ right)).argmax(axis=1)
    return found


def peaks(ks: IntArray, total: FloatArray, chosen: int) -> list[int]:
    """The best other numbers, each no worse than its neighbors; else the numbers next to it.

    Examples
    --------
    >>> peaks(np.arange(2, 8), np.array([0.1, 0.5, 0.3, 0.4, 0.2, 0.3]), 3)
    [5, 7]
    """
    padded = np.pad(total, 1, constant_values=-np.inf)
    top = (total >= padded[:-2]) & (total >= padded[2:]) & (ks != chosen)
    order = [int(k) for k in ks[np.argsort(-total, kind="stable")]]
    high = [k for k in order if top[k - ks[0]]]
    beside = [k for k in order if abs(k - chosen) == 1 and k not in high]
    return (high + beside)[:N_ALTERNATIVES]


def difference(labels: IntArray, other: IntArray) -> str:
    """What another partition splits or merges, in words.

    Examples
    --------
    >>> difference(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 1]))
    'clusters of 2 and 2 rows merge'
    """
    table = np.zeros((int(labels.max()) + 1, int(other.max()) + 1), dtype=np.int64)
    np.add.at(table, (labels, other), 1)
    parts = []
    for row in table:
        pieces = sorted((int(x) for x in row if x > PART * row.sum()), reverse=True)
        if len(pieces) > 1:
            parts.append(f"a cluster of {row.sum()} rows splits into {_listed(pieces)}")
    home = table.argmax(axis=1)
    for c in range(table.shape[1]):
        sizes = sorted((int(table[i].sum()) for i in np.flatnonzero(home == c)), reverse=True)
        sizes = [size for size in sizes if size]
        if len(sizes) > 1:
            parts.append(f"clusters of {_listed(sizes)} rows merge")
    if len(parts) > MOST_SAID:
        parts = [*parts[:MOST_SAID], f"{len(parts) - MOST_SAID} more changes"]
    return "; ".join(parts) or "rows move between clusters"


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:-1])) + f" and {numbers[-1]}"


def _satisfied(labels: IntArray, must_link: IntArray, cannot_link: IntArray) -> float:
    (i, j), (a, b) = must_link.T, cannot_link.T
    return float(np.mean(labels[i] == labels[j]) + np.mean(labels[a] != labels[b])) / 2
