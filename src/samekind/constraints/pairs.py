"""PairConstraints: what is known about pairs of samples, as one value.

The value knows its `n_samples` and has neither `__len__` nor `shape`, on purpose:
scikit-learn's `cross_validate` slices every fit argument that is as long as X, and the
indices of an array of pairs would then point at other rows without a word. `indexable` makes
the form that is meant to be sliced, by which pairs keep their rows.
"""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array

from samekind._typing import IntArray
from samekind.constraints import cliques, closure, tables
from samekind.constraints.checks import check_count, check_pairs, check_rows, numbered_labels
from samekind.constraints.conflicts import DroppedPair, Settled, settle
from samekind.constraints.report import ConstraintReport

if TYPE_CHECKING:
    from samekind.constraints.indexable import IndexablePairs


class PairConstraints:
    """Pairs of samples that are the same kind (must-link) or different (cannot-link).

    An immutable value: equal to any other with the same pairs in whatever order, and safe
    as a key of a dictionary.

    Parameters
    ----------
    n_samples : int
        Number of samples the indices refer to, the rows of X.
    must_link, cannot_link : array-like of shape (m, 2), or None
        Pairs of sample indices: lists of tuples, arrays or frames. Whole floats are
        accepted. Repeats and reversed repeats are merged. A must-link of a sample with
        itself says nothing and is left out; such a cannot-link is a contradiction.
    on_conflict : {"raise", "drop"}
        What to do with contradictions. "raise" reports the first with the chain of
        must-links that proves it. "drop" takes the must-links, then each cannot-link as
        given, and leaves out those that contradict what came before.

    Attributes
    ----------
    n_samples : int
    must_link, cannot_link : ndarray of shape (m, 2)
        The pairs, each as i < j, in the order in which they were first given.
    dropped : tuple of DroppedPair
        The pairs left out by ``on_conflict="drop"``: pair, kind and reason.
    group_of : ndarray of shape (n_samples,)
        A must-link group for every sample, numbered by smallest member; a sample
        without must-links is a group of one.

    Raises
    ------
    ConstraintConflict
        If the pairs contradict each other and `on_conflict` is "raise".

    Examples
    --------
    >>> constraints = PairConstraints(5, must_link=[(0, 1), (2, 1)], cannot_link=[(2, 4)])
    >>> constraints
    PairConstraints(n_samples=5, must_link=2 pairs, cannot_link=1 pair)
    >>> constraints.groups
    (array([0, 1, 2]),)
    >>> PairConstraints(5, must_link=[(0, 1), (2, 1)], cannot_link=[(0, 2)])
    Traceback (most recent call last):
    ...
    samekind.constraints.conflicts.ConstraintConflict: samples 0 and 2 are marked different,
    yet 0 = 1 = 2 follows from the must-links; remove one of these constraints
    """

    __slots__ = ("cannot_link", "dropped", "group_of", "must_link", "n_samples")

    n_samples: int
    must_link: IntArray
    cannot_link: IntArray
    dropped: tuple[DroppedPair, ...]
    group_of: IntArray

    def __init__(
        self,
        n_samples: int,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        *,
        on_conflict: str = "raise",
    ) -> None:
        n = check_count(n_samples, "n_samples", 1)
        must = check_pairs(must_link, n, "must_link")
        cannot = check_pairs(cannot_link, n, "cannot_link")
        pairs = np.concatenate([must, cannot])
        is_must = np.arange(len(pairs)) < len(must)
        self._fill(n, settle(n, pairs, is_must, on_conflict))

    def _fill(self, n_samples: int, settled: Settled) -> None:
        group_of = closure.group_ids(n_samples, settled.must_link)
        for array in (settled.must_link, settled.cannot_link, group_of):
            array.flags.writeable = False
        values = {"n_samples": n_samples, "group_of": group_of, **settled._asdict()}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def _restore(cls, n_samples: int, settled: Settled) -> Self:
        """A value from pairs that are consistent already."""
        value = cls.__new__(cls)
        value._fill(n_samples, settled)
        return value

    @classmethod
    def from_labels(cls, y: npt.ArrayLike) -> Self:
        """All pairs among labeled samples.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            A label per sample, text or numbers; unknown are None, NaN, blank text and the
            number -1. Equal labels make must-links, different labels cannot-links.

        Examples
        --------
        >>> PairConstraints.from_labels([0, -1, 0, 1])
        PairConstraints(n_samples=4, must_link=1 pair, cannot_link=2 pairs)
        >>> PairConstraints.from_labels(["cat", None, "cat", "dog"])
        PairConstraints(n_samples=4, must_link=1 pair, cannot_link=2 pairs)
        """
        labels, _ = numbered_labels(y)
        known = np.flatnonzero(labels >= 0)
        first, second = np.triu_indices(len(known), k=1)
        pairs = np.column_stack([known[first], known[second]])
        same = labels[pairs[:, 0]] == labels[pairs[:, 1]]
        return cls(len(labels), pairs[same], pairs[~same])

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        n_samples: int,
        *,
        ids: Iterable[object] | None = None,
        on_conflict: str = "raise",
    ) -> Self:
        """Read pairs from a csv file with the columns `a,b,kind`.

        Parameters
        ----------
        path : path of the file
            UTF-8 with a header line; `kind` is ``must-link`` or ``same``, or ``cannot-link``
            or ``different``, in small or capital letters. Blank lines and further columns are
            ignored.
        n_samples : int
            Number of samples the file speaks of.
        ids : sequence of str, optional
            One id for each sample, if `a` and `b` are ids; without, they are row numbers
            from 0. Ids that are files may be named with more of their folders or fewer, if it
            is clear which is meant.
        on_conflict : {"raise", "drop"}
            As for the constructor, but in the order of the lines: what completes a
            contradiction may be a must-link, if earlier lines already say different.

        Raises
        ------
        InputError
            With file, line and reason, if the file cannot be understood.
        ConstraintConflict
            If the pairs contradict each other and `on_conflict` is "raise".

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "pairs.csv")
        ...     _ = path.write_text("a,b,kind\\nann,bob,must-link\\n")
        ...     PairConstraints.from_csv(path, 3, ids=["ann", "bob", "cleo"]).must_link
        array([[0, 1]])
        """
        return cls._from_table(tables.csv_table(path), n_samples, ids, on_conflict)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        n_samples: int,
        *,
        ids: Iterable[object] | None = None,
        on_conflict: str = "raise",
    ) -> Self:
        """Pairs from a frame of pandas or polars with the columns `a,b,kind`.

        Parameters
        ----------
        frame : frame
            As the file of `from_csv`.
        n_samples, ids, on_conflict
            As in `from_csv`; ``ids=X.index`` where pairs name rows of a frame X.

        Examples
        --------
        >>> import pandas as pd
        >>> X = pd.DataFrame({"size": [1.0, 2.0, 9.0]}, index=["ann", "bob", "cleo"])
        >>> pairs = pd.DataFrame({"a": ["ann"], "b": ["cleo"], "kind": ["different"]})
        >>> PairConstraints.from_frame(pairs, len(X), ids=X.index).cannot_link
        array([[0, 2]])
        """
        return cls._from_table(tables.frame_table(frame), n_samples, ids, on_conflict)

    @classmethod
    def _from_table(
        cls, table: tables.Table, n_samples: int, ids: Iterable[object] | None, on_conflict: str
    ) -> Self:
        n = check_count(n_samples, "n_samples", 1)
        names = None if ids is None else tables.check_ids(ids, n)
        pairs, is_must, origins = tables.read_pairs(table, n, names)
        settled = settle(n, pairs, is_must, on_conflict, names=names, origins=origins)
        return cls._restore(n, settled)

    def to_csv(self, path: str | os.PathLike[str], *, ids: Iterable[object] | None = None) -> None:
        """Write the pairs to a csv file that `from_csv` reads back as an equal value.

        Parameters
        ----------
        path : path of the file
            Replaced if it exists; it appears whole or not at all.
        ids : sequence of str, optional
            One id for each sample, to be written in place of row numbers.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "pairs.csv")
        ...     PairConstraints(3, [(0, 1)], [(1, 2)]).to_csv(path)
        ...     path.read_text().split()
        ['a,b,kind', '0,1,must-link', '1,2,cannot-link']
        """
        names = None if ids is None else tables.check_ids(ids, self.n_samples)
        tables.write_pairs(path, self.must_link, self.cannot_link, names)

    @property
    def groups(self) -> tuple[IntArray, ...]:
        """The must-link groups of two or more samples, largest first, then by smallest member."""
        sizes = np.bincount(self.group_of)
        order = np.argsort(-sizes, kind="stable")
        return tuple(self._members(order[sizes[order] > 1].tolist()))

    def _members(self, groups: Iterable[int]) -> list[IntArray]:
        by_group, sizes = np.argsort(self.group_of, kind="stable"), np.bincount(self.group_of)
        by_group.flags.writeable = False
        ends = np.cumsum(sizes)
        return [by_group[ends[group] - sizes[group] : ends[group]] for group in groups]

    def closure(self) -> "PairConstraints":
        """These pairs and all that follow from them.

        Must-links hold within groups; a cannot-link holds between all members of the two
        groups it touches. The given pairs come first, then the implied ones.

        Examples
        --------
        >>> PairConstraints(4, must_link=[(0, 1), (1, 2)], cannot_link=[(2, 3)]).closure()
        PairConstraints(n_samples=4, must_link=3 pairs, cannot_link=3 pairs)
        """
        must = closure.implied_must_links(self.group_of)
        cannot = closure.implied_cannot_links(self.group_of, self.cannot_link)
        return PairConstraints(
            self.n_samples,
            np.concatenate([self.must_link, must]),
            np.concatenate([self.cannot_link, cannot]),
        )

    def subset(self, rows: npt.ArrayLike) -> "PairConstraints":
        """The pairs among some rows, with indices that are positions in `rows`.

        Only given pairs with both samples in `rows` stay. What follows through samples
        that are left out is lost; ``closure().subset(rows)`` keeps it.

        Parameters
        ----------
        rows : array-like of distinct row numbers, or boolean mask of shape (n_samples,)
            As they would be used in ``X[rows]``.

        Examples
        --------
        >>> PairConstraints(5, [(0, 4)], [(1, 4)]).subset([4, 0, 2]).must_link
        array([[0, 1]])
        """
        chosen = check_rows(rows, self.n_samples)
        if len(chosen) == 0:
            raise ValueError("rows is empty; choose at least one row")
        position = np.full(self.n_samples, -1)
        position[chosen] = np.arange(len(chosen))
        must, cannot = position[self.must_link], position[self.cannot_link]
        return PairConstraints(
            len(chosen), must[(must >= 0).all(axis=1)], cannot[(cannot >= 0).all(axis=1)]
        )

    def indexable(self) -> "IndexablePairs":
        """The same pairs in a form that scikit-learn's cross-validation cuts together with X.

        Each fold then gets the pairs among its own rows, with indices that fit them; see
        `PairShuffleSplit`.

        Examples
        --------
        >>> PairConstraints(5, [(0, 4)], [(1, 4)]).indexable()[[4, 0, 2]].must_link
        array([[0, 1]])
        """
        from samekind.constraints.indexable import IndexablePairs

        settled = Settled(self.must_link, self.cannot_link, self.dropped)
        return IndexablePairs._restore(self.n_samples, settled)

    def union(
        self, other: "PairConstraints", *, ids: Iterable[object] | None = None
    ) -> "PairConstraints":
        """These pairs and others of the same samples.

        Parameters
        ----------
        other : PairConstraints
        ids : sequence of str, optional
            One id for each sample, for messages.

        Raises
        ------
        ConstraintConflict
            If they contradict each other.

        Examples
        --------
        >>> PairConstraints(3, [(0, 1)]).union(PairConstraints(3, cannot_link=[(1, 2)]))
        PairConstraints(n_samples=3, must_link=1 pair, cannot_link=1 pair)
        """
        if other.n_samples != self.n_samples:
            raise ValueError(
                f"these constraints cover {self.n_samples} samples and the others "
                f"{other.n_samples}; build both from the same rows"
            )
        if not len(other.must_link) and not len(other.cannot_link):
            return self
        names = None if ids is None else tables.check_ids(ids, self.n_samples)
        must = np.concatenate([self.must_link, other.must_link])
        pairs = np.concatenate([must, self.cannot_link, other.cannot_link])
        is_must = np.arange(len(pairs)) < len(must)
        return self._restore(
            self.n_samples, settle(self.n_samples, pairs, is_must, "raise", names=names)
        )

    def evaluate(self, labels: npt.ArrayLike) -> ConstraintReport:
        """Hold the pairs against one label per sample; labels are compared for equality.

        Examples
        --------
        >>> report = PairConstraints(3, [(0, 1)], [(1, 2)]).evaluate([0, 0, 0])
        >>> report.violated_cannot_link
        array([[1, 2]])
        """
        return ConstraintReport.of_pairs(self.n_samples, self.must_link, self.cannot_link, labels)

    def must_link_matrix(self) -> csr_array:
        """The must-links as a symmetric sparse matrix of ones, the paper's M.

        Examples
        --------
        >>> PairConstraints(3, must_link=[(0, 2)]).must_link_matrix().toarray()
        array([[0., 0., 1.],
               [0., 0., 0.],
               [1., 0., 0.]])
        """
        return _symmetric(self.n_samples, self.must_link)

    def cannot_link_matrix(self) -> csr_array:
        """The cannot-links as a symmetric sparse matrix of ones, the paper's C unscaled.

        Examples
        --------
        >>> PairConstraints(2, cannot_link=[(0, 1)]).cannot_link_matrix().toarray()
        array([[0., 1.],
               [1., 0.]])
        """
        return _symmetric(self.n_samples, self.cannot_link)

    def clique_beyond(self, k: int) -> tuple[IntArray, ...] | None:
        """More than k groups that are all different from one another, if some are found.

        Such groups (must-link groups or single samples) cannot be put into k clusters.
        The search is exact while at most 20 groups come into question, and greedy beyond.
        Finding none is no proof that k clusters suffice, not even where it is exact.

        Examples
        --------
        >>> triangle = PairConstraints(4, [(0, 3)], [(0, 1), (1, 2), (2, 3)])
        >>> triangle.clique_beyond(2)
        (array([0, 3]), array([1]), array([2]))
        >>> triangle.clique_beyond(3) is None
        True
        """
        clique = cliques.find_clique_beyond(self._neighbors(), check_count(k, "k", 1))
        sizes = np.bincount(self.group_of)
        ordered = sorted(clique, key=lambda group: (-sizes[group], group))
        return tuple(self._members(ordered)) or None

    def seed_groups(self, k: int) -> list[IntArray]:
        """Up to k groups that are all different from one another, to start clusters from.

        Must-link groups, and single samples that have a cannot-link, are taken largest
        first (then by smallest member) if they are different from all taken before.

        Examples
        --------
        >>> PairConstraints(5, [(1, 2)], [(0, 1), (0, 4), (2, 4)]).seed_groups(2)
        [array([1, 2]), array([0])]
        """
        count = check_count(k, "k", 1)
        seeds = cliques.greedy_seeds(self._neighbors(), np.bincount(self.group_of), count)
        return self._members(seeds)

    def distinct_groups(self, k: int) -> list[IntArray]:
        """Groups that are all different from one another, as many as are found, at most k.

        Must-link groups and single samples with a cannot-link. Without cannot-links, the largest
        must-link group alone. Looks harder than ``seed_groups``, which takes the largest first.

        Examples
        --------
        >>> pairs = PairConstraints(6, [(0, 1)], [(0, 2), (3, 4), (4, 5), (3, 5)])
        >>> pairs.distinct_groups(3)
        [array([3]), array([4]), array([5])]
        """
        count = check_count(k, "k", 1)
        sizes = np.bincount(self.group_of)
        return self._members(cliques.distinct_groups(self._neighbors(), sizes, count))

    def _neighbors(self) -> cliques.Neighbors:
        return cliques.as_neighbors(closure.linked_groups(self.group_of, self.cannot_link))

    def _key(self) -> tuple[int, bytes, bytes]:
        pairs = (self.must_link, self.cannot_link)
        must, cannot = (np.sort(p[:, 0] * self.n_samples + p[:, 1]).tobytes() for p in pairs)
        return self.n_samples, must, cannot

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairConstraints):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        must, cannot = _count(len(self.must_link)), _count(len(self.cannot_link))
        dropped = f", dropped={_count(len(self.dropped))}" if self.dropped else ""
        return (
            f"{type(self).__name__}(n_samples={self.n_samples}, must_link={must}, "
            f"cannot_link={cannot}{dropped})"
        )

    def __reduce__(self) -> tuple[object, ...]:
        # Through _restore, so that copies are read-only again and keep what was dropped.
        settled = Settled(self.must_link, self.cannot_link, self.dropped)
        return type(self)._restore, (self.n_samples, settled)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} cannot be set: PairConstraints is a value; make a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name} cannot be removed: PairConstraints is a value")


def _count(number: int) -> str:
    return f"{number} pair" if number == 1 else f"{number} pairs"


def _symmetric(n_samples: int, pairs: IntArray) -> csr_array:
    both = np.concatenate([pairs, pairs[:, ::-1]])
    ones = np.ones(len(both))
    return coo_array((ones, (both[:, 0], both[:, 1])), shape=(n_samples, n_samples)).tocsr()
