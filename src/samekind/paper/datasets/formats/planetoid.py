"""Planetoid: a citation graph in eight files, seven of them pickles of Python 2.

Unpickling can run any code, so only the few types that these files need are built, and scipy's
matrices as bare containers. The format has three traps. Row i of the test samples belongs to
node ``test.index[i]``, and these are in no order. Nodes without links may be missing from
``test.index``: they stay, without words and with class -1. Every link stands in the lists of
both its ends, and twice in each where two papers cite each other: links are returned once.
"""

import pickle
from collections import defaultdict
from collections.abc import Mapping, Sequence
from copyreg import _reconstructor  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from samekind._typing import IntArray
from samekind.app.inputs.errors import reading
from samekind.paper.datasets.records import Arrays

PARTS = ("x", "y", "tx", "ty", "allx", "ally", "graph", "test.index")
N_VALIDATION = 500  # the nodes that follow the training nodes


def read_planetoid(paths: Sequence[Path]) -> Arrays:
    """Read the files in the order of PARTS.

    ``extras`` holds ``edges_unique``, pairs a < b, and ``train_idx``, ``val_idx``, ``test_idx``.
    """
    *pickled, index = paths
    x, _, tx, ty, allx, ally, graph = (_unpickled(path) for path in pickled)
    with reading(index, "a list of node numbers"):
        tested = np.array([int(line) for line in index.read_text().split()])
    with reading(", ".join(path.name for path in paths), "Planetoid files"):
        n = max(len(ally), int(tested.max()) + 1)
        X = _placed(_dense(allx), _dense(tx), tested, n)
        one_hot = _placed(np.asarray(ally), np.asarray(ty), tested, n)
        n_train = int(x.__dict__["_shape"][0])
        extras = {
            "edges_unique": _edges(graph, n),
            "train_idx": np.arange(n_train),
            "val_idx": np.arange(n_train, n_train + N_VALIDATION),
            "test_idx": np.sort(tested),
        }
        return Arrays(X, np.where(one_hot.any(axis=1), one_hot.argmax(axis=1), -1), extras)


def _placed(first: NDArray[Any], rest: NDArray[Any], at: IntArray, n: int) -> NDArray[Any]:
    """The first rows, then the rest at their nodes; zero rows where there are none."""
    rows = np.zeros((n, first.shape[1]), dtype=first.dtype)
    rows[: len(first)] = first
    rows[at] = rest
    return rows


def _edges(graph: Mapping[int, Sequence[int]], n: int) -> IntArray:
    """Every link once, as a < b, without links of a node to itself."""
    links = np.array([(a, b) for a, ends in graph.items() for b in ends], dtype=np.int64)
    if links.min() < 0 or links.max() >= n:
        raise ValueError(f"a link leads beyond the {n} nodes")
    links.sort(axis=1)
    return np.unique(links[links[:, 0] < links[:, 1]], axis=0)


class _Csr:
    """Stands in for scipy's matrix, whose parts arrive as attributes."""


def _dense(matrix: _Csr) -> NDArray[Any]:
    parts = matrix.__dict__
    built = csr_array(
        (parts["data"], parts["indices"], parts["indptr"]), shape=tuple(parts["_shape"])
    )
    built.check_format(full_check=True)  # before compiled code follows its indices
    dense: NDArray[Any] = built.toarray()
    return dense


def _latin1(text: str, _: str) -> bytes:
    """How newer Pythons write bytes into an old pickle."""
    return text.encode("latin1")


def _array_types() -> dict[tuple[str, str], Any]:
    reconstruct = np.zeros(0).__reduce__()[0]  # its module has moved between versions
    return {
        ("numpy.core.multiarray", "_reconstruct"): reconstruct,
        ("numpy._core.multiarray", "_reconstruct"): reconstruct,
        ("numpy", "ndarray"): np.ndarray,
        ("numpy", "dtype"): np.dtype,
    }


_ALLOWED: dict[tuple[str, str], Any] = _array_types() | {
    ("collections", "defaultdict"): defaultdict,
    ("__builtin__", "list"): list,
    ("__builtin__", "object"): object,
    ("copy_reg", "_reconstructor"): _reconstructor,
    ("_codecs", "encode"): _latin1,
    ("scipy.sparse.csr", "csr_matrix"): _Csr,
    ("scipy.sparse._csr", "csr_matrix"): _Csr,
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which is no part of data")
        return _ALLOWED[module, name]


def _unpickled(path: Path) -> Any:
    with reading(path, "a Planetoid file"), path.open("rb") as file:
        return _Unpickler(file, encoding="latin1").load()
