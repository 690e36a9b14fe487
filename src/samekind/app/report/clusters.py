"""Clusters described by their rows: the most central ones, the least certain, what differs.

A row is central where its unit row of H lies near the mean of its cluster; it is
uncertain where its probability is small or, if there are no probabilities, where the mean of
another cluster is almost as near, or nearer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind._kernels.shrink import unit_rows
from samekind._typing import FloatArray, IntArray

Confidence = tuple[FloatArray, NDArray[Any]]

N_CENTRAL = 6
N_UNCERTAIN = 3


@dataclass(frozen=True, eq=False)
class Cluster:
    """One cluster; rows are given by their numbers, the most telling first."""

    label: Any
    position: int  # among the clusters in order of their labels
    members: IntArray
    central: IntArray
    uncertain: IntArray  # none of them among the central
    rivals: dict[int, Any]  # uncertain row -> label of the cluster it could be in


def describe_clusters(
    H: FloatArray, labels: IntArray, confidence: Confidence | None = None
) -> list[Cluster]:
    """Every cluster with its most central and its least certain rows.

    ``confidence`` holds the probability of each row's cluster and the label of the next one.

    Examples
    --------
    >>> H = np.array([[1.0, 0.0], [0.9, 0.1], [0.6, 0.5], [0.0, 1.0]])
    >>> first, second = describe_clusters(H, np.array([0, 0, 0, 1]))
    >>> first.central
    array([1, 0, 2])
    """
    rows = unit_rows(H)
    clusters, position = np.unique(labels, return_inverse=True)
    means = np.stack([rows[position == c].mean(axis=0) for c in range(len(clusters))])
    distance = (rows**2).sum(1)[:, None] + (means**2).sum(1) - 2 * rows @ means.T
    every = np.arange(len(rows))
    own = ((rows - means[position]) ** 2).sum(axis=1)  # without cancellation, for exact ties
    distance[every, position] = np.inf
    rival = distance.argmin(axis=1)
    # With one cluster there is no rival: the rows farthest from the mean are shown.
    margin = (distance[every, rival] if len(clusters) > 1 else 0.0) - own

    rival_label = clusters[rival]
    if confidence is not None:
        margin, rival_label = confidence

    described = []
    for c, label in enumerate(clusters):
        members = np.flatnonzero(position == c)
        by_distance = members[np.argsort(own[members], kind="stable")]
        rest = by_distance[N_CENTRAL:]
        uncertain = rest[np.argsort(margin[rest], kind="stable")][:N_UNCERTAIN]
        rivals = {int(row): rival_label[row] for row in uncertain if len(clusters) > 1}
        central = by_distance[:N_CENTRAL]
        described.append(Cluster(label, c, members, central, uncertain, rivals))
    return described


def distinctive_features(X: FloatArray, clusters: Sequence[Cluster], most: int) -> list[IntArray]:
    """For every cluster the columns whose mean differs most, in deviations of all rows.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0, 5.0], [0.0, 9.0, 5.0], [4.0, 5.0, 5.0], [4.0, 5.0, 5.0]])
    >>> distinctive_features(X, describe_clusters(X, np.array([0, 0, 1, 1])), 2)
    [array([0]), array([0])]
    """
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    columns: list[IntArray] = []
    for cluster in clusters:
        difference = np.abs(X[cluster.members].mean(axis=0) - mean)
        score = np.divide(difference, deviation, out=np.zeros_like(mean), where=deviation > 0)
        telling = np.flatnonzero(score > 1e-9)
        columns.append(telling[np.argsort(-score[telling], kind="stable")][:most])
    return columns


def composition(truth: Sequence[str], members: IntArray) -> list[tuple[str, int]]:
    """Known true labels of the members, the most frequent first.

    Examples
    --------
    >>> composition(["a", "b", "a", ""], np.arange(4))
    [('a', 2), ('b', 1)]
    """
    counts = Counter(truth[row] for row in members if truth[row])
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
