"""Figures of a report, each a function from arrays to an inline SVG string.

Sizes are those of a telephone's width: a page sets several side by side where they
fit, and text stays readable where they do not.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, ScalarFormatter

from samekind._typing import FloatArray, IntArray
from samekind.app.report.palette import color_slot
from samekind.app.report.svg import INK, cluster_color, draw

WIDTH = 380.0
MARGINS = (54.0, 40.0, 10.0, 30.0)  # left, bottom, right, top


def size_figure(labels: IntArray, group: str = "cluster") -> str:
    """Bars: number of rows in every cluster, or whatever word the groups go by.

    Examples
    --------
    >>> "from 1 to 2" in size_figure(np.array([0, 1, 1]))
    True
    """
    clusters, size = np.unique(labels, return_counts=True)

    def paint(axes: Axes) -> None:
        at = np.arange(len(clusters))
        bars = axes.bar(at, size, color=[cluster_color(color_slot(int(c))) for c in at])
        side = max(0.6, 3.0 - len(clusters) / 2)  # few clusters: slim bars in the middle
        axes.set_xlim(-side, len(clusters) - 1 + side)
        step = -(-len(clusters) // 16)
        axes.set_xticks(at[::step], [str(c) for c in clusters[::step]])
        axes.set(xlabel=group, title="rows")
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.grid(axis="x", visible=False)
        axes.tick_params(length=0)
        axes.spines[["left"]].set_visible(False)
        if len(clusters) <= 10:
            axes.bar_label(bars, fontsize=11, padding=2)

    label = f"Bars: sizes of {len(clusters)} clusters, from {size.min()} to {size.max()} rows"
    height = 330 if len(clusters) <= 10 else 250  # a long legend stands below
    return draw(paint, name="sizes", label=label, size=(WIDTH, height), margins=MARGINS)


def curve_figure(
    series: Mapping[str, Sequence[float]],
    *,
    name: str,
    what: str,
    log: bool = False,
    from_zero: bool = False,
    line: tuple[str, float] | None = None,
) -> str:
    """Values over the iterations; infinite ones are triangles at the upper edge.

    Parameters
    ----------
    series : mapping of str to sequence of float
        One curve per entry. On a logarithmic scale only positive values are drawn.
    name, what : str
        Prefix of ids, unique on the page; and what the vertical axis measures.
    from_zero : bool
        Let the vertical axis begin at zero.
    line : (text, height), optional
        A dotted horizontal line, such as a tolerance.

    Examples
    --------
    >>> "no finite value" in curve_figure({"rho": [float("nan")]}, name="rho", what="rho")
    True
    """
    values = {key: np.asarray(list(column), dtype=float) for key, column in series.items()}
    n_iter = max((len(column) for column in values.values()), default=0)
    shown = {key: _drawable(column, log) for key, column in values.items()}
    empty = not any(np.isfinite(column).any() for column in shown.values())

    def paint(axes: Axes) -> None:
        axes.set(xlabel="iteration", title=what, xlim=(0.5, max(n_iter, 1) + 0.5))
        axes.xaxis.set_major_locator(
            MaxNLocator(8, integer=True) if n_iter > 1 else FixedLocator([1])
        )
        axes.tick_params(which="both", length=0)
        if empty:
            axes.set_yticks([])
            axes.text(0.5, 0.5, "no finite value", transform=axes.transAxes, ha="center")
        else:
            _scale(axes, shown, log)
        for at, (key, column) in enumerate(shown.items()):
            _line(axes, at, key, column, np.isposinf(values[key]))
        if line is not None and not empty:
            axes.axhline(line[1], color=INK, linestyle=":", linewidth=1.2, label=line[0])
        if from_zero and not empty:
            highest = max(float(np.nanmax(column)) for column in shown.values())
            axes.set_ylim(0, max(1.08 * highest, 1.0))
        if not empty and (len(shown) > 1 or line is not None):
            axes.legend(frameon=False, fontsize=11, handlelength=2.4)

    label = f"Curve: {what} over {n_iter} iterations"
    return draw(paint, name=name, label=label, size=(WIDTH, 250), margins=MARGINS)


def _drawable(column: FloatArray, log: bool) -> FloatArray:
    keep = np.isfinite(column) & (column > 0 if log else True)
    return np.where(keep, column, np.nan)


def _scale(axes: Axes, shown: Mapping[str, FloatArray], log: bool) -> None:
    if not log:
        axes.yaxis.set_major_locator(MaxNLocator(5))
        plain = ScalarFormatter(useOffset=False)
        plain.set_powerlimits((-3, 5))
        axes.yaxis.set_major_formatter(plain)
        return
    axes.set_yscale("log")
    finite = np.concatenate([column[np.isfinite(column)] for column in shown.values()])
    narrow = finite.max() < 100 * finite.min()
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if narrow else (1.0,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: ""))


def _line(axes: Axes, at: int, key: str, column: FloatArray, infinite: Any) -> None:
    iteration = np.arange(1, len(column) + 1)
    color = cluster_color(color_slot(at))
    axes.plot(
        iteration,
        column,
        color=color,
        label=key,
        linestyle="-" if at == 0 else "--",
        marker=("o" if at == 0 else "s") if len(column) <= 30 else "",
        markersize=4.5,
        clip_on=False,
    )
    if infinite.any():
        top = np.full(int(infinite.sum()), 0.96)
        axes.plot(iteration[infinite], top, "^", color=color, transform=axes.get_xaxis_transform())
