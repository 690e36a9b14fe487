"""The numbers behind a figure of scores over a setting, and DGSL against the others in it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from samekind.experiments.rows import Row
from samekind.report.reproduction.cells import Cells, collapsed
from samekind.report.reproduction.curves import METRICS, Axis
from samekind.report.reproduction.names import DATASETS, dataset_title, in_order
from samekind.report.reproduction.pairing import OURS, Comparison, compare, tally
from samekind.report.reproduction.tables import NONE, Field, Table


class CurveTables:
    """The scores of all methods over one setting.

    Examples
    --------
    >>> from samekind.report.reproduction.curves import CLASSES
    >>> row = {"experiment": "figure-classes", "dataset": "yale", "setting": {"class_share": 0.2}}
    >>> row |= {"contender": "SL", "parameters": {}, "repetition": 0, "ACC": 50.0}
    >>> [table] = CurveTables([row], "figure-classes", CLASSES).scores()
    >>> table.columns, [field.words for field in table.rows[0]]
    (['method', '20', '20'], ['SL', '50.0 (1)', '–'])
    """

    def __init__(self, rows: Iterable[Row], experiment: str, axis: Axis) -> None:
        self._cells = Cells(rows, experiment)
        self._axis = axis
        self._methods = in_order(collapsed(self._cells.contenders))
        self._datasets = in_order(self._cells.datasets, DATASETS)

    def scores(self) -> list[Table]:
        """Means, deviations and counts, a table for each data set."""
        return [self._table(dataset) for dataset in self._datasets]

    def comparison(self) -> Table | None:
        """Points that DGSL won, tied and lost; None where it has no rival."""
        body = []
        for method in self._methods:
            found = {metric: list(self._compared(method, metric)) for metric in METRICS}
            if any(found.values()):
                body.append([Field(method), *(Field(tally(found[metric])) for metric in METRICS)])
        columns = ["DGSL against", *(f"{metric}: won / tied / lost" for metric in METRICS)]
        return Table("Points of this figure at p < 0.05", columns, body) if body else None

    def _table(self, dataset: str) -> Table:
        settings = self._settings(dataset)
        places = [(metric, setting) for metric in METRICS for setting in settings]
        heads = [f"{self._axis.factor * setting[self._axis.setting]:g}" for _, setting in places]
        columns = [list(self._column(dataset, *place)) for place in places]
        body = [
            [Field(method), *(column[at] for column in columns)]
            for at, method in enumerate(self._methods)
        ]
        groups = [(f"{metric}, %, over {self._axis.words}", len(settings)) for metric in METRICS]
        return Table(dataset_title(dataset), ["method", *heads], body, groups)

    def _column(self, dataset: str, metric: str, setting: Mapping[str, Any]) -> Iterator[Field]:
        cells = [self._cells.find(dataset, setting, name, metric) for name in self._methods]
        scores = [None if cell is None else cell.score(metric) for cell in cells]
        best = max((f"{one.mean:.1f}" for one in scores if one is not None), key=float, default="")
        for score in scores:
            if score is None:
                yield Field(NONE)
            else:
                text = f"{score.mean:.1f}"
                yield Field(text, score.aside, best=text == best)

    def _compared(self, method: str, metric: str) -> Iterator[Comparison]:
        for dataset in self._datasets:
            for setting in self._settings(dataset):
                ours = self._cells.find(dataset, setting, OURS, metric)
                other = self._cells.find(dataset, setting, method, metric)
                comparison = compare(ours, other, metric)
                if comparison is not None:
                    yield comparison

    def _settings(self, dataset: str) -> list[Mapping[str, Any]]:
        return self._cells.settings(dataset, self._axis.setting)
