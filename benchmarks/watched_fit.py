"""A fit with its seconds, with and without the search for neighbors, its peak and its scores."""

import hashlib
import time
import warnings

import numpy as np
from own_process import peak_mb
from rows import Row
from scipy.sparse import csr_array

import samekind.estimators._dgsl as module
from samekind import DGSL, PairConstraints
from samekind.metrics import clustering_accuracy, normalized_mutual_info


def watched_fit(
    model: DGSL, X: np.ndarray, y: np.ndarray, pairs: PairConstraints
) -> tuple[Row, csr_array]:
    """Fit the model; its row, and the local graph of the fit."""
    search, make_graph = module.find_neighbors, module.local_graph_of
    seen = {}

    def timed_search(*given, **named):
        began = time.perf_counter()
        found = search(*given, **named)
        seen["seconds"] = time.perf_counter() - began
        return found

    def kept_graph(*given, **named):
        seen["graph"] = make_graph(*given, **named)
        return seen["graph"]

    module.find_neighbors, module.local_graph_of = timed_search, kept_graph
    try:
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the status is in the row
            model.fit(X, constraints=pairs)
        seconds = time.perf_counter() - began
    finally:
        module.find_neighbors, module.local_graph_of = search, make_graph
    row = {
        "seconds": seconds,
        "search_seconds": seen["seconds"],
        "rest_seconds": seconds - seen["seconds"],
        "peak_mb": peak_mb(),
        **scores(y, model.labels_),
        "status": model.status_.name,
        "n_iter": model.n_iter_,
        "nonzeros_per_row": model.representation_.nnz / len(y),
        "recall": model.neighbor_recall_,
        "labels": digest(model.labels_),
    }
    return row, seen["graph"]


def scores(y: np.ndarray, labels: np.ndarray) -> Row:
    """ACC and NMI in percent."""
    return {
        "ACC": 100 * clustering_accuracy(y, labels),
        "NMI": 100 * normalized_mutual_info(y, labels),
    }


def digest(labels: np.ndarray) -> str:
    return hashlib.sha256(np.asarray(labels, dtype=np.int64).tobytes()).hexdigest()
