"""Drawings that can stand inside a page: matplotlib figures cleaned up, and marker outlines.

Several matplotlib drawings on one page share ids, bring fonts and dates of their own and
know one background. Here ids are prefixed, fonts come from the page, and colors are
left to its style sheet: a figure is drawn in placeholders that become CSS variables.
"""

import io
import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle

INK = "#01fe01"
GRID = "#01fe02"
FAINT = "#01fe03"
PAPER = "#01fe04"

_VARIABLES = {
    INK: "currentColor",
    GRID: "var(--grid)",
    FAINT: "var(--axis)",
    PAPER: "var(--card)",
}

# Starting from matplotlib's own defaults, so that a user's settings leave the page alone.
_STYLE: list[str | dict[str, Any]] = [
    "default",
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "samekind",
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 12,
        "axes.labelsize": 12,
        "axes.edgecolor": FAINT,
        "axes.labelcolor": INK,
        "axes.axisbelow": True,
        "axes.grid": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": GRID,
        "grid.linewidth": 0.8,
        "text.color": INK,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "xtick.labelsize": 11,
        "ytick.labelsize": 11,
        "axes.titlesize": 12,
        "axes.titlelocation": "left",
        "figure.dpi": 72,
    },
]


def cluster_color(slot: int) -> str:
    """Placeholder of a cluster's color, which becomes ``var(--k<slot>)``."""
    return f"#02fe{slot:02x}"


def draw(
    paint: Callable[[Axes], None],
    *,
    name: str,
    label: str,
    size: tuple[float, float],
    margins: tuple[float, float, float, float] = (0, 0, 0, 0),
) -> str:
    """Let ``paint`` fill axes of this size and return them as inline SVG.

    Parameters
    ----------
    paint : callable
        Receives the empty axes; uses the placeholder colors of this module.
    name : str
        Prefix of every id, unique on the page.
    label : str
        What the figure shows, for those who cannot see it.
    size, margins : width and height; left, bottom, right and top, all in CSS pixels
        Fixed, since fonts of the page are unknown here and measuring others takes time.

    Examples
    --------
    >>> svg = draw(lambda f: None, name="blank", label="nothing", size=(20, 10))
    >>> svg[:48]
    '<svg role="img" aria-label="nothing" viewBox="0 '
    """
    width, height = size
    left, bottom, right, top = margins
    inner = ((width - left - right) / width, (height - bottom - top) / height)
    with matplotlib.style.context(_STYLE):
        figure = Figure(figsize=(width / 72, height / 72))
        paint(figure.add_axes((left / width, bottom / height, *inner)))
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return _inline(out.getvalue(), name, label)


def svg_open(label: str, view: tuple[float, float, float, float]) -> str:
    """Opening tag of a drawing that scales with its place on the page."""
    box = " ".join(f"{value:g}" for value in view)
    return f'<svg role="img" aria-label="{escape(label)}" viewBox="{box}">'


def marker_outline(shape: str) -> str:
    """A matplotlib marker as the data of an SVG path, within -0.5..0.5.

    Examples
    --------
    >>> marker_outline("s")
    'M-0.5 0.5L0.5 0.5L0.5 -0.5L-0.5 -0.5Z'
    """
    style = MarkerStyle(shape)
    path = style.get_path().transformed(style.get_transform())
    letters: Mapping[int, str] = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}
    parts = []
    for points, code in path.iter_segments(simplify=False):
        points[1::2] *= -1  # SVG counts downwards
        numbers = "" if code == 79 else " ".join(f"{round(value, 3) + 0.0:g}" for value in points)
        parts.append(letters[int(code)] + numbers)
    return "".join(parts)


def _inline(svg: str, name: str, label: str) -> str:
    body = svg[svg.index("<svg") :]
    view = re.search(r'viewBox="([^"]*)"', body)
    assert view is not None  # matplotlib always writes one
    body = body[body.index(">") + 1 :]
    # The page has a style for lines and fonts; a <style> here would reach all of it.
    body = re.sub(r"<(metadata|style)\b.*?</\1>", "", body, flags=re.DOTALL)
    body = body.replace("xlink:href", "href")
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = body.replace('href="#', f'href="#{name}-').replace("url(#", f"url(#{name}-")
    for placeholder, variable in _VARIABLES.items():
        body = body.replace(placeholder, variable)
    body = re.sub(r"#02fe([0-9a-f]{2})", lambda m: f"var(--k{int(m[1], 16)})", body)
    box = [float(value) for value in view[1].split()]
    return svg_open(label, (box[0], box[1], box[2], box[3])) + body
