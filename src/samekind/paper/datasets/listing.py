"""Listing: every data set, whether it is there, and how to get it if not."""

from dataclasses import dataclass

from samekind.paper.datasets.errors import DatasetError
from samekind.paper.datasets.find import how_to_get, look_for, public_sources
from samekind.paper.datasets.records import Record
from samekind.paper.datasets.table import RECORDS


@dataclass(frozen=True)
class Listed:
    """One line of the listing.

    Attributes
    ----------
    name, about : str
    n_samples, n_features, n_classes : int
    where : str, optional
        Where it lies, None if it is missing.
    problem : str, optional
        What is wrong with what lies there.
    how : str
        How to get it, "" if it is there.
    places : tuple of str
        Public addresses, the first to be tried first.
    tried : bool
        Whether somebody has fetched it from all of them by this package.
    """

    name: str
    about: str
    n_samples: int
    n_features: int
    n_classes: int
    where: str | None
    problem: str | None
    how: str
    places: tuple[str, ...]
    tried: bool


def available() -> list[Listed]:
    """All data sets by name; what lies in a folder without a known digest is read and checked.

    Examples
    --------
    >>> [line.where for line in available() if line.name == "digits"]
    ["scikit-learn's load_digits"]
    """
    return [_listed(RECORDS[name]) for name in sorted(RECORDS)]


def _listed(record: Record) -> Listed:
    found, problem = None, None
    sources = public_sources(record)
    try:
        found = look_for(record)
        if found is not None and not found.is_certain:
            found.read()
    except DatasetError as error:
        problem = str(error)
    return Listed(
        name=record.name,
        about=record.about,
        n_samples=record.shape[0],
        n_features=record.shape[1],
        n_classes=record.n_classes,
        where=None if found is None else found.where,
        problem=problem,
        how=how_to_get(record) if found is None else "",
        places=tuple(str(source.place) for source in sources),
        tried=all(source.tried for source in sources),
    )
