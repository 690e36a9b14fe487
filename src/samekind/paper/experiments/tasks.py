"""What a run does: load, sample, fit, score. Each task takes a run and returns a row."""

import os
import platform
import time
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from samekind._typing import FloatArray, IntArray
from samekind._version import versions
from samekind.constraints import Supervision
from samekind.estimators._base.registry import METHODS
from samekind.graph import hypergraph_operator, incidence_from_adjacency, local_graph
from samekind.metrics import clustering_accuracy, normalized_mutual_info
from samekind.paper.datasets import Dataset, load
from samekind.paper.experiments.peak import peak_memory
from samekind.paper.experiments.rows import Row
from samekind.paper.experiments.runs import Run
from samekind.paper.experiments.supervision import sample_supervision

Task = Callable[[Run], Row]
CELLS = 80  # of a picture of a matrix, in each direction


def perform(run: Run) -> Row:
    """The whole row of a run; one that cannot run is a row with its reason."""
    began = time.perf_counter()
    try:
        _loaded(run.dataset)  # before the memory of the run is measured
        with threadpool_limits(limits=1), peak_memory() as peak:
            row = TASKS[run.task](run)
        return _whole(run, row | {"peak_mb": peak.megabytes})
    except Exception as error:
        return failed(run, f"{type(error).__name__}: {error}", time.perf_counter() - began)


def failed(run: Run, reason: str, seconds: float = 0.0) -> Row:
    """The row of a run that came to nothing."""
    return _whole(run, {"failed": reason, "seconds": seconds})


def ended_from_outside(run: Run) -> Row:
    """The row of a run whose process died, and died again when it was alone."""
    return failed(run, "its process was ended from outside, most likely for want of memory")


def _whole(run: Run, row: Row) -> Row:
    """With what every row has."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    made = {"seed": run.seed, "versions": versions(), "machine": machine(), "ended": now}
    return run.row() | made | row


def machine() -> str:
    """Kind of processor and system, and how many cores there are."""
    return f"{platform.machine()}, {platform.system()}, {os.cpu_count()} cores"


@lru_cache(maxsize=2)
def _loaded(name: str) -> Dataset:
    return load(name)


@lru_cache(maxsize=32)
def _face_graph(dataset: str, sparsity: float) -> csr_array:
    """The self-representation graph, which depends on the samples alone: made once."""
    made = METHODS["sc"].estimator(2, affinity="self_representation", sparsity=sparsity)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return csr_array(made.fit(_loaded(dataset).X).affinity_matrix_)


def _cluster(run: Run) -> Row:
    """One random trial; ACC and NMI over all samples, and over the unlabeled ones.

    Seconds are without the time of a self-representation graph.
    """
    data = _loaded(run.dataset)
    told = sample_supervision(run.setting, data.y, run.seed)
    more = {}
    if run.parameters.get("affinity") == "self_representation":
        more["graph"] = _face_graph(run.dataset, run.parameters["sparsity"])
    model, row = _fitted(run, data.X, told, len(np.unique(data.y)), **more)
    named = METHODS[run.method].takes_labels
    return row | _scores(data.y, _found(model, told, named), told.y, named)


def _fitted(
    run: Run, X: FloatArray, told: Supervision, n_clusters: int, **fit: Any
) -> tuple[Any, Row]:
    method = METHODS[run.method]
    parameters = dict(run.parameters) | {"random_state": run.seed % 2**31}
    if run.method == "hgnn":
        parameters["scale_features"] = False  # as published
    if "alpha1" in parameters:
        parameters["feedback"] = _feedback(parameters, X, told, n_clusters)
    began = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if method.takes_labels:
            model = method.estimator(**parameters).fit(X, told.y, **fit)
        else:
            model = method.estimator(n_clusters, **parameters)
            model.fit(X, constraints=told.constraints, **fit)
    seconds = time.perf_counter() - began
    row: Row = {"seconds": seconds, "status": model.status_.name}
    if "alpha1" in run.parameters:
        row["feedback"] = parameters["feedback"]
    row["violated"] = model.constraint_report_.violated
    row["warnings"] = sorted({type(one.message).__name__ for one in caught})
    if hasattr(model, "n_iter_"):
        row["n_iter"] = model.n_iter_
    return model, row


def _feedback(
    parameters: dict[str, Any], X: FloatArray, told: Supervision, n_clusters: int
) -> float:
    """The feedback of the paper's DGSL that makes alpha1_ what ``alpha1``, taken out, asks for.

    alpha1_ is feedback times coupling times the numerator at the first H. A spread_weight makes
    the numerator some hundred times larger, and not what feedback multiplies: hence without it.
    """
    wanted = parameters.pop("alpha1")
    first = {"feedback": 1.0, "max_iter": 1, "spread_weight": 0.0}
    once = METHODS["dgsl"].estimator(n_clusters, **{**parameters, **first})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(wanted / once.fit(X, constraints=told.constraints).alpha1_)


def _found(model: Any, told: Supervision, named: bool) -> IntArray:
    """The model's labels; classes in place of their positions where it was told labels."""
    return np.asarray(told.names)[model.labels_] if named else np.asarray(model.labels_)


def _scores(y: IntArray, labels: IntArray, known: IntArray | None, names_known: bool) -> Row:
    """In percent. Methods that were told names of classes are held to them."""
    right = labels == y if names_known else _matched(y, labels) == y
    unlabeled = np.ones(len(y), dtype=bool) if known is None else known == -1
    return {
        "ACC": 100 * float(np.mean(right)),
        "NMI": 100 * normalized_mutual_info(y, labels),
        "ACC unlabelled": 100 * float(np.mean(right[unlabeled])),
    }


