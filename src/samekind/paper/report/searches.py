"""Searches: what was chosen with true labels, and on which grid, on trials outside the tables."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samekind.paper.experiments.rows import Row, key_of
from samekind.paper.report.cells import Cell, best_variant, cells_of, is_variant
from samekind.paper.report.names import DATASETS, dataset_title, in_order, in_words, merged
from samekind.paper.report.tables import Field, Table


@dataclass(frozen=True)
class Point:
    """A point of a grid, and the mean ACC over methods, settings and random trials there."""

    parameters: Mapping[str, Any]
    mean: float
    trials: int


def searched(rows: Iterable[Row], experiment: str) -> dict[str, list[Point]]:
    """The points of each data set, the best first.

    Examples
    --------
    >>> row = {"experiment": "search", "dataset": "yale", "setting": {}, "contender": "SL"}
    >>> rows = [
    ...     row | {"parameters": {"sparsity": at}, "repetition": 20, "ACC": 60.0 - at}
    ...     for at in (2.0, 1.0)
    ... ]
    >>> searched(rows, "search")["yale"][0]
    Point(parameters={'sparsity': 1.0}, mean=59.0, trials=1)
    """
    by_dataset: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells_of(rows, experiment):
        by_dataset[cell.dataset].append(cell)
    return {name: _points(by_dataset[name]) for name in in_order(by_dataset, DATASETS)}


def _points(cells: Sequence[Cell]) -> list[Point]:
    varied = set()
    for contender in {cell.contender for cell in cells}:
        values = merged(cell.parameters for cell in cells if cell.contender == contender)
        varied |= {name for name, found in values.items() if len(found) > 1}
    by_point: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_point[key_of(cell.parameters, sorted(varied))].append(cell)
    points = []
    for here in by_point.values():
        scores = [score for cell in _shown(here) if (score := cell.score("ACC")) is not None]
        if scores:
            parameters = {name: here[0].parameters[name] for name in sorted(varied)}
            mean = float(np.mean([score.mean for score in scores]))
            points.append(Point(parameters, mean, min(score.count for score in scores)))
    return sorted(points, key=lambda point: -point.mean)


def _shown(cells: Iterable[Cell]) -> list[Cell]:
    """Cells with the best variant of LSGR in place of all, setting by setting."""
    by_setting: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_setting[key_of(cell.setting, sorted(cell.setting))].append(cell)
    shown = []
    for here in by_setting.values():
        shown += [cell for cell in here if not is_variant(cell.contender)]
        best = best_variant(here, "ACC")
        shown += [] if best is None else [best]
    return shown


def search_tables(rows: Iterable[Row], experiment: str) -> list[Table]:
    """For each data set its points, the chosen one in bold."""
    return [
        Table(
            f"{dataset_title(dataset)}: mean ACC, %",
            ["parameters", "ACC, %"],
            [
                [Field(in_words(point.parameters)), _mean(point, points[0])]
                for point in sorted(points, key=lambda point: list(point.parameters.values()))
            ],
        )
        for dataset, points in searched(rows, experiment).items()
    ]


def _mean(point: Point, best: Point) -> Field:
    return Field(f"{point.mean:.1f}", f"({point.trials})", best=point is best)
