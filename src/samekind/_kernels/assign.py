"""From the embedding to labels: k-means on rows of unit length.

``spread`` takes the labels from the learned graph instead, given seeds.

``groups`` are sets of samples known to lie in different clusters. Their means are then the
first centers, in place of random ones; missing centers are sampled as in k-means++, far from
the centers that are there. Without groups this is k-means as in the paper.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from sklearn.cluster import KMeans

from samekind._kernels.propagation import local_and_global
from samekind._kernels.shrink import unit_rows
from samekind._typing import FloatArray, IntArray

RESTARTS = 20
MAX_ITER = 1000


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
