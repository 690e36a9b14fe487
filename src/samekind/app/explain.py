"""Why a row is in its cluster: its neighbors, the nearest pairs, the way to the nearest label."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from samekind._typing import FloatArray, IntArray
from samekind.app.model import SavedModel
from samekind.app.results_table import confidence
from samekind.graph import local_graph

MOST_SHOWN = 5  # neighbors, pairs and labels
STEP = 1e-9  # what a step costs at least, so that of two ways the shorter one wins


@dataclass(frozen=True)
class Explanation:
    """What can be said of a row's cluster.

    Attributes
    ----------
    row : str
        The row by its name.
    cluster : str or int
        Its cluster, by name where there are names.
    confidence, runner_up : float, str or int, or None
        The probability of the cluster, and the next one.
    given : str or None
        The label that was given for the row.
    shares : dict
        For each cluster the share of the row's weight in the graph that goes there.
    neighbors : list of dict
        The rows with the largest weights: row, cluster and share of the weight.
    pairs : list of dict
        The given pairs that are nearest over the graph: a, b, kind, how many steps away the
        nearer row is, and whether the clusters respect the pair.
    path : list of dict
        The most probable walk over the graph to a row with a given label, or in a given pair where
        no labels were given: row and cluster, from the row itself on. Empty if none can be reached.
    label : str or None
        The given label at its end.
    """

    row: str
    cluster: str | int
    confidence: float | None
    runner_up: str | int | None
    given: str | None
    shares: dict[str | int, float]
    neighbors: list[dict[str, Any]]
    pairs: list[dict[str, Any]]
    path: list[dict[str, Any]]
    label: str | None

    @property
    def sentences(self) -> list[str]:
        """The same in words."""
        said = [f"{self.row} is in {_called(self.cluster)}{self._how_sure}."]
        if self.given is not None:
            said.append(f"Its label was given: {self.given}.")
        if self.shares:
            shares = ", ".join(
                f"{100 * share:.0f} % to {_called(name)}" for name, share in self.shares.items()
            )
            said.append(f"Its weight in the graph goes {shares}.")
            near = ", ".join(f"{one['row']} ({one['cluster']})" for one in self.neighbors)
            said.append(f"Strongest neighbors: {near}.")
        else:
            said.append("It has no neighbors in the graph.")
        return said + self._of_path + self._of_pairs

    @property
    def _how_sure(self) -> str:
        if self.confidence is None:
            return ""
        sure = f", with a probability of {self.confidence:.2f}"
        return sure if self.runner_up is None else f"{sure}; next is {_called(self.runner_up)}"

    @property
    def _of_path(self) -> list[str]:
        if len(self.path) < 2:
            return []
        way = " - ".join(f"{one['row']} ({one['cluster']})" for one in self.path)
        end = "row in a pair" if self.label is None else f"given label, {self.label}"
        return [f"The way to the nearest {end}: {way}."]

    @property
    def _of_pairs(self) -> list[str]:
        return [
            f"Pair {one['a']}, {one['b']}: {one['kind']}, {_steps(one['steps'])}"
            + ("." if one["satisfied"] else "; the clusters do not respect it.")
            for one in self.pairs
        ]


def explain(model: SavedModel, row: int) -> Explanation:
    """What can be said of the cluster of a row that the model was fitted to.

    Examples
    --------
    >>> from samekind import SC, Supervision
    >>> known = Supervision.from_labels(["cat", None, None, "dog", None, None])
    >>> fitted = SC(2, n_neighbors=3).fit([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    >>> names = known.cluster_names(fitted.labels_, 2)
    >>> for sentence in explain(SavedModel(fitted, known, names), 2).sentences[-2:]:
    ...     print(sentence)
    Strongest neighbors: row 1 (cat), row 0 (cat).
    The way to the nearest given label, cat: row 2 (cat) - row 0 (cat).
    """
    labels = model.estimator.labels_
    named = np.asarray(model.names if model.names is not None else range(labels.max() + 1))
    called = named[labels].tolist()
    graph = _graph(model.estimator)
    cost, before = _walks(graph, row)
    path = _path(_ends(model), cost, before)
    given = _labels(model)
    share, second = _confidence(model.estimator, row)
    return Explanation(
        row=model.name_of(row),
        cluster=called[row],
        confidence=share,
        runner_up=None if second is None else named[second].item(),
        given=given.get(row),
        shares=_shares(graph, row, called),
        neighbors=_neighbors(graph, row, model, called),
        pairs=_pairs(model, cost, before),
        path=[{"row": model.name_of(i), "cluster": called[i]} for i in path],
        label=given.get(path[-1]) if path else None,
    )


def _graph(estimator: Any) -> csr_array:
    """The graph of the method, or that of the nearest rows where it has none."""
    W = getattr(estimator, "affinity_matrix_", None)
    if W is None:
        W = local_graph(estimator._fit_X, estimator.n_neighbors, estimator.scale_neighbor)
    W = csr_array(W, dtype=np.float64, copy=True)
    W.setdiag(0.0)
    W.data = np.maximum(W.data, 0.0)
    W.eliminate_zeros()
    return W


def _walks(W: csr_array, row: int) -> tuple[FloatArray, IntArray]:
    """For every row the cost of the most probable walk to it, and the row before it there.

    A walk goes from i to j with probability W_ij / d_i, as labels spread; its cost is minus the
    logarithm of its probability.
    """
    degree = np.asarray(W.sum(axis=1)).ravel()
    costs = W.copy()
    costs.data = np.log(np.repeat(degree, np.diff(W.indptr)) / W.data) + STEP
    found = dijkstra(costs, indices=row, return_predecessors=True)
    return found[0], found[1]


def _ends(model: SavedModel) -> IntArray:
    """Rows with a given label, or in a given pair."""
    if model.known is None:
        return np.empty(0, dtype=np.int64)
    if model.known.y is not None:
        return np.flatnonzero(model.known.y >= 0)
    pairs = model.known.constraints
    return np.unique(np.concatenate([pairs.must_link.ravel(), pairs.cannot_link.ravel()]))


def _labels(model: SavedModel) -> dict[int, str]:
    """The labels that were given, by row."""
    known = model.known
    if known is None or known.y is None:
        return {}
    return {int(i): str(known.names[known.y[i]]) for i in np.flatnonzero(known.y >= 0)}


def _path(ends: IntArray, cost: FloatArray, before: IntArray) -> list[int]:
    ends = ends[np.isfinite(cost[ends])]
    return _way(int(ends[cost[ends].argmin()]), before) if len(ends) else []


def _way(end: int, before: IntArray) -> list[int]:
    way = [end]
    while before[way[-1]] >= 0:
        way.append(int(before[way[-1]]))
    return way[::-1]


def _shares(W: csr_array, row: int, called: list[Any]) -> dict[str | int, float]:
    """The largest first."""
    at = slice(W.indptr[row], W.indptr[row + 1])
    total: dict[str | int, float] = {}
    for j, weight in zip(W.indices[at], W.data[at], strict=True):
        total[called[j]] = total.get(called[j], 0.0) + float(weight)
    whole = sum(total.values())
    return {name: total[name] / whole for name in sorted(total, key=lambda one: -total[one])}


def _neighbors(
    W: csr_array, row: int, model: SavedModel, called: list[Any]
) -> list[dict[str, Any]]:
    at = slice(W.indptr[row], W.indptr[row + 1])
    near, weight = W.indices[at], W.data[at]
    first = np.argsort(-weight, kind="stable")[:MOST_SHOWN]
    return [
        {"row": model.name_of(j), "cluster": called[j], "share": float(weight[i] / weight.sum())}
        for i in first
        for j in (int(near[i]),)
    ]


def _pairs(model: SavedModel, cost: FloatArray, before: IntArray) -> list[dict[str, Any]]:
    """The nearest of the given pairs."""
    if model.known is None:
        return []
    given, labels = model.known.pairs, model.estimator.labels_
    pairs = np.concatenate([given.must_link, given.cannot_link])
    must = np.arange(len(pairs)) < len(given.must_link)
    nearest = cost[pairs].min(axis=1)
    found = []
    for i in np.argsort(nearest, kind="stable")[:MOST_SHOWN]:
        if not np.isfinite(nearest[i]):
            break
        a, b = map(int, pairs[i])
        together = bool(labels[a] == labels[b])
        found.append(
            {
                "a": model.name_of(a),
                "b": model.name_of(b),
                "kind": "must-link" if must[i] else "cannot-link",
                "steps": len(_way(a if cost[a] <= cost[b] else b, before)) - 1,
                "satisfied": together == bool(must[i]),
            }
        )
    return found


def _confidence(estimator: Any, row: int) -> tuple[float | None, int | None]:
    probabilities = getattr(estimator, "probabilities_", None)
    if probabilities is None:
        return None, None
    share, second = confidence(probabilities[[row]], estimator.labels_[[row]])
    return float(share[0]), int(second[0]) if second[0] >= 0 else None


def _called(cluster: str | int) -> str:
    return f"cluster {cluster}" if isinstance(cluster, int) else cluster


def _steps(n: int) -> str:
    return "the row itself" if n == 0 else "1 step away" if n == 1 else f"{n} steps away"
