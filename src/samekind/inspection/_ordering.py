"""Large matrices made small enough to look at: rows by cluster, then blocks of cells.

A picture of 400 x 400 cells shows a graph on any number of samples. Blocks are formed
without the n x n matrix: the largest |Z| of a block comes from the non-zeros, and the
mean squared distance between two blocks of rows follows from their means alone.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import coo_array

from samekind._kernels.shrink import unit_rows
from samekind._typing import FloatArray, IntArray


def cluster_order(labels: IntArray) -> IntArray:
    """Rows by cluster, and inside a cluster as they came.

    Examples
    --------
    >>> cluster_order(np.array([1, 0, 1, 0]))
    array([1, 3, 0, 2])
    """
    return np.argsort(labels, kind="stable")


def block_edges(n: int, most: int) -> IntArray:
    """Edges of at most ``most`` runs of nearly equal length that cover ``range(n)``.

    Examples
    --------
    >>> block_edges(7, 3)
    array([0, 2, 5, 7])
    """
    blocks = min(n, most)
    return np.round(np.linspace(0, n, blocks + 1)).astype(int)


def largest_by_block(Z: Any, order: IntArray, edges: IntArray) -> FloatArray:
    """Largest |Z| in every block, rows of Z divided by their maximum beforehand.

    Examples
    --------
    >>> Z = coo_array(np.array([[0.0, -4.0, 1.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    >>> largest_by_block(Z, np.arange(3), np.arange(4))
    array([[0.  , 1.  , 0.25],
           [1.  , 0.  , 0.  ],
           [0.  , 0.  , 0.  ]])
    """
    Z = coo_array(Z)
    Z.sum_duplicates()
    value = np.abs(Z.data).astype(float)
    row_max = np.zeros(Z.shape[0])
    np.maximum.at(row_max, Z.row, value)
    block = _block_of_row(order, edges)
    reduced = np.zeros((len(edges) - 1,) * 2)
    alive = value > 0
    at = block[Z.row[alive]], block[Z.col[alive]]
    np.maximum.at(reduced, at, value[alive] / row_max[Z.row[alive]])
    return reduced


def mean_distance_by_block(H: FloatArray, order: IntArray, edges: IntArray) -> FloatArray:
    """Mean squared distance of the unit rows of H in every block.

    Examples
    --------
    >>> mean_distance_by_block(np.eye(2), np.arange(2), np.arange(3))
    array([[0., 2.],
           [2., 0.]])
    """
    rows = unit_rows(H)[order]
    size = np.diff(edges)
    mean = np.add.reduceat(rows, edges[:-1]) / size[:, None]
    square = np.add.reduceat((rows**2).sum(axis=1), edges[:-1]) / size
    return np.maximum(square[:, None] + square - 2 * mean @ mean.T, 0.0)


def cluster_spans(labels: IntArray) -> Iterator[tuple[Any, float, float]]:
    """Every cluster with the shares of the ordered rows at which it begins and ends.

    Examples
    --------
    >>> [(int(c), begin, end) for c, begin, end in cluster_spans(np.array([1, 0, 1, 1]))]
    [(0, 0.0, 0.25), (1, 0.25, 1.0)]
    """
    clusters, size = np.unique(labels, return_counts=True)
    ends = np.cumsum(size) / len(labels)
    yield from zip(clusters, [0.0, *ends[:-1].tolist()], ends.tolist(), strict=True)


def _block_of_row(order: IntArray, edges: IntArray) -> IntArray:
    block = np.empty(len(order), dtype=int)
    block[order] = np.searchsorted(edges, np.arange(len(order)), side="right") - 1
    return block
