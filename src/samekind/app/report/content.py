"""What a report is made of: arrays and plain values, checked for agreeing lengths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind._kernels.status import Status
from samekind._typing import FloatArray, IntArray
from samekind.app.report.records import ChoiceRecord, IterationRecord, KChoice


def _no_pairs() -> IntArray:
    return np.empty((0, 2), dtype=np.int64)


def _no_rows() -> IntArray:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Graph and coordinates of the samples, at one iteration or for good.

    Parameters
    ----------
    iteration : int or None
        Which outer iteration this is, counted from 1; None where the graph is not learned.
    Z : sparse array of shape (n_samples, n_samples), or None
        ``Z[i, j]`` is the weight of sample j in sample i; None for a method without a graph.
    H : ndarray of shape (n_samples, n_components)
        Embedding, or shares of the classes; its rows are brought to unit length where they
        are drawn.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> Snapshot(1, csr_array((3, 3)), np.eye(3)).H.shape
    (3, 3)
    """

    iteration: int | None
    Z: Any | None
    H: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportContent:
    """Everything that one page shows.

    Parameters
    ----------
    title, summary : str
        A headline and one or two sentences below it.
    labels : ndarray of shape (n_samples,)
        Cluster of every row, or the name of its class.
    names : sequence of str
        One name per row, such as an id or ``"row 7"``.
    last : Snapshot
        What the method arrived at.
    status : Status
        How the run ended.
    next_steps : sequence of (str, str)
        What to do next: a sentence and the command for it, blank where there is none.
    all_rows : str
        Where every row is listed, such as ``"labels.csv"``; the page shows a part of many.
    facts : mapping of str to str
        Facts about the input: source, samples, features, clusters asked for, pairs.
    notes : sequence of str
        Remarks the reader should not miss.
    columns, skipped : sequence of str
        What became of each column of a table, and what was left out of a folder and why.
    scores : sequence of mappings, optional
        Rows such as ``{"method": "k-means", "ACC": 0.79, "NMI": 0.75, "seconds": 0.2}``.
        ACC and NMI are shares, shown as percent; ``"ACC std"`` goes beside ``"ACC"``.
    confidence : pair of ndarray of shape (n_samples,), optional
        Probability of each row's cluster, and the label that is next in probability, of a method
        that has probabilities.
    images : ndarray of shape (n_samples, height, width) or (n_samples, height, width, 3), optional
        Pictures of the rows, gray or in color, in any range.
    links : sequence of str, optional
        Address of each row's file, blank where it has none; a click on the row opens it.
    X, feature_names : ndarray of shape (n_samples, n_features), sequence of str, optional
        Used to describe clusters where there are no pictures.
    table, feature_columns : mapping of str to sequence, sequence of str, optional
        Columns of the user's table as they were, shown with the rows in place of X; and which of
        them each feature was made of.
    truth : sequence of str, optional
        True label per row, blank where unknown.
    must_link, cannot_link : ndarray of shape (m, 2)
        The pairs that were given, as row numbers.
    known : sequence of str, optional
        The labels that were given, one per row, blank where unknown.
    overruled : ndarray of int
        Rows whose given label the result does not respect.
    isolated : ndarray of int
        Rows that the graph joins to no other.
    classes : bool
        Whether the method learns from labels: its groups are called classes, and H holds
        their shares.
    choice, k_choice : ChoiceRecord, KChoice, optional
        Which graph, and which number of clusters, was chosen by a method that chooses one.
    parameters, versions : mapping
        Shown at the end of the page. A number under ``"tol"`` is drawn as the
        tolerance line of the convergence curves.
    seconds : mapping of str to float
        By phase, without a total, which the page adds.
    n_iter : int, optional
        Iterations, of a method that counts them.
    first, history : Snapshot, sequence of IterationRecord, optional
        The first iteration, and a record of each, of a method that learns its graph; without
        them nothing is said about convergence.

    Examples
    --------
    >>> last = Snapshot(None, None, np.eye(2))
    >>> content = ReportContent(title="Rows", labels=np.array([0, 1]), names=["a", "b"], last=last)
    >>> content.n_samples
    2
    """

    title: str
    labels: NDArray[Any]
    names: Sequence[str]
    last: Snapshot
    summary: str = ""
    status: Status = Status.CONVERGED
    next_steps: Sequence[tuple[str, str]] = ()
    all_rows: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    columns: Sequence[str] = ()
    skipped: Sequence[str] = ()
    scores: Sequence[Mapping[str, object]] | None = None
    confidence: tuple[FloatArray, NDArray[Any]] | None = None
    images: NDArray[Any] | None = None
    links: Sequence[str] | None = None
    X: NDArray[Any] | None = None
    feature_names: Sequence[str] | None = None
    table: Mapping[str, Sequence[object]] | None = None
    feature_columns: Sequence[str] | None = None
    truth: Sequence[str] | None = None
    must_link: IntArray = field(default_factory=_no_pairs)
    cannot_link: IntArray = field(default_factory=_no_pairs)
    known: Sequence[str] | None = None
    overruled: IntArray = field(default_factory=_no_rows)
    isolated: IntArray = field(default_factory=_no_rows)
    classes: bool = False
    choice: ChoiceRecord | None = None
    k_choice: KChoice | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    n_iter: int | None = None
    first: Snapshot | None = None
    history: Sequence[IterationRecord] = ()

    def __post_init__(self) -> None:
        n = self.n_samples
        if n == 0:
            raise ValueError("labels are empty, expected one per row; there is nothing to report")
        for name in ("names", "images", "links", "X", "truth", "known"):
            _check_rows(name, getattr(self, name), n)
        for column, values in (self.table or {}).items():
            _check_rows(f"column {column!r} of table", values, n)
        shape = () if self.images is None else np.shape(self.images)
        if self.images is not None and not (len(shape) == 3 or (len(shape), shape[-1]) == (4, 3)):
            raise ValueError(
                f"images has shape {shape}, expected (n_samples, height, width) or "
                "(n_samples, height, width, 3); reshape the rows to pictures"
            )
        _check_snapshot("last", self.last, n)
        if self.first is not None:
            _check_snapshot("first", self.first, n)
        self._check_feature_names()

    @property
    def n_samples(self) -> int:
        return len(self.labels)

    @property
    def n_pairs(self) -> int:
        return len(self.must_link) + len(self.cannot_link)

    @property
    def n_labels(self) -> int:
        """Number of labels given."""
        return sum(map(bool, self.known or ()))

    def _check_feature_names(self) -> None:
        for name in ("feature_names", "feature_columns"):
            names = getattr(self, name)
            if self.X is not None and names is not None and len(names) != self.X.shape[1]:
                raise ValueError(
                    f"{name} has {len(names)} entries but X has {self.X.shape[1]} columns; "
                    "hand over one name per column"
                )


def _check_rows(name: str, value: Any, n: int) -> None:
    if value is not None and len(value) != n:
        raise ValueError(
            f"{name} has {len(value)} rows but labels has {n}; hand over one entry per row"
        )


def _check_snapshot(name: str, snapshot: Snapshot, n: int) -> None:
    shape = (n, n) if snapshot.Z is None else snapshot.Z.shape
    if shape != (n, n) or len(snapshot.H) != n:
        raise ValueError(
            f"{name} has Z of shape {shape} and H of shape {snapshot.H.shape}, expected "
            f"({n}, {n}) and ({n}, n_components); take both from the run that gave the labels"
        )
