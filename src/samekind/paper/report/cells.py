"""Cells: the scores of one method on one data set in one setting, over all random trials.

Runs that failed are counted, not averaged. A deviation is that of a sample (divided by count
less one). Where a method was run with several sets of parameters, the one that ran last counts.

LSGR has three variants. The paper shows one number: here the one of the variant whose mean is
highest in that cell and that metric, which is a choice made with the true labels.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from samekind._kernels.status import Status
from samekind.paper.experiments.rows import Row, key_of

RUN = ("experiment", "dataset", "setting", "contender", "parameters")
VARIED = "LSGR"
_CONVERGED = {status.name for status in Status if status.converged}


@dataclass(frozen=True)
class Score:
    """Mean and deviation of a score, in the unit of the rows; nan where one run gives none."""

    mean: float
    std: float
    count: int

    @property
    def aside(self) -> str:
        """What stands small beside the mean.

        Examples
        --------
        >>> Score(80.0, 1.25, 20).aside, Score(80.0, float("nan"), 1).aside
        ('± 1.2 (20)', '(1)')
        """
        return f"({self.count})" if self.count == 1 else f"± {self.std:.1f} ({self.count})"


@dataclass(frozen=True, eq=False)
class Cell:
    """The runs of one contender on one data set in one setting."""

    experiment: str
    dataset: str
    setting: Mapping[str, Any]
    contender: str
    parameters: Mapping[str, Any]
    rows: Sequence[Row]  # by repetition, without those that failed
    failed: Sequence[Row] = ()

    def score(self, metric: str) -> Score | None:
        """Mean over the runs that have this score; None where none has."""
        values = list(self.by_repetition(metric).values())
        if not values:
            return None
        std = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
        return Score(float(np.mean(values)), std, len(values))

    def by_repetition(self, metric: str) -> dict[int, float]:
        """The score of each random trial."""
        return {row["repetition"]: float(row[metric]) for row in self.rows if metric in row}

    @property
    def not_converged(self) -> int:
        return self.endings.total()

    @property
    def endings(self) -> Counter[str]:
        """How the runs ended that did not converge."""
        found = Counter(str(row.get("status", "CONVERGED")) for row in self.rows)
        return Counter({name: found[name] for name in found if name not in _CONVERGED})

    @property
    def seconds(self) -> float | None:
        """Mean of the runs that ended."""
        score = self.score("seconds")
        return None if score is None else score.mean

    @property
    def reasons(self) -> list[str]:
        """Why runs failed, each reason once."""
        return sorted({str(row["failed"]) for row in self.failed})

    @property
    def last(self) -> str:
        """When its last run ended."""
        return max(str(row.get("ended", "")) for row in (*self.rows, *self.failed))


def tidy(rows: Iterable[Row]) -> list[Row]:
    """Each run once, the last row of it, in an order that does not depend on which ended first.

    Examples
    --------
    >>> rows = [{"repetition": 1, "ACC": 1.0}, {"repetition": 0}, {"repetition": 1, "ACC": 2.0}]
    >>> tidy(rows)
    [{'repetition': 0}, {'repetition': 1, 'ACC': 2.0}]
    """
    by_run = {(key_of(row, RUN), row["repetition"]): row for row in rows}
    return [by_run[key] for key in sorted(by_run)]


def cells_of(rows: Iterable[Row], experiment: str) -> list[Cell]:
    """The cells of an experiment, one for each set of parameters."""
    runs: dict[str, list[Row]] = defaultdict(list)
    for row in tidy(row for row in rows if row["experiment"] == experiment):
        runs[key_of(row, RUN)].append(row)
    return [_cell(runs[key]) for key in sorted(runs)]


def _cell(rows: Sequence[Row]) -> Cell:
    ended = [row for row in rows if "failed" not in row]
    failed = [row for row in rows if "failed" in row]
    return Cell(**{name: rows[0][name] for name in RUN}, rows=ended, failed=failed)


class Cells:
    """The cells of an experiment by data set, setting and contender.

    Examples
    --------
    >>> row = {"experiment": "table2", "dataset": "yale", "setting": {"labelled": 2}}
    >>> row |= {"contender": "SL", "parameters": {}}
    >>> rows = [row | {"repetition": at, "ACC": 50.0 + at} for at in range(3)]
    >>> Cells(rows, "table2").find("yale", {"labelled": 2}, "SL", "ACC").score("ACC")
    Score(mean=51.0, std=1.0, count=3)
    """

    def __init__(self, rows: Iterable[Row], experiment: str) -> None:
        self._cells: dict[tuple[str, str], dict[str, Cell]] = defaultdict(dict)
        self._settings: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        self.replaced: list[Cell] = []  # made with parameters that are no longer used
        for cell in sorted(cells_of(rows, experiment), key=lambda cell: cell.last):
            place = self._place(cell.dataset, cell.setting)
            if place not in self._cells:
                self._settings[cell.dataset].append(cell.setting)
            if cell.contender in self._cells[place]:
                self.replaced.append(self._cells[place][cell.contender])
            self._cells[place][cell.contender] = cell

    @staticmethod
    def _place(dataset: str, setting: Mapping[str, Any]) -> tuple[str, str]:
        return dataset, key_of({"setting": setting}, ["setting"])

    @cached_property
    def all(self) -> list[Cell]:
        """Every cell that counts."""
        return [cell for place in sorted(self._cells) for cell in self._cells[place].values()]

    @property
    def datasets(self) -> list[str]:
        return sorted(self._settings)

    @property
    def contenders(self) -> set[str]:
        return {cell.contender for cell in self.all}

    def settings(self, dataset: str, name: str) -> list[Mapping[str, Any]]:
        """Settings of a data set, by the value of one of their entries."""
        found = (setting for setting in self._settings.get(dataset, []) if name in setting)
        return sorted(found, key=lambda setting: float(setting[name]))

    def find(
        self, dataset: str, setting: Mapping[str, Any], contender: str, metric: str
    ) -> Cell | None:
        """A cell; of LSGR the variant that is best in this metric."""
        here = self._cells.get(self._place(dataset, setting), {})
        if contender == VARIED and VARIED not in here:
            return best_variant(here.values(), metric)
        return here.get(contender)


def is_variant(contender: str) -> bool:
    """Whether a contender is one of those that LSGR is the best of."""
    return contender.startswith(f"{VARIED}-")


def best_variant(cells: Iterable[Cell], metric: str) -> Cell | None:
    """The variant of LSGR with the highest mean; without any mean one that tells why."""
    variants = [cell for cell in cells if is_variant(cell.contender)]
    scores = [(cell.score(metric), cell) for cell in sorted(variants, key=lambda c: c.contender)]
    means = [(score.mean, cell) for score, cell in scores if score is not None]
    if means:
        return max(means, key=lambda pair: pair[0])[1]
    return scores[0][1] if scores else None


def collapsed(contenders: Iterable[str]) -> set[str]:
    """Contenders with the variants of LSGR as one.

    Examples
    --------
    >>> sorted(collapsed(["LSGR-adj", "LSGR-lap", "SL"]))
    ['LSGR', 'SL']
    """
    return {VARIED if is_variant(name) else name for name in contenders}
