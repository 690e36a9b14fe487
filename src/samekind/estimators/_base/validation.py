"""Validation of what fit is given, the same for every method."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sklearn.utils
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, issparse

from samekind._typing import IntArray, RandomState
from samekind.constraints import PairConstraints, Supervision
from samekind.estimators._base.caller import warn_caller
from samekind.graph._matrices import compact, real_matrix


def check_random_state(random_state: RandomState) -> np.random.RandomState:
    """A RandomState from whatever random_state may be; a Generator moves on.

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> first, second = (check_random_state(generator).randint(1000) for _ in range(2))
    >>> first != second
    True
    """
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(int(random_state.integers(2**31)))
    state: np.random.RandomState = sklearn.utils.check_random_state(random_state)
    return state


def pairs_for(
    n_samples: int,
    must_link: ArrayLike | None,
    cannot_link: ArrayLike | None,
    constraints: PairConstraints | None,
) -> PairConstraints:
    """One PairConstraints from the arguments of fit.

    Examples
    --------
    >>> pairs_for(3, [(0, 1)], None, None)
    PairConstraints(n_samples=3, must_link=1 pair, cannot_link=0 pairs)
    """
    if constraints is None:
        return PairConstraints(n_samples, must_link, cannot_link)
    if must_link is not None or cannot_link is not None:
        raise ValueError(
            "constraints was passed together with must_link or cannot_link; pass one or the other, "
            "for instance constraints=PairConstraints(n_samples, must_link, cannot_link)"
        )
    if not isinstance(constraints, PairConstraints):
        raise TypeError(
            f"constraints is a {type(constraints).__name__}, expected a PairConstraints; "
            "for arrays of pairs use must_link= and cannot_link="
        )
    if constraints.n_samples != n_samples:
        raise ValueError(
            f"constraints cover {constraints.n_samples} samples but X has {n_samples} rows; "
            "build them from the same rows, or use constraints.subset(rows), in "
            "cross-validation constraints.indexable()"
        )
    return constraints


def supervision_of(pairs: PairConstraints, y: Any) -> Supervision:
    """The pairs together with partial labels; a complete y is ignored.

    Unknown are -1, None, NaN, blank text and masked entries. A y without unknowns is what a grid
    search hands over: using it would leak the truth. A column, (n_samples, 1), is a y too.

    Examples
    --------
    >>> supervision_of(PairConstraints(3), ["cat", None, "dog"]).names
    ('cat', 'dog')
    >>> supervision_of(PairConstraints(3), [0, 1, 1])
    Supervision(n_samples=3, must_link=0, cannot_link=0)
    """
    if y is None:
        return Supervision(pairs)
    if isinstance(y, str | Mapping):
        raise TypeError(f"y is a {type(y).__name__}; expected one label per sample, -1 if unknown")
    # As objects: of text beside numbers, numpy would make text, and of unknowns names.
    labels = np.array(y, dtype=object) if isinstance(y, list | tuple) else y
    labels = labels if isinstance(labels, np.ma.MaskedArray) else np.asarray(labels)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels.ravel()
    if labels.shape[:1] != (pairs.n_samples,):
        raise ValueError(
            f"y has {labels.shape[0] if labels.ndim else 'no'} labels but X has "
            f"{pairs.n_samples} rows; give one for each row, -1 where it is unknown"
        )
    if not _has_unknowns(labels):
        return Supervision(pairs)
    return Supervision.from_labels(labels).with_pairs(pairs)


def _has_unknowns(y: Any) -> bool:
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        return True
    y = np.asarray(y)
    if y.dtype.kind in "fiu":
        return bool(((y == -1) | (y != y)).any())
    return any(_is_unknown(one) for one in y.ravel().tolist())


def _is_unknown(value: Any) -> bool:
    if value is None or type(value).__name__ == "NAType":
        return True
    if isinstance(value, str):  # "-1" is refused where it is read
        return value.strip() in ("", "-1")
    return bool(value != value or value == -1)


class CliqueWarning(UserWarning):
    """More groups are marked different from each other than there are clusters.

    ``clique`` holds the groups, so that whoever knows the rows' names can word it again.
    """

    def __init__(self, clique: Sequence[IntArray], n_clusters: int) -> None:
        super().__init__(f"samples {clique_sentence(clique, n_clusters, str)}")
        self.clique = clique


def clique_sentence(
    clique: Sequence[IntArray], n_clusters: int, name_of: Callable[[int], str]
) -> str:
    """What is wrong with more groups than clusters that are all marked different.

    Examples
    --------
    >>> triangle = PairConstraints(3, cannot_link=[(0, 1), (1, 2), (0, 2)])
    >>> print(clique_sentence(triangle.clique_beyond(2), 2, "abc".__getitem__)[:41])
    a, b, c are all marked different from eac
    """
    members = ", ".join(name_of(int(group[0])) for group in clique[:20])
    more = f" and {len(clique) - 20} more" if len(clique) > 20 else ""
    return (
        f"{members}{more} are all marked different from each other: that takes {len(clique)} "
        f"clusters, and n_clusters is {n_clusters}; raise n_clusters or remove some of these "
        "constraints, else some are violated"
    )


def warn_of_clique(pairs: PairConstraints, n_clusters: int) -> None:
    """Warn when more groups than clusters are all marked different from each other."""
    clique = pairs.clique_beyond(n_clusters)
    if clique is not None:
        warn_caller(CliqueWarning(clique, n_clusters))


def isolated(W: Any) -> IntArray:
    """Samples without edges; none where there is no graph.

    Examples
    --------
    >>> isolated(csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    array([2])
    """
    if W is None:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(np.asarray(abs(W).sum(axis=1)).ravel() == 0)


def warn_of_isolated(W: Any, owner: str) -> None:
    """Warn of samples without edges: each is a cluster of its own to a spectral method.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as seen:
    ...     warnings.simplefilter("always")
    ...     warn_of_isolated(csr_array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), "SC")
    >>> print(str(seen[0].message)[:66])
    SC: the graph is not fully connected: 1 sample has no edges, row 2
    """
    alone = isolated(W)
    if len(alone):
        rows = ", ".join(map(str, alone[:10])) + (", ..." if len(alone) > 10 else "")
        have = "sample has no edges, row" if len(alone) == 1 else "samples have no edges, rows"
        warn_caller(
            f"{owner}: the graph is not fully connected: {len(alone)} {have} {rows}; each can take "
            "a cluster for itself or end up in any; raise n_neighbors, or leave these rows out"
        )


def warn_of_merged(X: Any, compared: Any, labels: IntArray, owner: str) -> None:
    """Warn of rows that differ by rounding, are equal as they are compared, and have other labels.

    Examples
    --------
    >>> import warnings
    >>> X, compared = np.array([[1.0], [1.0 + 2e-16], [2.0]]), np.array([[0.5], [0.5], [1.0]])
    >>> with warnings.catch_warnings(record=True) as seen:
    ...     warnings.simplefilter("always")
    ...     warn_of_merged(X, compared, np.array([0, 1, 1]), "SameKind")
    >>> print(str(seen[0].message)[:50])
    SameKind: rows 0 and 1 differ by rounding alone an
    """
    if compared is X or issparse(compared):
        return
    # Equal rows have equal keys; few others do.
    key = np.einsum("ij,j->i", compared, np.linspace(1, 2, compared.shape[1]))
    order = np.argsort(key, kind="stable")
    new_key = np.diff(key[order]) != 0
    run_of = np.concatenate([[0], np.cumsum(new_key)])
    other_label = np.diff(labels[order]) != 0
    for run in np.unique(run_of[1:][other_label & ~new_key]):
        tied = order[np.searchsorted(run_of, run) : np.searchsorted(run_of, run, side="right")]
        while len(tied):
            equal = (compared[tied] == compared[tied[0]]).all(axis=1)
            pair = _other_in_both(tied[equal], X, labels)
            if pair:
                warn_caller(
                    f"{owner}: rows {min(pair)} and {max(pair)} differ by rounding alone and got "
                    "different labels, of which predict knows one; remove such rows, or link them"
                )
                return
            tied = tied[~equal]


def _other_in_both(rows: IntArray, X: Any, labels: IntArray) -> tuple[int, int] | None:
    """Two of the rows that differ, and have different labels; None if there are none."""
    first = rows[0]
    other = (X[rows] != X[first]).any(axis=1)
    if not other.any() or (labels[rows] == labels[first]).all():
        return None
    among = rows[other]
    if (labels[among] != labels[first]).any():
        return int(first), int(among[labels[among] != labels[first]][0])
    # All that differ from the first have its label: one equal to it has another.
    return int(rows[labels[rows] != labels[first]][0]), int(among[0])


def local_graph_from(graph: Any, n_samples: int) -> csr_array:
    """A precomputed graph, checked: square, finite, symmetric, not negative."""
    W = real_matrix(graph, "graph")
    if W.shape != (n_samples, n_samples):
        raise ValueError(
            f"graph has shape {W.shape} but X has {n_samples} rows; "
            f"expected ({n_samples}, {n_samples})"
        )
    if not np.isfinite(W.data).all() or (W.data < 0).any():
        raise ValueError("graph holds negative or non-finite weights; use weights of 0 or more")
    if W.nnz and abs(W - W.T).max() > 1e-10 * W.data.max():
        raise ValueError("graph is not symmetric; pass (graph + graph.T) / 2")
    W.setdiag(0.0)
    W.eliminate_zeros()
    return compact(W)
