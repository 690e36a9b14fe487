"""Labels that spread from seeds over the learned graph; of many starts the best by modularity.

Where every cluster has a group of samples that are known to be its own, these are the seeds. For
clusters that nobody named, k-means on the unit rows of H proposes; the half of a proposed cluster
that is nearest to its mean, its heart, is the seed. The best proposals are first made better by
merging two clusters and splitting a third (``exchanged``). Must-link groups move as one in k-means
and decide together at the end, so no must-link can be violated. Of the partitions that different
starts lead to, the one with the largest modularity minus the share of violated cannot-links wins;
where it violates one, the side that loses less then goes elsewhere (``keep_apart``).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.assign import group_means, grouped_k_means
from samekind._kernels.shrink import unit_rows
from samekind._selection.diffusion import FACTORED_DOUBLE_UP_TO, Diffusion
from samekind._selection.exchange import exchanged
from samekind._selection.keep_apart import keep_apart
from samekind._selection.modularity import modularity
from samekind._typing import FloatArray, IntArray

N_STARTS = 40  # of k-means: few of them find the best partition
N_EXCHANGED = 2  # of the partitions found, the best of which clusters are merged and split
MOST_PARTITIONS = 15  # different ones that labels spread from, the best by their own score
TOL, TOL_OF_MANY = 1e-6, 1e-5  # of the spreading, relative; of many in single precision
BLOCK_ENTRIES = 1 << 22  # that spread together
HEART = 0.5  # share of a cluster that seeds it
TIE_DECIMALS = 10  # of squared distances between unit rows: differences beyond are rounding
# Power of its size that a cluster counts with: none favors equal sizes; with much, the largest
# takes all where clusters overlap.
SIZE_POWER, SIZE_ROUNDS = 0.15, 2
MOST_MOVED = 0.1  # share of samples that sizes may move; more: shares are nearly even, say nothing
OF_ROWS = "k-means on the rows"
TEMPERATURE = 0.25  # of the probabilities: shares of the spreading are far too even


@dataclass(frozen=True)
class Spread:
    """Labels, and how sure they are."""

    labels: IntArray  # (n_samples,)
    probabilities: FloatArray  # (n_samples, n_clusters)
    score: float  # modularity - share of violated cannot-links
    start: str  # "named groups", "k-means" or OF_ROWS
    n_starts: int  # different partitions that were tried


def spread_labels(
    W: csr_array,
    H: FloatArray,
    n_clusters: int,
    *,
    group_of: IntArray,
    named: Sequence[int],
    cannot_link: IntArray,
    random_state: np.random.RandomState,
    n_starts: int = N_STARTS,
    order: IntArray | None = None,
) -> Spread:
    """Labels from the graph W and its embedding H.

    Parameters
    ----------
    W : csr_array, (n_samples, n_samples)
    H : ndarray, (n_samples, n_components)
    n_clusters : int
    group_of : ndarray, (n_samples,)
        Must-link group of each sample, numbered from 0; a sample without must-links is a group.
    named : sequence of int
        Groups that are known to lie in different clusters, at most n_clusters.
    cannot_link : ndarray, (m, 2)
    random_state : RandomState
    n_starts : int
    order : ndarray, (n_samples,), optional
        An order of the samples that does not depend on how they came: random starts are drawn
        from it, so that the labels do not depend on the order of the rows.
    """
    R, many = unit_rows(H), len(H) > FACTORED_DOUBLE_UP_TO
    diffusion = Diffusion(W, single=many)
    place = np.arange(len(R)) if order is None else np.argsort(order)
    proposals = grouped_k_means(R, n_clusters, group_of, named, random_state, n_starts, order)
    score_of = partial(score, W, cannot_link)
    best: tuple[float, FloatArray, str] | None = None
    tried = sorted(proposals, key=lambda one: -score_of(one.labels))
    if not many:
        # By modularity alone: pairs are few, and partitions could be fitted to them.
        groups = group_means(R, group_of, order)
        for one in tried[:N_EXCHANGED]:
            better = exchanged(W, groups, one.labels)
            if better is not one.labels:
                tried.append(replace(one, labels=better))
        tried.sort(key=lambda one: -score_of(one.labels))
    tried = tried[:MOST_PARTITIONS]
    at_once = max(1, BLOCK_ENTRIES // (len(R) * n_clusters))
    for some in (tried[i : i + at_once] for i in range(0, len(tried), at_once)):
        Ys = [seeds(one.labels, R, n_clusters, group_of, named, place) for one in some]
        F = diffusion.solve(np.hstack(Ys), TOL_OF_MANY if many else TOL)
        parts = np.split(F, np.cumsum([Y.shape[1] for Y in Ys])[:-1], axis=1)
        for proposal, part in zip(some, parts, strict=True):
            shares = _decided(part.astype(np.float64), R, group_of)
            fit = score_of(shares.argmax(axis=1))
            if best is None or fit > best[0]:
                best = fit, shares, proposal.start
    assert best is not None  # k-means has at least one start
    fit, shares, start = best
    # Only now: what a partition violates tells which one is right.
    shares = keep_apart(shares, group_of, cannot_link, place)
    probabilities = sharpened(_padded(shares, n_clusters))
    return Spread(shares.argmax(axis=1), probabilities, fit, start, len(proposals))


def with_probabilities(
    W: csr_array,
    H: FloatArray,
    labels: IntArray,
    n_clusters: int,
    *,
    group_of: IntArray,
    cannot_link: IntArray,
    order: IntArray,
    n_starts: int,
) -> Spread:
    """Labels of the rows, equal within must-link groups, with shares that spread from their hearts.

    Parameters
    ----------
    W, H, n_clusters, group_of, cannot_link, order
        As in ``spread_labels``.
    labels : ndarray, (n_samples,)
        They stay, but where they violate cannot-links that can be kept.
    n_starts : int
    """
    R, place, many = unit_rows(H), np.argsort(order), len(H) > FACTORED_DOUBLE_UP_TO
    hearts = [_even(_heart(labels, c, R, place), len(R)) for c in range(n_clusters)]
    F = Diffusion(W, single=many).solve(np.column_stack(hearts), TOL_OF_MANY if many else TOL)
    shares = _decided(F.astype(np.float64), R, group_of)
    rows, most = np.arange(len(R)), shares.argmax(axis=1)
    largest = shares[rows, most]
    shares[rows, most] = shares[rows, labels]
    shares[rows, labels] = largest
    shares = keep_apart(shares, group_of, cannot_link, place)
    found = shares.argmax(axis=1)
    return Spread(found, sharpened(shares), score(W, cannot_link, found), OF_ROWS, n_starts)


def score(W: csr_array, cannot_link: IntArray, labels: IntArray) -> float:
    """Modularity of a partition less the share of cannot-links that it violates.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import block_diag, csr_array
    >>> W = csr_array(block_diag([np.ones((2, 2)), np.ones((2, 2))]))
    >>> score(W, np.array([[0, 1], [0, 2]]), np.array([0, 0, 1, 1]))
    0.0
    """
    a, b = cannot_link.T
    violated = float(np.mean(labels[a] == labels[b])) if len(cannot_link) else 0.0
    return modularity(W, labels) - violated


def seeds(
    labels: IntArray,
    R: FloatArray,
    n_clusters: int,
    group_of: IntArray,
    named: Sequence[int],
    place: IntArray | None = None,
) -> FloatArray:
    """Y: one column for each cluster, with sum 1.

    A named group seeds its cluster; where it lies alone in a cluster of ``labels``, the heart of
    that cluster takes half of the weight. Of several that lie in one cluster, only the largest may
    be a single sample: this may lie on the wrong side of a border, and as the only seed of a
    cluster would take the place of another. Clusters without a name are seeded by their
    hearts, the largest first, up to n_clusters in all. Of equals the first in ``place`` is taken:
    both samples of a cluster of two are as far from its mean.
    """
    place = np.arange(len(R)) if place is None else place
    members = [np.flatnonzero(group_of == group) for group in named]
    home = [int(labels[group[0]]) for group in members]
    seen, kept = set[int](), list[int]()
    for i in sorted(range(len(named)), key=lambda i: (-len(members[i]), place[members[i]].min())):
        if home[i] not in seen or len(members[i]) > 1:
            kept.append(i)
            seen.add(home[i])
    kept, columns = sorted(kept), []
    home = [home[i] for i in kept]
    for i, cluster in zip(kept, home, strict=True):
        y = _even(members[i], len(R))
        if home.count(cluster) == 1:
            y = (y + _even(_heart(labels, cluster, R, place), len(R))) / 2
        columns.append(y)
    sizes = np.bincount(labels)
    first = np.full(len(sizes), len(R))
    np.minimum.at(first, labels, place)
    free = [c for c in np.lexsort((first, -sizes)) if sizes[c] and c not in home]
    hearts = [_heart(labels, c, R, place) for c in free[: n_clusters - len(columns)]]
    columns += [_even(heart, len(R)) for heart in hearts]
    return np.column_stack(columns)


def _heart(labels: IntArray, cluster: int, R: FloatArray, place: IntArray) -> IntArray:
    members = np.flatnonzero(labels == cluster)
    far = ((R[members] - R[members].mean(axis=0)) ** 2).sum(axis=1)
    n_kept = max(1, int(np.ceil(HEART * len(members))))
    return members[np.lexsort((place[members], np.round(far, TIE_DECIMALS)))[:n_kept]]


def _even(samples: IntArray, n: int) -> FloatArray:
    y = np.zeros(n)
    y[samples] = 1 / len(samples)
    return y


def _decided(F: FloatArray, R: FloatArray, group_of: IntArray) -> FloatArray:
    """Shares of the clusters, equal within a must-link group; the largest is the label.

    Columns are divided by their sums, so that no seed wins by its place alone, then rows. What no
    seed reaches goes to the nearest mean of unit rows. Then large clusters count a little more:
    where two overlap, a sample is more likely of the larger. Not where that moves many: the
    largest would take them all.
    """
    F = np.maximum(F, 0.0)
    F /= np.maximum(F.sum(axis=0), np.finfo(float).tiny)
    total = F.sum(axis=1)
    lost = total <= 1e-14 * total.max()
    F /= np.where(lost, 1.0, total)[:, None]
    if lost.any() and not lost.all():
        labels = F.argmax(axis=1)
        means = np.zeros((F.shape[1], R.shape[1]))
        for cluster in range(F.shape[1]):
            members = ~lost & (labels == cluster)
            means[cluster] = R[members].mean(axis=0) if members.any() else 0.0
        F[lost] = np.eye(F.shape[1])[(R[lost] @ means.T).argmax(axis=1)]
    votes = np.zeros((int(group_of.max()) + 1, F.shape[1]))
    np.add.at(votes, group_of, F)
    even = shares = _row_shares(votes[group_of])
    for _ in range(SIZE_ROUNDS):
        size = np.bincount(shares.argmax(axis=1), minlength=F.shape[1]) + 1.0
        shares = _row_shares(even * size**SIZE_POWER)
    moved = shares.argmax(axis=1) != even.argmax(axis=1)
    return even if moved.mean() > MOST_MOVED else shares


def _row_shares(F: FloatArray) -> FloatArray:
    return np.asarray(F / np.maximum(F.sum(axis=1, keepdims=True), np.finfo(float).tiny))


def _padded(shares: FloatArray, n_clusters: int) -> FloatArray:
    return np.pad(shares, ((0, 0), (0, n_clusters - shares.shape[1])))


def sharpened(shares: FloatArray) -> FloatArray:
    """Probabilities: shares to the power 1 / T, rows that sum to 1, the label's the largest.

    Examples
    --------
    >>> import numpy as np
    >>> sharpened(np.array([[0.5, 0.5], [0.6, 0.4]])).round(2)
    array([[0.5 , 0.5 ],
           [0.84, 0.16]])
    """
    peak = shares.max(axis=1, keepdims=True)
    powers = (shares / np.where(peak > 0, peak, 1.0)) ** (1 / TEMPERATURE)
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
