"""Random data, methods and supervision: no fit may be wrong without saying so.

    python benchmarks/fuzz.py --seconds 600 --first 0 --most 10000

Every case is a row of ``fuzz.jsonl``, named by its seed; what is there is not run again. A case
that says converged is fitted three times or more. Outcomes:

    ok          usable, and nothing below is wrong
    reported    a status that is not usable
    refused     ValueError, TypeError or MemoryError in words of ours
    foreign     any other exception, or one in the words of a library
    silent      a status that says converged, yet labels 20 points below k-means on groups that
                k-means separates, labels that change when the fit is repeated, with the rows in
                another order or, with a method on the neighbor graph, in other units, or labels
                that predict, the probabilities or the report contradict
    slow        more than 60 seconds of the processor

Rows in another order are compared unless some are equal, up to rounding. Methods that represent
rows by each other take them at unit length: to them, rows on one line are equal, and of ties any
may be taken.
"""

import argparse
import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from rows import RESULTS, Row, Rows
from scipy.sparse import csr_array, issparse
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.preprocessing import normalize

from samekind import PairConstraints
from samekind.estimators._base.registry import METHODS
from samekind.metrics import clustering_accuracy

NEIGHBOR_GRAPH = ("samekind", "sc", "sl", "csp", "cscap", "lsgr", "e2cp", "hi", "hgnn")
SLOW, BEHIND, SEPARATED = 60.0, 0.2, 0.95
# Of k-means: with 10, it is right by chance where many partitions leave nearly the same variance,
# and misses groups that lie apart.
STARTS = 100
SAME = 0.9  # adjusted Rand index of partitions in other units, on groups that are separated
TIED = 1e-9  # distances that differ by less of the largest
OURS = (ValueError, TypeError, MemoryError)
# Parts of sentences that are not ours.
FOREIGN = ("array must not contain infs", "reshape", "ARPACK", "leading minor", "SVD", "broadcast")
Data = tuple[np.ndarray, np.ndarray]


def groups(rng: np.random.Generator, n: int, d: int, k: int) -> Data:
    """Gaussian groups, near or far from each other."""
    y = rng.integers(k, size=n)
    centers = rng.standard_normal((k, d))
    centers *= rng.choice([2, 5, 10, 30]) / np.linalg.norm(centers, axis=1, keepdims=True)
    return centers[y] + rng.standard_normal((n, d)), y


def subspaces(rng: np.random.Generator, n: int, d: int, k: int) -> Data:
    """Points on lines through the origin."""
    y = rng.integers(k, size=n)
    return rng.uniform(0.5, 2, n)[:, None] * rng.standard_normal((k, d))[y], y


def noise(rng: np.random.Generator, n: int, d: int, k: int) -> Data:
    return rng.standard_normal((n, d)), rng.integers(k, size=n)


def one_hot(rng: np.random.Generator, n: int, d: int, k: int) -> Data:
    column = rng.integers(d, size=n)
    return np.eye(d)[column], column % k


def repeated(rng: np.random.Generator, n: int, d: int, k: int) -> Data:
    """A few rows, many times."""
    which = rng.integers(k + 2, size=n)
    return rng.standard_normal((k + 2, d))[which], which % k


def equal(rng: np.random.Generator, n: int, d: int, k: int) -> Data:
    return np.full((n, d), rng.choice([0.0, 1.0, -3.5])), rng.integers(k, size=n)


def nearly_equal(rng: np.random.Generator, n: int, d: int, k: int) -> Data:
    """Rows that differ by rounding."""
    X, y = repeated(rng, n, d, k)
    return X * (1 + 2.3e-16 * rng.integers(3, size=X.shape)), y


def counts(rng: np.random.Generator, n: int, d: int, k: int) -> Data:
    y = rng.integers(k, size=n)
    return rng.poisson(3 * rng.random((k, d))[y]).astype(float), y


KINDS: dict[str, Callable[[np.random.Generator, int, int, int], Data]] = {
    made.__name__: made
    for made in (groups, subspaces, noise, one_hot, repeated, equal, nearly_equal, counts)
}
# The others put unlike rows into one group, or like rows into several.
TRUE_GROUPS = ("groups", "subspaces", "counts")
# Data of which k-means is a judge are drawn as often as all others together.
SHARE_OF_GROUPS = 0.5
UNITS = {
    "as they are": lambda X: X,
    "x1e-3": lambda X: 1e-3 * X,
    "x1e3": lambda X: 1e3 * X,
    "x1e-200": lambda X: 1e-200 * X,
    "x1e150": lambda X: 1e150 * X,
    "far away": lambda X: X + 1e9,
    "a timestamp": lambda X: np.column_stack([X, np.full(len(X), 1.7e9)]),
    "an outlier": lambda X: np.vstack([X[:-1], 1e6 * (1 + np.abs(X[-1:]))]),
    "sparse": csr_array,
    "single": lambda X: X.astype(np.float32),
}


