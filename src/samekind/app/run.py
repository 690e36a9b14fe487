"""One fit of any method, watched, with its warnings as sentences."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samekind._solver import State
from samekind._typing import FloatArray
from samekind.app.inputs import Samples
from samekind.app.report import Snapshot
from samekind.app.results_table import confidence
from samekind.constraints import ConstraintReport, Supervision
from samekind.estimators._base.registry import METHODS, Method
from samekind.estimators._base.validation import CliqueWarning, clique_sentence
from samekind.metrics import (
    accuracy_of_counts,
    clustering_accuracy,
    mutual_info_of_counts,
    normalized_mutual_info,
)

# What a record of an iteration may hold: how far the run is from its tolerance, or its loss.
MEASURES = {"change": ("change_A", "change_Z"), "residual": ("primal", "dual"), "loss": ("loss",)}


def method_of(model: Any) -> Method:
    """The entry of a model in the table of methods.

    Examples
    --------
    >>> from samekind import SC
    >>> method_of(SC()).name
    'sc'
    """
    return METHODS[type(model).__name__.lower()]


@dataclass(frozen=True)
class Outcome:
    """A fitted model with what the report needs beside it."""

    model: Any
    known: Supervision
    first: Snapshot | None  # of a method that learns its graph
    warnings: tuple[str, ...]
    seconds: Mapping[str, float]

    @property
    def method(self) -> Method:
        """The model's entry in the table of methods."""
        return method_of(self.model)

    @property
    def n_clusters(self) -> int:
        """The number of clusters, given or chosen."""
        return n_clusters_of(self.model)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the model, as plain values."""
        parameters: dict[str, Any] = plain(self.model.get_params())
        return parameters

    @property
    def clusters(self) -> tuple[Any, ...]:
        """Numbers of the clusters, or their names where labels were given."""
        if self.known.y is None:
            return tuple(range(self.n_clusters))
        if self.method.takes_labels:
            return tuple(map(str, self.known.names))
        return self.known.cluster_names(self.model.labels_, self.n_clusters)

    @property
    def names(self) -> tuple[str, ...] | None:
        """Names of the clusters; None where no labels were given."""
        return None if self.known.y is None else tuple(map(str, self.clusters))

    @property
    def report(self) -> ConstraintReport:
        """What was given and came out otherwise: pairs, or labels."""
        if self.method.takes_labels:
            report: ConstraintReport = self.model.constraint_report_
            return report
        return self.known.evaluate(self.model.labels_)

    @property
    def labels(self) -> NDArray[Any]:
        """One entry of ``clusters`` for each sample."""
        return np.asarray(np.asarray(self.clusters)[self.model.labels_])

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say of the run beside its status, warnings included."""
        status = self.model.status_
        # A status that is not usable is what the run ends with, not a note beside it.
        notes = [text for text in self.warnings if status.usable or str(status) not in text]
        if self.method.interpretation:
            name = type(self.model).__name__
            notes.append(
                f"{name} is our interpretation: the paper leaves open what exactly is computed"
            )
        if unreached := getattr(self.model, "n_unreached_", 0):
            notes.append(
                f"no label reaches {unreached} of {len(self.model.labels_)} samples on the graph; "
                "they are in the most frequent class"
            )
        return tuple(notes)

    @property
    def confidence(self) -> tuple[FloatArray, NDArray[Any]] | None:
        """For each sample the probability of its cluster and the entry of ``clusters`` that is
        next in probability, blank where there is no other; None if the method has none.
        """
        probabilities = getattr(self.model, "probabilities_", None)
        if probabilities is None:
            return None
        share, second = confidence(probabilities, self.model.labels_)
        return share, np.asarray([*self.clusters, ""], dtype=object)[second]

    @property
    def choice(self) -> dict[str, object] | None:
        """What was chosen, as plain values with a sentence; None if the method chooses nothing."""
        choice = getattr(self.model, "choice_", None)
        if choice is None:
            return None
        return {"sentence": str(choice), **plain(asdict(choice))}

    @property
    def sizes(self) -> list[int]:
        """Samples in each of ``clusters``."""
        sizes = np.bincount(self.model.labels_, minlength=len(self.clusters))
        return [int(size) for size in sizes]


