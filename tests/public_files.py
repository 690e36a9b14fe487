"""Small files in the formats of public data sets, as bytes."""

import bz2
import pickle
import struct
from io import BytesIO

import numpy as np
from scipy.io import savemat
from scipy.sparse import csr_matrix
from sklearn.datasets import dump_svmlight_file


def mat(**arrays):
    """A MATLAB file."""
    file = BytesIO()
    savemat(file, arrays)
    return file.getvalue()


def npz(**arrays):
    """A compressed npz file."""
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def idx(array):
    """An array of bytes in the idx format."""
    header = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
    return header + array.tobytes()


def libsvm(X, y):
    """Lines of text, as bz2."""
    file = BytesIO()
    dump_svmlight_file(X.astype(float), y, file, zero_based=False)
    return bz2.compress(file.getvalue())


def planetoid(X, one_hot, graph, n_train, n_before, tested):
    """Eight files by the ends of their names; `tested` are the nodes after the first n_before."""
    parts = {
        "x": csr_matrix(X[:n_train]),
        "y": one_hot[:n_train],
        "tx": csr_matrix(X[tested]),
        "ty": one_hot[tested],
        "allx": csr_matrix(X[:n_before]),
        "ally": one_hot[:n_before],
        "graph": graph,
    }
    files = {name: pickle.dumps(part, protocol=2) for name, part in parts.items()}
    return files | {"test.index": "".join(f"{node}\n" for node in tested).encode()}
