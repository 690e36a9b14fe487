"""The demo: data in several units and a little that is known, SameKind beside other methods."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.semi_supervised import LabelSpreading

from samekind._typing import IntArray
from samekind.app.choices import model_of
from samekind.app.inputs import Samples
from samekind.app.run import Outcome, progress, run, score
from samekind.constraints import Supervision, sample_labels, sample_pairs
from samekind.estimators._base.registry import METHODS, Method

N_DIGITS = 600
N_GROUPS, GROUP_SIZE, N_FEATURES = 6, 50, 384
MEANS = ("ACC", "NMI", "seconds")
Report = Callable[[str, float], object]

# What is known of samples in a trial, by the name that the table has for it.
KNOWN: Mapping[str, Callable[[Any, int], Supervision]] = {
    "nothing": lambda y, seed: Supervision.from_pairs(len(y)),
    "20 pairs": lambda y, seed: Supervision(sample_pairs(y, 10, 10, random_state=seed)),
    "5 labels/class": lambda y, seed: Supervision.from_labels(
        sample_labels(y, 5, random_state=seed)
    ),
}
REPORTED = ("digits", "5 labels/class", "SameKind")


@dataclass(frozen=True)
class Demo:
    """SameKind's first trial on labeled digits, and the scores of everything."""

    samples: Samples
    outcome: Outcome
    rows: Sequence[Mapping[str, Any]]  # data, known, method, means over the trials

    @property
    def scores(self) -> list[dict[str, Any]]:
        """Rows of all methods where the reported outcome belongs."""
        return [
            {key: value for key, value in row.items() if key not in ("data", "known")}
            for row in self.rows
            if (row["data"], row["known"]) == REPORTED[:2]
        ]


@dataclass(frozen=True)
class _Result:
    labels: IntArray
    seconds: float
    converged: bool
    outcome: Outcome | None = None


Contestant = Callable[[Samples, Supervision, int, Report], _Result]


def run_demo(
    n_trials: int = 2,
    seed: int = 0,
    more: Sequence[Method] = (),
    *,
    on_progress: Report = lambda text, share: None,
) -> Demo:
    """Cluster digits in three units, wine and six groups, with nothing known, pairs or labels.

    Parameters
    ----------
    n_trials : int
        Random trials, each with other pairs and labels; scores are means.
    seed : int
        Of the first trial; the next ones count up.
    more : sequence of Method
        Further methods. Those that learn from labels run where there are some.
    on_progress : callable, optional
        Called with what is being done and the share that is done.
    """
    data, contestants = _data(n_trials), _contestants(more)
    from_labels = {"LabelSpreading", *(method.title for method in more if method.takes_labels)}
    points = [
        point
        for point in product(data, KNOWN, contestants)
        if "labels" in point[1] or point[2] not in from_labels
    ]
    rows, found = [], {}
    for at, (source, known, name) in enumerate(points):
        samples, results = data[source], []
        for i in range(n_trials):
            given = KNOWN[known](samples.truth, seed + i)
            report = _part(on_progress, at * n_trials + i, len(points) * n_trials)
            text = f"{source}, {known}, {name}"
            report(text, 0.0)
            results.append(contestants[name](samples, given, seed + i, _titled(report, text)))
        found[source, known, name] = results[0].outcome
        rows.append({"data": source, "known": known, "method": name} | _means(results, samples))
    outcome = found[REPORTED]
    assert outcome is not None
    return Demo(data[REPORTED[0]], outcome, rows)


def _data(n_trials: int) -> dict[str, Samples]:
    X, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))[:N_DIGITS]
    X, y = X[rows], y[rows]
    notes = (
        f"{N_DIGITS} of scikit-learn's digits, with gray levels from 0 to 16, as they are.",
        f"Scores are means of {n_trials} random trials; all else is the first trial.",
    )
    wine, kind = load_wine(return_X_y=True)
    every = (
        Samples(X, image_shape=(8, 8), truth=y, source="digits", notes=notes),
        Samples(X / 16, truth=y, source="digits / 16"),
        Samples(X / 255, truth=y, source="digits / 255"),
        Samples(wine, truth=kind, source="wine"),
        _six_groups(),
    )
    return {samples.source: samples for samples in every}


def _six_groups() -> Samples:
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(N_GROUPS), GROUP_SIZE)
    centers = 0.35 * rng.standard_normal((N_GROUPS, N_FEATURES))
    X = centers[group] + rng.standard_normal((len(group), N_FEATURES))
    return Samples(X, truth=group, source="six groups")


def _contestants(more: Sequence[Method]) -> dict[str, Contestant]:
    named = {"k-means": _k_means, "LabelSpreading": _label_spreading}
    own = {method.title: _by(method) for method in (*METHODS.values(), *more)}
    order = ("SameKind", "k-means", "SC", "E2CP", "LabelSpreading", "DGSL")
    titles = dict.fromkeys([*order, *(method.title for method in more)])
    return {title: (named | own)[title] for title in titles}


def _k_means(samples: Samples, known: Supervision, seed: int, report: Report) -> _Result:
    began = perf_counter()
    labels = KMeans(_n_clusters(samples), n_init=20, random_state=seed).fit_predict(samples.X)
    return _Result(labels, perf_counter() - began, True)


def _label_spreading(samples: Samples, known: Supervision, seed: int, report: Report) -> _Result:
    """With nearest neighbors: the kernel that is its default depends on the units of X."""
    began = perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        labels = LabelSpreading(kernel="knn").fit(samples.X, known.y).transduction_
    stopped = any(issubclass(one.category, ConvergenceWarning) for one in caught)
    return _Result(labels, perf_counter() - began, not stopped)


def _by(method: Method) -> Contestant:
    """A method with its defaults; the seed of a trial is its seed too."""

    def contestant(samples: Samples, known: Supervision, seed: int, report: Report) -> _Result:
        model = model_of(method, _n_clusters(samples), seed)
        outcome = run(
            model, samples, known, on_iteration=lambda record: report(*progress(model, record))
        )
        seconds, status = outcome.seconds["fit"], model.status_
        return _Result(model.labels_, seconds, status.converged, outcome)

    return contestant


def _n_clusters(samples: Samples) -> int:
    return len(np.unique(np.asarray(samples.truth)))


def _part(report: Report, at: int, parts: int) -> Report:
    """Progress of one of several equal parts of the work."""
    return lambda text, share: report(text, (at + share) / parts)


def _titled(report: Report, title: str) -> Report:
    return lambda text, share: report(f"{title}, {text}", share)


def _means(results: Sequence[_Result], samples: Samples) -> dict[str, object]:
    """Means over the trials; runs that did not converge are counted."""
    truth = np.asarray(samples.truth)
    scores = [score(one.labels, truth) | {"seconds": one.seconds} for one in results]
    row: dict[str, object] = {name: float(np.mean([one[name] for one in scores])) for name in MEANS}
    if len(results) > 1:
        row["ACC std"] = float(np.std([one["ACC"] for one in scores], ddof=1))
    if lost := sum(not one.converged for one in results):
        row["not converged"] = f"{lost} of {len(results)}"
    return row
