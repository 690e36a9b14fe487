"""Which pairs a clustering honors."""

from dataclasses import dataclass

import numpy as np

from samekind._typing import IntArray


@dataclass(frozen=True, eq=False)
class ConstraintReport:
    """How many of the given pairs a labeling satisfies, and which it violates.

    Attributes
    ----------
    n_must_link, n_cannot_link : int
        How many pairs of each kind were given.
    violated_must_link : ndarray of shape (m, 2)
        Must-links whose samples have different labels.
    violated_cannot_link : ndarray of shape (m, 2)
        Cannot-links whose samples have one label.

    Examples
    --------
    >>> from samekind.constraints import PairConstraints
    >>> report = PairConstraints(4, [(0, 1)], [(1, 2)]).evaluate([0, 1, 2, 2])
    >>> report.satisfaction
    0.5
    >>> print(report)
    1 of 2 pairs satisfied; 1 of 1 must-links and 0 of 1 cannot-links violated.
    """

    n_must_link: int
    n_cannot_link: int
    violated_must_link: IntArray
    violated_cannot_link: IntArray

    @property
    def violated(self) -> int:
        """Number of violated pairs."""
        return len(self.violated_must_link) + len(self.violated_cannot_link)

    @property
    def satisfied(self) -> int:
        """Number of satisfied pairs."""
        return self.n_must_link + self.n_cannot_link - self.violated

    @property
    def satisfaction(self) -> float:
        """Satisfied pairs as a share of all, 1.0 where no pairs were given."""
        total = self.n_must_link + self.n_cannot_link
        return self.satisfied / total if total else 1.0

    def __str__(self) -> str:
        total = self.n_must_link + self.n_cannot_link
        if total == 0:
            return "No pairs were given."
        return (
            f"{self.satisfied} of {total} pairs satisfied; "
            f"{len(self.violated_must_link)} of {self.n_must_link} must-links and "
            f"{len(self.violated_cannot_link)} of {self.n_cannot_link} cannot-links violated."
        )


def compare(
    n_samples: int, must_link: IntArray, cannot_link: IntArray, labels: object
) -> ConstraintReport:
    """Hold the pairs against one label per sample."""
    found = np.asarray(labels)
    if found.shape != (n_samples,):
        raise ValueError(
            f"labels has shape {found.shape}, but the constraints cover {n_samples} samples; "
            "pass one label per sample, or use constraints.subset(rows) for a part of the rows"
        )
    if np.not_equal(found, found).any():
        raise ValueError("labels holds NaN, which equals nothing; give every sample a label")
    apart = found[must_link[:, 0]] != found[must_link[:, 1]]
    together = found[cannot_link[:, 0]] == found[cannot_link[:, 1]]
    violated_must, violated_cannot = must_link[apart], cannot_link[together]
    violated_must.flags.writeable = violated_cannot.flags.writeable = False
    return ConstraintReport(len(must_link), len(cannot_link), violated_must, violated_cannot)
