"""The paper's data sets with the authors' logged parameters, for benchmarks.

Read from the folder named by SAMEKIND_DATA. Parameters are those logged beside the authors'
public code for the smallest number of labelled samples per class; ``published`` is the mean
and standard deviation of the accuracy in the paper's table, in percent.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))  # reference.py


@dataclass(frozen=True)
class PaperSet:
    """A data set of the paper and what the authors used on it."""

    name: str
    n_labelled: int  # per class
    feedback: float
    sparsity: float
    published: tuple[float, float]

    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """X in the paper's units, and y."""
        folder = os.environ.get("SAMEKIND_DATA")
        if not folder:
            sys.exit("set SAMEKIND_DATA to the folder with the paper's data sets")
        with np.load(Path(folder) / f"{self.name}.npz") as file:
            X, y = file["X"], file["y"]
        return (X / 255.0 if X.dtype == np.uint8 else X.astype(np.float64)), y


SETS = {
    one.name: one
    for one in (
        PaperSet("yale", 2, 0.02, 0.5, (64.8, 3.3)),
        PaperSet("orl", 2, 0.01, 0.0, (90.4, 2.0)),
        PaperSet("usps_1000", 5, 0.02, 1.0, (91.5, 0.8)),
        PaperSet("mnist_1000", 5, 0.02, 1.0, (83.7, 2.6)),
    )
}
