"""Seconds over the number of samples, with fitted exponents beside the orders in the paper."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from samekind.app.report.svg import FAINT
from samekind.app.report.tables import seconds
from samekind.paper.experiments.rows import Row
from samekind.paper.report.canvas import Drawing, Grid, Style, draw_panels
from samekind.paper.report.cells import Cells, Score, is_variant
from samekind.paper.report.names import in_order
from samekind.paper.report.tables import NONE, Field, Table

_ITERATED = "T n³"
# Section III-C. T, eta: iterations; n_c: cannot-links; d: dimensions.
ORDERS = {
    "SL": "n³",
    "CSP": "n³",
    "LSGR": "n³",
    "CSCAP": "n_c n² + n³",
    "NNLRS": _ITERATED,
    "S2LRR": _ITERATED,
    "S3R": _ITERATED,
    "NNLRR": _ITERATED,
    "DCSSC": "T (d n² + n³)",
    "DGSL": "T eta n³",
}
COLUMNS = 5


@dataclass(frozen=True)
class Growth:
    """Mean seconds of a method at growing n, of so many runs; and the slope of their logarithms."""

    method: str
    n: Sequence[int]
    seconds: Sequence[float]
    counts: Sequence[int]

    @property
    def exponent(self) -> float | None:
        """By least squares; None with fewer than two sizes.

        Examples
        --------
        >>> round(Growth("SL", [10, 20, 40], [1.0, 4.0, 16.0], [1, 1, 1]).exponent, 6)
        2.0
        """
        if len(self.n) < 2:
            return None
        return float(np.polyfit(np.log(self.n), np.log(self.seconds), 1)[0])

    @property
    def order(self) -> str:
        """What the paper says, if anything."""
        return ORDERS.get("LSGR" if is_variant(self.method) else self.method, "")


def growths(rows: Iterable[Row], experiment: str = "complexity") -> list[Growth]:
    """All methods that were timed."""
    cells = Cells(rows, experiment)
    times: dict[str, dict[int, Score]] = {}
    for cell in cells.all:
        score = cell.score("seconds")
        if score is not None:
            times.setdefault(cell.contender, {})[cell.setting["n"]] = score
    found = []
    for name in in_order(times):
        sizes = sorted(times[name])
        scores = [times[name][n] for n in sizes]
        counts = [score.count for score in scores]
        found.append(Growth(name, sizes, [score.mean for score in scores], counts))
    return found


def complexity_figure(rows: Iterable[Row], experiment: str = "complexity") -> Drawing | None:
    """A panel for each method, the others gray behind it."""
    found = growths(rows, experiment)
    if not found:
        return None

    def paint(grid: Grid) -> None:
        panels = [axes for line in grid for axes in line]
        for axes, growth in zip(panels, found, strict=False):
            _paint(axes, growth, found)

    svg = draw_panels(
        paint,
        name=experiment,
        label="Seconds over the number of samples, both logarithmic",
        shape=(-(-len(found) // COLUMNS), COLUMNS),
        height=190.0,
    )
    caption = (
        "Seconds of a fit on one core over the number of samples n, both logarithmic; the other "
        "methods gray. Dotted: the fitted power, whose exponent stands above, before what the "
        "paper's section III-C says."
    )
    return Drawing(experiment, svg, caption)


def complexity_table(rows: Iterable[Row], experiment: str = "complexity") -> Table:
    """Seconds at each size, fitted exponents, and the paper's orders."""
    found = growths(rows, experiment)
    sizes = sorted({n for growth in found for n in growth.n})
    body = [_fields(growth, sizes) for growth in found]
    columns = ["method", *(f"n = {n}" for n in sizes), "fitted exponent", "order in the paper"]
    note = "T, eta: numbers of iterations; n_c: number of cannot-links; d: number of dimensions."
    counted = "Means over (number of) runs."
    return Table("Seconds of a fit", columns, body, notes=[counted, note])


def _fields(growth: Growth, sizes: Sequence[int]) -> list[Field]:
    timed = zip(growth.seconds, growth.counts, strict=True)
    at = {n: Field(seconds(t), f"({count})") for n, (t, count) in zip(growth.n, timed, strict=True)}
    times = [at.get(n, Field("not run", faint=True)) for n in sizes]
    exponent = NONE if growth.exponent is None else f"{growth.exponent:.2f}"
    return [Field(growth.method), *times, Field(exponent), Field(growth.order or NONE, prose=True)]


def _paint(axes: Axes, growth: Growth, others: Sequence[Growth]) -> None:
    for other in others:
        axes.plot(other.n, other.seconds, color=FAINT, lw=0.8, alpha=0.5)
    color = Style("", 0).color
    axes.plot(growth.n, growth.seconds, color=color, marker="o", ms=4.5, lw=1.8)
    title = growth.method
    if growth.exponent is not None:
        middle = np.exp(np.mean(np.log(growth.seconds))), np.exp(np.mean(np.log(growth.n)))
        fitted = middle[0] * (np.asarray(growth.n) / middle[1]) ** growth.exponent
        axes.plot(growth.n, fitted, color=Style("", 1).color, ls=":", lw=1.6)
        title += f": {growth.exponent:.2f}"
    axes.set(title=title + (f" ({growth.order})" if growth.order else ""))
    axes.set(xscale="log", yscale="log", xlabel="n")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_locator(FixedLocator(sorted({n for other in others for n in other.n})))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
