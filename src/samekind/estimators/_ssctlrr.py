"""SSCTLRR: pairs and a low-rank representation as one tensor (Jia, Lu, Liu and Hou)."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.constraint_refinement import at_most_one, refine
from samekind._kernels.low_rank_representation import RotatedRows, low_rank_representation
from samekind._kernels.proximal import soft
from samekind._kernels.spectral import Embedding, spectral_embedding
from samekind._kernels.status import Status
from samekind._kernels.tensor_low_rank import tensor_representation
from samekind._typing import FloatArray, RandomState
from samekind.constraints import PairConstraints
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.pair_method import Given
from samekind.estimators._base.parameters import Number, Range, Whole
from samekind.estimators._base.spectral_method import SpectralMethod
from samekind.graph import laplacian
from samekind.graph._matrices import symmetrized


@inherit_docs
class SSCTLRR(SpectralMethod):
    """Tensor low-rank representation: pairs and similarities complete each other.

    For rows of X at unit length, Z and B minimize
    (|Z + B|_* + |Z - B|_*) / 2 + lambda |X - Z X|_21 + beta Tr(B'LB) with B = s for must-links,
    -s for cannot-links: the nuclear norm of a tensor of two slices, representation and pairs. L
    is the Laplacian of the local graph, must-links at weight 1 and cannot-links at 0; s is the
    largest weight of the low-rank representation without pairs. |Z|, scaled to [0, 1], then has
    B / s worked into it as in E2CP, and the normalized Laplacian of the result is embedded as in
    SC.

    Written after the public code of the authors, and close to its published accuracy on COIL20.
    Differs from it: the steps are in the order for which convergence is proved; the local graph
    is that of the other methods here, with a length scale for each sample; s comes from lambda
    and not from a lambda of its own; |Z| is scaled as a whole and not by columns; beliefs B / s
    beyond 1 count as 1. The penalty grows as it does there, so that the end meets the constraints
    within ``tol`` and is near the optimum, not at it. Cost: n_samples^3 for each of about 100
    steps; about 120 s for 1,440 samples on one core.

    Units: rows are brought to unit length, so that the scale of X does not matter, but its origin
    does: X + c is another problem, and far from the origin all rows look alike. Center X where it
    has no natural zero.

    Parameters
    ----------
    noise_weight : float, default=0.5
        lambda: weight of the error.
    smoothness : float, default=10.0
        beta: how alike near samples are in what is believed of their pairs.
    max_iter : int, default=500
        Most steps.
    tol : float, default=1e-3
        It stops once no entry is further than this from its copy or moves by more.

    Attributes
    ----------
    representation_ : ndarray of shape (n_samples, n_samples)
        Z: row i holds the weights of samples in sample i.
    beliefs_ : ndarray of shape (n_samples, n_samples)
        B / s, between -1, different, and 1, the same.
    n_iter_ : int
        Steps taken.

    References
    ----------
    Y. Jia, G. Lu, H. Liu and J. Hou, "Semi-supervised subspace clustering via tensor low-rank
    representation", 2023.

    Examples
    --------
    >>> from samekind import SSCTLRR
    >>> X = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.2], [0.0, 1.0], [0.1, 1.0], [0.2, 1.0]]
    >>> labels = SSCTLRR(2, n_neighbors=3, random_state=0).fit_predict(X, cannot_link=[(0, 3)])
    >>> bool(labels[0] == labels[2] != labels[3] == labels[5])
    True
    """

    SUPERVISION: ClassVar[str] = "pairs"

    RANGES: ClassVar[dict[str, Range]] = {
        "noise_weight": Number(0),
        "smoothness": Number(0, closed=True),
        "max_iter": Whole(1),
        "tol": Number(0),
    }
    DENSE_ARRAYS: ClassVar[int] = 20

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
        noise_weight: float = 0.5,
        smoothness: float = 10.0,
        max_iter: int = 500,
        tol: float = 1e-3,
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
        self.noise_weight = noise_weight
        self.smoothness = smoothness
        self.max_iter = max_iter
        self.tol = tol

    def _coordinates(self, W: csr_array, given: Given) -> Embedding:
        rows = RotatedRows.of(given.X)
        same, different = given.pairs.must_link_matrix(), given.pairs.cannot_link_matrix()
        alone = low_rank_representation(rows, 0.0, self.noise_weight, soft, tol=self.tol)
        scale = float(alone.C.max()) or 1.0
        found = tensor_representation(
            rows,
            laplacian(with_pairs(at_most_one(W), given.pairs)),
            csr_array(scale * (same - different)),
            self.noise_weight,
            self.smoothness,
            tol=self.tol,
            max_iter=self.max_iter,
            callback=given.callback,
        )
        self.representation_, self.n_iter_ = found.Z, found.n_iter
        self.beliefs_ = np.clip(found.B / scale, -1.0, 1.0)
        self.affinity_matrix_ = believed(found.Z, self.beliefs_)
        embedding = spectral_embedding(self.affinity_matrix_, self.n_clusters)
        if found.status.converged and self.affinity_matrix_.nnz == 0:
            return replace(embedding, status=Status.EDGELESS)
        return embedding if found.status.converged else replace(embedding, status=found.status)


def with_pairs(W: csr_array, pairs: PairConstraints) -> csr_array:
    """W with must-links at weight 1 and cannot-links at 0.

    Examples
    --------
    >>> W = csr_array([[0.0, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.0]])
    >>> with_pairs(W, PairConstraints(3, [(0, 2)], [(1, 2)])).toarray()
    array([[0. , 0.5, 1. ],
           [0.5, 0. , 0. ],
           [1. , 0. , 0. ]])
    """
    same = pairs.must_link_matrix()
    in_pairs = same + pairs.cannot_link_matrix()
    W = csr_array(W - W.multiply(in_pairs) + same)
    W.eliminate_zeros()
    return W


def believed(Z: FloatArray, beliefs: FloatArray) -> csr_array:
    """|Z|, symmetric and scaled to [0, 1], with beliefs worked in and without its diagonal.

    Examples
    --------
    >>> Z = np.array([[4.0, -2.0], [2.0, 0.0]])
    >>> believed(Z, np.array([[0.0, 0.5], [0.5, 0.0]])).toarray()
    array([[0.  , 0.75],
           [0.75, 0.  ]])
    """
    weight = (np.abs(Z) + np.abs(Z.T)) / 2
    weight -= weight.min()
    weight /= weight.max() if weight.any() else 1.0
    refine(weight, beliefs)
    np.fill_diagonal(weight, 0.0)
    return symmetrized(csr_array(weight))
