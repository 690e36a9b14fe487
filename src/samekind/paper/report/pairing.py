"""DGSL against each other method, on the same random trials: Wilcoxon's signed-rank test.

Two runs are a pair when data set, setting and repetition are the same. A cell is won or lost
where p is below 0.05, else tied. Five pairs or fewer cannot go below 0.05, so that such a cell
is tied whatever the scores.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.stats import wilcoxon

from samekind.paper.report.cells import Cell

OURS = "DGSL"
OUR_METHODS = (OURS, "SameKind")  # and what is called after them, such as DGSL-spread
LEVEL = 0.05
_EQUAL = 1e-9  # percent: two ways to the same score differ by rounding


@dataclass(frozen=True)
class Comparison:
    """One cell: how DGSL does against another method."""

    p: float
    difference: float  # mean, DGSL less the other
    n_pairs: int

    @property
    def outcome(self) -> str:
        """won, tied or lost."""
        if self.p >= LEVEL:
            return "tied"
        return "won" if self.difference > 0 else "lost"


def compare(ours: Cell | None, other: Cell | None, metric: str) -> Comparison | None:
    """The test over the random trials that both have; None where they share none."""
    if ours is None or other is None or ours is other:
        return None
    a, b = ours.by_repetition(metric), other.by_repetition(metric)
    shared = sorted(a.keys() & b.keys())
    if not shared:
        return None
    difference = np.array([a[at] - b[at] for at in shared])
    difference[np.abs(difference) <= _EQUAL] = 0.0
    p = float(wilcoxon(difference).pvalue) if difference.any() else 1.0
    return Comparison(p, float(difference.mean()), len(shared))


def is_ours(contender: str) -> bool:
    """Whether a contender is a method of ours, in any form.

    Examples
    --------
    >>> [is_ours(name) for name in ("DGSL", "DGSL-spread", "SameKind", "SL")]
    [True, True, True, False]
    """
    return contender.startswith(OUR_METHODS)


def tally(comparisons: Iterable[Comparison]) -> str:
    """Cells won, tied and lost, as text.

    Examples
    --------
    >>> tally([Comparison(0.01, 2.0, 20), Comparison(0.3, 2.0, 20), Comparison(0.01, -2.0, 20)])
    '1 / 1 / 1'
    """
    counts = Counter(one.outcome for one in comparisons)
    return " / ".join(str(counts[outcome]) for outcome in ("won", "tied", "lost"))
