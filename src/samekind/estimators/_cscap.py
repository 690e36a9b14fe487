"""CSCAP: constrained spectral clustering through affinity propagation."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.affinity_propagation import (
    correlation,
    covariance,
    posterior,
    precision,
    weakened_between,
)
from samekind._kernels.spectral import Embedding, spectral_embedding
from samekind._typing import FloatArray, RandomState
from samekind.constraints import PairConstraints
from samekind.constraints.closure import linked_groups
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.parameters import Number, Range
from samekind.estimators._base.spectral_method import SpectralMethod


@inherit_docs
class CSCAP(SpectralMethod):
    """Spectral clustering of a graph through which the pairs have spread.

    Samples are values of a Gaussian process f with covariance A = I + W / delta. A must-link says
    that f_i - f_j is near zero, a cannot-link between two classes that f_i + f_j is. The new
    affinity is (A^-1 + P)^-1, P being the sum over pairs of (e_i -+ e_j)(e_i -+ e_j)' / noise. It
    is brought to a diagonal of one, negative values are set to zero, and spectral clustering
    follows.

    For two clusters this is the published closed form; no public implementation was found, the
    algebra is verified. Our interpretation, as the published text leaves it open: negative values
    are set to zero; delta = margin - lambda_min(W), on which the result depends; and everything
    for more than two clusters, where f_i + f_j = 0 would make two samples the same that both
    differ from a third. There must-links enter as above, then each pair of must-link groups with
    a cannot-link between them multiplies the affinities by (1 - uv')(1 - vu') entry by entry, u
    and v being the affinities of all samples to the two groups. Samples that are marked different
    end up with an affinity of zero.

    Cost: n_samples^2 times the samples in pairs and n_samples^3 for the embedding, dense (1 s for
    1,560 samples), and for each pair of groups n_samples times those near one of them.

    Parameters
    ----------
    noise : float, default=1e-4
        Variance of f_i - f_j for a must-link, and of f_i + f_j for a cannot-link.
    margin : float, default=1e-2
        Smallest eigenvalue of W + delta I, before its diagonal is brought to one.

    References
    ----------
    Z. Lu and M. Carreira-Perpinan, "Constrained spectral clustering through affinity propagation",
    CVPR 2008.

    Examples
    --------
    >>> from samekind import CSCAP
    >>> X = [[0.0], [1.0], [2.1], [3.3], [4.5], [5.6], [6.6]]
    >>> labels = CSCAP(2, n_neighbors=3, random_state=0).fit_predict(X, cannot_link=[(4, 6)])
    >>> bool(labels[4] != labels[6])
    True
    """

    SUPERVISION: ClassVar[str] = "pairs"
    INTERPRETATION: ClassVar[bool] = True

    RANGES: ClassVar[dict[str, Range]] = {"noise": Number(0), "margin": Number(0)}
    DENSE_ARRAYS: ClassVar[int] = 8

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_neighbors: int = 7,
        scale_neighbor: int = 5,
        random_state: RandomState = None,
        memory_limit: float | None = None,
        affinity: str = "nearest_neighbors",
        sparsity: float = 1.0,
        coupling: float = 100.0,
        assign_labels: str = "kmeans",
        noise: float = 1e-4,
        margin: float = 1e-2,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.affinity = affinity
        self.sparsity = sparsity
        self.coupling = coupling
        self.assign_labels = assign_labels
        self.noise = noise
        self.margin = margin

    def _embed(self, W: csr_array, pairs: PairConstraints) -> Embedding:
        A, status = covariance(W, self.margin)
        R = self._propagated(A, pairs)
        np.fill_diagonal(R, 0.0)
        self.affinity_matrix_ = csr_array(R)
        found = spectral_embedding(self.affinity_matrix_, self.n_clusters)
        return found if status.converged else replace(found, status=status)

    def _propagated(self, A: FloatArray, pairs: PairConstraints) -> FloatArray:
        """A diagonal of one and values in [0, 1]."""
        M, C = pairs.must_link_matrix(), pairs.cannot_link_matrix()
        if self.n_clusters == 2:
            return correlation(posterior(A, precision(M, C, self.noise)))
        R = correlation(posterior(A, precision(M, csr_array(C.shape), self.noise)))
        return weakened_between(R, pairs.group_of, linked_groups(pairs.group_of, pairs.cannot_link))
