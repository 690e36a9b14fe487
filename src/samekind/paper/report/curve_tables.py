"""The numbers behind a figure of scores over a setting, and ours against the others in it."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from samekind.paper.experiments.rows import Row
from samekind.paper.report.cells import Cells, collapsed
from samekind.paper.report.curves import METRICS, Axis, Part
from samekind.paper.report.names import DATASETS, dataset_title, in_order
from samekind.paper.report.pairing import Comparison, compare, is_ours, tally
from samekind.paper.report.tables import NONE, Field, Table

BEST = "the best of these"
MARGIN = 1.0  # percent


def by_margin(differences: Iterable[float]) -> str:
    """How many are above the margin, within it and below, as text.

    Examples
    --------
    >>> by_margin([3.0, 0.5, -0.5, -1.5])
    '1 / 2 / 1'
    """
    found = list(differences)
    won, lost = (sum(sign * one > MARGIN for one in found) for sign in (1, -1))
    return f"{won} / {len(found) - won - lost} / {lost}"


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
        """Points that ours won, tied and lost; None where they have no rival."""
        ours = [name for name in self._methods if is_ours(name)]
        places = [(one, metric) for one in ours for metric in METRICS]
        body = []
        for method in self._methods:
            found = [list(self._compared(one, method, metric)) for one, metric in places]
            if method not in ours and any(found):
                body.append([Field(method), *(Field(tally(tests)) for tests in found)])
        columns = ["against", *METRICS * len(ours)]
        groups = [(f"{one}: points won / tied / lost", len(METRICS)) for one in ours]
        return Table("Points of this figure at p < 0.05", columns, body, groups) if body else None

    def margins(self, words: str, datasets: Collection[str]) -> Table | None:
        """Points of ACC that ours win and lose by more than one point of the mean.

        Against each other method and the best of them, over the random trials that both have;
        a column for each part of the axis. None where ours have no rival.
        """
        ours = [name for name in self._methods if is_ours(name)]
        rivals = [name for name in self._methods if name not in ours]
        places = [(one, part) for one in ours for part in self._axis.parts]
        found = [(*at, self._margins(*at, rivals, datasets)) for at in places]
        found = [(one, part, margins) for one, part, margins in found if margins[BEST]]
        body = [
            [Field(rival), *(Field(by_margin(margins[rival])) for *_, margins in found)]
            for rival in (*rivals, BEST)
            if any(margins[rival] for *_, margins in found)
        ]
        columns = ["against", *(part.words for _, part, _ in found)]
        counts = Counter(one for one, *_ in found)
        groups = [(f"{one}: points won / tied / lost", counts[one]) for one in counts]
        title = f"Points of ACC by more than {MARGIN:g} point of the mean{words}"
        return Table(title, columns, body, groups) if body else None

    def _margins(
        self, ours: str, part: Part, rivals: list[str], datasets: Collection[str]
    ) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {name: [] for name in (*rivals, BEST)}
        for dataset in (name for name in self._datasets if name in datasets):
            for setting in self._settings(dataset):
                if not part.low <= setting[self._axis.setting] < part.high:
                    continue
                one = self._cells.find(dataset, setting, ours, "ACC")
                here = []
                for rival in rivals:
                    compared = compare(one, self._cells.find(dataset, setting, rival, "ACC"), "ACC")
                    if compared is not None:
                        found[rival].append(compared.difference)
                        here.append(compared.difference)
                found[BEST] += [min(here)] if here else []
        return found

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
