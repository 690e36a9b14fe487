"""CSP: constrained spectral clustering (Wang, Qian and Davidson)."""

from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, diags_array

from samekind._kernels.csp import constrained_embedding
from samekind._kernels.spectral import Embedding, spectral_embedding
from samekind._typing import RandomState
from samekind.constraints import PairConstraints
from samekind.estimators._base.caller import warn_caller
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.parameters import OneOf, Range
from samekind.estimators._base.spectral_method import SpectralMethod


@inherit_docs
class CSP(SpectralMethod):
    """Constrained spectral clustering: the cheapest cuts that agree with the pairs.

    Minimize v'Nv over v'v = vol and v'Qv >= b vol, where N is the normalized Laplacian and Q holds
    1 for must-links, -1 for cannot-links and 1 on the diagonal of samples in pairs. Two clusters
    are the signs of the one cheapest vector; more come from up to K - 1 of them, weighted by
    1 - cost. The bound b is half the (K-1)-th largest eigenvalue of Q.

    Verified against the steps of the authors' public code (csp.m, csp_K.m), two-way and K-way,
    samples without edges included. Chosen here, where the two codes differ: Q is normalized by the
    degrees in both forms, b is computed from eigenvalues and not from singular values. Vectors of
    one sign cut nothing and are passed over. Samples with no path to a pair have coordinates of
    zero and end up together.

    The rule for b is ours where pairs are not those of labels. csp_K.m takes the middle between
    the (K-1)-th and the K-th value; with labels of all classes the K-th is zero, and the two rules
    are one. With random pairs neighboring values hardly differ: the middle then asks for nearly all
    that the pairs can give, and the cuts follow the pairs more than the graph. Cost: n_samples^3
    (1 s for 1,560 samples), dense.

    Parameters
    ----------
    pair_weights : {"normalized", "raw"}, default="normalized"
        Whether Q is divided by the square roots of the degrees, as the graph is in N, or used
        as it is.

    Attributes
    ----------
    n_cuts_ : int
        Columns of the embedding, at most n_clusters - 1. Where no cut agrees with the pairs, or
        no pairs are given, this is 0, and the embedding is that of spectral clustering.

    References
    ----------
    X. Wang, B. Qian and I. Davidson, "On constrained spectral clustering and its applications",
    Data Mining and Knowledge Discovery 28, 2014.

    Examples
    --------
    >>> from samekind import CSP
    >>> X = [[0.0], [1.0], [2.1], [3.3], [4.5], [5.6], [6.6]]
    >>> model = CSP(2, n_neighbors=3, random_state=0)
    >>> labels = model.fit_predict(X, must_link=[(0, 4)], cannot_link=[(0, 6), (4, 6)])
    >>> bool(labels[0] == labels[3] == labels[4] != labels[6])
    True
    """

    SUPERVISION: ClassVar[str] = "pairs"

    RANGES: ClassVar[dict[str, Range]] = {"pair_weights": OneOf(("normalized", "raw"))}
    DENSE_ARRAYS: ClassVar[int] = 5

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
        pair_weights: str = "normalized",
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
        self.pair_weights = pair_weights

    def _embed(self, W: csr_array, pairs: PairConstraints) -> Embedding:
        self.affinity_matrix_ = W
        self.n_cuts_ = 0
        Q = agreement(pairs)
        if self.n_clusters > 1 and Q.nnz:
            normalized = self.pair_weights == "normalized"
            found = constrained_embedding(W, Q, self.n_clusters, normalized=normalized)
            self.n_cuts_ = found.H.shape[1]
            self._warn_of_few_cuts()
        return found if self.n_cuts_ else spectral_embedding(W, self.n_clusters)

    def _warn_of_few_cuts(self) -> None:
        if self.n_cuts_ < self.n_clusters - 1:
            used = "these alone are" if self.n_cuts_ else "spectral clustering without pairs is"
            warn_caller(
                f"CSP found {self.n_cuts_} cuts that agree with the pairs, where {self.n_clusters} "
                f"clusters take {self.n_clusters - 1}; {used} used; pass pairs of more clusters, "
                "cannot-links among them"
            )


def agreement(pairs: PairConstraints) -> csr_array:
    """Q: 1 for must-links, -1 for cannot-links, 1 on the diagonal of samples in pairs.

    Examples
    --------
    >>> agreement(PairConstraints(3, cannot_link=[(0, 2)])).toarray()
    array([[ 1.,  0., -1.],
           [ 0.,  0.,  0.],
           [-1.,  0.,  1.]])
    """
    M, C = pairs.must_link_matrix(), pairs.cannot_link_matrix()
    in_pairs = np.asarray((M + C).sum(axis=1)).ravel() > 0
    return csr_array(M - C + diags_array(in_pairs.astype(np.float64)))
