"""Pairs that are cut together with X, for cross-validation."""

from types import EllipsisType
from typing import Any, NoReturn

import numpy as np

from samekind.constraints.pairs import PairConstraints


class IndexablePairs(PairConstraints):
    """Pairs as long as X: taking rows of them gives the pairs among these rows.

    scikit-learn cuts every argument of ``fit`` and ``score`` that is as long as X together with
    X, by ``argument[rows, ...]``. Here that is ``subset``: pairs with both samples in ``rows``
    stay, and their indices are positions in ``rows``. ``PairConstraints.indexable`` makes it.

    Examples
    --------
    >>> pairs = PairConstraints(5, [(0, 4)], [(1, 4)]).indexable()
    >>> len(pairs), pairs[[4, 0, 2]].must_link.tolist()
    (5, [[0, 1]])
    """

    __slots__ = ()

    @property
    def shape(self) -> tuple[int]:
        """As of one entry per sample."""
        return (self.n_samples,)

    def __len__(self) -> int:
        return self.n_samples

    def __getitem__(self, rows: Any) -> "IndexablePairs":
        match rows:
            case slice():
                rows = np.arange(self.n_samples)[rows]
            case (rows, EllipsisType()):
                return self[rows]
        return self.subset(rows).indexable()

    def __iter__(self) -> NoReturn:
        raise TypeError("pairs cannot be iterated over; use must_link and cannot_link")
