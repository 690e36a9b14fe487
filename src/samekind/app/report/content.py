"""What a report is made of: arrays and plain values, checked for agreeing lengths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from samekind._typing import FloatArray


class IterationRecord(Protocol):
    """One outer iteration of the solver, as far as the report looks at it."""

    @property
    def objective(self) -> float: ...  # may be nan
    @property
    def rho(self) -> float: ...  # may be inf or nan
    @property
    def change_A(self) -> float: ...
    @property
    def change_Z(self) -> float: ...
    @property
    def nonzeros_per_row(self) -> float: ...
    @property
    def seconds(self) -> float: ...


class CandidateRecord(Protocol):
    """A graph that could have been chosen, as far as the report looks at it."""

    @property
    def n_neighbors(self) -> Any: ...  # None: no local graph; "graph": one of the user
    @property
    def local_share(self) -> float: ...
    @property
    def by_pairs(self) -> float: ...  # may be nan
    @property
    def by_modularity(self) -> float: ...
    @property
    def total(self) -> float: ...
    @property
    def kept(self) -> bool: ...


class ChoiceRecord(Protocol):
    """What a method chose, as far as the report looks at it; its text is a sentence."""

    @property
    def candidates(self) -> Sequence[CandidateRecord]: ...
    @property
    def n_tested(self) -> int: ...
    @property
    def local_share(self) -> float: ...
    @property
    def standardized(self) -> bool: ...
    @property
    def n_named(self) -> int: ...
    @property
    def learned(self) -> bool: ...
    @property
    def start(self) -> str: ...
    @property
    def modularity(self) -> float: ...


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
    facts : mapping of str to str
        Facts about the input: source, samples, features, clusters asked for, pairs.
    labels : ndarray of shape (n_samples,)
        Cluster of every row, or the name of its class.
    names : sequence of str
        One name per row, such as an id or ``"row 7"``.
    last : Snapshot
        What the method arrived at.
    status, converged, usable : str, bool, bool
        How the run ended, as a sentence; whether it settled; whether the labels are worth using
        if it did not.
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
    confidence : pair of ndarray of shape (n_samples,), optional
        Probability of each row's cluster, and the label that is next in probability, of a method
        that has probabilities.
    choice : ChoiceRecord, optional
        Which graph was chosen, of a method that chooses one.
    notes : sequence of str
        Remarks the reader should not miss.
    scores : sequence of mappings, optional
        Rows such as ``{"method": "k-means", "ACC": 0.79, "NMI": 0.75, "seconds": 0.2}``.
        ACC and NMI are shares, shown as percent; ``"ACC std"`` goes beside ``"ACC"``.
    images : ndarray of shape (n_samples, height, width), optional
        Gray pictures of the rows, in any range.
    X, feature_names : ndarray of shape (n_samples, n_features), sequence of str, optional
        Used to describe clusters where there are no pictures.
    truth : sequence of str, optional
        True label per row, blank where unknown.
    violated : sequence of (kind, name a, name b)
        Pairs that the clusters do not respect.
    n_must_link, n_cannot_link : int
        Number of pairs given.
    n_labels : int, optional
        Number of labels given, where labels were given in place of pairs.
    overruled : sequence of (name, given label, found label)
        Labels that the result does not respect.
    classes : bool
        Whether the method learns from labels: its groups are called classes, and H holds
        their shares.

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
    facts: Mapping[str, str] = field(default_factory=dict)
    status: str = "converged"
    converged: bool = True
    usable: bool = False
    parameters: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    n_iter: int | None = None
    first: Snapshot | None = None
    history: Sequence[IterationRecord] = ()
    confidence: tuple[FloatArray, NDArray[Any]] | None = None
    choice: ChoiceRecord | None = None
    notes: Sequence[str] = ()
    scores: Sequence[Mapping[str, object]] | None = None
    images: NDArray[Any] | None = None
    X: NDArray[Any] | None = None
    feature_names: Sequence[str] | None = None
    truth: Sequence[str] | None = None
    violated: Sequence[tuple[str, str, str]] = ()
    n_must_link: int = 0
    n_cannot_link: int = 0
    n_labels: int | None = None
    overruled: Sequence[tuple[str, str, str]] = ()
    classes: bool = False

    def __post_init__(self) -> None:
        n = self.n_samples
        if n == 0:
            raise ValueError("labels are empty, expected one per row; there is nothing to report")
        for name in ("names", "images", "X", "truth"):
            value = getattr(self, name)
            if value is not None and len(value) != n:
                raise ValueError(
                    f"{name} has {len(value)} rows but labels has {n}; hand over one entry per row"
                )
        if self.images is not None and np.ndim(self.images) != 3:
            raise ValueError(
                f"images has shape {np.shape(self.images)}, expected (n_samples, height, width); "
                "reshape the rows to pictures"
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
        return self.n_must_link + self.n_cannot_link

    def _check_feature_names(self) -> None:
        if self.X is None or self.feature_names is None:
            return
        if len(self.feature_names) != self.X.shape[1]:
            raise ValueError(
                f"feature_names has {len(self.feature_names)} entries but X has "
                f"{self.X.shape[1]} columns; hand over one name per column"
            )


def _check_snapshot(name: str, snapshot: Snapshot, n: int) -> None:
    shape = (n, n) if snapshot.Z is None else snapshot.Z.shape
    if shape != (n, n) or len(snapshot.H) != n:
        raise ValueError(
            f"{name} has Z of shape {shape} and H of shape {snapshot.H.shape}, expected "
            f"({n}, {n}) and ({n}, n_components); take both from the run that gave the labels"
        )
