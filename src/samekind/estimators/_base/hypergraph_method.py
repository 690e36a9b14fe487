"""The base class of methods on a hypergraph: its hyperedges, and the operator O made from them."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from samekind._memory import require_memory
from samekind._selection.scaling import own_order
from samekind._typing import FloatArray
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.label_method import LabelMethod, Spread
from samekind.estimators._base.pair_method import ORDERED_UP_TO, Callback, reordered
from samekind.graph import hypergraph_operator, incidence_from_neighbors
from samekind.graph._hypergraph import checked_incidence

BYTES_PER_ENTRY = 48  # of O: a number, its place, and copies on the way


@inherit_docs
class HypergraphMethod(LabelMethod):
    """A label method on hyperedges; subclasses implement ``_spread_on``.

    Attributes
    ----------
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        O = Dv^-1/2 U We De^-1 U' Dv^-1/2 of the hypergraph, symmetric.
    """

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        incidence: Any = None,
        weights: ArrayLike | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Learn the labels of all rows of X from those of some.

        Parameters
        ----------
        X : array-like, sparse array or frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels, integers; -1 where unknown.
        incidence : array-like or sparse array of shape (n_samples, n_hyperedges), optional
            1 where a sample is in a hyperedge, 0 elsewhere. By default each sample has one
            hyperedge: itself and its nearest, ``n_neighbors`` samples in all. See
            ``samekind.graph.incidence_from_adjacency`` for one from a graph.
        weights : array-like of shape (n_hyperedges,), optional
            Weights of the hyperedges, of 0 or more; ones by default.
        callback : callable, optional
            Called with the record of each epoch by HGNN; HI does not iterate.

        Returns
        -------
        self : the fitted estimator
        """
        return self._fit_labels(X, y, callback, incidence=incidence, weights=weights)

    def _spread(self, X: Any, Y: FloatArray, callback: Callback | None, **more: Any) -> Spread:
        O = self._operator(X, Y, more.pop("incidence"), more.pop("weights"))
        run = self._spread_on(O, X, Y, callback, **more)
        run.fitted["affinity_matrix_"] = O
        return run

    def _behind_the_graph(self, X: Any, more: dict[str, Any]) -> Any:
        return X if more["incidence"] is None else None

    def _local(self, X: Any, run: Spread) -> csr_array:
        O = run.fitted["affinity_matrix_"].copy()
        O.setdiag(0.0)
        O.eliminate_zeros()
        return csr_array(O)

    def _spread_on(
        self, O: csr_array, X: Any, Y: FloatArray, callback: Callback | None, **more: Any
    ) -> Spread:
        """Distributions over the classes, from O and what ``_spread`` of LabelMethod is given."""
        raise NotImplementedError

    def _operator(
        self, X: Any, Y: FloatArray, incidence: Any, weights: ArrayLike | None
    ) -> csr_array:
        n = X.shape[0]
        if incidence is None and n <= ORDERED_UP_TO:
            # Of neighbors at one distance the first are taken: in an order of their own.
            order = own_order(X, list(Y.T))
            U = incidence_from_neighbors(X[order], self.n_neighbors)
            U = reordered(U, np.argsort(order))
        elif incidence is None:
            U = incidence_from_neighbors(X, self.n_neighbors)
        else:
            U = checked_incidence(incidence, n)
        # No two samples are joined twice, and none that share no hyperedge.
        entries = int(min((np.asarray(U.sum(axis=0)) ** 2).sum(), n**2))
        what = f"{type(self).__name__} on hyperedges that join up to {entries} pairs of samples"
        require_memory(
            BYTES_PER_ENTRY * entries, self.memory_limit, what, " with smaller hyperedges"
        )
        return hypergraph_operator(U, weights)
