"""Figures made of pictures: samples of the data sets, and matrices as maps of ink."""

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from samekind._typing import FloatArray
from samekind.app.report.pictures import gray_levels, png_uri
from samekind.app.report.svg import svg_open
from samekind.paper.experiments.published import published_sizes
from samekind.paper.experiments.rows import Row
from samekind.paper.report.canvas import WIDTH, Drawing
from samekind.paper.report.cells import tidy
from samekind.paper.report.names import dataset_title, in_order

_NAMES = 190.0  # width of the names of data sets
_SIDE = 76.0  # of a picture
_GAP = 8.0
_MAP = 244.0  # side of a map
_ORTHOGONAL = 2**0.5  # distance of unit rows at right angles, the usual one between clusters


def samples_figure(rows: Iterable[Row], experiment: str = "figure-samples") -> Drawing | None:
    """Ten pictures of each set of pictures, upright."""
    found = {row["dataset"]: row["pictures"] for row in _of(rows, experiment) if "pictures" in row}
    if not found:
        return None
    step, parts = _SIDE + _GAP, []
    for line, name in enumerate(in_order(found, [one.dataset for one in published_sizes()])):
        top = line * step
        parts.append(_text(0, top + _SIDE / 2 + 4, dataset_title(name)))
        for at, picture in enumerate(found[name]):
            gray = np.asarray(picture, dtype=np.uint8)
            parts.append(
                f'<image x="{_NAMES + at * step:g}" y="{top:g}" width="{_SIDE:g}" '
                f'height="{_SIDE:g}" href="{png_uri(gray)}"/>'
            )
    height = len(found) * step - _GAP
    svg = svg_open("Ten pictures of each set of pictures", (0, 0, WIDTH, height))
    caption = "Ten pictures of each set of pictures, of ten classes where there are so many."
    return Drawing(experiment, svg + "".join(parts) + "</svg>", caption)


def matrices_figure(rows: Iterable[Row], experiment: str = "figure-matrices") -> Drawing | None:
    """|Z| and the distances of H, early and late, samples in order of their classes."""
    row = next((row for row in _of(rows, experiment) if _times(row)), None)
    if row is None:
        return None
    parts, step = [], (WIDTH - _MAP) / 3
    for line, (kind, words) in enumerate((("weights", "|Z|"), ("distances", "distances of H"))):
        for time, iteration in enumerate(_times(row)):
            at = 2 * line + time
            ink = _ink(kind, row[f"{kind}_{iteration}"])
            parts.append(_map(f"{experiment}-{at}", at * step, ink))
            parts.append(_text(at * step, 16, f"{words}, iteration {iteration}"))
    svg = svg_open("Maps of |Z| and of the distances of H", (-1, 0, WIDTH + 2, _MAP + 28))
    caption = (
        f"{dataset_title(row['dataset'])}, samples in order of their true classes: clusters that "
        "were found are inked squares along the diagonal. Left: means of |Z| over the cells of "
        "the map, each map up to its own 99th percentile. Right: distances of the unit rows of "
        "H, full ink at 0, none at the square root of 2 or more."
    )
    return Drawing(experiment, svg + "".join(parts) + "</svg>", caption)


def _of(rows: Iterable[Row], experiment: str) -> list[Row]:
    return tidy(row for row in rows if row["experiment"] == experiment)


def _times(row: Row) -> list[int]:
    """The iterations of which a row holds maps."""
    return sorted(int(key.partition("_")[2]) for key in row if key.startswith("weights_"))


def _ink(kind: str, cells: Sequence[Sequence[float]]) -> FloatArray:
    values = np.asarray(cells, dtype=float)
    if kind == "distances":
        return 1 - values / _ORTHOGONAL
    positive = values[values > 0]
    return values / np.percentile(positive, 99) if len(positive) else values


def _map(name: str, left: float, ink: FloatArray) -> str:
    box = f'x="{left:g}" y="26" width="{_MAP:g}" height="{_MAP:g}"'
    return (
        f'<mask id="{name}"><image {box} preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="{png_uri(gray_levels(ink, 0.0, 1.0))}"/></mask>'
        f'<rect {box} fill="var(--heat)" mask="url(#{name})"/>'
        f'<rect {box} fill="none" stroke="var(--axis)" stroke-width="0.6"/>'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="13" fill="currentColor">{escape(text)}</text>'
