"""Figure of the way to the solution: objective, changes of A and Z, and the ratio rho."""

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from samekind._typing import FloatArray
from samekind.paper.experiments.rows import Row
from samekind.paper.report.canvas import Drawing, Grid, Style, draw_panels
from samekind.paper.report.cells import Cells
from samekind.paper.report.names import DATASETS, dataset_title, in_order

PLAIN, NORMALIZED = "Algorithm 2", "Algorithm 3"
_SLOTS = {PLAIN: 0, NORMALIZED: 1}
# What is drawn: columns of the rows, title, of which algorithms, logarithmic.
_PANELS = (
    (("objective",), "objective", (PLAIN,), False),
    (("change_A", "change_Z"), "changes", (PLAIN, NORMALIZED), True),
    (("rho",), "rho", (PLAIN, NORMALIZED), False),
)
_DASHES = {"objective": "-", "change_A": "-", "change_Z": "--", "rho": "-"}


def convergence_figure(rows: Iterable[Row], experiment: str = "convergence") -> Drawing | None:
    """One column for each data set; None where nothing was run."""
    cells = Cells(rows, experiment)
    runs = {(cell.dataset, cell.contender): cell.rows[0] for cell in cells.all if cell.rows}
    datasets = in_order({dataset for dataset, _ in runs}, DATASETS)
    if not datasets:
        return None

    def paint(grid: Grid) -> None:
        for column, dataset in enumerate(datasets):
            for line, (names, title, algorithms, log) in enumerate(_PANELS):
                axes = grid[line][column]
                axes.set(title=f"{dataset_title(dataset)}: {title}", xlabel="iteration")
                axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
                if log:
                    axes.set_yscale("log")
                else:
                    axes.yaxis.set_major_locator(MaxNLocator(4))
                    axes.ticklabel_format(axis="y", useOffset=False, scilimits=(-3, 5))
                for name in algorithms:
                    if (dataset, name) in runs:
                        _paint(axes, runs[dataset, name], names, _SLOTS[name], log)

    label = "Objective, changes of A and Z, and rho over the iterations"
    legend = [Style(name, slot, "") for name, slot in _SLOTS.items()]
    legend += [Style("change of A", 6, "", "-"), Style("change of Z", 6, "", "--")]
    svg = draw_panels(
        paint,
        name=experiment,
        label=label,
        shape=(len(_PANELS), max(len(datasets), 3)),
        legend=legend,
    )
    return Drawing(experiment, svg, _caption(runs.values()))


def _paint(axes: Axes, row: Row, names: Sequence[str], slot: int, log: bool) -> None:
    for name in names:
        values = np.asarray(row[name], dtype=float)
        iteration = np.arange(1, len(values) + 1)
        style = Style("", slot)
        axes.plot(iteration, _drawable(values, log), color=style.color, ls=_DASHES[name], lw=1.6)
        infinite = iteration[np.isposinf(values)]
        top = np.full(len(infinite), 0.97)
        axes.plot(infinite, top, "^", ms=4, color=style.color, transform=axes.get_xaxis_transform())


def _drawable(values: FloatArray, log: bool) -> FloatArray:
    keep = np.isfinite(values) & ((values > 0) | (not log))
    return np.where(keep, values, np.nan)


def rises(objective: Sequence[float]) -> int:
    """Iterations after which the objective stands higher than before, rounding aside.

    Examples
    --------
    >>> rises([3.0, 2.0, 2.5, 1.0])
    1
    """
    values = np.asarray(objective, dtype=float)
    return int((np.diff(values) > 1e-9 * np.abs(values[:-1])).sum())


def _caption(rows: Iterable[Row]) -> str:
    plain = [row for row in rows if row["contender"] == PLAIN and "objective" in row]
    count = sum(rises(row["objective"]) for row in plain)
    return (
        "Rises of the objective of Algorithm 2, whose descent is proved: "
        f"{count or 'none'} in these runs. Changes are the largest entries by which A and Z move. "
        "Triangles at the upper edge: rho without bound."
    )
