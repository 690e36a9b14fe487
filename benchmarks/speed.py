"""Speed of the solver as a ratio to the textbook transcription, measured in one run.

    SAMEKIND_DATA=... python benchmarks/speed.py [NAME ...]

Both get W and neither runs k-means; one BLAS thread each. For comparison the embedding of
scikit-learn's SpectralClustering of the same W, which is one eigenproblem without any pairs.
Without the paper's data sets the digits that ship with scikit-learn are used. Every call
measures again; the rows are appended to benchmarks/results/speed.jsonl.
"""

import argparse
import os
import time
import warnings
from collections.abc import Callable

import numpy as np
from paper_sets import SETS, PaperSet
from rows import RESULTS, Row, append
from scipy.sparse import csr_array
from sklearn.datasets import load_digits
from sklearn.manifold import spectral_embedding
from threadpoolctl import threadpool_limits

import reference
from samekind import PairConstraints, sample_labels
from samekind._kernels.self_representation import ridge_projection
from samekind._solver import Problem, Solution, solve
from samekind.graph import laplacian, local_graph

COUPLING = 100.0
USUAL = ("usps_1000", "mnist_1000", "orl", "isolet1")


def timed(work: Callable[[], object], repeat: int) -> tuple[float, object]:
    """The shortest of several times, and the result."""
    seconds = []
    for _ in range(repeat):
        began = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - began)
    return min(seconds), result


def fast(X, W, M, C, k, *, tau, lam_z, lam_m, ratio, lam) -> Solution:
    return solve(
        Problem(
            P=ridge_projection(X, lam),
            local=csr_array(W + lam_m * M),
            L_cannot=laplacian(C / C.nnz),
            n_components=k,
            tau=tau,
            lam=lam,
            lam_z=lam_z,
            local_ratio=ratio,
        )
    )


def embedding(W: csr_array, k: int) -> np.ndarray:
    """As SpectralClustering calls it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a graph in several components
        return spectral_embedding(W, n_components=k, drop_first=False, random_state=0)


def measure(name: str, X: np.ndarray, y: np.ndarray, data: PaperSet) -> Row:
    k = len(np.unique(y))
    pairs = PairConstraints.from_labels(sample_labels(y, data.n_labeled, random_state=0))
    given = data.parameters
    W = local_graph(X, given["n_neighbors"], given["scale_neighbor"])
    M, C = pairs.must_link_matrix(), pairs.cannot_link_matrix()
    dense = [S.toarray() for S in (W, M, C)]
    weights = {
        "tau": given["feedback"],
        "lam_z": given["sparsity"],
        "lam_m": given["must_link_weight"],
        "ratio": given["local_ratio"],
        "lam": COUPLING,
    }
    slow_seconds, slow = timed(lambda: reference.solve(X.T, *dense, k, **weights), 1)
    fast_seconds, ours = timed(lambda: fast(X, W, M, C, k, **weights), 3)
    spectral_seconds, _ = timed(lambda: embedding(W, k), 3)
    return {
        "data": name,
        "n": len(X),
        "k": k,
        "textbook_seconds": slow_seconds,
        "solver_seconds": fast_seconds,
        "spectral_seconds": spectral_seconds,
        "textbook_per_solver": slow_seconds / fast_seconds,
        "solver_per_spectral": fast_seconds / spectral_seconds,
        "eigenproblems": slow.n_eigenproblems,
        "n_iter": [slow.n_iter, ours.n_iter],
        "difference": float(np.abs(ours.Z.toarray() - slow.Z.T).max()),
    }


def compare(name: str, X: np.ndarray, y: np.ndarray, data: PaperSet) -> None:
    row = measure(name, X, y, data)
    append(RESULTS / "speed.jsonl", row)
    print(
        f"{name:<11} n = {row['n']:<5} k = {row['k']:<3} textbook {row['textbook_seconds']:7.2f} s "
        f"({row['n_iter'][0]} iterations, {row['eigenproblems']} eigenproblems)  "
        f"solver {row['solver_seconds']:6.2f} s ({row['n_iter'][1]})  "
        f"ratio {row['textbook_per_solver']:5.1f}  "
        f"spectral embedding {row['spectral_seconds']:6.3f} s "
        f"(solver takes {row['solver_per_spectral']:.0f} times that)  "
        f"largest difference of Z {row['difference']:.0e}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: {', '.join(USUAL)}")
    names = parser.parse_args().names
    if unknown := set(names) - set(SETS):
        parser.error(f"no such set: {', '.join(sorted(unknown))}; there are {', '.join(SETS)}")
    with threadpool_limits(limits=1):
        if not os.environ.get("SAMEKIND_DATA"):
            X, y = load_digits(return_X_y=True)
            compare("digits", X[:1000] / 16, y[:1000], SETS["mnist_1000"])
            return
        for name in names or USUAL:
            compare(name, *SETS[name].load(), SETS[name])


if __name__ == "__main__":
    main()
