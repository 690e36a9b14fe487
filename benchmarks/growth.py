"""Time, peak memory and accuracy over growing n, on samples of MNIST with 10 labels per class.

    SAMEKIND_DATA=... python benchmarks/growth.py [--most 70000]

Each run has a process of its own and one thread. The textbook transcription, scikit-learn's
SpectralClustering on the same local graph (without the pairs) and PCKMeans of
active-semi-supervised-clustering (where it is installed) are compared with our two solvers. A
method that failed or took too long is not run on more samples. At the end exponents p of a
growth with n^p, fitted to the seconds without the search for neighbors, which is the same for all.
"""

import argparse
import json
import time
import warnings
from importlib.util import find_spec

import numpy as np
import paper_sets  # noqa: F401 - finds reference.py
from own_process import asked, in_own_process, peak_mb
from rows import RESULTS, Row, Rows, read
from samples import load, prepare
from sklearn.cluster import SpectralClustering
from watched_fit import scores, watched_fit

import reference
from samekind import DGSL, PairConstraints, sample_labels
from samekind._kernels.assign import assign
from samekind.estimators._dgsl import DEFAULTS
from samekind.graph import find_neighbors
from samekind.graph._knn import local_graph_of

K, N_LABELED = 10, 10
# Up to 5,000 samples the sparse solver chooses candidates among all of them: another method.
SPARSE_FROM = 5001
LADDER = (1000, 2000, 4000, 5001, 10_000, 20_000, 40_000, 70_000)
SIZES = {
    "exact": LADDER[:3],
    "sparse": LADDER[3:],
    "textbook": LADDER[:2],
    "SpectralClustering": LADDER,
    "PCKMeans": LADDER,
}
LIMITS = {"SpectralClustering": 120.0, "PCKMeans": 120.0}  # seconds, the start included
FILE = RESULTS / "growth.jsonl"


def fit_ours(solver: str, X: np.ndarray, y: np.ndarray, pairs: PairConstraints) -> Row:
    return watched_fit(DGSL(K, solver=solver, random_state=0), X, y, pairs)[0]


def on_local_graph(work, X: np.ndarray, y: np.ndarray) -> Row:
    """A method that gets the local graph W and returns labels and maybe more fields of the row."""
    began = time.perf_counter()
    found = find_neighbors(X, 6)
    search = time.perf_counter() - began
    labels, told = work(local_graph_of(found.nearest, found.distance))
    seconds = time.perf_counter() - began
    return {
        "seconds": seconds,
        "search_seconds": search,
        "rest_seconds": seconds - search,
        "peak_mb": peak_mb(),
        **scores(y, labels),
        **told,
    }


def fit_textbook(X: np.ndarray, y: np.ndarray, pairs: PairConstraints) -> Row:
    usual, model = DEFAULTS["all"], DGSL()

    def work(W):
        run = reference.solve(
            X.T.astype(np.float64),
            *(S.toarray() for S in (W, pairs.must_link_matrix(), pairs.cannot_link_matrix())),
            K,
            tau=usual["feedback"],
            lam_z=model.sparsity,
            lam_m=usual["must_link_weight"],
            ratio=usual["local_ratio"],
            lam=model.coupling,
        )
        labels = assign(run.H.T, K, random_state=np.random.RandomState(0))
        return labels, {"n_iter": run.n_iter}

    return on_local_graph(work, X, y)


def fit_spectral(X: np.ndarray, y: np.ndarray, pairs: PairConstraints) -> Row:
    model = SpectralClustering(K, affinity="precomputed", random_state=0)
    return on_local_graph(lambda W: (model.fit(W).labels_, {}), X, y)


def fit_pckmeans(X: np.ndarray, y: np.ndarray, pairs: PairConstraints) -> Row:
    from active_semi_clustering.semi_supervised.pairwise_constraints import PCKMeans

    np.random.seed(0)  # noqa: NPY002 - it has no other way to be seeded
    began = time.perf_counter()
    model = PCKMeans(n_clusters=K).fit(X, ml=pairs.must_link, cl=pairs.cannot_link)
    seconds = time.perf_counter() - began
    told = {"seconds": seconds, "search_seconds": 0.0, "rest_seconds": seconds}
    return told | {"peak_mb": peak_mb(), **scores(y, model.labels_)}


METHODS = {
    "exact": lambda *given: fit_ours("exact", *given),
    "sparse": lambda *given: fit_ours("sparse", *given),
    "textbook": fit_textbook,
    "SpectralClustering": fit_spectral,
    "PCKMeans": fit_pckmeans,
}


def one(run: Row) -> Row:
    if run["method"] == "prepare":
        prepare("mnist", run["n"])
        return {}
    X, y = load("mnist", run["n"])
    pairs = PairConstraints.from_labels(sample_labels(y, N_LABELED, random_state=0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return METHODS[run["method"]](X, y, pairs)


def prepared(method: str, n: int) -> Row:
    """A run in its own process, after another has written its samples."""
    in_own_process(__file__, {"method": "prepare", "n": n})
    return in_own_process(__file__, {"method": method, "n": n}, limit=LIMITS.get(method))


def exponents(rows: list[Row]) -> dict[str, Row]:
    """For each method the slopes of time and memory over n, both in logarithms."""
    fitted = {}
    for method in METHODS:
        mine = [row for row in rows if row["method"] == method and "failed" not in row]
        mine.sort(key=lambda row: row["n"])
        if len(mine) > 1:
            n = np.log([row["n"] for row in mine])
            slope = {
                what: float(np.polyfit(n, np.log([row[what] for row in mine]), 1)[0])
                for what in ("rest_seconds", "peak_mb")
            }
            fitted[method] = slope | {"n": [row["n"] for row in mine]}
    return fitted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--most", type=int, default=LADDER[-1], help="samples")
    most = parser.parse_args().most
    rows = Rows(FILE, ("method", "n"))
    for method, sizes in SIZES.items():
        if method == "PCKMeans" and find_spec("active_semi_clustering") is None:
            print("PCKMeans: not installed (pip install active-semi-supervised-clustering)")
            continue
        for n in (n for n in sizes if n <= most):
            row = rows.once({"method": method, "n": n}, lambda: prepared(method, n))  # noqa: B023
            print(json.dumps(row), flush=True)
            if "failed" in row:
                break
    fitted = exponents(read(FILE))
    (RESULTS / "exponents.json").write_text(json.dumps(fitted, indent=1) + "\n")
    for method, slope in fitted.items():
        print(f"{method:<20} time n^{slope['rest_seconds']:.2f}  memory n^{slope['peak_mb']:.2f}")


if __name__ == "__main__":
    if (run := asked()) is not None:
        print(json.dumps(one(run)))
    else:
        main()
