"""SSCTLRR on COIL20 beside its published accuracy: labels of a share of all samples, as pairs.

    SAMEKIND_DATA=... python benchmarks/ssctlrr.py [--percent 10] [--repetitions 5]
        [--out benchmarks/results/ssctlrr.jsonl]

One line of JSON per run; runs that the file already holds are not repeated.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from accuracy import mean_and_spread
from paper_sets import SETS
from rows import RESULTS, Row, Rows

from samekind import PairConstraints
from samekind.estimators._ssctlrr import SSCTLRR
from samekind.metrics import clustering_accuracy, normalized_mutual_info

# Mean accuracy of ten draws on COIL20, from the result files beside the authors' public code.
PUBLISHED = {5: 82.6, 10: 91.7, 15: 94.0, 20: 95.5, 25: 96.3, 30: 97.1}


def run(percent: int, seed: int) -> Row:
    X, y = SETS["coil20"].load()
    n = len(y)
    known = np.full(n, -1)
    drawn = np.random.default_rng(seed).choice(n, n * percent // 100, replace=False)
    known[drawn] = y[drawn]
    model = SSCTLRR(len(np.unique(y)), random_state=seed)
    began, began_cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, constraints=PairConstraints.from_labels(known))
    return {
        "ACC": 100 * clustering_accuracy(y, model.labels_),
        "NMI": 100 * normalized_mutual_info(y, model.labels_),
        "status": model.status_.name,
        "n_iter": model.n_iter_,
        "satisfied": model.constraint_report_.share,
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time() - began_cpu,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--percent", type=int, default=10, choices=sorted(PUBLISHED))
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--out", type=Path, default=RESULTS / "ssctlrr.jsonl")
    options = parser.parse_args()
    rows = Rows(options.out, ("data", "percent", "seed"))
    ended = []
    for seed in range(options.repetitions):
        one = {"data": "coil20", "percent": options.percent, "seed": seed}
        row = rows.once(one, lambda: run(options.percent, seed))  # noqa: B023
        print(row, flush=True)
        if "failed" not in row:
            ended.append(row)
    if ended:
        cpu = np.mean([row["cpu_seconds"] for row in ended])
        print(
            f"coil20, {options.percent} % labels: ACC {mean_and_spread([r['ACC'] for r in ended])} "
            f"({len(ended)} draws), published {PUBLISHED[options.percent]}; {cpu:.0f} s/fit of CPU"
        )


if __name__ == "__main__":
    main()
