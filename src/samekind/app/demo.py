"""The demo: the digits that ship with scikit-learn, a few of them labeled."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

from samekind._typing import IntArray
from samekind.app.choices import model_of
from samekind.app.inputs import Samples
from samekind.app.run import Outcome, progress, run, score
from samekind.constraints import Supervision, sample_labels
from samekind.estimators._base.registry import METHODS, Method

N_CLUSTERS = 10
LABELED_PER_CLASS = 5
MEANS = ("ACC", "NMI", "seconds")
Report = Callable[[str, float], object]


@dataclass(frozen=True)
class Demo:
    """Samples, DGSL's run in the first random trial, and a table over all trials."""

    samples: Samples
    outcome: Outcome
    scores: Sequence[Mapping[str, object]]


def run_demo(
    n_trials: int = 5,
    seed: int = 0,
    more: Sequence[Method] = (),
    *,
    on_progress: Report = lambda text, share: None,
) -> Demo:
    """Cluster the digits by k-means, SC and DGSL; each random trial labels
    five others per class.

    Parameters
    ----------
    n_trials : int
        Random trials, each with other labeled samples; the table shows means.
    seed : int
        Of the first trial; the next ones count up.
    more : sequence of Method
        Further methods, which get the labels of the same trials, or the pairs made from them.
    on_progress : callable, optional
        Called with what is being done and the share that is done.
    """
    samples, trials = _digits(n_trials), range(seed, seed + n_trials)
    methods = dict.fromkeys([METHODS["sc"], METHODS["dgsl"], *more])
    table = [_row("k-means", [_k_means(samples, trial) for trial in trials])]
    first: dict[str, Outcome] = {}
    for at, method in enumerate(methods):
        results = []
        for outcome in _outcomes(method, samples, trials, _part(on_progress, at, len(methods))):
            first.setdefault(method.name, outcome)
            model, seconds = outcome.model, outcome.seconds["fit"]
            results.append(_result(model.labels_, samples, seconds, model.status_.converged))
        table.append(_row(method.title, results))
    return Demo(samples, first["dgsl"], table)


def _digits(n_trials: int) -> Samples:
    X, y = load_digits(return_X_y=True)
    return Samples(
        X,
        image_shape=(8, 8),
        truth=y,
        source="digits",
        notes=(
            "Values are gray levels from 0 to 16, as they are.",
            f"Scores are means of {n_trials} random trials; all else is the first trial.",
        ),
    )


def _k_means(samples: Samples, seed: int) -> dict[str, float]:
    began = perf_counter()
    labels = KMeans(N_CLUSTERS, n_init=20, random_state=seed).fit_predict(samples.X)
    seconds = perf_counter() - began
    return _result(labels, samples, seconds)


def _result(
    labels: IntArray, samples: Samples, seconds: float, converged: bool = True
) -> dict[str, float]:
    assert samples.truth is not None
    return score(labels, samples.truth) | {"seconds": seconds, "converged": converged}


def _outcomes(
    method: Method, samples: Samples, trials: Sequence[int], report: Report
) -> Iterator[Outcome]:
    """One run of the method for each trial; a seed serves for the labels and for the method."""
    for i, seed in enumerate(trials):
        model = model_of(method, N_CLUSTERS, seed)
        text = f"{method.title}, trial {i + 1} of {len(trials)}"
        on_iteration = _reporter(_part(report, i, len(trials)), model, text)
        yield run(model, samples, _known(samples, seed), on_iteration=on_iteration)


def _known(samples: Samples, seed: int) -> Supervision:
    assert samples.truth is not None
    return Supervision.from_labels(
        sample_labels(samples.truth, LABELED_PER_CLASS, random_state=seed)
    )


def _part(report: Report, at: int, parts: int) -> Report:
    """Progress of one of several equal parts of the work."""
    return lambda text, share: report(text, (at + share) / parts)


def _reporter(report: Report, model: Any, text: str) -> Callable[[Any], object]:
    """Report that a run begins, and then its iterations, if it has any."""
    report(text, 0.0)

    def on_iteration(record: Any) -> None:
        said, share = progress(model, record)
        report(f"{text}, {said}", share)

    return on_iteration


def _row(method: str, results: Sequence[Mapping[str, float]]) -> dict[str, object]:
    """Means over the trials; runs that did not converge are counted."""
    means = {name: float(np.mean([one[name] for one in results])) for name in MEANS}
    row: dict[str, object] = {"method": method, **means}
    if len(results) > 1:
        row["ACC std"] = float(np.std([one["ACC"] for one in results], ddof=1))
    if lost := sum(not one["converged"] for one in results):
        row["not converged"] = f"{lost} of {len(results)}"
    return row
