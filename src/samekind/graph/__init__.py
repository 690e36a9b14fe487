"""From samples to sparse graphs, and from graphs to Laplacians."""

from samekind.graph._hypergraph import (
    hypergraph_laplacian,
    hypergraph_operator,
    incidence_from_adjacency,
    incidence_from_neighbors,
)
from samekind.graph._knn import local_graph
from samekind.graph._laplacian import laplacian, normalized_laplacian
from samekind.graph._neighbors import Neighbors, find_neighbors

__all__ = [
    "Neighbors",
    "find_neighbors",
    "hypergraph_laplacian",
    "hypergraph_operator",
    "incidence_from_adjacency",
    "incidence_from_neighbors",
    "laplacian",
    "local_graph",
    "normalized_laplacian",
]