@dataclass(frozen=True)
class Case:
    """One fit."""

    method: str
    kind: str
    units: str
    X: Any
    y: np.ndarray
    known: np.ndarray  # -1 where unknown
    k: int
    fits: list[str] = field(default_factory=list)  # one entry for each

    def fit(self, X: Any = None) -> Any:
        """A fitted model; of other rows in place of X."""
        X = self.X if X is None else X
        method = METHODS[self.method]
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            if method.takes_labels:
                model = method.estimator(random_state=0).fit(X, self.known)
            else:
                pairs = PairConstraints.from_labels(self.known)
                model = method.estimator(self.k, random_state=0).fit(X, constraints=pairs)
        model.said = " ".join(str(one.message) for one in seen)
        self.fits.append(self.method)
        return model


class Hang(BaseException):
    """A fit took too long."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Hang, once so much of the processor is used; where the system has no such timer, never."""
    if not hasattr(signal, "SIGPROF"):
        yield
        return

    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def drawn(seed: int) -> Case:
    """The case of a seed."""
    rng = np.random.default_rng(seed)
    names = sorted(name for name, method in METHODS.items() if method.clusters)
    method = str(rng.choice(names))
    kind = "groups" if rng.random() < SHARE_OF_GROUPS else str(rng.choice(list(KINDS)))
    units = str(rng.choice(list(UNITS))) if rng.random() < 0.5 else "as they are"
    n = int(rng.choice([6, 20, 30, 45, 60] if rng.random() < 0.85 else [100, 150, 200]))
    d = int(rng.choice([1, 2, 5, 20, 60]))
    k = int(rng.integers(2, min(7, n)))
    X, y = KINDS[kind](rng, n, d, k)
    y = np.unique(y, return_inverse=True)[1]
    known = np.full(n, -1)
    for one in range(int(y.max()) + 1):
        members = np.flatnonzero(y == one)
        some = rng.permutation(members)[: int(rng.choice([1, 2, 5]))]
        known[some] = one
    if not METHODS[method].takes_labels and rng.random() < 0.1:
        known[:] = -1
    return Case(method, kind, units, UNITS[units](X), y, known, k)


def examined(case: Case) -> Row:
    """The outcome of a case, and why."""
    began = time.process_time()
    try:
        with limited(SLOW):
            model = case.fit()
    except Hang:
        return {"outcome": "slow", "seconds": SLOW}
    except Exception as error:
        seconds = time.process_time() - began
        return {"outcome": _of_error(error), "why": _words(error), "seconds": seconds}
    seconds = time.process_time() - began
    row: Row = {"status": model.status_.name, "seconds": seconds}
    try:
        why = wrong(case, model) if model.status_.converged else None
    except Exception as error:
        return row | {"outcome": "foreign", "why": _words(error)}
    if why:
        return row | {"outcome": "silent", "why": why}
    return row | {"outcome": "ok" if model.status_.usable else "reported"}