def _matched(y: IntArray, labels: IntArray) -> IntArray:
    """Labels renamed to the classes that fit best over all samples."""
    classes, truth = np.unique(y, return_inverse=True)
    names, found = np.unique(labels, return_inverse=True)
    counts = np.zeros((len(names), len(classes)))
    np.add.at(counts, (found, truth), 1)
    cluster, match = linear_sum_assignment(counts, maximize=True)
    name_of = np.full(len(names), classes.min() - 1)
    name_of[cluster] = classes[match]
    return np.asarray(name_of[found])


def _facts(run: Run) -> Row:
    """Size of a data set, from its file."""
    data = _loaded(run.dataset)
    return {
        "samples": len(data.y),
        "dimensions": int(data.X.shape[1]),
        "classes": len(np.unique(data.y)),
        "source": data.source,
    }


def _pictures(run: Run) -> Row:
    """Ten pictures, of ten classes where there are so many, upright, as gray levels to 255."""
    data = _loaded(run.dataset)
    first = [int(np.flatnonzero(data.y == label)[0]) for label in np.unique(data.y)]
    spread = np.linspace(0, len(first) - 1, 10).round().astype(int)
    chosen = data.pictures()[[first[place] for place in spread]]
    low, high = float(data.X.min()), float(data.X.max())
    gray = np.round(255 * (chosen - low) / (high - low)).astype(int)
    return {"pictures": gray.tolist()}


def _matrices(run: Run) -> Row:
    """|Z| and the distances of H at two iterations, in order of the classes, as small pictures."""
    data = _loaded(run.dataset)
    told, order = (
        sample_supervision(run.setting, data.y, run.seed),
        np.argsort(data.y, kind="stable"),
    )
    kept: Row = {}

    def keep(state: Any) -> None:
        if state.iteration in (1, run.parameters["max_iter"]):
            Z = abs(state.Z)[order][:, order].toarray()
            rows = state.H / np.maximum(np.linalg.norm(state.H, axis=1, keepdims=True), 1e-300)
            distance = np.linalg.norm(rows[order][:, None] - rows[order][None], axis=2)
            kept[f"weights_{state.iteration}"] = _small(Z)
            kept[f"distances_{state.iteration}"] = _small(distance)

    _, row = _fitted(run, data.X, told, len(np.unique(data.y)), callback=keep)
    return row | kept


def _small(matrix: FloatArray) -> list[list[float]]:
    """Means over cells of a picture."""
    edges = np.linspace(0, len(matrix), min(CELLS, len(matrix)) + 1).round().astype(int)[:-1]
    sums = np.add.reduceat(np.add.reduceat(matrix, edges, axis=0), edges, axis=1)
    sizes = np.diff([*edges, len(matrix)])
    return [[float(f"{value:.4g}") for value in line] for line in sums / np.outer(sizes, sizes)]


def _convergence(run: Run) -> Row:
    """Objective, changes of A and Z and the ratio rho of every iteration."""
    data = _loaded(run.dataset)
    told = sample_supervision(run.setting, data.y, run.seed)
    model, row = _fitted(run, data.X, told, len(np.unique(data.y)))
    names = ("objective", "rho", "change_A", "change_Z")
    return row | {name: [float(getattr(one, name)) for one in model.history_] for name in names}


def _seconds(run: Run) -> Row:
    """Seconds of a fit on some samples of a data set."""
    data = _loaded(run.dataset)
    chosen = np.sort(np.random.default_rng(0).permutation(len(data.y))[: run.setting["n"]])
    X, y = data.X[chosen], data.y[chosen]
    model, row = _fitted(run, X, sample_supervision(run.setting, y, run.seed), len(np.unique(y)))
    return row | {"ACC": 100 * clustering_accuracy(y, model.labels_)}


def _hypergraph(run: Run) -> Row:
    """On a citation graph: pairs or labels of the training nodes, scores on the others."""

    data = _loaded(run.dataset)
    train, val, test = (data.extras[f"{part}_idx"] for part in ("train", "val", "test"))
    known = np.full(len(data.y), -1)
    known[train] = data.y[train]
    told = Supervision.from_labels(known)
    a, b = data.extras["edges_unique"].T
    adjacency = csr_array((np.ones(len(a)), (a, b)), shape=(len(known), len(known)))
    incidence = incidence_from_adjacency(adjacency + adjacency.T)
    if METHODS[run.method].takes_labels:
        more = {"incidence": incidence}
        if run.method == "hgnn":  # it chooses its epoch on the validation nodes
            more["validation"] = np.full(len(known), -1)
            more["validation"][val] = data.y[val]
    else:
        O = hypergraph_operator(incidence)
        more = {"graph": local_graph(data.X) + run.setting["gamma2"] * O}
    model, row = _fitted(run, data.X, told, len(np.unique(data.y)), **more)
    parts = {"": np.arange(len(known)), " validation": val, " test": test}
    named = METHODS[run.method].takes_labels
    labels = _found(model, told, named)
    for name, part in parts.items():
        scores = _scores(data.y[part], labels[part], None, named)
        row[f"ACC{name}"] = scores["ACC"]
    if hasattr(model, "n_unreached_"):
        row["n_unreached"] = model.n_unreached_
    return row


TASKS: dict[str, Task] = {
    "cluster": _cluster,
    "facts": _facts,
    "pictures": _pictures,
    "matrices": _matrices,
    "convergence": _convergence,
    "seconds": _seconds,
    "hypergraph": _hypergraph,
}
