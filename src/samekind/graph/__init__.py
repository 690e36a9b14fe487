"""From samples to sparse graphs, and from graphs to Laplacians."""

from samekind.graph.components import Pieces, count_pieces, null_space, pieces_of
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
from samekind.graph.neighbours import Neighbours, find_neighbours

__all__ = [
    "Neighbours",
    "Pieces",
    "compact",
    "count_pieces",
    "find_neighbours",
    "identity_minus",
    "laplacian",
    "local_graph",
    "local_graph_of",
    "local_weights",
    "nearest_rows",
    "normalised_laplacian",
    "null_space",
    "others_needed",
    "pieces_of",
    "scale_rows",
    "symmetrised",
]
