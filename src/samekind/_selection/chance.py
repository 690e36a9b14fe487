"""Whether clusters in the representation graph are due to chance."""

import numpy as np

from samekind._selection.graphs import projection, representation_graph, strongest_coefficients
from samekind._selection.modularity import even_modularity
from samekind._selection.own_clusters import own_clusters
from samekind._selection.scaling import variances
from samekind._typing import FloatArray

N_DRAWS, ABOVE_CHANCE = 6, 1.02


def beyond_chance(by_representation: float, X: FloatArray, n_clusters: int) -> bool:
    """Whether the representation graph has more modularity than that of Gaussian rows.

    In many noisy features every row is a combination of some others, and any such graph falls into
    clusters of some kind. The Gaussian rows have the covariance of X up to a rotation, which no
    graph sees.

    Parameters
    ----------
    by_representation : float
        Modularity of the own clusters in the representation graph; nan for none.
    X : ndarray, (n_samples, n_features)
        Centered rows.
    n_clusters : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(1).standard_normal((100, 20))
    >>> beyond_chance(0.4, X, 3), beyond_chance(0.6, X, 3)
    (False, True)
    """
    if not by_representation > 0:
        return False
    deviation, rng = np.sqrt(variances(X)), np.random.default_rng(0)
    for _ in range(N_DRAWS):
        rows = rng.standard_normal((len(X), len(deviation))) * deviation
        P = projection(rows - rows.mean(axis=0))
        R = representation_graph(strongest_coefficients(P, positive=True))
        by_chance = even_modularity(R, own_clusters(R, n_clusters))
        if by_representation <= ABOVE_CHANCE * by_chance:
            return False
    return True
