"""Table 1: sizes of the data sets, counted in the files, beside the published ones."""

from collections.abc import Iterable, Iterator, Mapping

from samekind.paper.experiments.published import PublishedSize, published_sizes
from samekind.paper.experiments.rows import Row
from samekind.paper.report.names import dataset_title, in_order
from samekind.paper.report.tables import NONE, Field, Table

COUNTED = ("samples", "dimensions", "classes")


def dataset_table(rows: Iterable[Row], missing: Mapping[str, str] | None = None) -> Table:
    """Counted and published sizes; what differs is written out below.

    Examples
    --------
    >>> facts = {"samples": 165, "dimensions": 1024, "classes": 15}
    >>> rows = [{"experiment": "table1", "dataset": "yale"} | facts]
    >>> [field.text for field in dataset_table(rows).rows[0]]
    ['Yale', '165', '1,024', '15', '165', '1,024', '15', 'face']
    """
    missing = missing or {}
    found = {row["dataset"]: row for row in rows if row["experiment"] == "table1"}
    published = {one.dataset: one for one in published_sizes()}
    names = in_order([*found, *published], list(published))
    body: list[list[Field]] = []
    notes: list[str] = []
    for name in names:
        body.append(list(_fields(name, found.get(name), published.get(name), missing)))
        notes += _notes(name, found.get(name), published.get(name), missing)
    groups = [("counted in the file", 3), ("published", 3), ("", 1)]
    return Table("Data sets", ["data set", *COUNTED, *COUNTED, "kind"], body, groups, notes)


def _fields(
    name: str, row: Row | None, published: PublishedSize | None, missing: Mapping[str, str]
) -> Iterator[Field]:
    yield Field(dataset_title(name))
    for what in COUNTED:
        if row is not None and what in row:
            yield Field(f"{row[what]:,}")
        else:
            yield Field(_why_not(name, row, missing), faint=True)
    for what in COUNTED:
        yield Field(NONE if published is None else f"{getattr(published, what):,}")
    yield Field(NONE if published is None else published.kind, prose=True)


def _why_not(name: str, row: Row | None, missing: Mapping[str, str]) -> str:
    if row is not None:
        return "failed"
    return "data set missing" if name in missing else "not run"


def _notes(
    name: str, row: Row | None, published: PublishedSize | None, missing: Mapping[str, str]
) -> Iterator[str]:
    if row is None:
        if name in missing:
            yield f"Missing: {missing[name]}"
        return
    if "failed" in row:
        yield f"{dataset_title(name)}: failed: {row['failed']}"
        return
    differing = [
        f"{row[what]:,} {what} in the file, {getattr(published, what):,} published"
        for what in COUNTED
        if published is not None and row[what] != getattr(published, what)
    ]
    if differing:
        yield f"{dataset_title(name)}: {'; '.join(differing)}."
