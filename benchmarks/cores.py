"""One thread, two, four: times, and whether labels and H are equal to the bit.

    SAMEKIND_DATA=... python benchmarks/cores.py run  [--mnist 70000] [--patches 200000]
    SAMEKIND_DATA=... python benchmarks/cores.py goal [--patches 1000000]
    python benchmarks/cores.py show

run: DGSL's sparse solver with 10 labels per class, each fit in a process of its own; on MNIST
SameKind too. goal: a fit with two threads, once more with a ten times smaller goal of the last H,
and how many rows it labels otherwise. Meant for a machine with nothing else to do. One line of JSON
per run; what the file holds is not repeated.
"""

import argparse
import hashlib
import json
import time
import warnings

import numpy as np
from own_process import asked, in_own_process, peak_mb
from rows import RESULTS, Row, Rows, read
from samples import FOLDER, load, prepare
from watched_fit import digest, scores

import samekind._kernels.trace_ratio as trace_ratio
from samekind import DGSL, PairConstraints, SameKind, sample_labels

FILE = RESULTS / "cores.jsonl"
N_LABELED, SEED = 10, 100
THREADS = {"mnist": (1, 2, 4), "patches": (1, 2)}
METHODS = {"mnist": ("DGSL", "SameKind"), "patches": ("DGSL",)}


def fit(run: Row) -> Row:
    """Seconds, peak, scores, and digests of labels and H."""
    X, y = load(run["data"], run["n"])
    k = len(np.unique(y))
    pairs = PairConstraints.from_labels(sample_labels(y, N_LABELED, random_state=SEED))
    if run["method"] == "SameKind":
        model = SameKind(k, random_state=0, n_jobs=run["threads"])
    else:
        model = DGSL(k, solver="sparse", random_state=0, n_jobs=run["threads"])
    shrink_goal(run.get("smaller", 1))
    began, cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the status is in the row
        model.fit(X, constraints=pairs)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    np.save(labels_file(run), model.labels_)
    return {
        "seconds": seconds,
        "cpu_seconds": cpu,
        "peak_mb": peak_mb(),
        **scores(y, model.labels_),
        "status": model.status_.name,
        "n_iter": model.n_iter_,
        "labels": digest(model.labels_),
        "H": hashlib.sha256(np.ascontiguousarray(model.embedding_).tobytes()).hexdigest(),
    }


def shrink_goal(factor: float) -> None:
    """Ask for a more accurate H of very many samples."""
    trace_ratio.RHO_OF_MANY /= factor
    trace_ratio.ANGLE_OF_MANY /= factor
    trace_ratio.RESIDUAL_OF_MANY /= factor


def labels_file(run: Row) -> object:
    return FOLDER / f"labels_{run['data']}_{run['n']}_{run.get('smaller', 1)}.npy"


def one(run: Row) -> Row:
    if run["method"] == "prepare":
        prepare(run["data"], run["n"])
        return {}
    return fit(run)


def made(run: Row) -> Row:
    in_own_process(__file__, run | {"method": "prepare"})
    return in_own_process(__file__, run)


def run_all(rows: Rows, sizes: dict[str, int], repeats: int) -> None:
    for data, n in sizes.items():
        for method in METHODS[data] if n else ():
            for threads in THREADS[data]:
                for repeat in range(repeats if threads <= 2 else 1):
                    run = {"method": method, "data": data, "n": n, "threads": threads}
                    run["repeat"] = repeat
                    print(json.dumps(rows.once(run, lambda: made(run))), flush=True)  # noqa: B023


def smaller_goal(rows: Rows, n: int) -> None:
    runs = [
        {"method": "DGSL", "data": "patches", "n": n, "threads": 2, "repeat": 0, "smaller": factor}
        for factor in (1, 10)
    ]
    for run in runs:
        print(json.dumps(rows.once(run, lambda: made(run))), flush=True)  # noqa: B023
    usual, precise = (np.load(labels_file(run)) for run in runs)
    print(f"rows labeled otherwise: {np.count_nonzero(usual != precise)}")


def show() -> None:
    """The best time of each number of threads, and whether all fits agree."""
    rows = [row for row in read(FILE) if "failed" not in row and row.get("smaller", 1) == 1]
    for method, data, n in sorted({(row["method"], row["data"], row["n"]) for row in rows}):
        some = [r for r in rows if (r["method"], r["data"], r["n"]) == (method, data, n)]
        equal = len({(r["labels"], r["H"]) for r in some}) == 1
        print(f"{method} {data} {n:,}: labels and H {'equal' if equal else 'DIFFER'}")
        best = {
            t: min(r["seconds"] for r in some if r["threads"] == t)
            for t in (1, 2, 4)
            if any(r["threads"] == t for r in some)
        }
        for threads, seconds in best.items():
            print(f"  {threads} threads: {seconds:.0f} s, {best.get(1, seconds) / seconds:.2f} x")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("run", "goal", "show"))
    parser.add_argument("--mnist", type=int, default=70_000, help="samples; 0: none")
    parser.add_argument("--patches", type=int, default=200_000, help="samples; 0: none")
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    rows = Rows(FILE, ("method", "data", "n", "threads", "repeat", "smaller"))
    if options.what == "run":
        run_all(rows, {"mnist": options.mnist, "patches": options.patches}, options.repeats)
    elif options.what == "goal":
        smaller_goal(rows, options.patches)
    else:
        show()


if __name__ == "__main__":
    if (run := asked()) is not None:
        print(json.dumps(one(run)))
    else:
        main()
