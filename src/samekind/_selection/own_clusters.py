"""The clusters that a graph has by itself."""

import warnings

import numpy as np
from scipy.sparse import csr_array
from sklearn.cluster import KMeans

from samekind._kernels.shrink import unit_rows
from samekind._kernels.spectral import spectral_embedding
from samekind._typing import IntArray
from samekind.graph._matrices import compact

STARTS = 3  # of k-means


def own_clusters(W: csr_array, n_clusters: int, order: IntArray | None = None) -> IntArray:
    """The clusters that spectral clustering finds; see ``spread_labels`` for ``order``.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import block_diag, csr_array
    >>> labels = own_clusters(csr_array(block_diag([np.ones((2, 2)), np.ones((3, 3))])), 2)
    >>> bool(labels[0] == labels[1] != labels[2] == labels[3] == labels[4])
    True
    """
    order = np.arange(W.shape[0]) if order is None else order
    H = spectral_embedding(compact(W), n_clusters).H
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fewer different rows than clusters
        model = KMeans(n_clusters, n_init=STARTS, random_state=0).fit(unit_rows(H)[order])
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = model.labels_
    return labels
