"""Data sets: those of the paper and scikit-learn's digits, by name, checked whenever read.

Looked for in the folder named by SAMEKIND_DATA, then in the user's cache; only `get` reaches for
the network.
"""

from samekind.datasets.dataset import Dataset
from samekind.datasets.errors import (
    DatasetError,
    MissingDataset,
    RefusedDataset,
    UnknownDataset,
)
from samekind.datasets.find import Found, find
from samekind.datasets.get import get
from samekind.datasets.listing import Listed, available
from samekind.datasets.load import load

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
