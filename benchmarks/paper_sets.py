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
    must_link_weight: float
    local_ratio: float
    n_neighbors: int
    scale_neighbor: int
    published: tuple[float, float]

    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """X in the paper's units, and y."""
        folder = os.environ.get("SAMEKIND_DATA")
        if not folder:
            sys.exit("set SAMEKIND_DATA to the folder with the paper's data sets")
        with np.load(Path(folder) / f"{self.name}.npz") as file:
            X, y = file["X"], file["y"]
        return (X / 255.0 if X.dtype == np.uint8 else X.astype(np.float64)), y

    @property
    def parameters(self) -> dict[str, float]:
        """As arguments of DGSL."""
        names = ("feedback", "sparsity", "must_link_weight", "local_ratio", "n_neighbors")
        return {name: getattr(self, name) for name in (*names, "scale_neighbor")}


SETS = {
    one.name: one
    for one in (
        PaperSet("yale", 2, 0.02, 0.5, 10, 0.2, 7, 5, (64.8, 3.3)),
        PaperSet("orl", 2, 0.01, 0.0, 10, 0.2, 7, 5, (90.4, 2.0)),
        PaperSet("umist", 2, 0.1, 1.0, 100, 0.05, 5, 3, (89.1, 2.6)),
        PaperSet("usps_1000", 5, 0.02, 1.0, 10, 0.2, 7, 5, (91.5, 0.8)),
        PaperSet("mnist_1000", 5, 0.02, 1.0, 10, 0.2, 7, 5, (83.7, 2.6)),
        PaperSet("yaleb18", 4, 0.005, 0.25, 100, 0.02, 4, 3, (95.4, 0.8)),
        PaperSet("coil20", 2, 0.2, 3.0, 100, 0.02, 7, 5, (85.1, 0.7)),
        PaperSet("isolet1", 5, 0.02, 0.0, 1, 0.1, 51, 21, (82.9, 1.9)),
        # No parameters of the authors are known for isolet2: those of isolet1.
        PaperSet("isolet2", 5, 0.02, 0.0, 1, 0.1, 51, 21, (74.4, 2.5)),
    )
}
