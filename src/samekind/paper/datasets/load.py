"""Load: a data set by its name, from a folder of this machine."""

import numpy as np

from samekind.paper.datasets.dataset import Dataset
from samekind.paper.datasets.find import find
from samekind.paper.datasets.table import record_of


def load(name: str) -> Dataset:
    """A data set, ready for the paper's experiments.

    Parameters
    ----------
    name : str
        One of the names that `available` lists.

    Returns
    -------
    Dataset

    Raises
    ------
    UnknownDataset, MissingDataset, RefusedDataset
        All of them DatasetError; the message says what to do.

    Notes
    -----
    A file is accepted by its SHA-256, or else by its content: shape, sizes of the classes,
    means, variances and drifts of the columns, order of the labels. Nothing is downloaded;
    `get` does.

    Examples
    --------
    >>> digits = load("digits")
    >>> digits.X.shape, digits.scale
    ((1797, 64), 'gray levels from 0 to 16, as they are')
    >>> digits.pictures().shape
    (1797, 8, 8)
    """
    record, found = record_of(name), find(name)
    arrays = found.read()
    return Dataset(
        X=record.scale.scaled(arrays.X),
        y=arrays.y.astype(np.int64),
        name=name,
        source=record.source,
        scale=record.scale.words,
        path=found.where,
        image_shape=record.image_shape,
        column_major=record.column_major,
        extras={key: array.astype(np.int64) for key, array in arrays.extras.items()},
    )
