"""The numbers behind a figure of scores over a setting, and DGSL against the others in it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from samekind.paper.experiments.rows import Row
from samekind.paper.report.cells import Cells, collapsed
from samekind.paper.report.curves import METRICS, Axis
from samekind.paper.report.names import DATASETS, dataset_title, in_order
from samekind.paper.report.pairing import OURS, Comparison, compare, tally
from samekind.paper.report.tables import NONE, Field, Table


class CurveTables:
    """The scores of all methods over one setting.

    Examples
    --------
    >>> from samekind.paper.report.curves import CLASSES
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
        ours = [name for name in self._methods if name.startswith(OURS)]
        places = [(one, metric) for one in ours for metric in METRICS]
        body = []
        for method in self._methods:
            found = [list(self._compared(one, method, metric)) for one, metric in places]
            if method not in ours and any(found):
                body.append([Field(method), *(Field(tally(tests)) for tests in found)])
        columns = ["against", *METRICS * len(ours)]
        groups = [(f"{one}: points won / tied / lost", len(METRICS)) for one in ours]
        return Table("Points of this figure at p < 0.05", columns, body, groups) if body else None

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

    def _compared(self, ours: str, method: str, metric: str) -> Iterator[Comparison]:
        for dataset in self._datasets:
            for setting in self._settings(dataset):
                one, other = (
                    self._cells.find(dataset, setting, name, metric) for name in (ours, method)
                )
                comparison = compare(one, other, metric)
                if comparison is not None:
                    yield comparison

    def _settings(self, dataset: str) -> list[Mapping[str, Any]]:
        return self._cells.settings(dataset, self._axis.setting)
