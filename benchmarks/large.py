"""The sparse solver on 70,000 samples of MNIST and on a million synthetic samples.

    SAMEKIND_DATA=... python benchmarks/large.py [--mnist 70000] [--patches 1000000]
    SAMEKIND_DATA=... python benchmarks/large.py --threads [--mnist 70000]

Samples are float32 files mapped into memory, with 10 labels per class. Each fit has a process of
its own, without faiss; one more fit is timed beside faiss' exhaustive search in one process.
For comparison: k-means, and label spreading over the local graph of the fit. With
``--threads``: whether one and two threads give the same labels.
"""

import argparse
import json
import time

import numpy as np
from own_process import asked, in_own_process
from paper_sets import SETS
from rows import RESULTS, Row, Rows
from samples import load, prepare
from scipy.sparse import csr_array, diags_array
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits
from watched_fit import scores, watched_fit

from samekind import DGSL, PairConstraints, sample_labels
from samekind._kernels.assign import assign, spread

N_LABELED = 10
TRIALS = {"mnist": (100, 101, 102), "patches": (100,)}
FAISS_NEIGHBORS = 31  # the sample itself included
ALPHAS = {0.2: 30, 0.99: 1000}  # of the spreading, with the most steps; 0.2: scikit-learn's


def spreading(W: csr_array, known: np.ndarray, alpha: float, steps: int) -> np.ndarray:
    """LabelSpreading on a ready graph: F = alpha S F + (1 - alpha) Y until it converges."""
    scale = diags_array(1 / np.sqrt(np.maximum(W.sum(axis=1), 1e-300)))
    S, Y = scale @ W @ scale, (known[:, None] == np.arange(known.max() + 1)).astype(float)
    F = Y
    for _ in range(steps):
        previous, F = F, alpha * (S @ F) + (1 - alpha) * Y
        if np.abs(F - previous).sum() < 1e-3:  # scikit-learn's
            break
    return F.argmax(axis=1)


def fit(run: Row) -> Row:
    """A fit with its scores, and what the same pairs and the same graph give otherwise."""
    X, y = load(run["data"], run["n"])
    known = sample_labels(y, N_LABELED, random_state=run["seed"])
    pairs, k = PairConstraints.from_labels(known), len(np.unique(y))
    model = DGSL(k, solver="sparse", random_state=run["seed"])
    row, W = watched_fit(model, X, y, pairs)
    state = np.random.RandomState(run["seed"])
    seeded = assign(model.embedding_, k, groups=pairs.seed_groups(k), random_state=state)
    row["seeded"] = scores(y, seeded)
    learned = spread(model.affinity_matrix_, model.embedding_, pairs.seed_groups(k))
    row["spread"] = scores(y, learned)
    for alpha, steps in ALPHAS.items():
        row[f"spreading_{alpha}"] = 100 * float(np.mean(spreading(W, known, alpha, steps) == y))
    return row


def k_means(run: Row) -> Row:
    X, y = load(run["data"], run["n"])
    began = time.perf_counter()
    labels = KMeans(len(np.unique(y)), n_init=3, random_state=run["seed"]).fit_predict(X)
    return {"seconds": time.perf_counter() - began, **scores(y, labels)}


def beside_faiss(run: Row) -> Row:
    """Seconds of a whole fit, and of faiss' exact search with one and two threads."""
    import faiss

    X, _ = load(run["data"], run["n"])
    row = {"seconds": fit(run)["seconds"]}
    for threads in (1, 2):
        faiss.omp_set_num_threads(threads)
        with threadpool_limits(limits=threads):
            began = time.perf_counter()
            index = faiss.IndexFlatL2(X.shape[1])
            index.add(X)
            index.search(X, FAISS_NEIGHBORS)
            row[f"faiss_seconds_{threads}"] = time.perf_counter() - began
        row[f"ratio_{threads}"] = row["seconds"] / row[f"faiss_seconds_{threads}"]
    return row


def fit_for_threads(run: Row) -> Row:
    """The labels' digest; a paper set with the authors' parameters, or MNIST."""
    if run["data"] == "mnist":
        return fit(run)
    data = SETS[run["data"]]
    X, y = data.load()
    known = sample_labels(y, data.n_labeled, random_state=run["seed"])
    model = DGSL(
        len(np.unique(y)), solver=run["solver"], random_state=run["seed"], **data.parameters
    )
    return watched_fit(model, X, y, PairConstraints.from_labels(known))[0]


def one_prepare(run: Row) -> Row:
    prepare(run["data"], run["n"])
    return {}


TASKS = {
    "prepare": one_prepare,
    "fit": fit,
    "k-means": k_means,
    "faiss": beside_faiss,
    "threads": fit_for_threads,
}


def runs_of(data: str, n: int) -> list[Row]:
    seeds = TRIALS[data]
    runs = [{"task": "fit", "data": data, "n": n, "seed": seed} for seed in seeds]
    runs.append({"task": "k-means", "data": data, "n": n, "seed": seeds[0]})
    if data == "mnist":
        runs.append({"task": "faiss", "data": data, "n": n, "seed": seeds[0]})
    return runs


def make(run: Row) -> Row:
    """One run; faiss may use two threads, all else gets one unless the run says otherwise."""
    if run["data"] in TRIALS:
        in_own_process(__file__, run | {"task": "prepare"})
    threads = run.get("threads", 2 if run["task"] == "faiss" else 1)
    return in_own_process(__file__, run, threads=threads)


def compare_threads(n_mnist: int) -> None:
    rows = Rows(RESULTS / "threads.jsonl", ("data", "solver", "n", "threads"))
    cases = [{"data": name, "solver": s} for name in SETS for s in ("exact", "sparse")]
    for case in [*cases, {"data": "mnist", "solver": "sparse", "n": n_mnist}]:
        run = case | {"task": "threads", "seed": 100}
        one, two = (
            rows.once(run | {"threads": threads}, lambda: make(run | {"threads": threads}))  # noqa: B023
            for threads in (1, 2)
        )
        if failed := one.get("failed") or two.get("failed"):
            answer = f"failed: {failed}"
        else:
            answer = "same labels" if one["labels"] == two["labels"] else "DIFFERENT LABELS"
        print(f"{case['data']:<11} {case['solver']:<6} {answer}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mnist", type=int, default=70_000, help="samples; 0: none")
    parser.add_argument("--patches", type=int, default=1_000_000, help="samples; 0: none")
    parser.add_argument("--threads", action="store_true", help="compare one thread and two")
    options = parser.parse_args()
    if options.threads:
        compare_threads(options.mnist)
        return
    rows = Rows(RESULTS / "large.jsonl", ("task", "data", "n", "seed"))
    for data, n in (("mnist", options.mnist), ("patches", options.patches)):
        for run in runs_of(data, n) if n else ():
            print(json.dumps(rows.once(run, lambda: make(run))), flush=True)  # noqa: B023


if __name__ == "__main__":
    if (run := asked()) is not None:
        print(json.dumps(TASKS[run["task"]](run)))
    else:
        main()
