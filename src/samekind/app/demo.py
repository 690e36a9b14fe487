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
Tell = Callable[[str, float], object]


@dataclass(frozen=True)
class Demo:
    """Samples, DGSL's run on the first draw, and a table over all draws."""

    samples: Samples
    outcome: Outcome
    scores: Sequence[Mapping[str, object]]


def run_demo(
    n_draws: int = 5,
    seed: int = 0,
    more: Sequence[Method] = (),
    *,
    on_progress: Tell = lambda text, share: None,
) -> Demo:
    """Cluster the digits by k-means, SC and DGSL; each draw labels five others per class.

    Parameters
    ----------
    n_draws : int
        Draws of labeled samples; the table shows means.
    seed : int
        Of the first draw; the next ones count up.
    more : sequence of Method
        Further methods, which get the labels of the same draws, or the pairs made from them.
    on_progress : callable, optional
        Called with what is being done and the share that is done.
    """
    samples, draws = _digits(n_draws), range(seed, seed + n_draws)
    methods = dict.fromkeys([METHODS["sc"], METHODS["dgsl"], *more])
    table = [_row("k-means", [_k_means(samples, draw) for draw in draws])]
    first: dict[str, Outcome] = {}
    for at, method in enumerate(methods):
        results = []
        for outcome in _outcomes(method, samples, draws, _part(on_progress, at, len(methods))):
            first.setdefault(method.name, outcome)
            model, seconds = outcome.model, outcome.seconds["fit"]
            results.append(_result(model.labels_, samples, seconds, model.status_.converged))
        table.append(_row(method.title, results))
    return Demo(samples, first["dgsl"], table)


def _digits(n_draws: int) -> Samples:
    X, y = load_digits(return_X_y=True)
    return Samples(
        X,
        image_shape=(8, 8),
        truth=y,
        source="digits",
        notes=(
            "Values are gray levels from 0 to 16, as they are.",
            f"Scores are means of {n_draws} draws of labeled samples; all else is the first draw.",
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
    method: Method, samples: Samples, draws: Sequence[int], tell: Tell
) -> Iterator[Outcome]:
    """One run of the method for each draw; a seed serves for the draw and for the method."""
    for i, seed in enumerate(draws):
        model = model_of(method, N_CLUSTERS, seed)
        text = f"{method.title}, draw {i + 1} of {len(draws)}"
        on_iteration = _teller(_part(tell, i, len(draws)), model, text)
        yield run(model, samples, _known(samples, seed), on_iteration=on_iteration)


def _known(samples: Samples, seed: int) -> Supervision:
    assert samples.truth is not None
    return Supervision.from_labels(
        sample_labels(samples.truth, LABELED_PER_CLASS, random_state=seed)
    )


def _part(tell: Tell, at: int, parts: int) -> Tell:
    """Tell of one of several equal parts of the work."""
    return lambda text, share: tell(text, (at + share) / parts)


def _teller(tell: Tell, model: Any, text: str) -> Callable[[Any], object]:
    """Tell that a run begins, and then of its iterations, if it has any."""
    tell(text, 0.0)

    def on_iteration(record: Any) -> None:
        said, share = progress(model, record)
        tell(f"{text}, {said}", share)

    return on_iteration


def _row(method: str, results: Sequence[Mapping[str, float]]) -> dict[str, object]:
    """Means over the draws; runs that did not converge are counted."""
    means = {name: float(np.mean([one[name] for one in results])) for name in MEANS}
    row: dict[str, object] = {"method": method, **means}
    if len(results) > 1:
        row["ACC std"] = float(np.std([one["ACC"] for one in results], ddof=1))
    if lost := sum(not one["converged"] for one in results):
        row["not converged"] = f"{lost} of {len(results)}"
    return row
