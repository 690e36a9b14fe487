"""Get: a data set from its public place into the cache."""

from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from samekind._files import replace_file
from samekind.paper.datasets.convert import read_as
from samekind.paper.datasets.download import download
from samekind.paper.datasets.errors import DatasetError, MissingDataset
from samekind.paper.datasets.find import how_by_hand, look_for
from samekind.paper.datasets.places import cache_folder
from samekind.paper.datasets.records import Arrays, Record
from samekind.paper.datasets.table import record_of


def get(name: str) -> str:
    """Download a data set, check its content, and keep it in the cache as NAME.npz.

    What is there already is checked and not downloaded again; public files placed in a folder
    by hand are converted; parts of another data set are cut out of it.

    Parameters
    ----------
    name : str

    Returns
    -------
    str
        Where it lies now.

    Raises
    ------
    UnknownDataset, MissingDataset, RefusedDataset
        All of them DatasetError. MissingDataset names every place tried and what was wrong.

    Examples
    --------
    >>> get("digits")
    "scikit-learn's load_digits"
    """
    record = record_of(name)
    found = look_for(record)
    if found is not None:
        arrays = found.read()
        return found.where if found.is_own_file else str(_keep(record, arrays))
    _cache()  # before anything is downloaded in vain
    failures: list[str] = []
    path = _obtained(record, failures)
    if path is None:
        failures.append(how_by_hand(record) or "it has no public place")
        raise MissingDataset(f"the data set '{name}' could not be obtained: {'; '.join(failures)}")
    return str(path)


def _obtained(record: Record, failures: list[str]) -> Path | None:
    """From the first public place that has it, or else cut out of another data set."""
    for source in record.sources:
        if source.place is not None:
            try:
                return _keep(record, read_as(record, source.place, partial(download, source)))
            except DatasetError as error:
                failures.append(f"{error}{'' if source.tried else ' (untried)'}")
    if record.part is None or _obtained(record_of(record.part.parent), failures) is None:
        return None
    found = look_for(record)
    return None if found is None else _keep(record, found.read())


def _cache() -> Path:
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise DatasetError(
            f"{folder}, the folder for downloads, cannot be written: {error.strerror}; "
            "name another one in SAMEKIND_CACHE"
        ) from error
    return folder


def _keep(record: Record, arrays: Arrays) -> Path:
    """Write NAME.npz, as a whole or not at all."""
    path = _cache() / f"{record.name}.npz"
    extras: dict[str, Any] = arrays.extras
    file = BytesIO()
    np.savez_compressed(file, X=arrays.X, y=arrays.y.astype(np.int16), **extras)
    replace_file(path, file.getvalue())
    return path
