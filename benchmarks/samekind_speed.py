"""SameKind beside DGSL and scikit-learn's spectral clustering: CPU seconds as ratios in one run.

    SAMEKIND_DATA=... python benchmarks/samekind_speed.py few       [--sizes 1000,4000,10000]
    SAMEKIND_DATA=... python benchmarks/samekind_speed.py many      [--sizes 8000,70000]
    SAMEKIND_DATA=... python benchmarks/samekind_speed.py seam
    python benchmarks/samekind_speed.py show

few: 5 labels per class, and none; 1,000 samples are USPS_1000, more are of MNIST; the shortest of
some times. many: 10 labels per class of MNIST on three trials, DGSL with labels that spread, on the
same labels. seam: 4,900 samples of MNIST, and 200 more of the same, around the size from which on
each sample is represented by its nearest alone. One thread, each run in a process of its own. One
line of JSON per run; what the file holds is not repeated.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable

import numpy as np
from own_process import asked, in_own_process, peak_mb
from paper_sets import SETS
from rows import RESULTS, Row, Rows, read
from samples import load, prepare
from sklearn.cluster import SpectralClustering
from watched_fit import digest, scores

from samekind import DGSL, PairConstraints, SameKind, sample_labels

FILE = RESULTS / "samekind_speed.jsonl"
K = 10
FEW, MANY = 5, 10  # labels per class
TRIALS = (1000, 1001, 1002)
SEAM_TRIALS = (1000, 1001, 1002, 1003, 1004)
BELOW, ABOVE = 4900, 5100  # samples, around the seam
REPEATED_UP_TO, REPEATS = 1000, 3


def timed(work: Callable[[], object], repeats: int = 1) -> tuple[float, object]:
    """The shortest of some CPU times, and the last result."""
    seconds = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the status is in the row
        for _ in range(repeats):
            began = time.process_time()
            result = work()
            seconds.append(time.process_time() - began)
    return min(seconds), result


def fit_few(run: Row) -> Row:
    """SameKind with some labels and with none, DGSL, spectral clustering."""
    n = run["n"]
    X, y = SETS["usps_1000"].load() if n == 1000 else load("mnist", n)
    X = X / X.max()
    pairs = PairConstraints.from_labels(sample_labels(y, FEW, random_state=run["seed"]))
    model, seed = SameKind(K, random_state=0), run["seed"]
    spectral = SpectralClustering(K, affinity="nearest_neighbors", random_state=seed)
    work = {
        "labels": lambda: model.fit(X, constraints=pairs).labels_,
        "no_pairs": lambda: model.fit(X).labels_,
        "dgsl": lambda: DGSL(K, random_state=seed).fit(X, constraints=pairs).labels_,
        "spectral": lambda: spectral.fit(X).labels_,
    }
    found = {name: timed(one, REPEATS if n <= REPEATED_UP_TO else 1) for name, one in work.items()}
    row: Row = {f"{name}_seconds": seconds for name, (seconds, _) in found.items()}
    row |= {f"{name}_ACC": scores(y, labels)["ACC"] for name, (_, labels) in found.items()}
    return row | {
        "to_dgsl": row["labels_seconds"] / row["dgsl_seconds"],
        "no_pairs_to_labels": row["no_pairs_seconds"] / row["labels_seconds"],
        "to_spectral": row["labels_seconds"] / row["spectral_seconds"],
    }


def fit_many(run: Row) -> Row:
    """SameKind and DGSL on the same labels, SameKind first: the peak is its own."""
    X, y = load("mnist", run["n"])
    known = sample_labels(y, MANY, random_state=run["seed"])
    pairs = PairConstraints.from_labels(known)
    seconds, model = timed(lambda: SameKind(K, random_state=0).fit(X, constraints=pairs))
    row = {"seconds": seconds, "peak_mb": peak_mb(), **scores(y, model.labels_)}
    row |= {"status": model.status_.name, "n_iter": model.n_iter_, "choice": str(model.choice_)}
    row["labels"] = digest(model.labels_)
    del model
    dgsl = DGSL(K, solver="sparse", assign_labels="spread", random_state=0)
    row["dgsl_seconds"], dgsl = timed(lambda: dgsl.fit(X, constraints=pairs))
    row["dgsl_ACC"] = scores(y, dgsl.labels_)["ACC"]
    return row | {
        "to_dgsl": row["seconds"] / row["dgsl_seconds"],
        "ACC_to_dgsl": row["ACC"] - row["dgsl_ACC"],
    }


def fit_seam(run: Row) -> Row:
    """SameKind on the first samples of one draw; the same samples are labeled."""
    X, y = load("mnist", ABOVE)
    some = np.random.default_rng(run["seed"]).permutation(ABOVE)[:BELOW]
    known = np.full(ABOVE, -1)
    known[some] = sample_labels(y[some], FEW, random_state=run["seed"])
    rows = np.sort(some) if run["n"] == BELOW else np.arange(ABOVE)
    seconds, model = timed(lambda: SameKind(K, random_state=0).fit(X[rows], known[rows]))
    return {"seconds": seconds, "status": model.status_.name, **scores(y[rows], model.labels_)}


def one_prepare(run: Row) -> Row:
    prepare("mnist", run["n"])
    return {}


TASKS = {"few": fit_few, "many": fit_many, "seam": fit_seam, "prepare": one_prepare}


def runs_of(task: str, sizes: list[int]) -> list[Row]:
    if task == "few":
        return [{"task": task, "n": n, "seed": 1000} for n in sizes or (1000, 4000, 10_000)]
    if task == "many":
        sizes = sizes or [8000, 70_000]
        return [{"task": task, "n": n, "seed": seed} for n in sizes for seed in TRIALS]
    return [{"task": task, "n": n, "seed": seed} for seed in SEAM_TRIALS for n in (BELOW, ABOVE)]


def make(run: Row) -> Row:
    """One run, after the file with its samples."""
    n = ABOVE if run["task"] == "seam" else run["n"]
    in_own_process(__file__, {"task": "prepare", "n": n})
    return in_own_process(__file__, run)


def show() -> None:
    """Ratios and means, from the rows."""
    rows = [row for row in read(FILE) if "failed" not in row]
    for row in rows:
        if row["task"] == "few":
            ratios = ("to_dgsl", "no_pairs_to_labels", "to_spectral")
            print(f"n = {row['n']:>6}", *(f"{name} {row[name]:.2f}" for name in ratios))
    for task, columns in {
        "many": ("ACC", "dgsl_ACC", "ACC_to_dgsl", "to_dgsl", "seconds", "peak_mb"),
        "seam": ("ACC", "seconds"),
    }.items():
        for n in sorted({row["n"] for row in rows if row["task"] == task}):
            some = [row for row in rows if row["task"] == task and row["n"] == n]
            means = (f"{name} {np.mean([row[name] for row in some]):.2f}" for name in columns)
            print(f"{task} n = {n:>6}, {len(some)} trials:", *means)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("task", choices=["few", "many", "seam", "show"])
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[])
    options = parser.parse_args()
    if options.task == "show":
        show()
        return
    rows = Rows(FILE, ("task", "n", "seed"))
    for run in runs_of(options.task, options.sizes):
        print(json.dumps(rows.once(run, lambda: make(run))), flush=True)  # noqa: B023


if __name__ == "__main__":
    if (run := asked()) is not None:
        print(json.dumps(TASKS[run["task"]](run)))
    else:
        main()
