"""What a report is made of: arrays and plain values, checked for agreeing lengths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from samekind.typing import FloatArray, IntArray


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


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Graph and embedding at one iteration.

    Parameters
    ----------
    iteration : int
        Which outer iteration this is, counted from 1.
    Z : sparse array of shape (n_samples, n_samples)
        Representation: ``Z[i, j]`` is the weight of sample j in sample i.
    H : ndarray of shape (n_samples, n_components)
        Embedding; its rows are brought to unit length where they are drawn.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> Snapshot(1, csr_array((3, 3)), np.eye(3)).H.shape
    (3, 3)
    """

    iteration: int
    Z: Any
    H: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class ReportContent:
    """Everything that one page shows.

    Parameters
    ----------
    title, summary : str
        A headline and one or two sentences below it.
    facts : mapping of str to str
        What went in: source, samples, features, clusters asked for, pairs.
    labels : ndarray of shape (n_samples,)
        Cluster of every row.
    names : sequence of str
        One name per row, such as an id or ``"row 7"``.
    first, last : Snapshot
        The first and the last iteration.
    history : sequence of IterationRecord
        One record per outer iteration.
    status, converged : str, bool
        How the run ended, as a sentence; and whether it settled.
    parameters, versions : mapping
        As they stand at the end of the page. A number under ``"tol"`` is drawn as the
        tolerance line of the convergence curves.
    seconds : mapping of str to float
        By phase, without a total, which the page adds.
    notes : sequence of str
        Remarks the reader should not miss.
    scores : sequence of mappings, optional
        Rows such as ``{"method": "k-means", "ACC": 0.79, "NMI": 0.75, "seconds": 0.2}``.
        ACC and NMI are shares, shown as percent; ``"ACC std"`` goes beside ``"ACC"``.
    images : ndarray of shape (n_samples, height, width), optional
        Grey pictures of the rows, in any range.
    X, feature_names : ndarray of shape (n_samples, n_features), sequence of str, optional
        Used to describe clusters where there are no pictures.
    truth : sequence of str, optional
        True label per row, blank where unknown.
    violated : sequence of (kind, name a, name b)
        Pairs that the clusters do not respect.
    n_pairs, n_must_link, n_cannot_link : int
        Number of pairs given.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> at = Snapshot(1, csr_array((2, 2)), np.eye(2))
    >>> content = ReportContent(
    ...     title="Two rows",
    ...     summary="",
    ...     facts={},
    ...     labels=np.array([0, 1]),
    ...     names=["a", "b"],
    ...     first=at,
    ...     last=at,
    ...     history=[],
    ...     status="Nothing to do.",
    ...     converged=True,
    ...     parameters={},
    ...     versions={},
    ...     seconds={},
    ... )
    >>> content.n_samples
    2
    """

    title: str
    summary: str
    facts: Mapping[str, str]
    labels: IntArray
    names: Sequence[str]
    first: Snapshot
    last: Snapshot
    history: Sequence[IterationRecord]
    status: str
    converged: bool
    parameters: Mapping[str, object]
    versions: Mapping[str, str]
    seconds: Mapping[str, float]
    notes: Sequence[str] = ()
    scores: Sequence[Mapping[str, object]] | None = None
    images: NDArray[Any] | None = None
    X: NDArray[Any] | None = None
    feature_names: Sequence[str] | None = None
    truth: Sequence[str] | None = None
    violated: Sequence[tuple[str, str, str]] = ()
    n_pairs: int = 0
    n_must_link: int = 0
    n_cannot_link: int = 0

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
        for name in ("first", "last"):
            _check_snapshot(name, getattr(self, name), n)
        self._check_feature_names()

    @property
    def n_samples(self) -> int:
        return len(self.labels)

    def _check_feature_names(self) -> None:
        if self.X is None or self.feature_names is None:
            return
        if len(self.feature_names) != self.X.shape[1]:
            raise ValueError(
                f"feature_names has {len(self.feature_names)} entries but X has "
                f"{self.X.shape[1]} columns; hand over one name per column"
            )


def _check_snapshot(name: str, snapshot: Snapshot, n: int) -> None:
    if snapshot.Z.shape != (n, n) or len(snapshot.H) != n:
        raise ValueError(
            f"{name} has Z of shape {snapshot.Z.shape} and H of shape {snapshot.H.shape}, expected "
            f"({n}, {n}) and ({n}, n_components); take both from the run that gave the labels"
        )
