"""SC: spectral clustering without supervision (Ng, Jordan and Weiss)."""

from typing import ClassVar

from scipy.sparse import csr_array

from samekind._kernels.spectral import Embedding, spectral_embedding
from samekind._typing import RandomState
from samekind.constraints import PairConstraints
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.spectral_method import SpectralMethod


@inherit_docs
class SC(SpectralMethod):
    """Spectral clustering: the cheapest cuts of the graph; pairs are ignored.

    H minimizes Tr(H'NH) over H'H = I, where N = I - D^-1/2 W D^-1/2 and k columns are kept; rows
    at unit length go to k-means. Pairs are evaluated in ``constraint_report_`` only.

    Verified against scikit-learn's spectral embedding of the same graph. Samples without edges
    have a row of zeros in N, where the original divides by zero. Cost: nearest neighbors,
    then n_samples times the neighbors for each product of a partial eigensolver.

    References
    ----------
    A. Ng, M. Jordan and Y. Weiss, "On spectral clustering: analysis and an algorithm", 2001.

    Examples
    --------
    >>> from samekind import SC
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> labels = SC(2, n_neighbors=3, random_state=0).fit_predict(X)
    >>> bool(labels[0] == labels[2] != labels[3] == labels[5])
    True
    """

    SUPERVISION: ClassVar[str] = "none"

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

    def _embed(self, W: csr_array, pairs: PairConstraints) -> Embedding:
        self.affinity_matrix_ = W
        return spectral_embedding(W, self.n_clusters)
