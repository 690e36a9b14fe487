"""Which of the given labels a method keeps."""

from dataclasses import dataclass

import numpy as np

from samekind._typing import IntArray


@dataclass(frozen=True, eq=False)
class LabelReport:
    """How many of the given labels the result keeps, and which it overrules.

    Attributes
    ----------
    n_labeled : int
        How many labels were given.
    overruled : ndarray of shape (m,)
        Rows whose label was given and came out as another one.

    Examples
    --------
    >>> report = LabelReport.of([0, -1, 1], [0, 0, 0])
    >>> report.overruled
    array([2])
    >>> print(report)
    1 of 2 given labels kept; 1 overruled.
    """

    n_labeled: int
    overruled: IntArray

    @classmethod
    def of(cls, given: object, found: object) -> "LabelReport":
        """Hold given labels (-1: unknown) against the ones that were found."""
        y, labels = np.asarray(given), np.asarray(found)
        overruled = np.flatnonzero((y != -1) & (y != labels))
        overruled.flags.writeable = False
        return cls(int((y != -1).sum()), overruled)

    @property
    def violated(self) -> int:
        """Number of overruled labels."""
        return len(self.overruled)

    @property
    def satisfied(self) -> int:
        """Number of labels that were kept."""
        return self.n_labeled - self.violated

    @property
    def satisfaction(self) -> float:
        """Kept labels as a share of all."""
        return self.satisfied / self.n_labeled if self.n_labeled else 1.0

    def __str__(self) -> str:
        return f"{self.satisfied} of {self.n_labeled} given labels kept; {self.violated} overruled."
