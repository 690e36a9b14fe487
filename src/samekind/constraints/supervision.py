"""Supervision: what is known about some samples, as pairs or as labels with names."""

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any, NoReturn, Self

import numpy as np
import numpy.typing as npt

from samekind._files import InputError
from samekind._typing import IntArray
from samekind.constraints import tables
from samekind.constraints.checks import check_count, numbered_labels
from samekind.constraints.pairs import PairConstraints
from samekind.constraints.report import ConstraintReport, checked_labels_of


class Supervision:
    """What is known about some samples: pairs, labels with the names of their classes, or both.

    An immutable value. Made from pairs by ``Supervision(constraints)`` or `from_pairs`, from
    labels by `from_labels`, and from files and frames of either by `from_csv` and `from_frame`;
    `with_pairs` adds pairs to labels.

    Parameters
    ----------
    constraints : PairConstraints
        The pairs that are known.

    Attributes
    ----------
    n_samples : int
        Number of samples it speaks of, the rows of X.
    constraints : PairConstraints
        The pairs given and, where labels were given, all pairs among labeled samples.
    pairs : PairConstraints
        The pairs given, without those that follow from labels.
    y : ndarray of shape (n_samples,), or None
        For each sample the position of its class in `names`, -1 where unknown; None where
        no labels were given.
    names : tuple
        The classes as they were given, sorted, numbers before text.

    See Also
    --------
    PairConstraints : What estimators that learn from pairs take as ``constraints``.

    Examples
    --------
    >>> known = Supervision.from_labels(["cat", None, "dog", "cat"])
    >>> known
    Supervision(n_samples=4, labels=3, names=('cat', 'dog'))
    >>> known.y
    array([ 0, -1,  1,  0])
    >>> known.constraints
    PairConstraints(n_samples=4, must_link=1 pair, cannot_link=2 pairs)
    >>> Supervision(PairConstraints(4, must_link=[(0, 3)]))
    Supervision(n_samples=4, must_link=1, cannot_link=0)
    """

    n_samples: int
    y: IntArray | None
    names: tuple[Any, ...]
    pairs: PairConstraints

    def __init__(self, constraints: PairConstraints) -> None:
        if not isinstance(constraints, PairConstraints):
            raise TypeError(
                f"constraints is a {type(constraints).__name__}; expected a PairConstraints; "
                "use Supervision.from_pairs or Supervision.from_labels for arrays"
            )
        self._fill(None, (), constraints, constraints=constraints)

    def _fill(
        self, y: IntArray | None, names: tuple[Any, ...], pairs: PairConstraints, **more: Any
    ) -> None:
        vars(self).update(n_samples=pairs.n_samples, y=y, names=names, pairs=pairs, **more)

    @classmethod
    def _of_labels(cls, y: IntArray, names: tuple[Any, ...], pairs: PairConstraints) -> Self:
        value = cls.__new__(cls)
        y.flags.writeable = False
        value._fill(y, names, pairs)
        return value

    @classmethod
    def from_labels(cls, y: Iterable[object]) -> Self:
        """Labels of some samples.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            A label per sample, text or numbers. Unknown are None, NaN, blank text and the
            number -1; whole floats are taken for the integers they are.

        Examples
        --------
        >>> Supervision.from_labels([7, -1, 3]).names
        (3, 7)
        """
        numbers, names = numbered_labels(y)
        return cls._of_labels(numbers, names, PairConstraints(len(numbers)))

    def with_pairs(
        self, pairs: PairConstraints, *, ids: Iterable[object] | None = None
    ) -> "Supervision":
        """The same and these pairs.

        Parameters
        ----------
        pairs : PairConstraints
        ids : sequence of str, optional
            One id for each sample, for messages.

        Raises
        ------
        ConstraintConflict
            If they contradict each other or the labels.

        Examples
        --------
        >>> known = Supervision.from_labels(["cat", None, "dog", None])
        >>> both = known.with_pairs(PairConstraints(4, must_link=[(0, 1)]))
        >>> both
        Supervision(n_samples=4, labels=2, names=('cat', 'dog'), must_link=1, cannot_link=0)
        >>> both.constraints
        PairConstraints(n_samples=4, must_link=1 pair, cannot_link=1 pair)
        """
        if self.y is None:
            return Supervision(self.pairs.union(pairs, ids=ids))
        together = self.constraints.union(pairs, ids=ids)
        value = self._of_labels(self.y.copy(), self.names, self.pairs.union(pairs))
        vars(value)["constraints"] = together
        return value

    @classmethod
    def from_pairs(
        cls,
        n_samples: int,
        must_link: npt.ArrayLike | None = None,
        cannot_link: npt.ArrayLike | None = None,
        *,
        on_conflict: str = "raise",
    ) -> Self:
        """Pairs of row numbers; the parameters are those of `PairConstraints`.

        Examples
        --------
        >>> Supervision.from_pairs(3, cannot_link=[(0, 2)])
        Supervision(n_samples=3, must_link=0, cannot_link=1)
        """
        return cls(PairConstraints(n_samples, must_link, cannot_link, on_conflict=on_conflict))

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        n_samples: int,
        *,
        ids: Iterable[object] | None = None,
        on_conflict: str = "raise",
    ) -> Self:
        """Read pairs or labels from a csv file, whichever its columns say.

        Parameters
        ----------
        path : path of the file
            UTF-8 with a header line. The columns `a,b,kind` hold pairs, where `kind` is
            ``must-link`` (or ``same``) or ``cannot-link`` (or ``different``); `row,label` hold
            labels, where a blank label is unknown, as are rows not named. Blank lines and further
            columns are ignored.
        n_samples : int
            Number of samples the file speaks of.
        ids : sequence of str, optional
            One id for each sample, if the file names rows by id; without, they are row
            numbers from 0.
        on_conflict : {"raise", "drop"}
            What to do with contradictory pairs, as in `PairConstraints.from_csv`.

        Raises
        ------
        InputError
            With file, line and reason, if the file cannot be understood.
        ConstraintConflict
            If pairs contradict each other and `on_conflict` is "raise".

        Examples
        --------
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "labels.csv")
        ...     _ = path.write_text("row,label\\nbob,dog\\n")
        ...     Supervision.from_csv(path, 3, ids=["ann", "bob", "cleo"]).y
        array([-1,  0, -1])
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
        """Pairs or labels from a frame of pandas or polars, whichever its columns say.

        Parameters
        ----------
        frame : frame with the columns `a,b,kind` or `row,label`
            As in `from_csv`; missing values are unknown labels.
        n_samples, ids, on_conflict
            As in `from_csv`.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"row": [2, 0], "label": ["dog", "cat"]})
        >>> Supervision.from_frame(frame, 3).y
        array([ 0, -1,  1])
        """
        return cls._from_table(tables.frame_table(frame), n_samples, ids, on_conflict)

    @classmethod
    def _from_table(
        cls, table: tables.Table, n_samples: int, ids: Iterable[object] | None, on_conflict: str
    ) -> Self:
        if table.has(tables.LABEL_COLUMNS):
            n = check_count(n_samples, "n_samples", 1)
            names = None if ids is None else tables.check_ids(ids, n)
            return cls.from_labels(tables.read_labels(table, n, names))
        if table.has(tables.PAIR_COLUMNS):
            return cls(PairConstraints._from_table(table, n_samples, ids, on_conflict))
        raise InputError(
            table.source,
            f"the columns are {','.join(table.header)}",
            f"expected {','.join(tables.PAIR_COLUMNS)} for pairs, or "
            f"{','.join(tables.LABEL_COLUMNS)} for labels",
            **table.first,
        )

    @cached_property
    def constraints(self) -> PairConstraints:
        """The pairs given and, where labels were given, all pairs among labeled samples."""
        assert self.y is not None  # pairs are there from the beginning
        return PairConstraints.from_labels(self.y).union(self.pairs)

    def evaluate(self, labels: npt.ArrayLike) -> ConstraintReport:
        """Hold what is known against one label per sample.

        Parameters
        ----------
        labels : array-like of shape (n_samples,)
            Clusters, whatever their numbers or names. Where labels were given, a given label
            is overruled if its cluster holds more given labels of another class.

        Examples
        --------
        >>> known = Supervision.from_labels(["cat", "cat", "dog", "dog", None])
        >>> report = known.evaluate([1, 1, 1, 0, 0])
        >>> report.overruled
        array([2])
        >>> print(report)
        3 of 4 given labels kept; 1 overruled.
        """
        if self.y is None:
            return self.constraints.evaluate(labels)
        _, cluster = np.unique(checked_labels_of(self.n_samples, labels), return_inverse=True)
        counts = self._counts(cluster, int(cluster.max()) + 1)
        report = self.pairs.evaluate(labels)
        if not self.names:
            return report
        kept = ConstraintReport.of_labels(self.y, counts.argmax(axis=1)[cluster])
        return replace(report, n_labels=kept.n_labels, overruled=kept.overruled)

    def cluster_names(self, labels: npt.ArrayLike, n_clusters: int) -> tuple[str, ...]:
        """What to call the clusters, by the given labels that they hold.

        A cluster with given labels of one class is called by its name, one with several by all
        of them, the most frequent first (``cat+dog``), one without any by its number
        (``cluster 2``). Where two would have the same name, the one with fewer given labels
        gets a number (``cat (2)``).

        Parameters
        ----------
        labels : array-like of shape (n_samples,)
            Clusters, numbers from 0.
        n_clusters : int
            How many there are.

        Examples
        --------
        >>> known = Supervision.from_labels(["cat", "cat", "dog", "dog", None])
        >>> known.cluster_names([0, 0, 1, 1, 2], 3)
        ('cat', 'dog', 'cluster 2')
        >>> known.cluster_names([0, 0, 0, 1, 1], 2)
        ('cat+dog', 'dog')
        """
        counts = self._counts(checked_labels_of(self.n_samples, labels), n_clusters)
        names = [""] * n_clusters
        for cluster in np.argsort(-counts.sum(axis=1), kind="stable"):
            held = [i for i in np.argsort(-counts[cluster], kind="stable") if counts[cluster, i]]
            name = "+".join(str(self.names[i]) for i in held) or f"cluster {cluster}"
            unique, number = name, 1
            while unique in names:
                number += 1
                unique = f"{name} ({number})"
            names[cluster] = unique
        return tuple(names)

    def _counts(self, cluster: npt.NDArray[Any], n_clusters: int) -> IntArray:
        """Given labels of each class in each cluster."""
        counts = np.zeros((n_clusters, len(self.names)), dtype=np.int64)
        if self.y is not None:
            known = self.y >= 0
            np.add.at(counts, (cluster[known], self.y[known]), 1)
        return counts

    def _key(self) -> tuple[object, ...]:
        labels = None if self.y is None else self.y.tobytes()
        return self.pairs, labels, self.names

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Supervision) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        parts = [f"n_samples={self.n_samples}"]
        if self.y is not None:
            parts += [f"labels={int((self.y >= 0).sum())}", f"names={self.names!r}"]
        must, cannot = len(self.pairs.must_link), len(self.pairs.cannot_link)
        if self.y is None or must or cannot:
            parts += [f"must_link={must}", f"cannot_link={cannot}"]
        return f"Supervision({', '.join(parts)})"

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructors, so that copies are read-only again.
        if self.y is None:
            return type(self), (self.pairs,)
        return type(self)._of_labels, (self.y.copy(), self.names, self.pairs)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} cannot be set: Supervision is a value; make a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name} cannot be removed: Supervision is a value")
