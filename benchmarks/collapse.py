"""Six Gaussian groups in many sizes and units: does a method collapse without saying so?

A fit is *silent* if its accuracy lies more than 20 points below k-means with 10 starts while its
status counts as converged, and a *false alarm* if the status is COLLAPSED at 5 points below or
better.

    python benchmarks/collapse.py --method dgsl --seconds 600
    python benchmarks/collapse.py --method dgsl --sets

The second looks at the paper's data sets, DGSL with the authors' parameters and other methods as
they are: there COLLAPSED is a false alarm, whatever k-means finds.
"""

import argparse
import itertools
import time
import warnings
from collections import Counter
from typing import Any

import numpy as np
from rows import RESULTS, Row, Rows
from sklearn.cluster import KMeans
from sklearn.preprocessing import StandardScaler

from samekind import PairConstraints, sample_labels
from samekind.estimators._base.registry import METHODS
from samekind.metrics import clustering_accuracy

K = 6
NAMES = ("d", "separation", "scaling", "n", "labels", "seed")
CELLS = list(
    itertools.product(
        (2, 5, 10, 30, 100, 384),
        (4, 8, 16, 32),  # length of the centers, in units of the noise
        ("std", "minmax", "unit", "raw", "x0.1", "x10"),
        (120, 300, 600, 1000),
        (1, 2, 5, 10),
        (0, 1),
    )
)
SILENT, ALARM = 20.0, 5.0


def six_groups(
    d: int, separation: float, scaling: str, n: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """X and the true groups."""
    rng, y = np.random.default_rng(seed), np.arange(n) % K
    centers = rng.normal(size=(K, d))
    centers *= separation / np.linalg.norm(centers, axis=1, keepdims=True)
    X = centers[y] + rng.normal(size=(n, d))
    if scaling == "std":
        X = StandardScaler().fit_transform(X)
    elif scaling == "unit":
        X = X / np.linalg.norm(X, axis=1, keepdims=True)
    elif scaling == "minmax":
        X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    elif scaling.startswith("x"):
        X = X * float(scaling[1:])
    return X, y


def fitted(method: str, cell: Row) -> Row:
    """Accuracies of a method and of k-means, and the status."""
    X, y = six_groups(cell["d"], cell["separation"], cell["scaling"], cell["n"], cell["seed"])
    known = sample_labels(y, cell["labels"], random_state=cell["seed"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if METHODS[method].takes_labels:
            model = METHODS[method].estimator(random_state=0).fit(X, known)
        else:
            model = METHODS[method].estimator(K, random_state=0)
            model.fit(X, constraints=PairConstraints.from_labels(known))
    k_means = KMeans(K, n_init=10, random_state=0).fit(X).labels_
    return {
        "ACC": 100 * clustering_accuracy(y, model.labels_),
        "k-means": 100 * clustering_accuracy(y, k_means),
        "status": model.status_.name,
        "converged": model.status_.converged,
    }


def outcome(row: Row) -> str:
    """How a fit counts."""
    behind = row["k-means"] - row["ACC"]
    if behind > SILENT:
        return "silent" if row["converged"] else f"behind, {row['status']}"
    if row["status"] == "COLLAPSED":
        return "false alarm" if behind <= ALARM else "alarm, 5 to 20 points behind"
    return "good" if behind <= ALARM else "5 to 20 points behind"


def fitted_set(method: str, one: Any, seed: int) -> Row:
    """Accuracy and status on a data set of the paper, its smallest number of labels."""
    X, y = one.load()
    known = sample_labels(y, one.n_labeled, random_state=seed)
    more = one.parameters if method == "dgsl" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = METHODS[method].estimator(len(np.unique(y)), random_state=0, **more)
        model.fit(X, constraints=PairConstraints.from_labels(known))
    return {"ACC": 100 * clustering_accuracy(y, model.labels_), "status": model.status_.name}


def sets(method: str, n_draws: int) -> None:
    """Count the statuses on the paper's data sets."""
    from paper_sets import SETS  # needs the extra [paper]

    rows = Rows(RESULTS / "collapse_sets.jsonl", ("method", "set", "seed"))
    counts = Counter()
    for one, seed in itertools.product(SETS.values(), range(1000, 1000 + n_draws)):
        run = {"method": method, "set": one.name, "seed": seed}
        row = rows.once(run, lambda one=one, seed=seed: fitted_set(method, one, seed))
        counts[row.get("status", "failed")] += 1
        print(row, flush=True)
    print(dict(counts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--method", default="dgsl", choices=sorted(METHODS))
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0, help="of the order of the cells")
    parser.add_argument("--most", type=int, default=1000, help="samples of a cell")
    parser.add_argument("--sets", action="store_true", help="the paper's data sets instead")
    parser.add_argument("--draws", type=int, default=2, help="of labels, for each data set")
    options = parser.parse_args()
    if options.sets:
        sets(options.method, options.draws)
        return
    rows = Rows(RESULTS / "collapse.jsonl", ("method", *NAMES))
    counts, until = Counter(), time.monotonic() + options.seconds
    for at in np.random.default_rng(options.seed).permutation(len(CELLS)):
        if time.monotonic() > until:
            break
        cell = dict(zip(NAMES, CELLS[at], strict=True))
        if cell["n"] > options.most:
            continue
        run = {"method": options.method} | cell
        row = rows.once(run, lambda cell=cell: fitted(options.method, cell))
        counts["failed" if "failed" in row else outcome(row)] += 1
        if "failed" in row or outcome(row) in ("silent", "false alarm"):
            print(row, flush=True)
    for name, count in counts.most_common():
        print(f"{count:6d}  {name}")
    print(f"{counts.total():6d}  fits of {options.method}")


if __name__ == "__main__":
    main()
