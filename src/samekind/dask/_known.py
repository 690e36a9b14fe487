"""What is known of some rows, without an array as long as all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from dask.delayed import delayed
from numpy.typing import ArrayLike

from samekind._typing import IntArray
from samekind.constraints import PairConstraints, Supervision
from samekind.constraints.checks import check_pairs, check_rows, clean_labels
from samekind.constraints.conflicts import settle
from samekind.dask._running import OnProgress, run


@dataclass(frozen=True)
class Known:
    """The rows that pairs or labels speak of, and what they say of them."""

    rows: IntArray  # rising row numbers
    supervision: Supervision | None  # of these rows; None where nothing is known

    def among(self, landmarks: IntArray) -> Supervision:
        """The same of landmarks, which contain the rows, by their positions."""
        if self.supervision is None:
            return Supervision.from_pairs(len(landmarks))
        place, known = np.searchsorted(landmarks, self.rows), self.supervision
        must, cannot = (place[pairs] for pairs in (known.pairs.must_link, known.pairs.cannot_link))
        pairs = PairConstraints(len(landmarks), must, cannot)
        if known.y is None:
            return Supervision(pairs)
        labels: list[object] = [None] * len(landmarks)
        for at, label in zip(place, known.y, strict=True):
            labels[at] = known.names[label] if label >= 0 else None
        return Supervision.from_labels(labels).with_pairs(pairs)


def known_of(
    n_rows: int,
    y: Any,
    must_link: ArrayLike | None,
    cannot_link: ArrayLike | None,
    constraints: PairConstraints | None,
    most: int,
    on_progress: OnProgress,
) -> Known:
    """What the arguments of ``fit`` say; refused where it speaks of more rows than ``most``.

    Examples
    --------
    >>> known = known_of(10**9, None, [(7, 12)], None, None, 100, lambda what, share: None)
    >>> known.rows, known.supervision
    (array([ 7, 12]), Supervision(n_samples=2, must_link=1, cannot_link=0))
    """
    if constraints is not None:
        must_link, cannot_link = _pairs_of(constraints, n_rows, must_link, cannot_link)
    must = check_pairs(must_link, n_rows, "must_link")
    cannot = check_pairs(cannot_link, n_rows, "cannot_link")
    labeled, labels = labels_of(y, n_rows, most, on_progress)
    rows = np.unique(np.concatenate([must.ravel(), cannot.ravel(), labeled]))
    if len(rows) > most:
        raise ValueError(
            f"more than {most} rows are in pairs or have labels, and each of them becomes a "
            f"landmark, but n_landmarks is {most}; raise it, or give fewer"
        )
    if not len(rows):
        return Known(rows, None)
    names = [str(row) for row in rows]  # for messages
    pairs = np.searchsorted(rows, np.concatenate([must, cannot]))
    is_must = np.arange(len(pairs)) < len(must)
    given = PairConstraints._restore(
        len(rows), settle(len(rows), pairs, is_must, "raise", names=names)
    )
    if not len(labeled):
        return Known(rows, Supervision(given))
    known: list[object] = [None] * len(rows)
    for place, label in zip(np.searchsorted(rows, labeled), labels, strict=True):
        known[place] = label
    return Known(rows, Supervision.from_labels(known).with_pairs(given, ids=names))


def _pairs_of(
    constraints: PairConstraints, n_rows: int, must_link: Any, cannot_link: Any
) -> tuple[IntArray, IntArray]:
    from samekind.estimators._base.validation import pairs_for

    checked = pairs_for(n_rows, must_link, cannot_link, constraints)
    return checked.must_link, checked.cannot_link


def labels_of(
    y: Any, n_rows: int, most: int, on_progress: OnProgress
) -> tuple[IntArray, list[object]]:
    """Rows with a label, and the labels; none of a complete y, which is ignored."""
    none = np.empty(0, dtype=np.int64), list[object]()
    if y is None:
        return none
    if isinstance(y, Mapping):
        return _labels_by_row(y, n_rows, most)
    if hasattr(y, "to_delayed"):
        parts = np.ravel(y.to_delayed())
        tasks = [delayed(_labeled, pure=True)(part, most) for part in parts]
        found = run(tasks, "reading labels", on_progress)
    else:
        found = [_labeled(y, most)]
    n = sum(length for length, _, _ in found)
    if n != n_rows:
        raise ValueError(
            f"y has {n} labels but X has {n_rows} rows; give one for each row, -1 where it is "
            "unknown"
        )
    if all(known == length for length, known, _ in found):
        return none
    rows, labels, start = [none[0]], list[object](), 0
    for length, _, (here, values) in found:
        rows.append(start + here)
        labels += values
        start += length
    return np.concatenate(rows), labels


def _labels_by_row(
    y: Mapping[int, object], n_rows: int, most: int
) -> tuple[IntArray, list[object]]:
    rows = check_rows(list(y), n_rows)
    order = np.argsort(rows)
    labels = clean_labels(list(y.values())) if y else []
    known = [place for place in order if labels[place] is not None][: most + 1]
    return rows[known], [labels[place] for place in known]


def _labeled(y: Iterable[object], most: int) -> tuple[int, int, tuple[IntArray, list[object]]]:
    """Of a part of y: its length, how many labels are known, and where, one more than ``most``."""
    values = np.asarray(y)
    if values.ndim != 1:
        raise ValueError(f"y has shape {values.shape}; expected one label per row, (n_samples,)")
    if values.dtype.kind in "iuf":
        known = np.flatnonzero((values != -1) & (values == values))
    else:
        labels = clean_labels(values) if len(values) else []
        known = np.flatnonzero([label is not None for label in labels])
    some = known[: most + 1]
    kept = clean_labels(values[some]) if len(some) else []
    return len(values), len(known), (some, kept)
