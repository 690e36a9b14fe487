"""From the embedding to labels: k-means on rows of unit length.

``spread`` takes the labels from the learned graph instead, given seeds. ``assign_groups`` moves
must-link groups as one.

``groups`` are sets of samples known to lie in different clusters. Their means are then the
first centers, in place of random ones; missing centers are sampled as in k-means++, far from
the centers that are there. Without groups this is k-means as in the paper.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from sklearn.cluster import KMeans

from samekind._kernels.propagation import local_and_global
from samekind._kernels.shrink import unit_rows
from samekind._typing import FloatArray, IntArray

RESTARTS = 20
MAX_ITER = 1000
N_SEEDED_STARTS = 5  # more ones of k-means that moves groups, where some clusters are named


def assign(
    H: FloatArray,
    n_clusters: int,
    *,
    groups: Sequence[IntArray] = (),
    random_state: np.random.RandomState,
    order: IntArray | None = None,
) -> IntArray:
    """Cluster the rows of H.

    Parameters
    ----------
    H : ndarray, (n_samples, n_components)
    n_clusters : int
    groups : sequence of index arrays
        At most n_clusters sets of samples in mutually different clusters.
    random_state : RandomState
    order : ndarray, (n_samples,), optional
        An order of the samples that does not depend on how they came: random centers are drawn
        from it, so that the clusters do not depend on the order of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> H = np.array([[1.0, 0.0], [2.0, 0.1], [0.0, 3.0]])
    >>> labels = assign(H, 2, random_state=np.random.RandomState(0))
    >>> bool(labels[0] == labels[1] != labels[2])
    True
    """
    order = np.arange(len(H)) if order is None else order
    back, rows = np.argsort(order), unit_rows(H)[order]
    if not groups:
        return _k_means(rows, n_clusters, "k-means++", RESTARTS, random_state)[0][back]
    seeds = np.array([rows[back[group]].mean(axis=0) for group in groups])
    restarts = 1 if len(seeds) == n_clusters else RESTARTS
    runs = [
        _k_means(
            rows, n_clusters, filled_centers(rows, seeds, n_clusters, random_state), 1, random_state
        )
        for _ in range(restarts)
    ]
    return min(runs, key=lambda run: run[1])[0][back]


def _k_means(
    rows: FloatArray,
    n_clusters: int,
    init: str | FloatArray,
    restarts: int,
    random_state: np.random.RandomState,
) -> tuple[IntArray, float]:
    model = KMeans(
        n_clusters, init=init, n_init=restarts, max_iter=MAX_ITER, random_state=random_state
    ).fit(rows)
    return model.labels_, float(model.inertia_)


def filled_centers(
    rows: FloatArray, centers: FloatArray, n_clusters: int, random_state: np.random.RandomState
) -> FloatArray:
    """More centers, each a row sampled in proportion to its squared distance from the others."""
    nearest = np.min([((rows - center) ** 2).sum(axis=1) for center in centers], axis=0)
    while len(centers) < n_clusters:
        total = nearest.sum()
        weight = nearest / total if total > 0 else None  # all rows are centers already
        drawn = rows[random_state.choice(len(rows), p=weight)]
        centers = np.vstack([centers, drawn])
        nearest = np.minimum(nearest, ((rows - drawn) ** 2).sum(axis=1))
    return centers


@dataclass(frozen=True)
class Partition:
    """A proposal of k-means."""

    labels: IntArray
    start: str  # "named groups" or "k-means"
    inertia: float


def assign_groups(
    H: FloatArray,
    n_clusters: int,
    *,
    group_of: IntArray,
    named: Sequence[int],
    cannot_link: IntArray,
    random_state: np.random.RandomState,
    order: IntArray | None = None,
) -> IntArray:
    """Cluster the rows of H; must-link groups move as one, so that no must-link is violated.

    Of the starts of k-means, the one with the smallest inertia plus number of violated
    cannot-links wins. Plain k-means where there are no more groups than clusters.

    Parameters
    ----------
    H : ndarray, (n_samples, n_components)
    n_clusters : int
    group_of : ndarray, (n_samples,)
        Must-link group of each sample, numbered from 0; a sample without must-links is a group.
    named : sequence of int
        Groups that are known to lie in different clusters, at most n_clusters.
    cannot_link : ndarray, (m, 2)
    random_state : RandomState
    order : ndarray, (n_samples,), optional
        As in ``assign``.

    Examples
    --------
    >>> import numpy as np
    >>> H = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 3.0], [0.1, 1.0]])
    >>> pairs = {
    ...     "group_of": np.array([0, 1, 2, 0]),
    ...     "named": [],
    ...     "cannot_link": np.empty((0, 2), int),
    ... }
    >>> labels = assign_groups(H, 2, **pairs, random_state=np.random.RandomState(0))
    >>> bool(labels[0] == labels[3])
    True
    """
    if group_of.max() < n_clusters:
        return assign(H, n_clusters, random_state=random_state, order=order)
    a, b = cannot_link.T

    def cost(one: Partition) -> float:
        return one.inertia + np.count_nonzero(one.labels[a] == one.labels[b])

    found = grouped_k_means(
        unit_rows(H), n_clusters, group_of, named, random_state, RESTARTS, order
    )
    return min(found, key=cost).labels


@dataclass(frozen=True)
class GroupMeans:
    """Must-link groups as points at their means with the weight of their sizes."""

    points: FloatArray  # (n_groups, n_components), in the order of their first samples
    weight: IntArray  # (n_groups,)
    place: IntArray  # (n_groups,), of each group among the points
    of_sample: IntArray  # (n_samples,), the point of each sample

    def of_points(self, labels: IntArray) -> IntArray:
        """Labels of the points, from those of samples."""
        at = np.empty(len(self.points), dtype=np.int64)
        at[self.of_sample] = labels
        return at


def group_means(R: FloatArray, group_of: IntArray, order: IntArray | None = None) -> GroupMeans:
    """The means of rows by group; ``order`` as in ``assign``.

    Examples
    --------
    >>> import numpy as np
    >>> groups = group_means(np.array([[1.0], [3.0], [8.0]]), np.array([1, 1, 0]))
    >>> groups.points.ravel(), groups.weight, groups.of_sample
    (array([2., 8.]), array([2, 1]), array([0, 0, 1]))
    """
    size = np.bincount(group_of)
    mean = np.zeros((len(size), R.shape[1]))
    np.add.at(mean, group_of, R)
    mean /= size[:, None]
    order = np.arange(len(R)) if order is None else order
    in_order = group_of[order][np.sort(np.unique(group_of[order], return_index=True)[1])]
    place = np.argsort(in_order)
    return GroupMeans(mean[in_order], size[in_order], place, place[group_of])


def grouped_k_means(
    R: FloatArray,
    n_clusters: int,
    group_of: IntArray,
    named: Sequence[int],
    random_state: np.random.RandomState,
    n_starts: int = 2 * RESTARTS,
    order: IntArray | None = None,
) -> list[Partition]:
    """Partitions in which must-link groups move as one, without repeats, best inertia first."""
    groups = group_means(R, group_of, order)
    order = np.arange(len(R)) if order is None else order
    k = min(n_clusters, len(groups.points))
    inits: list[str | FloatArray] = ["k-means++"] * n_starts
    if len(named) > 1:
        n_seeded = 1 if len(named) >= k else N_SEEDED_STARTS
        centers = groups.points[groups.place[list(named)]]
        seeded = [filled_centers(R[order], centers, k, random_state) for _ in range(n_seeded)]
        inits = [*seeded, *inits]
    found: dict[float, Partition] = {}
    for init in inits:
        model = KMeans(k, init=init, n_init=1, random_state=random_state)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # fewer different points than clusters
            model.fit(groups.points, sample_weight=groups.weight)
        labels = model.labels_[groups.of_sample]
        start = "k-means" if isinstance(init, str) else "named groups"
        inertia = float(model.inertia_)
        found.setdefault(round(inertia, 3), Partition(labels, start, inertia))
    return [found[inertia] for inertia in sorted(found)]


def spread(
    W: csr_array, H: FloatArray, groups: Sequence[IntArray], alpha: float = 0.99
) -> IntArray:
    """Labels that spread from one group of samples for each cluster over a graph.

    F = (I - alpha S)^-1 Y with S = D^-1/2 W D^-1/2 (Zhou et al., 2004), each group having the same
    weight in Y: a sample gets the cluster with the largest share. Samples that no group
    reaches go to the cluster with the nearest mean of unit rows of H.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> W = csr_array(np.diag([1.0, 0.1, 1.0], 1) + np.diag([1.0, 0.1, 1.0], -1))
    >>> spread(W, np.eye(4), [np.array([0]), np.array([3])]).tolist()
    [0, 0, 1, 1]
    """
    Y = np.zeros((W.shape[0], len(groups)))
    for cluster, group in enumerate(groups):
        Y[group, cluster] = 1 / len(group)
    run = local_and_global(W, Y, alpha, tol=1e-6)
    labels: IntArray = run.F.argmax(axis=1)
    if not run.reached.all():
        rows = unit_rows(H)
        means = [rows[run.reached & (labels == one)].mean(axis=0) for one in range(len(groups))]
        labels[~run.reached] = (rows[~run.reached] @ np.array(means).T).argmax(axis=1)
    return labels
