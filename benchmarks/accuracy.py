"""Accuracy under the paper's protocol, beside the published one: 20 random trials, smallest f.

    SAMEKIND_DATA=... python benchmarks/accuracy.py [--solver exact] [--solver sparse]
        [--sets yale,orl] [--repetitions 20] [--out benchmarks/results/accuracy.jsonl]

One line of JSON per run; runs that the file already holds are not repeated. At the end a table of
both solvers beside the paper, from all sets that the file holds.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from paper_sets import SETS, PaperSet
from rows import RESULTS, Row, Rows, read

from samekind import DGSL, PairConstraints, sample_labels
from samekind.metrics import clustering_accuracy, normalized_mutual_info

SOLVERS = ("exact", "sparse")


def run(data: PaperSet, seed: int, solver: str) -> Row:
    X, y = data.load()
    known = sample_labels(y, data.n_labeled, random_state=seed)
    pairs = PairConstraints.from_labels(known)
    model = DGSL(len(np.unique(y)), random_state=seed, solver=solver, **data.parameters)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, constraints=pairs)
    return {
        "ACC": 100 * clustering_accuracy(y, model.labels_),
        "NMI": 100 * normalized_mutual_info(y, model.labels_),
        "status": model.status_.name,
        "n_iter": model.n_iter_,
        "seconds": time.perf_counter() - began,
    }


def mean_and_spread(values: list[float]) -> str:
    spread = np.std(values, ddof=1) if len(values) > 1 else 0.0
    return f"{np.mean(values):.1f} ± {spread:.1f}"


def summary(name: str, solver: str, rows: list[Row]) -> str:
    """One line of the progress."""
    rows = [row for row in rows if "failed" not in row]
    if not rows:
        return f"{name:<11} {solver:<6} no run ended"
    converged = sum(row["status"] in ("CONVERGED", "UNBOUNDED") for row in rows)
    nmi, seconds = (np.mean([row[what] for row in rows]) for what in ("NMI", "seconds"))
    return (
        f"{name:<11} {solver:<6} ACC {mean_and_spread([row['ACC'] for row in rows]):>11}  "
        f"NMI {nmi:5.1f}  converged {converged} of {len(rows)}  {seconds:.1f} s/run"
    )


def table(rows: list[Row]) -> str:
    """Both solvers beside the paper, in markdown."""
    lines = ["| data | exact | sparse | published |", "|---|---|---|---|"]
    for data in SETS.values():
        cells = []
        for solver in SOLVERS:
            ended = [
                row["ACC"]
                for row in rows
                if (row["data"], row["solver"]) == (data.name, solver) and "failed" not in row
            ]
            cells.append(f"{mean_and_spread(ended)} ({len(ended)})" if ended else "")
        if any(cells):
            published = f"{data.published[0]:.1f} ± {data.published[1]:.1f}"
            lines.append(f"| {' | '.join([data.name, *cells, published])} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--solver", choices=SOLVERS, action="append", help="default: both")
    parser.add_argument("--sets", default=",".join(SETS), help="names, with commas")
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--out", type=Path, default=RESULTS / "accuracy.jsonl")
    options = parser.parse_args()
    if unknown := set(options.sets.split(",")) - set(SETS):
        parser.error(f"no such set: {', '.join(sorted(unknown))}; there are {', '.join(SETS)}")
    rows = Rows(options.out, ("data", "solver", "seed"))
    for name in options.sets.split(","):
        for solver in options.solver or SOLVERS:
            mine = [
                rows.once(
                    {"data": name, "solver": solver, "seed": seed},
                    lambda: run(SETS[name], seed, solver),  # noqa: B023
                )
                for seed in range(options.repetitions)
            ]
            print(summary(name, solver, mine), flush=True)
    print("\nACC in percent, mean ± standard deviation (runs)\n")
    print(table(read(options.out)))


if __name__ == "__main__":
    main()
