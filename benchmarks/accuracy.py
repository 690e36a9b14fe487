"""Accuracy under the paper's protocol, beside the published one: 20 draws, smallest f.

    SAMEKIND_DATA=... python benchmarks/accuracy.py [--repetitions 20] [--out rows.jsonl]

One line of JSON per run; runs that the file already holds are not repeated.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from paper_sets import SETS, PaperSet

from samekind import DGSL, PairConstraints, draw_labels_per_class
from samekind.metrics import clustering_accuracy, normalized_mutual_info


def run(data: PaperSet, seed: int) -> dict[str, object]:
    X, y = data.load()
    known = draw_labels_per_class(y, data.n_labelled, random_state=seed)
    pairs = PairConstraints.from_labels(known)
    model = DGSL(len(np.unique(y)), random_state=seed, **data.parameters)
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, constraints=pairs)
    return {
        "data": data.name,
        "seed": seed,
        "ACC": 100 * clustering_accuracy(y, model.labels_),
        "NMI": 100 * normalized_mutual_info(y, model.labels_),
        "status": model.status_.name,
        "n_iter": model.n_iter_,
        "seconds": time.perf_counter() - began,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("accuracy.jsonl"))
    options = parser.parse_args()
    lines = options.out.read_text().splitlines() if options.out.exists() else []
    rows = {(row["data"], row["seed"]): row for row in map(json.loads, lines)}
    print(f"{'data':<11} {'ACC':>13} {'published':>12} {'NMI':>6} {'converged':>10} {'s/run':>6}")
    for data in SETS.values():
        for seed in range(options.repetitions):
            if (data.name, seed) not in rows:
                rows[data.name, seed] = run(data, seed)
                with options.out.open("a") as file:
                    file.write(json.dumps(rows[data.name, seed]) + "\n")
        mine = [rows[data.name, seed] for seed in range(options.repetitions)]
        accuracy = [row["ACC"] for row in mine]
        converged = sum(row["status"] in ("CONVERGED", "UNBOUNDED") for row in mine)
        print(
            f"{data.name:<11} {np.mean(accuracy):6.1f} ± {np.std(accuracy, ddof=1):3.1f} "
            f"{data.published[0]:7.1f} ± {data.published[1]:3.1f} "
            f"{np.mean([row['NMI'] for row in mine]):6.1f} "
            f"{converged:>3} of {len(mine):<3} {np.mean([row['seconds'] for row in mine]):6.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
