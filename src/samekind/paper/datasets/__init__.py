"""Data sets: those of the paper and scikit-learn's digits, by name, checked whenever read.

Looked for in the folder named by SAMEKIND_DATA, then in the user's cache; only `get` reaches for
the network.
"""

from samekind.paper.datasets.dataset import Dataset
from samekind.paper.datasets.errors import (
    DatasetError,
    MissingDataset,
    RefusedDataset,
    UnknownDataset,
)
from samekind.paper.datasets.find import Found, find
from samekind.paper.datasets.get import get
from samekind.paper.datasets.listing import Listed, available
from samekind.paper.datasets.load import load

__all__ = [
    "Dataset",
    "DatasetError",
    "Found",
    "Listed",
    "MissingDataset",
    "RefusedDataset",
    "UnknownDataset",
    "available",
    "find",
    "get",
    "load",
]
