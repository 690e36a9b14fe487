"""From samples to sparse graphs, and from graphs to Laplacians."""

from samekind.graph.components import Pieces, count_pieces, null_space, pieces_of
from samekind.graph.hypergraph import (
    checked_incidence,
    hypergraph_laplacian,
    hypergraph_operator,
    incidence_from_adjacency,
    incidence_from_neighbors,
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
    normalized_laplacian,
    scale_rows,
    symmetrized,
)
from samekind.graph.matrices import real_matrix
from samekind.graph.neighbors import Neighbors, find_neighbors

__all__ = [
    "Neighbors",
    "Pieces",
    "checked_incidence",
    "compact",
    "count_pieces",
    "find_neighbors",
    "hypergraph_laplacian",
    "hypergraph_operator",
    "identity_minus",
    "incidence_from_adjacency",
    "incidence_from_neighbors",
    "laplacian",
    "local_graph",
    "local_graph_of",
    "local_weights",
    "nearest_rows",
    "normalized_laplacian",
    "null_space",
    "others_needed",
    "pieces_of",
    "real_matrix",
    "scale_rows",
    "symmetrized",
]
