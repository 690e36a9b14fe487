"""Drawings of several panels, for the page and as files of their own.

In the page colors are variables, so that it can be light or dark. A file stands on white,
its variables filled in: not every viewer knows them.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from samekind.app.report.palette import PAIRS
from samekind.app.report.svg import cluster_color, draw

WIDTH = 1040.0
LEGEND = 36.0  # height of the line above the panels
LETTERS = 110  # of names in a line of the legend, a sign counting as five
MARGINS = (50.0, 46.0, 14.0, 28.0)  # of a panel: left, bottom, right, top
LIGHT = {"card": "#ffffff", "grid": "#e6e9ed", "axis": "#9aa3ae", "heat": "#0b2f66"}
TEXT = "#1c2127"
_SVG = "http://www.w3.org/2000/svg"
PADDING = 14.0  # around a drawing in a file of its own
_OPENING = (
    "<style>*{stroke-linejoin:round;stroke-linecap:butt}"
    'text{font-family:system-ui,"Segoe UI",Roboto,Arial,"DejaVu Sans",sans-serif!important}'
    '</style><rect x="-2000" y="-2000" width="9999" height="9999" fill="#ffffff"/>'
)

Grid = list[list[Axes]]


@dataclass(frozen=True)
class Drawing:
    """A figure: the name of its file, its SVG for the page, and what it shows."""

    name: str
    svg: str
    caption: str

    @property
    def file(self) -> str:
        """The SVG as a file of its own, on white."""
        return standalone(self.svg)


@dataclass(frozen=True)
class Style:
    """How a series looks, in its panel and in the legend."""

    label: str
    slot: int  # of the palette
    marker: str = "o"
    dash: str = "-"
    width: float = 1.6

    @property
    def color(self) -> str:
        return cluster_color(self.slot)


def draw_panels(
    paint: Callable[[Grid], None],
    *,
    name: str,
    label: str,
    shape: tuple[int, int],
    height: float = 200.0,
    legend: Sequence[Style] = (),
) -> str:
    """Rows and columns of equal panels below one legend; those that stay empty are left out.

    Parameters
    ----------
    paint : callable
        Receives the empty axes, row by row; it uses the placeholder colors of ``report.svg``.
    name, label : str
        Prefix of ids, unique on the page; what the drawing shows.
    shape : (int, int)
        Rows and columns.
    height : float
        Of a row of panels, in CSS pixels.
    legend : sequence of Style

    Examples
    --------
    >>> draw_panels(lambda grid: None, name="n", label="nothing", shape=(1, 2))[:38]
    '<svg role="img" aria-label="nothing" v'
    """
    n_lines = -(-sum(len(one.label) + 5 for one in legend) // LETTERS)
    top = LEGEND + 18.0 * (n_lines - 1) if legend else 0.0
    total = top + shape[0] * height

    def fill(whole: Axes) -> None:
        whole.set_axis_off()
        figure = whole.get_figure(root=True)
        assert figure is not None  # the axes were made by it
        grid = [
            [
                _panel(figure, row, column, shape[1], top, height, total)
                for column in range(shape[1])
            ]
            for row in range(shape[0])
        ]
        if legend:
            _legend(figure, legend, total, n_lines)
        paint(grid)
        for axes in (axes for row in grid for axes in row):
            if not axes.has_data() and not axes.texts:
                axes.set_axis_off()

    return draw(fill, name=name, label=label, size=(WIDTH, total))


def _panel(
    figure: Figure, row: int, column: int, n_columns: int, top: float, height: float, total: float
) -> Axes:
    left, bottom, right, above = MARGINS
    width = WIDTH / n_columns
    low = total - top - (row + 1) * height + bottom
    inner = (width - left - right, height - bottom - above)
    axes = figure.add_axes(
        ((column * width + left) / WIDTH, low / total, inner[0] / WIDTH, inner[1] / total)
    )
    axes.tick_params(which="both", length=0)
    return axes


def _legend(figure: Figure, styles: Sequence[Style], total: float, n_lines: int) -> None:
    lines = [
        Line2D(
            [], [], color=one.color, marker=one.marker, ls=one.dash, lw=one.width, label=one.label
        )
        for one in styles
    ]
    figure.legend(
        handles=lines,
        loc="upper left",
        bbox_to_anchor=(MARGINS[0] / WIDTH, 1 - 8 / total),
        ncols=-(-len(lines) // n_lines),
        frameon=False,
        borderpad=0,
        borderaxespad=0,
    )


def standalone(svg: str) -> str:
    """A drawing of the page as the text of a file.

    Examples
    --------
    >>> text = standalone('<svg role="img" viewBox="0 0 9 9"><path fill="var(--k0)"/></svg>')
    >>> 'fill="#0a58a8"' in text, text.startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    (True, True)
    """
    end = svg.index(">") + 1
    view = re.search(r'viewBox="([^"]*)"', svg)
    assert view is not None  # every drawing has one
    left, top, width, height = (float(value) for value in view[1].split())
    box = (left - PADDING, top - PADDING, width + 2 * PADDING, height + 2 * PADDING)
    opening = svg[:end].replace(view[1], " ".join(f"{value:g}" for value in box))
    opening = opening.replace(
        "<svg ", f'<svg xmlns="{_SVG}" width="{box[2]:g}" height="{box[3]:g}" ', 1
    )
    body = opening + _OPENING + svg[end:]
    body = re.sub(r"var\(--k(\d+)\)", lambda found: PAIRS[int(found[1])][0], body)
    body = re.sub(r"var\(--(\w+)\)", lambda found: LIGHT[found[1]], body)
    return body.replace("currentColor", TEXT) + "\n"