@dataclass
class _Watch:
    """Keeps the first state of a graph that is learned, and passes every record on."""

    on_iteration: Callable[[Any], object] | None
    first: Snapshot | None = None

    def __call__(self, record: Any) -> None:
        if self.first is None and isinstance(record, State):
            self.first = Snapshot(record.iteration, record.Z, record.H)
        if self.on_iteration is not None:
            self.on_iteration(record)


def run(
    model: Any,
    samples: Samples,
    known: Supervision,
    *,
    on_iteration: Callable[[Any], object] | None = None,
) -> Outcome:
    """Fit the model to what is known, collecting warnings instead of printing them.

    Examples
    --------
    >>> from samekind import DGSL
    >>> samples = Samples(np.array([[0.0], [1.0], [9.0], [10.0]]), source="four rows")
    >>> known = Supervision.from_labels(["cat", None, None, "dog"])
    >>> outcome = run(DGSL(2, sparsity=0.1), samples, known)
    >>> outcome.labels.tolist(), outcome.method.title
    (['cat', 'cat', 'dog', 'dog'], 'DGSL')
    """
    watch, began = _Watch(on_iteration), perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if method_of(model).takes_labels:
            model.fit(samples.X, known.y, callback=watch)
        else:
            model.fit(samples.X, constraints=known.constraints, callback=watch)
    texts = [_worded(warning.message, model, samples) for warning in caught]
    seconds = {"fit": perf_counter() - began}
    return Outcome(model, known, watch.first, tuple(dict.fromkeys(texts)), seconds)


def progress(model: Any, record: Any) -> tuple[str, float]:
    """What to say of an iteration, and the share of the work done if all are needed.

    Examples
    --------
    >>> from types import SimpleNamespace as Record
    >>> from samekind import DGSL
    >>> progress(DGSL(max_iter=48), Record(iteration=12, primal=0.003, dual=0.001))
    ('iteration 12, residual 0.003 (stops below 0.01)', 0.25)
    """
    text, settings = f"iteration {record.iteration}", model.get_params()
    found = getattr(record, "record", record)  # of a State
    for what, names in MEASURES.items():
        values = [getattr(found, name) for name in names if hasattr(found, name)]
        if values:
            text += f", {what} {max(values):.2g}"
            if what != "loss" and "tol" in settings:
                text += f" (stops below {settings['tol']:g})"
    return text, min(record.iteration / settings.get("max_iter", np.inf), 1.0)


def score(labels: ArrayLike, truth: ArrayLike) -> dict[str, float]:
    """ACC and NMI of labels against the truth.

    Examples
    --------
    >>> score([0, 0, 1], ["a", "a", "b"])
    {'ACC': 1.0, 'NMI': 1.0}
    """
    return {
        "ACC": clustering_accuracy(truth, labels),
        "NMI": normalized_mutual_info(truth, labels),
    }


def score_of_counts(counts: Mapping[tuple[str, int], int]) -> dict[str, float]:
    """ACC and NMI from how many rows of each class are in each cluster.

    Examples
    --------
    >>> score_of_counts({("a", 0): 2, ("b", 1): 1})
    {'ACC': 1.0, 'NMI': 1.0}
    """
    classes, clusters = (sorted({key[i] for key in counts}) for i in (0, 1))
    table = np.zeros((len(classes), len(clusters)))
    for (name, cluster), n in counts.items():
        table[classes.index(name), clusters.index(cluster)] = n
    return {"ACC": accuracy_of_counts(table), "NMI": mutual_info_of_counts(table)}


def n_clusters_of(model: Any) -> int:
    """Of a fitted model: the number it chose, or the one it was given."""
    return int(getattr(model, "n_clusters_", model.n_clusters))


def plain(value: Any) -> Any:
    """A value for JSON, which knows no arrays and no nan."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(one) for one in value]
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and np.isnan(value) else value


def _worded(warning: Warning | str, model: Any, samples: Samples) -> str:
    """The sentence of a warning, with the rows' names where it speaks of rows."""
    if isinstance(warning, CliqueWarning):
        return clique_sentence(warning.clique, n_clusters_of(model), samples.name_of)
    return str(warning)
