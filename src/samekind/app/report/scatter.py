"""The embedding as points with names: color, shape and number say the cluster.

Written out by hand, so that every point can carry the name of its row.
"""

from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind._typing import FloatArray, IntArray
from samekind.app.report.palette import MARKERS, color_slot, marker
from samekind.app.report.svg import marker_outline, svg_open
from samekind.inspection._projection import project

MOST_POINTS = 5000
WIDTH = 340.0  # of the drawing, in CSS pixels
REACH = 285.0  # of the points; the rest is for numbers outside of them
LEAST_HEIGHT = 200.0
NUMBER_STEP = 17.0  # numbers stand at least this far apart


def embedding_figure(
    H: FloatArray, labels: NDArray[Any], title: Callable[[int], str] | None = None
) -> str:
    """The embedding in two dimensions, with a title on every point.

    Of more than 5000 rows, 5000 at equal steps are drawn.

    Examples
    --------
    >>> drawing = embedding_figure(np.eye(3), np.arange(3), ["ant", "bee", "<b>"].__getitem__)
    >>> "<title>&lt;b&gt;</title>" in drawing
    True
    """
    points, _ = project(H, labels)
    clusters, position = np.unique(labels, return_inverse=True)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = REACH / max(float((high - low).max()), 1e-6)
    height = max(scale * float(high[1] - low[1]) + WIDTH - REACH, LEAST_HEIGHT)
    box = np.array([WIDTH, height])
    places = (points - (low + high) / 2) * [scale, -scale] + box / 2  # SVG counts downwards
    drawn = np.unique(np.linspace(0, len(H) - 1, min(len(H), MOST_POINTS)).astype(int))
    size = float(np.clip(27 / len(drawn) ** 0.25, 4.5, 9.0))

    parts = [
        svg_open(
            f"Scatter plot of {len(drawn)} rows in {len(clusters)} clusters on two axes",
            (0, 0, WIDTH, height),
        ),
        "<defs>",
    ]
    parts += [
        f'<path id="embedding-shape-{shape}" d="{marker_outline(MARKERS[shape])}" '
        f'transform="scale({size:.3g})" stroke="var(--card)" stroke-width=".07"/>'
        for shape in sorted({marker(c) for c in range(len(clusters))})
    ]
    parts.append("</defs>")
    for c in range(len(clusters)):
        parts.append(f'<g id="embedding-of-{c}" fill="var(--k{color_slot(c)})">')
        for row in drawn[position[drawn] == c]:
            x, y = places[row]
            text = "" if title is None else f"<title>{escape(title(row))}</title>"
            parts.append(
                f'<use href="#embedding-shape-{marker(c)}" x="{x:.1f}" y="{y:.1f}" '
                f'data-row="{row}">{text}</use>'
            )
        parts.append("</g>")
    parts += [*_numbers(places, box, clusters, position), "</svg>"]
    return "".join(parts)


def _numbers(
    places: FloatArray, box: FloatArray, clusters: NDArray[Any], position: IntArray
) -> list[str]:
    """Numbers beside the clusters, outwards; the largest first, where there is space."""
    taken: list[FloatArray] = []
    texts = ['<g class="numbers names">']
    for c in np.argsort(-np.bincount(position), kind="stable"):
        middle = np.median(places[position == c], axis=0)
        from_center = middle - box / 2
        length = float(np.hypot(*from_center))
        outwards = from_center / length if length > 1 else np.array([0.0, -1.0])
        for distance in (18.0, 30.0, 6.0):
            place = np.clip(middle + distance * outwards, 10, box - 10)
            if all(np.abs(place - other).max() > NUMBER_STEP for other in taken):
                taken.append(place)
                texts.append(
                    f'<text id="embedding-number-{c}" x="{place[0]:.1f}" y="{place[1] + 4.5:.1f}">'
                    f"{escape(str(clusters[c]))}</text>"
                )
                break
    return [*texts, "</g>"]
