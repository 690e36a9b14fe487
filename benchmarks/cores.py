"""One thread, two, four: times, and whether labels and H are equal to the bit.

    SAMEKIND_DATA=... python benchmarks/cores.py run  [--mnist 70000] [--patches 200000]
    SAMEKIND_DATA=... python benchmarks/cores.py goal [--patches 1000000]
    PYTHONPATH=OTHER/src python benchmarks/cores.py run --mnist 0 --code NAME
    python benchmarks/cores.py show

run: DGSL's sparse solver with 10 labels per class, each fit in a process of its own; on MNIST
SameKind too; with --code one thread of another version of samekind, under that name. goal: a fit
with two threads, once more with a ten times smaller goal of the last H, and how many rows it labels
otherwise. Meant for a machine with nothing else to do. The memory of a fit is also given without
what the process held before it and without pages of X. One line of JSON per run; what the file
holds is not repeated.
"""

import argparse
import hashlib
import json
import threading
import time
import warnings
from pathlib import Path

import numpy as np
from own_process import asked, in_own_process, peak_mb
from rows import RESULTS, Row, Rows, read
from samples import CLASSES, FOLDER, load, prepare
from watched_fit import digest, scores

import samekind._kernels.trace_ratio as trace_ratio
from samekind import DGSL, PairConstraints, SameKind, sample_labels
from samekind.metrics import clustering_accuracy

FILE = RESULTS / "cores.jsonl"
N_LABELED, SEED = 10, 100
THREADS = {"mnist": (1, 2, 4), "patches": (1, 2)}
METHODS = {"mnist": ("DGSL", "SameKind"), "patches": ("DGSL",)}


def fit(run: Row) -> Row:
    """Seconds, peak, scores, and digests of labels and H."""
    X, y = load(run["data"], run["n"])
    k = len(np.unique(y))
    pairs = PairConstraints.from_labels(sample_labels(y, N_LABELED, random_state=SEED))
    # One thread is no argument: other versions do not know it.
    threads = {} if run["threads"] == 1 else {"n_jobs": run["threads"]}
    if run["method"] == "SameKind":
        model = SameKind(k, random_state=0, **threads)
    else:
        model = DGSL(k, solver="sparse", random_state=0, **threads)
    if run.get("smaller", 1) != 1:
        shrink_goal(run["smaller"])
    with Memory() as memory, warnings.catch_warnings():
        began, cpu = time.perf_counter(), time.process_time()
        warnings.simplefilter("ignore")  # the status is in the row
        model.fit(X, constraints=pairs)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    np.save(labels_file(run), model.labels_)
    return {
        "seconds": seconds,
        "cpu_seconds": cpu,
        "peak_mb": peak_mb(),
        "fit_peak_mb": memory.most,
        **scores(y, model.labels_),
        "status": model.status_.name,
        "n_iter": model.n_iter_,
        "labels": digest(model.labels_),
        "H": hashlib.sha256(np.ascontiguousarray(model.embedding_).tobytes()).hexdigest(),
    }


class Memory(threading.Thread):
    """The most memory that this process held beyond what it held before, without mapped files."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self._before, self._end = 0.0, self._held(), threading.Event()

    @staticmethod
    def _held() -> float:
        lines = Path("/proc/self/status").read_text().splitlines()
        kib = next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))
        return kib * 1024 / 1e6

    def run(self) -> None:
        while not self._end.wait(0.1):
            self.most = max(self.most, self._held() - self._before)

    def __enter__(self) -> "Memory":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()


def shrink_goal(factor: float) -> None:
    """Ask for a more accurate H of very many samples."""
    trace_ratio.RHO_OF_MANY /= factor
    trace_ratio.ANGLE_OF_MANY /= factor
    trace_ratio.RESIDUAL_OF_MANY /= factor


def labels_file(run: Row) -> object:
    name = f"labels_{run['data']}_{run['n']}_{run.get('smaller', 1)}{run.get('code', '')}.npy"
    return FOLDER / name


def one(run: Row) -> Row:
    if run["method"] == "prepare":
        prepare(run["data"], run["n"])
        return {}
    return fit(run)


def made(run: Row) -> Row:
    in_own_process(__file__, run | {"method": "prepare"})
    return in_own_process(__file__, run)


def run_all(rows: Rows, sizes: dict[str, int], repeats: int, code: str) -> None:
    for data, n in sizes.items():
        for method in METHODS[data] if n else ():
            for threads in (1,) if code else THREADS[data]:
                for repeat in range(repeats if threads <= 2 else 1):
                    run = {"method": method, "data": data, "n": n, "threads": threads}
                    run |= {"repeat": repeat} | ({"code": code} if code else {})
                    print(json.dumps(rows.once(run, lambda: made(run))), flush=True)  # noqa: B023


def smaller_goal(rows: Rows, n: int) -> None:
    runs = [
        {"method": "DGSL", "data": "patches", "n": n, "threads": 2, "repeat": 0, "smaller": factor}
        for factor in (1, 10)
    ]
    for run in runs:
        print(json.dumps(rows.once(run, lambda: made(run))), flush=True)  # noqa: B023
    usual, precise = (np.load(labels_file(run)) for run in runs)
    otherwise = round(n * (1 - clustering_accuracy(precise, usual)))
    print(f"rows labeled otherwise, whatever the clusters are called: {otherwise}")


def planned_mb(n: int, threads: int) -> float:
    """The plan of a fit of DGSL on patches."""
    # Here, because other versions have no threads.
    from samekind._threads import on_threads
    from samekind.estimators._base.plan import plan

    with on_threads(threads):
        return plan(n, "sparse", None, np.inf, n_clusters=CLASSES).n_bytes / 1e6


def show() -> None:
    """The best time of each number of threads, and whether all fits agree."""
    rows = [row for row in read(FILE) if "failed" not in row and row.get("smaller", 1) == 1]
    others = [row for row in rows if "code" in row]
    rows = [row for row in rows if "code" not in row]
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
        for row in some if data == "patches" else ():
            peak, planned = row.get("fit_peak_mb", np.nan), planned_mb(n, row["threads"])
            print(f"  {row['threads']} threads: peak {peak:.0f} MB, plan {planned:.0f} MB")
        for code in sorted({r["code"] for r in others if (r["data"], r["n"]) == (data, n)}):
            mine = [r for r in others if (r["method"], r["data"], r["n"]) == (method, data, n)]
            before = min((r["seconds"] for r in mine if r["code"] == code), default=np.nan)
            shares = (f"{seconds / before:.2f} on {t}" for t, seconds in best.items())
            print(f"  {code}, 1 thread: {before:.0f} s; today's share of it {', '.join(shares)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("run", "goal", "show"))
    parser.add_argument("--mnist", type=int, default=70_000, help="samples; 0: none")
    parser.add_argument("--patches", type=int, default=200_000, help="samples; 0: none")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--code", default="", help="name of another version that is measured")
    options = parser.parse_args()
    rows = Rows(FILE, ("method", "data", "n", "threads", "repeat", "smaller", "code"))
    if options.what == "run":
        sizes = {"mnist": options.mnist, "patches": options.patches}
        run_all(rows, sizes, options.repeats, options.code)
    elif options.what == "goal":
        smaller_goal(rows, options.patches)
    else:
        show()


if __name__ == "__main__":
    if (run := asked()) is not None:
        print(json.dumps(one(run)))
    else:
        main()
