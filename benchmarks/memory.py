"""Is the plan of a fit what the fit takes?

    python benchmarks/memory.py [--most 70000]

Each fit has a process of its own. Its peak, less what the process held with X before the fit, is
compared with the bytes that ``plan`` announces; X is six Gaussian groups in 20 features, with five
labels for each. "dense" has thresholds of zero, so that no coefficient of Z is; a few iterations
reach the peak. One row of ``memory.jsonl`` for each fit; exit code 1 if a peak is above 1.1 times
its plan, or below 0.8 times. The plan of the exact solver is that of a dense Z: others may stay
below.
"""

import argparse
import json
import resource
import sys
import warnings
from pathlib import Path

import numpy as np
from own_process import asked, in_own_process, peak_mb
from rows import RESULTS, Row, Rows

from samekind import DGSL, PairConstraints, SameKind, sample_labels
from samekind.estimators._base.plan import WHOLE_UP_TO, Plan, plan

K, N_FEATURES, N_LABELED = 6, 20, 5
FITS = {
    "DGSL, dense": lambda: DGSL(K, sparsity=0.0, feedback=1e-12, random_state=0, max_iter=4),
    "DGSL": lambda: DGSL(K, random_state=0, max_iter=4),
    "SameKind": lambda: SameKind(K, random_state=0, max_iter=4),
}
RUNS = [
    ("DGSL, dense", 5_000),
    ("DGSL", 5_000),
    ("SameKind", 5_000),
    ("DGSL", 70_000),
    ("SameKind", 70_000),
    ("DGSL", 200_000),
    ("SameKind", 200_000),
    ("DGSL", 1_000_000),
]


def fitted(run: Row) -> Row:
    """Peak of a fit, and its plan, in MB."""
    rng, n = np.random.default_rng(0), int(run["n"])
    y = np.arange(n) % K
    centers = rng.normal(size=(K, N_FEATURES))
    X = 4 * centers[y] / np.linalg.norm(centers[y], axis=1, keepdims=True)
    X += rng.normal(size=X.shape)
    pairs = PairConstraints.from_labels(sample_labels(y, N_LABELED, random_state=0))
    model = FITS[str(run["fit"])]()
    # What is imported late, and what the first products take, is no part of the plan.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        FITS[str(run["fit"])]().fit(X[:200])
        before = held_mb()
        model.fit(X, constraints=pairs)
    return {
        "peak_mb": peak_mb() - before,
        "plan_mb": planned(model, X).n_bytes / 1e6,
        "status": model.status_.name,
        "nonzeros_per_row": model.representation_.nnz / n,
    }


def planned(model: DGSL | SameKind, X: np.ndarray) -> Plan:
    """The plan of a fit."""
    if isinstance(model, SameKind):
        return model._plan(X)
    return plan(len(X), "auto", None, None, n_clusters=model.n_clusters)


def held_mb() -> float:
    """What this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=70_000, help="samples")
    options = parser.parse_args()
    rows, wrong = Rows(RESULTS / "memory.jsonl", ("fit", "n")), 0
    for name, n in RUNS:
        if n > options.most:
            continue
        run = {"fit": name, "n": n}
        row = rows.once(run, lambda run=run: in_own_process(__file__, run))
        print(row, flush=True)
        least = 0.8 if n > WHOLE_UP_TO or name.endswith("dense") else 0.0
        wrong += "failed" in row or not least <= row["peak_mb"] / row["plan_mb"] <= 1.1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    if (run := asked()) is not None:
        print(json.dumps(fitted(run)))
    else:
        main()
