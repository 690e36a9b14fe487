"""Experiments that the paper does not have: their scores, as a plain table for each data set."""

from collections.abc import Iterable

from samekind.paper.experiments.rows import Row
from samekind.paper.report.cells import Cell, cells_of
from samekind.paper.report.names import DATASETS, dataset_title, in_order, in_words
from samekind.paper.report.tables import NONE, Field, Table

METRICS = ("ACC", "NMI")


def other_tables(rows: Iterable[Row], experiment: str) -> list[Table]:
    """ACC and NMI of each method in each setting, with its parameters.

    Examples
    --------
    >>> row = {"experiment": "mine", "dataset": "yale", "setting": {"labelled": 2}}
    >>> row |= {"contender": "SL", "parameters": {}, "repetition": 0, "ACC": 50.0}
    >>> [table] = other_tables([row], "mine")
    >>> [field.words for field in table.rows[0]]
    ['SL', 'labelled=2', 'none', '50.0 (1)', '–']
    """
    cells = cells_of(rows, experiment)
    columns = ["method", "setting", "parameters", *(f"{name}, %" for name in METRICS)]
    return [
        Table(
            dataset_title(dataset),
            columns,
            [_line(cell) for cell in cells if cell.dataset == dataset],
        )
        for dataset in in_order({cell.dataset for cell in cells}, DATASETS)
    ]


def _line(cell: Cell) -> list[Field]:
    words = [Field(in_words(values), prose=True) for values in (cell.setting, cell.parameters)]
    return [Field(cell.contender), *words, *(_score(cell, name) for name in METRICS)]


def _score(cell: Cell, metric: str) -> Field:
    score = cell.score(metric)
    if score is None:
        return Field("failed", faint=True) if cell.failed else Field(NONE)
    return Field(f"{score.mean:.1f}", score.aside)
