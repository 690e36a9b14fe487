"""Cross-validation with pairs: a splitter that holds out pairs with their rows.

The other parts are `PairConstraints.indexable`, by which each fold gets the pairs among its rows,
and `score` of the methods for pairs.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import BaseShuffleSplit

from samekind._typing import IntArray, RandomState
from samekind.constraints import PairConstraints
from samekind.estimators._base.parameters import Number, Range, Whole
from samekind.estimators._base.validation import check_random_state, pairs_for, supervision_of

__all__ = ["PairShuffleSplit"]


class PairShuffleSplit(BaseShuffleSplit):  # type: ignore[misc]
    """Random splits in which both rows of a held-out pair are in the test set.

    A split of rows at random would leave few pairs with both rows on one side. Here pairs are
    drawn, and their rows are the test set until it holds ``test_size`` of the rows in pairs; all
    other rows are for training, also those in no pair. A pair with one row on each side is in
    neither: no row, and so no pair, is on both sides.

    Parameters
    ----------
    n_splits : int, default=5
        Number of splits.
    test_size : float, default=0.2
        Share of the rows in pairs that are held out; at least one pair is.
    random_state : int, RandomState instance or None, default=None
        An int gives the same splits each time.

    Examples
    --------
    >>> import numpy as np
    >>> from samekind import PairConstraints
    >>> pairs = PairConstraints(8, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (4, 5)])
    >>> split = PairShuffleSplit(n_splits=1, test_size=0.4, random_state=0)
    >>> for train, test in split.split(np.zeros((8, 2)), constraints=pairs):
    ...     print(train, test, pairs.subset(test))
    [0 1 4 5 6 7] [2 3] PairConstraints(n_samples=2, must_link=1 pair, cannot_link=0 pairs)
    """

    # With metadata routing, constraints are wanted unless set_split_request says otherwise.
    __metadata_request__split = {"constraints": True}  # noqa: RUF012

    def __init__(
        self, n_splits: int = 5, *, test_size: float = 0.2, random_state: RandomState = None
    ) -> None:
        super().__init__(n_splits, test_size=test_size, random_state=random_state)

    def split(
        self,
        X: Any,
        y: Any = None,
        groups: Any = None,
        constraints: PairConstraints | None = None,
    ) -> Iterator[tuple[IntArray, IntArray]]:
        """Row numbers of the training set and of the test set, ``n_splits`` times.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Its number of rows is all that counts.
        y : array-like of shape (n_samples,), optional
            Labels with unknowns (-1, None or NaN): all pairs among the labeled rows.
        groups : None
            Ignored.
        constraints : PairConstraints, optional
            Pairs among the rows of X.

        Returns
        -------
        splits : iterator of (train, test)
        """
        ranges: dict[str, Range] = {"n_splits": Whole(1), "test_size": Number(0, below=1)}
        for name, allowed in ranges.items():
            if not allowed.holds(getattr(self, name)):
                raise ValueError(
                    f"The {name!r} parameter of PairShuffleSplit must be {allowed}. "
                    f"Got {getattr(self, name)!r} instead."
                )
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        pairs = supervision_of(pairs_for(n, None, None, constraints), y).constraints
        if not len(pairs.must_link) and not len(pairs.cannot_link):
            raise ValueError(
                "no pairs came; pass constraints=, in cross-validation after "
                "sklearn.set_config(enable_metadata_routing=True), or y with -1 where unknown"
            )
        return self._splits(n, pairs)

    def get_n_splits(
        self, X: Any = None, y: Any = None, groups: Any = None, constraints: Any = None
    ) -> int:
        """The number of splits; all arguments are ignored."""
        return int(self.n_splits)

    def _splits(self, n: int, pairs: PairConstraints) -> Iterator[tuple[IntArray, IntArray]]:
        rng, kinds = check_random_state(self.random_state), (pairs.must_link, pairs.cannot_link)
        together = np.vstack(kinds)
        for _ in range(self.n_splits):
            # One of each kind first, so that both are tested wherever test_size allows it.
            first = [rng.permutation(kind)[:1] for kind in kinds]
            held_out = _rows_of(np.vstack([*first, rng.permutation(together)]), self.test_size)
            inside = np.isin(np.arange(n), held_out)
            if inside[together].any(axis=1).all():
                raise ValueError(
                    f"each of the {len(together)} pairs has a row among the {len(held_out)} that "
                    "were held out, so none is left for training; give more pairs, or lower "
                    f"test_size (now {self.test_size})"
                )
            yield np.flatnonzero(~inside), np.flatnonzero(inside)


def _rows_of(pairs: IntArray, share: float) -> list[int]:
    """Rows of the first pairs, whole pairs, as many as the share of all rows in pairs."""
    wanted = max(2, round(share * len(np.unique(pairs))))
    rows: set[int] = set()
    for pair in pairs.tolist():
        more = rows.union(pair)
        rows = more if len(more) <= wanted else rows
        if len(rows) == wanted:
            break
    return sorted(rows)
