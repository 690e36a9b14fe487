"""SL: spectral learning with pairs written into the graph (Kamvar, Klein and Manning)."""

from typing import ClassVar

from scipy.sparse import csr_array

from samekind._kernels.constraint_refinement import at_most_one
from samekind._kernels.spectral import Embedding, spectral_embedding
from samekind._typing import RandomState
from samekind.constraints import PairConstraints
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.spectral_method import SpectralMethod
from samekind.graph._matrices import compact


@inherit_docs
class SL(SpectralMethod):
    """Spectral learning: must-links have weight 1 in the graph, cannot-links 0.

    H minimizes Tr(H'LH) over H'H = I, where L = D - A is the Laplacian of the graph A: its
    weights are 1 for must-links, 0 for cannot-links and those of W elsewhere. k columns are kept,
    and rows at unit length go to k-means. The original takes the top eigenvectors of
    (A + d_max I - D) / d_max = I - L / d_max, which are the same vectors.

    Derived from the description of the method and checked against that normalization; no public
    implementation is known. k-means in place of the original's classifier of rows is the usual
    form for clustering. The weights of W are meant to lie in [0, 1], where 1 is as near as two
    samples get: a precomputed graph with larger ones is divided by its largest. Cost: nearest
    neighbors, then n_samples times the neighbors for each product of a partial eigensolver.

    References
    ----------
    S. Kamvar, D. Klein and C. Manning, "Spectral learning", 2003.

    Examples
    --------
    >>> from samekind import SL
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = SL(2, n_neighbors=3, random_state=0).fit(X, cannot_link=[(1, 2)])
    >>> bool(model.labels_[0] == model.labels_[1] != model.labels_[2] == model.labels_[5])
    True
    """

    SUPERVISION: ClassVar[str] = "pairs"

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
        self.affinity_matrix_ = _overruled(at_most_one(W), pairs)
        return spectral_embedding(self.affinity_matrix_, self.n_clusters, normalized=False)


def _overruled(W: csr_array, pairs: PairConstraints) -> csr_array:
    """W with 1 for must-links and 0 for cannot-links, whatever stood there."""
    must = pairs.must_link_matrix()
    A = csr_array(W - W.multiply(must + pairs.cannot_link_matrix()) + must)
    A.eliminate_zeros()
    return compact(A)
