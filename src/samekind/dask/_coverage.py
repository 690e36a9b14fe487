"""How well the landmarks cover the rows."""

from dataclasses import dataclass

from samekind._typing import IntArray

SHOWN = 5  # rows named in the sentence


@dataclass(frozen=True, eq=False)
class Coverage:
    """Which rows the landmarks speak for, and which are far from all of them.

    A row is far if its distance from the nearest center of a cell, over the median of that cell,
    is far out in the sense of Tukey: three interquartile ranges above the upper quartile. A kind
    that is too rare to have a cell is found among these rows.

    Attributes
    ----------
    n_rows, n_landmarks, n_cells : int
    n_far : int
        Rows that are far from every cell.
    n_far_before : int
        As many before the last round, where far rows got cells of their own.
    far_rows : ndarray
        Their row numbers, the farthest first; at most as many as there are landmarks.

    Examples
    --------
    >>> import numpy as np
    >>> print(Coverage(100_000, 2000, 50, 3, 3, np.array([7, 99, 12])))
    2,000 landmarks in 50 cells stand for 100,000 rows; 3 rows (0.003 %) are far from all of them:
    7, 99, 12
    """

    n_rows: int
    n_landmarks: int
    n_cells: int
    n_far: int
    n_far_before: int
    far_rows: IntArray

    @property
    def share_far(self) -> float:
        """Far rows as a share of all."""
        return self.n_far / self.n_rows

    def __str__(self) -> str:
        told = (
            f"{self.n_landmarks:,} landmarks in {self.n_cells:,} cells stand for "
            f"{self.n_rows:,} rows"
        )
        if self.n_far_before > self.n_far:
            told += f"; {self.n_far_before - self.n_far:,} far rows got cells of their own"
        if not self.n_far:
            return f"{told}; none is far from all of them"
        rows = ", ".join(map(str, self.far_rows[:SHOWN].tolist()))
        more = ", ..." if self.n_far > SHOWN else ""
        are = "row ({:.2g} %) is" if self.n_far == 1 else "rows ({:.2g} %) are"
        share = are.format(100 * self.share_far)
        return f"{told}; {self.n_far:,} {share} far from all of them: {rows}{more}"
