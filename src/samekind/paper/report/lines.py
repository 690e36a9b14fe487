"""Means with a band of one deviation over the values of something."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, NullLocator

from samekind._typing import FloatArray
from samekind.paper.report.canvas import Style
from samekind.paper.report.cells import Score

_LETTER = 0.04  # width of a letter below a panel, as a share of the panel


@dataclass(frozen=True)
class Line:
    """A score over growing values; deviations of single runs count as none."""

    style: Style
    x: Sequence[float]
    scores: Sequence[Score]


def paint_lines(axes: Axes, lines: Sequence[Line], title: str, xlabel: str) -> None:
    """One panel: lines with their bands, or the word that there are none."""
    axes.set(title=title, xlabel=xlabel)
    values = sorted({value for line in lines for value in line.x})
    if not values:
        axes.text(0.5, 0.5, "not run", transform=axes.transAxes, ha="center", va="center")
        axes.set(xticks=[], yticks=[])
        return
    for line in lines:
        _paint(axes, line)
    _scale(axes, values)
    axes.yaxis.set_major_locator(MaxNLocator(4))


def _paint(axes: Axes, line: Line) -> None:
    mean = np.array([score.mean for score in line.scores])
    std = np.nan_to_num([score.std for score in line.scores])
    style = line.style
    axes.fill_between(line.x, mean - std, mean + std, color=style.color, alpha=0.14, lw=0)
    axes.plot(
        line.x,
        mean,
        color=style.color,
        marker=style.marker,
        ls=style.dash,
        lw=style.width,
        ms=4.5,
        label=style.label,
    )


def _scale(axes: Axes, values: Sequence[float]) -> None:
    """Logarithmic where the values span much, labeled at the values themselves."""
    if values[0] > 0 and values[-1] >= 20 * values[0]:
        axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    log = axes.get_xscale() == "log"
    places = np.log(values) if log else np.asarray(values, dtype=float)
    shown = _apart(values, (places - places[0]) / max(places[-1] - places[0], 1e-12))
    axes.set_xticks(shown, [f"{value:g}" for value in shown])


def _apart(values: Sequence[float], places: FloatArray) -> list[float]:
    """Values whose labels do not touch, the first of them first."""
    shown: list[float] = []
    free = -np.inf  # where the last label ends
    for value, place in zip(values, places, strict=True):
        half = _LETTER * len(f"{value:g}") / 2
        if place - half >= free:
            shown.append(value)
            free = place + half
    return shown
