"""E2CP: exhaustive and efficient constraint propagation (Lu and Ip)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, vstack

from samekind._kernels.constraint_refinement import at_most_one, refine
from samekind._kernels.propagation import solve_spd
from samekind._kernels.spectral import Embedding, embedding_by_products, spectral_embedding
from samekind._kernels.status import Status
from samekind._typing import FloatArray, IntArray, RandomState
from samekind.constraints import PairConstraints
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.parameters import Number, Range
from samekind.estimators._base.spectral_method import SpectralMethod
from samekind.graph import normalized_laplacian
from samekind.graph._matrices import compact, identity_minus

BLOCK_ROWS = 256


@inherit_docs
class E2CP(SpectralMethod):
    """Constraint propagation: pairs also count for nearby samples, then spectral clustering.

    With Q = 1 for must-links, -1 for cannot-links and S = D^-1/2 W D^-1/2,
    F = (1 - alpha)^2 (I - alpha S)^-1 Q (I - alpha S)^-1 spreads the pairs from either end. F,
    scaled to max |F| = 1, is worked into the graph: W <- 1 - (1 - F)(1 - W) where F >= 0, and
    (1 + F) W elsewhere. The normalized Laplacian of the result is embedded as in SC.

    Derived from the description of the method. Chosen here: F is scaled, which public code leaves
    as it is, and the diagonal of the result is left out, as in SC. The weights of W are meant to
    lie in [0, 1]: a precomputed graph with larger ones is divided by its largest. Q is zero but for
    samples in pairs, so that the inverse is solved for their columns alone. Cost: nearest
    neighbors, a sparse system and n_samples^2 steps for each sample in a pair; then as many for
    each product of a partial eigensolver as there are pairs with F > 0: about one in k where labels
    give the pairs, and all of them where there are must-links alone.

    Parameters
    ----------
    alpha : float, default=0.5
        How far pairs spread: near 0 hardly, near 1 over the whole graph. The original tunes it;
        0.5 did best on average over the paper's data, 0.2 better on some and 0.8 on others.

    References
    ----------
    Z. Lu and H. Ip, "Constrained spectral clustering via exhaustive and efficient constraint
    propagation", 2010. Z. Lu and Y. Peng, "Exhaustive and efficient constraint propagation: a
    graph-based learning approach and its applications", 2013.

    Examples
    --------
    >>> from samekind import E2CP
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0], [9.1], [9.2]]
    >>> model = E2CP(2, n_neighbors=3, random_state=0)
    >>> labels = model.fit(X, must_link=[(0, 8)], cannot_link=[(0, 4)]).labels_
    >>> bool(labels[1] == labels[7] != labels[3])
    True
    """

    SUPERVISION: ClassVar[str] = "pairs"

    RANGES: ClassVar[dict[str, Range]] = {"alpha": Number(0, closed=True, below=1)}
    # Where every pair of samples gets a weight: 12 bytes with its place, and twice that at times.
    DENSE_ARRAYS: ClassVar[int] = 3

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
        alpha: float = 0.5,
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
        self.alpha = alpha

    def _embed(self, W: csr_array, pairs: PairConstraints) -> Embedding:
        W = at_most_one(W)
        Q = csr_array(pairs.must_link_matrix() - pairs.cannot_link_matrix())
        if Q.nnz == 0:
            self.affinity_matrix_ = W
            return spectral_embedding(W, self.n_clusters)
        self.affinity_matrix_, status = _refined(W, Q, self.alpha)
        found = embedding_by_products(self.affinity_matrix_, self.n_clusters)
        return found if status.converged else replace(found, status=status)


def _refined(W: csr_array, Q: csr_array, alpha: float) -> tuple[csr_array, Status]:
    """W with F, scaled to max |F| = 1, worked in."""
    blocks, status = _refined_blocks(W, Q, alpha)
    return compact(vstack(blocks, format="csr")), status


def _refined_blocks(W: csr_array, Q: csr_array, alpha: float) -> tuple[list[csr_array], Status]:
    """Some rows at a time, so that neither F nor the result is ever held as a dense whole."""
    in_pairs = np.flatnonzero(np.diff(Q.indptr))
    Q = csr_array(Q[in_pairs][:, in_pairs])
    G, status = _columns(W, in_pairs, alpha)
    largest = max(float(np.abs(F).max()) for _, F in _beliefs(G, Q))
    blocks = list[csr_array]()
    for rows, F in _beliefs(G, Q):
        block = refine(W[rows].toarray(), F / largest)
        block[np.arange(len(block)), rows.start + np.arange(len(block))] = 0.0
        blocks.append(csr_array(block))
    return blocks, status


def _columns(W: csr_array, samples: IntArray, alpha: float) -> tuple[FloatArray, Status]:
    """Columns of (I - alpha S)^-1 with S = D^-1/2 W D^-1/2."""
    S = identity_minus(normalized_laplacian(W))
    S.setdiag(0.0)  # a sample without edges has a row of ones here
    asked = np.zeros((W.shape[0], len(samples)))
    asked[samples, np.arange(len(samples))] = 1.0
    return solve_spd(identity_minus(csr_array(alpha * S)), asked)


def _beliefs(G: FloatArray, Q: csr_array) -> Iterator[tuple[slice, FloatArray]]:
    """F = G Q G' by rows, but for the factor (1 - alpha)^2, which the scaling cancels."""
    for start in range(0, len(G), BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        yield rows, (G[rows] @ Q) @ G.T
