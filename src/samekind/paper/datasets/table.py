"""The table of data sets: every file in `sets` holds RECORDS, and all of them are gathered here."""

from importlib import import_module
from pkgutil import iter_modules

from samekind._suggest import nearest
from samekind.paper.datasets import sets
from samekind.paper.datasets.errors import UnknownDataset
from samekind.paper.datasets.records import Record

RECORDS: dict[str, Record] = {
    record.name: record
    for module in iter_modules(sets.__path__)
    for record in import_module(f"{sets.__name__}.{module.name}").RECORDS
}


def record_of(name: str) -> Record:
    """What is known of the data set of this name.

    Examples
    --------
    >>> record_of("orl").shape
    (400, 1024)
    >>> record_of("yaleb81")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    samekind.paper.datasets.errors.UnknownDataset: ... there are, nearest first, yaleb18, yaleb, ...
    """
    if name not in RECORDS:
        names = ", ".join(nearest(name, RECORDS))
        raise UnknownDataset(f"there is no data set '{name}'; there are, nearest first, {names}")
    return RECORDS[name]
