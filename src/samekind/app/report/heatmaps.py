"""The paper's view of a run: the graph and the distances of H, rows ordered by cluster.

A map is a gray picture used as a mask, so that the page chooses the ink: dark on a light
page, light on a dark one. Strong weights and short distances are inked; clusters that
the method has understood are inked squares along the diagonal.
"""

from html import escape

from samekind._typing import FloatArray, IntArray
from samekind.app.report.content import Snapshot
from samekind.app.report.pictures import gray_levels, png_uri
from samekind.app.report.svg import svg_open
from samekind.inspection._ordering import (
    block_edges,
    cluster_order,
    cluster_spans,
    largest_by_block,
    mean_distance_by_block,
)

MOST_CELLS = 400  # a side
_SIDE = 360.0  # of the map in its drawing, in CSS pixels
_MARGIN = 24.0  # space for the numbers of clusters
_STEP = 19.0  # numbers stand at least this far apart
_HALF = 11.0  # half the width of three digits


def weight_map(snapshot: Snapshot, labels: IntArray, *, name: str) -> str:
    """|Z| with rows divided by their maximum; the largest value of every block is inked.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> at = Snapshot(1, csr_array([[0.0, 1.0], [1.0, 0.0]]), np.eye(2))
    >>> weight_map(at, np.array([0, 0]), name="z").startswith("<svg")
    True
    """
    order = cluster_order(labels)
    cells = largest_by_block(snapshot.Z, order, block_edges(len(labels), MOST_CELLS))
    return _ink_map(cells, labels, name, f"Map of the weights of the graph{_when(snapshot)}")


def distance_map(snapshot: Snapshot, labels: IntArray, *, name: str) -> str:
    """Squared distances of unit rows of H, block means: 0 is full ink, 2 or more is none.

    Unit rows at right angles have the squared distance 2, the usual one between clusters.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> at = Snapshot(1, csr_array((2, 2)), np.eye(2))
    >>> distance_map(at, np.array([0, 1]), name="h").startswith("<svg")
    True
    """
    edges = block_edges(len(labels), MOST_CELLS)
    cells = mean_distance_by_block(snapshot.H, cluster_order(labels), edges)
    label = f"Map of the squared distances of coordinates{_when(snapshot)}"
    return _ink_map(1 - cells / 2, labels, name, label)


def _when(snapshot: Snapshot) -> str:
    return "" if snapshot.iteration is None else f" at iteration {snapshot.iteration}"


def _ink_map(cells: FloatArray, labels: IntArray, name: str, label: str) -> str:
    whole = _MARGIN + _SIDE
    lines, numbers, free = [], [], 0.0
    for cluster, begin, end in cluster_spans(labels):
        at = end * _SIDE
        if end < 1:
            lines.append(f"M{at:.1f} 0V{_SIDE:g}M0 {at:.1f}H{_SIDE:g}")
        middle, text = (begin + end) / 2 * _SIDE, escape(str(cluster))
        if middle >= free:
            free = middle + _STEP
            numbers.append(f'<text x="-6" y="{middle + 4:.1f}" text-anchor="end">{text}</text>')
            x = min(middle, _SIDE - _HALF)  # the last one may be at the very edge
            numbers.append(f'<text x="{x:.1f}" y="{_SIDE + 16:g}">{text}</text>')
    strength = min(0.7, 7 / (len(lines) + 1))  # many lines are drawn lightly
    box = f'width="{_SIDE:g}" height="{_SIDE:g}"'
    return (
        svg_open(f"{label}, ordered by cluster", (-_MARGIN, -1, whole + 1, whole + 1))
        + f'<mask id="{name}-mask"><image {box} preserveAspectRatio="none" '
        + f'class="cells" href="{png_uri(gray_levels(cells, 0.0, 1.0))}"/></mask>'
        + f'<rect {box} class="ink" mask="url(#{name}-mask)"/>'
        + f'<path class="bounds" stroke-opacity="{strength:.2f}" d="{"".join(lines)}"/>'
        + f'<rect {box} class="frame"/>'
        + f'<g class="numbers">{"".join(numbers)}</g></svg>'
    )
