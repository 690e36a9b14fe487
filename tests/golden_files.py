"""Results of the authors' own code on fixed inputs, to compare with number by number.

``digits600_0`` is in the repository. The others, and the data sets they were computed from,
are looked for in the folders named by SAMEKIND_GOLDEN and SAMEKIND_DATA.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_digits

from problems import pair_matrices

OWN = Path(__file__).parent / "golden" / "digits600_0.npz"
DATA_SETS = {"yale_0": "yale", "orl_0": "orl", "mnist_0": "mnist_1000"}


@dataclass
class Golden:
    X: np.ndarray
    y: np.ndarray
    labels: np.ndarray  # -1 unknown
    stored: dict[str, np.ndarray]

    @property
    def k(self):
        return len(np.unique(self.y))

    def matrix(self, name):
        """W or Z as a sparse array; row i belongs to sample i."""
        parts = [self.stored[f"{name}_{part}"] for part in ("row", "col", "val")]
        return csr_array((parts[2], (parts[0], parts[1])), shape=(len(self.X),) * 2)

    def pairs(self):
        return pair_matrices(self.y, self.stored["labelled"])

    def parameters(self):
        """As arguments of DGSL."""
        return {
            "n_neighbors": int(self.stored["m"]),
            "scale_neighbor": int(self.stored["l"]),
            "feedback": float(self.stored["tau"]),
            "sparsity": float(self.stored["lambda_Z"]),
            "must_link_weight": float(self.stored["lambda_M"]),
            "local_ratio": float(self.stored["alpha_ratio"]),
            "coupling": float(self.stored["lam"]),
        }


def data_file(name):
    """A data set of the paper, or a skip with the reason."""
    folder = os.environ.get("SAMEKIND_DATA")
    if not folder:
        pytest.skip("set SAMEKIND_DATA to the folder with the paper's data sets")
    return np.load(Path(folder) / f"{name}.npz")


def golden(name):
    if name == "digits600_0":
        digits = load_digits()
        # The factor breaks ties between distances.
        X = digits.data[:600] / 16 * (1 + 0.01 * np.sin(np.arange(64)))
        y, path = digits.target[:600], OWN
    else:
        folder = os.environ.get("SAMEKIND_GOLDEN")
        if not folder:
            pytest.skip("set SAMEKIND_GOLDEN to the folder with the authors' results")
        data = data_file(DATA_SETS[name])
        X, y, path = data["X"] / 255.0, data["y"], Path(folder) / f"{name}.npz"
    with np.load(path) as file:
        stored = dict(file)
    labels = np.full(len(y), -1)
    labels[stored["labelled"]] = y[stored["labelled"]]
    return Golden(X, y, labels, stored)
