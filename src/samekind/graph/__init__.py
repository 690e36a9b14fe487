"""From samples to sparse graphs, and from graphs to Laplacians."""

from samekind.graph.components import Pieces, count_pieces, null_space, pieces_of
from samekind.graph.hypergraph import (
    checked_incidence,
    hypergraph_laplacian,
    hypergraph_operator,
    incidence_from_adjacency,
    incidence_from_neighbours,
)
from samekind.graph.knn import (
    local_graph,
    local_graph_of,
    local_weights,
    nearest_rows,
    others_needed,
)
from samekind.graph.laplacian import (
    compact,
    identity_minus,
    laplacian,
    normalised_laplacian,
    scale_rows,
    symmetrised,
)
from samekind.graph.matrices import real_matrix
from samekind.graph.neighbours import Neighbours, find_neighbours

__all__ = [
    "Neighbours",
    "Pieces",
    "checked_incidence",
    "compact",
    "count_pieces",
    "find_neighbours",
    "hypergraph_laplacian",
    "hypergraph_operator",
    "identity_minus",
    "incidence_from_adjacency",
    "incidence_from_neighbours",
    "laplacian",
    "local_graph",
    "local_graph_of",
    "local_weights",
    "nearest_rows",
    "normalised_laplacian",
    "null_space",
    "others_needed",
    "pieces_of",
    "real_matrix",
    "scale_rows",
    "symmetrised",
]
