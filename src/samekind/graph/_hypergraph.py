"""Hypergraphs: O = Dv^-1/2 U We De^-1 U' Dv^-1/2 from an incidence matrix U, and its Laplacian.

A hyperedge joins any number of samples. ``U[v, e]`` is 1 where hyperedge e holds sample v; We
holds the weights of the hyperedges, De how many samples each has, and Dv the summed weight of
the hyperedges that a sample lies in.

Differs from the paper: a sample in no hyperedge has degree zero, where Dv^-1/2 does not exist.
Its rows of O and of the Laplacian are zero, as for a sample without edges in a graph.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, diags_array, eye_array

from samekind._typing import FloatArray
from samekind.graph._knn import nearest_rows
from samekind.graph._matrices import compact, real_matrix, sample_matrix


def incidence_from_adjacency(adjacency: Any) -> csr_array:
    """One hyperedge for each vertex: the vertex and its neighbors.

    Parameters
    ----------
    adjacency : array-like or sparse array, (n_samples, n_samples)
        i and j are neighbors where entry (i, j) or (j, i) is not zero.

    Returns
    -------
    csr_array, (n_samples, n_samples)
        Column e holds the members of the hyperedge of vertex e.

    Examples
    --------
    >>> incidence_from_adjacency([[0, 1, 0], [1, 0, 1], [0, 1, 0]]).toarray()
    array([[1., 1., 0.],
           [1., 1., 1.],
           [0., 1., 1.]])
    """
    A = abs(real_matrix(adjacency, "adjacency"))
    if A.shape[0] != A.shape[1]:
        raise ValueError(
            f"adjacency has shape {A.shape}; expected one row and one column for each sample"
        )
    if not np.isfinite(A.data).all():
        raise ValueError("adjacency holds entries that are not finite; use 0 for no neighbor")
    U = csr_array(A + A.T + eye_array(A.shape[0]))
    U.eliminate_zeros()
    return _ones(U)


def incidence_from_neighbors(X: Any, n_neighbors: int = 7) -> csr_array:
    """One hyperedge for each sample: the sample and those nearest to it.

    Parameters
    ----------
    X : array-like or sparse array, (n_samples, n_features)
    n_neighbors : int, default=7
        Samples of a hyperedge, the sample itself included; at most n_samples are used.

    Returns
    -------
    csr_array, (n_samples, n_samples)
        Column e holds the members of the hyperedge of sample e.

    Examples
    --------
    >>> incidence_from_neighbors([[0.0], [1.0], [3.0]], n_neighbors=2).toarray()
    array([[1., 1., 0.],
           [1., 1., 1.],
           [0., 0., 1.]])
    """
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors is {n_neighbors}; expected an int in the range [1, inf)")
    X = sample_matrix(X)
    n = X.shape[0]
    others = min(n_neighbors, n) - 1
    nearest, _ = nearest_rows(X, others)
    members = np.column_stack([np.arange(n), nearest]).ravel()
    starts = np.arange(n + 1) * (others + 1)
    return compact(csr_array(csr_array((np.ones(len(members)), members, starts), shape=(n, n)).T))


def checked_incidence(incidence: Any, n_samples: int | None = None) -> csr_array:
    """An incidence matrix that the user provides: entries 0 or 1, no empty hyperedge.

    Examples
    --------
    >>> checked_incidence([[1, 0], [1, 0]])
    Traceback (most recent call last):
        ...
    ValueError: hyperedge 1 of the incidence matrix holds no sample; leave its column out
    """
    U = real_matrix(incidence, "incidence")
    if n_samples is not None and U.shape[0] != n_samples:
        raise ValueError(
            f"incidence has {U.shape[0]} rows but X has {n_samples}; expected one row for each "
            "sample and one column for each hyperedge"
        )
    if (U.data != 1).any():
        raise ValueError(
            f"incidence holds {U.data[U.data != 1][0]:g}; expected 1 where a sample is in a "
            "hyperedge and 0 elsewhere; weights of hyperedges go to weights="
        )
    empty = np.flatnonzero(_sizes(U) == 0)
    if len(empty):
        raise ValueError(
            f"hyperedge {empty[0]} of the incidence matrix holds no sample; leave its column out"
        )
    return compact(U)


def checked_weights(weights: ArrayLike | None, n_hyperedges: int) -> FloatArray:
    """One finite weight of 0 or more for each hyperedge; ones by default.

    Examples
    --------
    >>> checked_weights(None, 2)
    array([1., 1.])
    >>> checked_weights([1.0, -2.0], 2)
    Traceback (most recent call last):
        ...
    ValueError: weights[1] is -2; expected finite weights of 0 or more
    """
    if weights is None:
        return np.ones(n_hyperedges)
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (n_hyperedges,):
        raise ValueError(
            f"weights has shape {w.shape} but there are {n_hyperedges} hyperedges; expected one "
            "weight for each"
        )
    wrong = ~(np.isfinite(w) & (w >= 0))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(f"weights[{first}] is {w[first]:g}; expected finite weights of 0 or more")
    return w


def hypergraph_operator(incidence: Any, weights: ArrayLike | None = None) -> csr_array:
    """O = Dv^-1/2 U We De^-1 U' Dv^-1/2, symmetric with eigenvalues in [0, 1].

    Methods that take a graph run on W + gamma O: ``DGSL(k).fit(X, constraints=pairs,
    graph=W + 0.5 * O)``; the diagonal of O, which joins nothing, is dropped there.

    Parameters
    ----------
    incidence : array-like or sparse array, (n_samples, n_hyperedges)
        1 where a sample is in a hyperedge, 0 elsewhere.
    weights : array-like, (n_hyperedges,), optional
        Of 0 or more; ones by default. O does not depend on their scale.

    Returns
    -------
    csr_array, (n_samples, n_samples)
        Rows of samples in no hyperedge are zero.

    Examples
    --------
    >>> import numpy as np
    >>> hypergraph_operator([[1, 0], [1, 1], [0, 1], [0, 0]]).toarray().round(3)
    array([[0.5  , 0.354, 0.   , 0.   ],
           [0.354, 0.5  , 0.354, 0.   ],
           [0.   , 0.354, 0.5  , 0.   ],
           [0.   , 0.   , 0.   , 0.   ]])

    Beside a graph of nearest neighbors:

    >>> from samekind import DGSL, PairConstraints
    >>> from samekind.graph import local_graph
    >>> X = np.array([[0, 3], [0.3, 3], [0.6, 3], [9, -3], [9.3, -3], [9.6, -3]])
    >>> W, pairs = local_graph(X, 3), PairConstraints(6, cannot_link=[(0, 3)])
    >>> O = hypergraph_operator([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1]])
    >>> labels = DGSL(2, random_state=0).fit(X, constraints=pairs, graph=W + 0.5 * O).labels_
    >>> bool(labels[0] == labels[2] != labels[3] == labels[5])
    True
    """
    U = checked_incidence(incidence)
    w = checked_weights(weights, U.shape[1])
    w = w / max(w.max(initial=0.0), np.finfo(float).tiny)  # else a sum could overflow
    degree = U @ w
    inverse_root = np.where(degree > 0, 1 / np.sqrt(np.where(degree > 0, degree, 1.0)), 0.0)
    half = csr_array(diags_array(inverse_root) @ U @ diags_array(np.sqrt(w / _sizes(U))))
    half.sort_indices()  # sums in the same order on both sides: O is symmetric to the last digit
    O = csr_array(half @ half.T)
    O.eliminate_zeros()
    return compact(O)


def hypergraph_laplacian(incidence: Any, weights: ArrayLike | None = None) -> csr_array:
    """I - O, with rows of zeros for samples in no hyperedge; eigenvalues lie in [0, 1].

    f'(I - O)f is half the sum, over hyperedges e and pairs u, v of their members, of
    w_e / delta_e (f_u / sqrt(d_u) - f_v / sqrt(d_v))^2. Hyperedges of two samples give half the
    normalized Laplacian of the graph with these edges.

    Parameters
    ----------
    incidence : array-like or sparse array, (n_samples, n_hyperedges)
        1 where a sample is in a hyperedge, 0 elsewhere.
    weights : array-like, (n_hyperedges,), optional
        Of 0 or more; ones by default.

    Returns
    -------
    csr_array, (n_samples, n_samples)

    Examples
    --------
    >>> hypergraph_laplacian([[1], [1], [0]]).toarray()
    array([[ 0.5, -0.5,  0. ],
           [-0.5,  0.5,  0. ],
           [ 0. ,  0. ,  0. ]])
    """
    O = hypergraph_operator(incidence, weights)
    joined = (O.diagonal() > 0).astype(np.float64)
    return csr_array(diags_array(joined) - O)


def _ones(S: csr_array) -> csr_array:
    """Ones in the places of S that are not zero."""
    return compact(csr_array((np.ones(S.nnz), S.indices, S.indptr), shape=S.shape))


def _sizes(U: csr_array) -> FloatArray:
    """How many samples each hyperedge holds."""
    return np.bincount(U.indices, minlength=U.shape[1]).astype(np.float64)