def wrong(case: Case, model: Any) -> str | None:
    """What contradicts a status that says converged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not np.array_equal(case.fit().labels_, model.labels_):
            return "other labels when repeated"
        dense = _dense(case.X)
        distinct = np.unique(dense, axis=0, return_inverse=True)[1].ravel()
        once = np.bincount(distinct)[distinct] == 1
        if "differ by rounding" not in model.said and not np.array_equal(
            model.predict(case.X)[once], model.labels_[once]
        ):
            return "predict contradicts the labels of rows"
    dense = dense - dense[0]
    dense /= np.abs(dense).max() or 1.0
    return (
        _contradicted(case, model) or _of_order(case, model, dense) or _behind(case, model, dense)
    )


def _contradicted(case: Case, model: Any) -> str | None:
    """Report or probabilities that do not fit the labels."""
    places, labels = np.flatnonzero(case.known >= 0), model.labels_
    if METHODS[case.method].takes_labels:
        violated = int((labels != case.known)[places].sum())
        shares, names = model.label_distributions_, model.classes_
    else:
        i, j = places[np.array(np.triu_indices(len(places), 1))]
        violated = int(((labels[i] == labels[j]) != (case.known[i] == case.known[j])).sum())
        shares, names = getattr(model, "probabilities_", None), np.arange(case.k)
    if model.constraint_report_.violated != violated:
        return "the report contradicts the labels"
    if shares is None:
        return None
    own = shares[np.arange(len(labels)), np.searchsorted(names, labels)]
    if (own < shares.max(axis=1) - 1e-9).any() or not np.allclose(shares.sum(axis=1), 1):
        return "the probabilities contradict the labels"
    return None


def _of_order(case: Case, model: Any, X: np.ndarray) -> str | None:
    """Whether another order of the rows gives another partition, with the status of either."""
    if _equal(X) or (case.method not in NEIGHBOR_GRAPH and _tied(_directions(case.X))):
        return None
    mixed = np.random.default_rng(0).permutation(len(X))
    other = replace(case, X=case.X[mixed], known=case.known[mixed]).fit()
    index = adjusted_rand_score(model.labels_[mixed], other.labels_)
    if index < 1:
        return f"other partition of rows in another order, {other.status_.name}, {index:.3f}"
    return None


def _equal(X: np.ndarray) -> bool:
    """Whether rows are equal up to rounding."""
    distance = pairwise_distances(X)
    return bool((distance[np.triu_indices(len(X), 1)] <= TIED * distance.max()).any())


def _tied(X: np.ndarray) -> bool:
    """Whether a row has others at one distance."""
    distance = np.sort(pairwise_distances(X), axis=1)[:, 1:]
    return bool((np.diff(distance, axis=1, prepend=0.0) <= TIED * distance.max()).any())


def _directions(X: Any) -> np.ndarray:
    rows = _dense(X)
    return np.asarray(normalize(rows / (np.abs(rows).max() or 1.0)))


def _dense(X: Any) -> np.ndarray:
    return np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64)


def _behind(case: Case, model: Any, X: np.ndarray) -> str | None:
    """On data that k-means separates: far behind it, or others in other units."""
    if case.kind not in TRUE_GROUPS or len(np.unique(case.y)) < case.k:
        return None
    usual = by_k_means(case, X)
    if usual < SEPARATED:
        return None
    found = clustering_accuracy(case.y, model.labels_)
    if found < usual - BEHIND:
        return f"{100 * found:.0f} % where k-means has {100 * usual:.0f}"
    if case.method in NEIGHBOR_GRAPH and case.units not in ("as they are", "sparse", "single"):
        other = case.fit(X).labels_
        if adjusted_rand_score(other, model.labels_) < SAME:
            return "other partition in other units"
    return None


def by_k_means(case: Case, X: np.ndarray) -> float:
    """Accuracy of the k-means optimum; of rows X in units near 1."""
    k_means = KMeans(case.k, n_init=STARTS, random_state=0).fit(X)
    return clustering_accuracy(case.y, k_means.labels_)


def _of_error(error: Exception) -> str:
    words = str(error)
    ours = type(error) in OURS and not any(part in words for part in FOREIGN)
    return "refused" if ours else "foreign"


def _words(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({where.filename.split('/')[-1]}:{where.lineno})"[:300]


def main() -> None:
    parser = argparse.ArgumentParser(description="Random fits; see the top of the file.")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--most", type=int, default=10_000, help="seeds")
    parser.add_argument("--methods", default="", help="these alone, by commas")
    options = parser.parse_args()
    wanted = options.methods.split(",") if options.methods else list(METHODS)
    rows, tally = Rows(RESULTS / "fuzz.jsonl", ("seed",)), Counter()
    until, n_fits = time.monotonic() + options.seconds, 0
    for seed in range(options.first, options.first + options.most):
        if time.monotonic() > until:
            break
        case = drawn(seed)
        if case.method not in wanted:
            continue
        run = {"seed": seed, "method": case.method, "kind": case.kind, "units": case.units}
        row = rows.once(run, lambda case=case: examined(case) | {"fits": len(case.fits)})
        tally[row.get("outcome", "failed")] += 1
        n_fits += row.get("fits", 0)
        if row.get("outcome") not in ("ok", "reported", "refused"):
            print(row, flush=True)
    for outcome, count in tally.most_common():
        print(f"{count:6d}  {outcome}")
    print(f"{tally.total():6d}  cases, {n_fits} fits")


if __name__ == "__main__":
    main()
