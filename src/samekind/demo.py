"""The demo: the digits that ship with scikit-learn, a few of them labelled."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import load_digits

from samekind.constraints import PairConstraints, draw_labels_per_class
from samekind.estimators import DGSL
from samekind.graph import local_graph
from samekind.inputs import Samples
from samekind.jobs import Outcome, run, score
from samekind.solver import State
from samekind.typing import FloatArray, IntArray

N_CLUSTERS = 10
LABELLED_PER_CLASS = 5
Tell = Callable[[str, float], object]


@dataclass(frozen=True)
class Demo:
    """Samples, the run on the first draw, and a table over all draws."""

    samples: Samples
    outcome: Outcome
    scores: Sequence[Mapping[str, object]]


def run_demo(n_draws: int = 5, seed: int = 0, *, on_progress: Tell | None = None) -> Demo:
    """Cluster the digits by three methods; each draw labels five others per class.

    Parameters
    ----------
    n_draws : int
        Draws of labelled samples; the table shows means.
    seed : int
        Of the first draw; the next ones count up.
    on_progress : callable, optional
        Called with what is being done and the share that is done.
    """
    X, y = load_digits(return_X_y=True)
    samples = Samples(
        X,
        image_shape=(8, 8),
        labels=y,
        source="digits",
        notes=(
            "Values are grey levels from 0 to 16, as they are.",
            f"Scores are means of {n_draws} draws of labelled samples; all else is the first draw.",
        ),
    )
    scored: dict[str, list[dict[str, float]]] = {"k-means": [], "spectral clustering": []}
    outcomes: list[Outcome] = []
    for draw in range(n_draws):
        scored["k-means"].append(_timed(_k_means, X, y, seed + draw))
        scored["spectral clustering"].append(_timed(_spectral, X, y, seed + draw))
        known = draw_labels_per_class(y, LABELLED_PER_CLASS, random_state=seed + draw)
        outcome = run(
            DGSL(N_CLUSTERS, random_state=seed + draw),
            samples,
            PairConstraints.from_labels(known),
            on_iteration=_teller(on_progress, draw, n_draws),
        )
        result = score(outcome.model.labels_, y) | {"seconds": outcome.seconds["fit"]}
        scored.setdefault("DGSL", []).append(result)
        outcomes.append(outcome)
    table = [{"method": method, **_mean(results)} for method, results in scored.items()]
    return Demo(samples, outcomes[0], table)


def _k_means(X: FloatArray, seed: int) -> IntArray:
    return np.asarray(KMeans(N_CLUSTERS, n_init=20, random_state=seed).fit_predict(X))


def _spectral(X: FloatArray, seed: int) -> IntArray:
    """On the same local graph as DGSL, with as many restarts of k-means."""
    model = SpectralClustering(N_CLUSTERS, affinity="precomputed", n_init=20, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the graph is in two pieces, and that is no trouble
        return np.asarray(model.fit_predict(local_graph(X)))


def _timed(
    method: Callable[[FloatArray, int], IntArray], X: FloatArray, y: IntArray, seed: int
) -> dict[str, float]:
    began = perf_counter()
    labels = method(X, seed)
    seconds = perf_counter() - began
    return score(labels, y) | {"seconds": seconds}


def _teller(on_progress: Tell | None, draw: int, n_draws: int) -> Callable[[State], object] | None:
    if on_progress is None:
        return None

    def tell(state: State) -> None:
        # Runs end after some thirty iterations; a bar that waits at 95 % does no harm.
        share = min(state.iteration / 30, 0.95)
        text = f"draw {draw + 1} of {n_draws}, iteration {state.iteration}"
        on_progress(text, (draw + share) / n_draws)

    return tell


def _mean(results: Sequence[Mapping[str, float]]) -> dict[str, float]:
    mean = {name: float(np.mean([one[name] for one in results])) for name in results[0]}
    if len(results) > 1:
        mean["ACC std"] = float(np.std([one["ACC"] for one in results], ddof=1))
    return mean
