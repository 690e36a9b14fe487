"""A view: the rows in one scaling, with the graphs and coefficients that are made from them."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from samekind._selection.graphs import (
    CandidateGraphs,
    Coefficients,
    local_graphs,
    n_nearest,
    neighborhoods,
    projection,
    representation_graph,
    settled_ties,
    sharing,
    strongest_coefficients,
)
from samekind._selection.relevant import Relevant
from samekind._selection.scaling import (
    Moments,
    Scaling,
    own_order,
    principal_components,
    scaling_of,
)
from samekind._typing import FloatArray, IntArray
from samekind.graph import find_neighbors

N_CANDIDATES = 20  # nearest others that represent a sample, where samples are many
MORE_FOR_TIES = 8
# Trace of P, the degrees of freedom of the representation. In fewer dimensions than a row keeps
# coefficients, it is a combination of any others: then R joins what lies in the same direction.
LEAST_DIMENSIONS = 10
SCALE_NEIGHBOR = 5  # whose distance is the unit of new rows, a row itself being the first


@dataclass(frozen=True)
class Represented:
    """Every sample as a combination of all."""

    P: FloatArray

    @cached_property
    def coefficients(self) -> Coefficients:
        return strongest_coefficients(self.P)


@dataclass(frozen=True)
class View:
    """Rows in one scaling, with what was made from them."""

    X: Any
    scaling: Scaling
    standardized: bool
    graphs: CandidateGraphs
    order: IntArray  # of the rows, whatever the order they came in
    nearest: IntArray
    recall: float
    represented: Represented | None  # None for many samples

    def without_candidates(self) -> "View":
        """What is needed after the choice: the graphs of many samples take much memory."""
        narrow = CandidateGraphs({"graph": self.graphs.narrow_local}, None)
        return replace(self, graphs=narrow, nearest=self.nearest[:0])


def view_of(
    X: Any,
    graph: csr_array | None,
    *,
    standardized: bool,
    whole: bool = True,
    n_clusters: int | None = None,
    moments: Moments | None = None,
    n_components: int | None = None,
    relevant: Relevant | None = None,
    only: tuple[int, int] | None = None,
) -> View:
    """The view of rows as they came.

    Parameters
    ----------
    X : ndarray or sparse array, (n_samples, n_features)
    graph : csr_array, optional
        Of the user, in place of all local graphs.
    standardized : bool
        Whether features are divided by their standard deviations.
    whole : bool
        Whether every sample is represented by all, rather than by its nearest alone.
    n_clusters : int, optional
        Where it is known: few large clusters get a graph with more neighbors too.
    moments : Moments, optional
        Of X, if they are known.
    n_components : int, optional
        Principal components that rows are reduced to.
    relevant : Relevant, optional
        In place of that, directions and the units along them.
    only : (m, l), optional
        The only local graph that is made.
    """
    n, dtype = X.shape[0], np.float64 if whole else X.dtype
    scaling = scaling_of(X, standardize=standardized, dtype=dtype, moments=moments)
    rows = scaling.apply(X)
    order = own_order(rows)  # before directions come in, whose signs are not defined
    if n_components is not None:
        scaling = replace(scaling, components=principal_components(rows, n_components))
    if relevant is not None:
        scaling = replace(scaling, components=relevant.components, stretch=relevant.stretch)
    if scaling.components is not None:
        rows = scaling.apply(X)
    sizes = (only,) if only else neighborhoods(n, n_clusters if whole else None)
    wanted = max(n_nearest(n, sizes), 0 if whole else N_CANDIDATES)
    found = find_neighbors(rows, min(wanted + MORE_FOR_TIES, n - 1))
    nearest, distance = settled_ties(found.nearest, found.distance, wanted, order)
    local: Any = {"graph": sharing(graph)} if graph is not None else {}
    if graph is None:
        local = local_graphs(nearest, distance, sizes)
    represented = R = None
    if whole:
        P = projection(rows)
        represented = Represented(P)
        if np.trace(P) >= LEAST_DIMENSIONS:
            R = representation_graph(strongest_coefficients(P, positive=True))
    graphs = CandidateGraphs(local, R if R is not None and R.nnz else None)
    scaling = replace(scaling, scale=scaling.scale * _unit(distance))
    return View(rows, scaling, standardized, graphs, order, nearest, found.recall, represented)


def _unit(distance: FloatArray) -> float:
    """The usual distance to a neighbor: new rows are compared in this unit."""
    column = distance[:, min(SCALE_NEIGHBOR - 2, distance.shape[1] - 1)]
    return float(np.median(column)) or float(distance.max()) or 1.0
