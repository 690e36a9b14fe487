"""From samples to sparse graphs, and from graphs to Laplacians."""

from samekind.graph.components import Pieces, count_pieces, null_space, pieces_of
from samekind.graph.knn import local_graph, local_weights, nearest_rows
from samekind.graph.laplacian import (
    compact,
    laplacian,
    normalised_laplacian,
    scale_rows,
    symmetrised,
)

__all__ = [
    "Pieces",
    "compact",
    "count_pieces",
    "laplacian",
    "local_graph",
    "local_weights",
    "nearest_rows",
    "normalised_laplacian",
    "null_space",
    "pieces_of",
    "scale_rows",
    "symmetrised",
]
