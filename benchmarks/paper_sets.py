"""The paper's data sets with the authors' logged parameters, for benchmarks.

``published`` is the mean and standard deviation of the accuracy in the paper's table, in percent.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from samekind.paper.datasets import DatasetError, load
from samekind.paper.experiments.parameters import AUTHORS
from samekind.paper.experiments.published import published_scores

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # reference.py


@dataclass(frozen=True)
class PaperSet:
    """A data set of the paper and what the authors used on it."""

    name: str
    n_labeled: int  # per class, the paper's smallest number
    published: tuple[float, float]

    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """X in the paper's units, and y."""
        try:
            data = load(self.name)
        except DatasetError as error:
            sys.exit(str(error))
        return data.X, data.y

    @property
    def parameters(self) -> dict[str, float]:
        """As arguments of DGSL."""
        return AUTHORS[self.name]


def _smallest() -> dict[str, PaperSet]:
    cells = [one for one in published_scores() if (one.table, one.method) == (2, "DGSL")]
    sets: dict[str, PaperSet] = {}
    for one in sorted(cells, key=lambda cell: cell.labeled):
        sets.setdefault(one.dataset, PaperSet(one.dataset, one.labeled, (one.mean, one.std)))
    return sets


SETS = _smallest()
