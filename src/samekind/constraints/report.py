"""Which pairs and labels a clustering respects."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from samekind._typing import IntArray


def _none(*shape: int) -> IntArray:
    empty = np.empty(shape, dtype=np.int64)
    empty.flags.writeable = False
    return empty


@dataclass(frozen=True, eq=False, kw_only=True)
class ConstraintReport:
    """How much of what was given a result respects: pairs and labels, and which not.

    Attributes
    ----------
    n_must_link, n_cannot_link : int
        How many pairs of each kind were given.
    violated_must_link : ndarray of shape (m, 2)
        Must-links whose samples have different labels.
    violated_cannot_link : ndarray of shape (m, 2)
        Cannot-links whose samples have one label.
    n_labels : int
        How many labels were given.
    overruled : ndarray of shape (m,)
        Rows whose label was given and came out as another one.

    Examples
    --------
    >>> from samekind.constraints import PairConstraints
    >>> report = PairConstraints(4, [(0, 1)], [(1, 2)]).evaluate([0, 1, 2, 2])
    >>> report.satisfaction
    0.5
    >>> print(report)
    1 of 2 pairs satisfied; 1 of 1 must-links and 0 of 1 cannot-links violated.
    >>> print(ConstraintReport.of_labels([0, -1, 1], [0, 0, 0]))
    1 of 2 given labels kept; 1 overruled.
    """

    n_must_link: int = 0
    n_cannot_link: int = 0
    violated_must_link: IntArray = field(default_factory=lambda: _none(0, 2))
    violated_cannot_link: IntArray = field(default_factory=lambda: _none(0, 2))
    n_labels: int = 0
    overruled: IntArray = field(default_factory=lambda: _none(0))

    @classmethod
    def of_pairs(
        cls, n_samples: int, must_link: IntArray, cannot_link: IntArray, labels: npt.ArrayLike
    ) -> "ConstraintReport":
        """Hold pairs against one label per sample."""
        found = checked_labels_of(n_samples, labels)
        apart = found[must_link[:, 0]] != found[must_link[:, 1]]
        together = found[cannot_link[:, 0]] == found[cannot_link[:, 1]]
        violated_must, violated_cannot = must_link[apart], cannot_link[together]
        violated_must.flags.writeable = violated_cannot.flags.writeable = False
        return cls(
            n_must_link=len(must_link),
            n_cannot_link=len(cannot_link),
            violated_must_link=violated_must,
            violated_cannot_link=violated_cannot,
        )

    @classmethod
    def of_labels(cls, given: npt.ArrayLike, found: npt.ArrayLike) -> "ConstraintReport":
        """Hold given labels (-1: unknown) against those that were found."""
        y, labels = np.asarray(given), np.asarray(found)
        overruled = np.flatnonzero((y != -1) & (y != labels))
        overruled.flags.writeable = False
        return cls(n_labels=int((y != -1).sum()), overruled=overruled)

    @property
    def given(self) -> int:
        """Number of pairs or labels given."""
        return self.n_must_link + self.n_cannot_link + self.n_labels

    @property
    def violated(self) -> int:
        """Number of pairs violated or labels overruled."""
        violated = (self.violated_must_link, self.violated_cannot_link, self.overruled)
        return sum(map(len, violated))

    @property
    def satisfied(self) -> int:
        """Number of pairs satisfied or labels kept."""
        return self.given - self.violated

    @property
    def satisfaction(self) -> float:
        """Pairs satisfied or labels kept as a share of all, 1.0 where none were given."""
        return self.satisfied / self.given if self.given else 1.0

    def __str__(self) -> str:
        if not self.given:
            return "No pairs or labels were given."
        said = []
        if self.n_labels:
            kept = self.n_labels - len(self.overruled)
            said.append(
                f"{kept} of {self.n_labels} given labels kept; {len(self.overruled)} overruled."
            )
        if n_pairs := self.n_must_link + self.n_cannot_link:
            satisfied = n_pairs - len(self.violated_must_link) - len(self.violated_cannot_link)
            said.append(
                f"{satisfied} of {n_pairs} pairs satisfied; "
                f"{len(self.violated_must_link)} of {self.n_must_link} must-links and "
                f"{len(self.violated_cannot_link)} of {self.n_cannot_link} cannot-links violated."
            )
        return " ".join(said)


def checked_labels_of(n_samples: int, labels: npt.ArrayLike) -> npt.NDArray[np.generic]:
    """One label per sample, of any kind."""
    found = np.asarray(labels)
    if found.shape != (n_samples,):
        raise ValueError(
            f"labels has shape {found.shape}, but the constraints cover {n_samples} samples; "
            "pass one label per sample, or use constraints.subset(rows) for a part of the rows"
        )
    if np.not_equal(found, found).any():
        raise ValueError("labels holds NaN, which equals nothing; give every sample a label")
    return found
