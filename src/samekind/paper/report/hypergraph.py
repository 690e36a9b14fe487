"""Cora with a hypergraph: bars of accuracy, each method at its best point of a small grid.

The point is the one with the best mean accuracy on the validation nodes; the test nodes have
no part in the choice.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from samekind.app.report.svg import INK
from samekind.paper.experiments.rows import Row
from samekind.paper.report.canvas import Drawing, Grid, Style, draw_panels
from samekind.paper.report.cells import Cell, Score, cells_of, collapsed
from samekind.paper.report.names import in_order, in_words, merged
from samekind.paper.report.tables import Field, Table, method_field

VALIDATION, TEST, ALL = "ACC validation", "ACC test", "ACC"
_BARS = (Style("test nodes", 0, "s", ""), Style("all nodes", 7, "s", ""))


@dataclass(frozen=True, eq=False)
class Chosen:
    """A method at its best point, and the grid that was searched."""

    method: str
    cell: Cell
    tried: Sequence[Cell]

    @property
    def point(self) -> dict[str, Any]:
        return {**self.cell.setting, **self.cell.parameters}

    @property
    def grid(self) -> dict[str, tuple[Any, ...]]:
        """The values of everything that was varied."""
        values = merged({**cell.setting, **cell.parameters} for cell in self.tried)
        return {name: found for name, found in values.items() if len(found) > 1}


def chosen(rows: Iterable[Row], experiment: str = "figure-hypergraph") -> list[Chosen]:
    """Every method at the point with the best mean on the validation nodes."""
    by_method: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells_of(rows, experiment):
        for name in collapsed([cell.contender]):
            by_method[name].append(cell)
    found = []
    for name in in_order(by_method):
        scored = [(cell.score(VALIDATION), cell) for cell in by_method[name]]
        means = [(score.mean, cell) for score, cell in scored if score is not None]
        if means:
            best = max(means, key=lambda pair: pair[0])[1]
            found.append(Chosen(name, best, by_method[name]))
    return found


def hypergraph_figure(rows: Iterable[Row], experiment: str = "figure-hypergraph") -> Drawing | None:
    """Bars of the accuracy over test nodes and over all."""
    found = chosen(rows, experiment)
    if not found:
        return None

    def paint(grid: Grid) -> None:
        _paint(grid[0][0], found)

    label = "Bars: accuracy of each method over the test nodes and over all nodes"
    svg = draw_panels(paint, name=experiment, label=label, shape=(1, 1), height=300.0, legend=_BARS)
    caption = (
        "ACC, %, over the test nodes and over all nodes, with one standard deviation where there "
        "is more than one run; each method at the point of its grid that is best on the "
        "validation nodes."
    )
    return Drawing(experiment, svg, caption)


def hypergraph_table(
    rows: Iterable[Row],
    experiment: str = "figure-hypergraph",
    interpreted: Collection[str] = (),
) -> Table:
    """Scores, the chosen points and the grids."""
    body = []
    for one in chosen(rows, experiment):
        scores = (one.cell.score(name) for name in (VALIDATION, TEST, ALL))
        body.append(
            [
                method_field(one.method, interpreted),
                *(_field(score) for score in scores),
                Field(in_words(one.point), prose=True),
                Field(in_words(one.grid), prose=True),
            ]
        )
    columns = ["method", "validation nodes", "test nodes", "all nodes", "chosen", "grid"]
    return Table("Cora: ACC, %", columns, body)


def _field(score: Score | None) -> Field:
    if score is None:
        return Field("not run", faint=True)
    return Field(f"{score.mean:.1f}", score.aside)


def _paint(axes: Axes, found: Sequence[Chosen]) -> None:
    for side, (metric, style) in enumerate(zip((TEST, ALL), _BARS, strict=True)):
        for at, one in enumerate(found):
            score = one.cell.score(metric)
            if score is not None:
                _bar(axes, at + 0.4 * (side - 0.5), score, style)
    axes.set_xticks(range(len(found)), [one.method for one in found])
    axes.set(ylim=(0, 100), title="ACC, %")
    axes.grid(axis="x", visible=False)


def _bar(axes: Axes, at: float, score: Score, style: Style) -> None:
    std = float(np.nan_to_num(score.std))
    axes.bar(at, score.mean, 0.38, color=style.color)
    if std > 0:
        axes.errorbar(at, score.mean, std, fmt="none", ecolor=INK, lw=1.2, capsize=3)
    place = score.mean + std + 1.5
    axes.text(at, place, f"{score.mean:.1f}", ha="center", fontsize=11)
