"""A job: one fit, one folder of results, all or nothing."""

import csv
import os
import platform
import shutil
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import scipy
import sklearn
from numpy.typing import ArrayLike
from scipy.sparse import issparse, save_npz

from samekind._version import __version__
from samekind.constraints import PairConstraints
from samekind.estimators import DGSL, CliqueWarning, clique_sentence
from samekind.inputs import Samples
from samekind.metrics import clustering_accuracy, normalized_mutual_info
from samekind.report import ReportContent, Snapshot, write_page
from samekind.solver import State
from samekind.typing import FloatArray, IntArray

LARGEST_TABLE = 1e7  # entries of a sparse X that the report still looks into
RESULTS = ("labels.csv", "embedding.npy", "graph.npz", "report.html")


@dataclass(frozen=True)
class Outcome:
    """A fitted model with what the report needs beside it."""

    model: DGSL
    pairs: PairConstraints
    first: Snapshot
    last: Snapshot
    warnings: tuple[str, ...]
    seconds: Mapping[str, float]


@dataclass
class _Watch:
    """Keeps the first and the last state of a run, and passes each on."""

    on_iteration: Callable[[State], object] | None
    first: Snapshot | None = None
    last: Snapshot | None = None

    def __call__(self, state: State) -> None:
        self.last = Snapshot(state.iteration, state.Z, state.H)
        self.first = self.first or self.last
        if self.on_iteration is not None:
            self.on_iteration(state)


def run(
    model: DGSL,
    samples: Samples,
    pairs: PairConstraints,
    *,
    on_iteration: Callable[[State], object] | None = None,
) -> Outcome:
    """Fit the model, collecting warnings instead of printing them.

    Examples
    --------
    >>> import numpy as np
    >>> samples = Samples(np.array([[0.0], [1.0], [9.0], [10.0]]), source="four rows")
    >>> outcome = run(DGSL(2, sparsity=0.1), samples, PairConstraints(4, cannot_link=[(0, 3)]))
    >>> outcome.last.iteration == outcome.model.n_iter_
    True
    """
    watch, began = _Watch(on_iteration), perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(samples.X, constraints=pairs, callback=watch)
    assert watch.first is not None
    assert watch.last is not None
    told = [_worded(warning.message, model.n_clusters, samples) for warning in caught]
    seconds = {"fit": perf_counter() - began}
    return Outcome(model, pairs, watch.first, watch.last, tuple(dict.fromkeys(told)), seconds)


def _worded(warning: Warning | str, n_clusters: int, samples: Samples) -> str:
    """The sentence of a warning, with the rows' names where it speaks of rows."""
    if isinstance(warning, CliqueWarning):
        return clique_sentence(warning.clique, n_clusters, samples.name_of)
    return str(warning)


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


def check_folder(folder: str | os.PathLike[str]) -> Path:
    """Refuse a folder that results cannot go to, before the work is done.

    Examples
    --------
    >>> check_folder("results").name
    'results'
    """
    folder = Path(folder)
    for above in (folder, *folder.parents):
        if above.exists():
            break
    if not above.is_dir():
        raise NotADirectoryError(f"{above} is a file; name a folder for the results")
    if not os.access(above, os.W_OK):
        raise PermissionError(f"{above} cannot be written to; name another folder for the results")
    for name in RESULTS:
        if (folder / name).is_dir():
            raise IsADirectoryError(f"{folder / name} is a folder, and a result; move it away")
    return folder


def write_results(
    folder: str | os.PathLike[str],
    samples: Samples,
    outcome: Outcome,
    scores: Sequence[Mapping[str, object]] | None = None,
) -> Path:
    """Write labels.csv, embedding.npy, graph.npz and report.html, or nothing.

    All files are made under another name first. Files of an earlier run in the same folder
    are replaced, others in it are left alone.
    """
    folder = check_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        _write_labels(made / "labels.csv", samples, outcome.model.labels_)
        np.save(made / "embedding.npy", outcome.model.embedding_)
        save_npz(made / "graph.npz", outcome.model.affinity_matrix_)
        write_page(report_content(samples, outcome, scores), made / "report.html")
        folder.mkdir(exist_ok=True)
        for name in RESULTS:
            os.replace(made / name, folder / name)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def report_content(
    samples: Samples, outcome: Outcome, scores: Sequence[Mapping[str, object]] | None = None
) -> ReportContent:
    """What the report shows of an outcome."""
    model, pairs, report = outcome.model, outcome.pairs, outcome.model.constraint_report_
    names = [samples.name_of(i) for i in range(samples.X.shape[0])]
    violated = [
        (kind, names[a], names[b])
        for kind, these in (
            ("must-link", report.violated_must_link),
            ("cannot-link", report.violated_cannot_link),
        )
        for a, b in these
    ]
    X = _dense(samples.X)
    return ReportContent(
        title=f"{samples.source} in {model.n_clusters} clusters",
        summary=_summary(samples, outcome),
        facts=_facts(samples, outcome),
        notes=(*samples.notes, *outcome.warnings, *(d.reason for d in pairs.dropped)),
        scores=scores,
        labels=model.labels_,
        names=names,
        images=None
        if samples.image_shape is None or X is None
        else X.reshape(-1, *samples.image_shape),
        X=X,
        feature_names=samples.feature_names,
        truth=None if samples.labels is None else [str(label) for label in samples.labels],
        first=outcome.first,
        last=outcome.last,
        history=model.history_,
        status=str(model.status_),
        converged=model.status_.converged,
        violated=violated,
        n_pairs=len(pairs.must_link) + len(pairs.cannot_link),
        n_must_link=len(pairs.must_link),
        n_cannot_link=len(pairs.cannot_link),
        parameters=model.get_params(),
        versions=versions(),
        seconds=outcome.seconds,
    )


def _dense(X: Any) -> FloatArray | None:
    """X for the tables of the report; None where a sparse X would take too much room."""
    if not issparse(X):
        return np.asarray(X)
    return np.asarray(X.toarray()) if np.prod(X.shape, dtype=float) <= LARGEST_TABLE else None


def versions() -> dict[str, str]:
    """Versions of what computed the result."""
    return {
        "samekind": __version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def _summary(samples: Samples, outcome: Outcome) -> str:
    n, (report, model) = samples.X.shape[0], (outcome.model.constraint_report_, outcome.model)
    sizes = np.bincount(model.labels_, minlength=model.n_clusters)
    pairs = f"{report.satisfied} of {report.satisfied + report.violated} pairs hold"
    pairs = pairs if report.satisfied + report.violated else "no pairs were given"
    return (
        f"DGSL sorted {n} samples into {model.n_clusters} clusters of {sizes.min()} to "
        f"{sizes.max()}; {pairs}."
    )


def _facts(samples: Samples, outcome: Outcome) -> dict[str, str]:
    n, d = samples.X.shape
    pairs = outcome.pairs
    facts = {
        "Source": samples.source,
        "Samples": f"{n}",
        "Features": f"{d}",
        "Clusters asked for": f"{outcome.model.n_clusters}",
        "Must-links": f"{len(pairs.must_link)}",
        "Cannot-links": f"{len(pairs.cannot_link)}",
        "Groups joined by must-links": f"{len(pairs.groups)}",
    }
    if samples.image_shape is not None:
        height, width = samples.image_shape
        facts["Pictures"] = f"{height} x {width} pixels, grey"
    return facts


def _write_labels(path: Path, samples: Samples, labels: IntArray) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["row", "label"])
        ids = samples.ids or range(len(labels))
        writer.writerows(zip(ids, labels.tolist(), strict=True))
