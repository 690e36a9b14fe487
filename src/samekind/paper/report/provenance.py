"""How numbers were made: repetitions, parameters and their origin, seeds, versions, machines."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from samekind.app.report.tables import seconds
from samekind.paper.experiments.rows import Row, key_of
from samekind.paper.report.cells import Cell, tidy
from samekind.paper.report.names import (
    DATASETS,
    dataset_title,
    in_order,
    in_words,
    merged,
)
from samekind.paper.report.tables import NONE, Field, Table, method_field

NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class _Group:
    """Cells of a method with the same parameters."""

    method: str
    parameters: str
    origin: str


def how_made(cells: Iterable[Cell], interpreted: Collection[str] = ()) -> Table | None:
    """Methods of an experiment with their parameters, and what their runs took."""
    groups: dict[_Group, list[Cell]] = defaultdict(list)
    by_dataset: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for cell in cells:
        by_dataset[_method(cell.contender), cell.dataset].append(cell)
    for (method, _), same in by_dataset.items():
        words = in_words(merged(cell.parameters for cell in same))
        groups[_Group(method, words, _origin(same))] += same
    order = in_order({group.method for group in groups})
    body = [
        _fields(group, groups[group], interpreted)
        for group in sorted(groups, key=lambda one: (order.index(one.method), one.parameters))
        if group.method
    ]
    columns = ["method", "data sets", "parameters", "their origin", "runs in a cell"]
    columns += ["seconds", "peak MB", "not converged", "failed"]
    return Table("Runs, and the parameters they were made with", columns, body) if body else None


def _method(contender: str) -> str:
    """A contender without the parameter that it moves."""
    return contender.rpartition(" ")[0] if "=" in contender else contender


def _origin(cells: Sequence[Cell]) -> str:
    found = {str(row.get("origin", NOT_RECORDED)) for cell in cells for row in cell.rows}
    return "; ".join(sorted(found)) or NOT_RECORDED


def _fields(group: _Group, cells: Sequence[Cell], interpreted: Collection[str]) -> list[Field]:
    counts = sorted({len(cell.rows) for cell in cells})
    rows = [row for cell in cells for row in cell.rows]
    times = [float(row["seconds"]) for row in rows if "seconds" in row]
    peaks = [float(row["peak_mb"]) for row in rows if row.get("peak_mb") is not None]
    names = in_order({cell.dataset for cell in cells}, DATASETS)
    return [
        method_field(group.method, interpreted),
        Field(", ".join(dataset_title(name) for name in names), prose=True),
        Field(group.parameters, prose=True),
        Field(group.origin, prose=True),
        Field(str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"),
        Field(seconds(sum(times) / len(times)) if times else NONE),
        Field(f"{max(peaks):,.0f}" if peaks else NONE),
        Field(str(sum(cell.not_converged for cell in cells))),
        Field(str(sum(len(cell.failed) for cell in cells))),
    ]


def seeds_in_words(rows: Iterable[Row]) -> str:
    """How trials were seeded, and whether every method saw the same ones."""
    trials: dict[str, set[Any]] = defaultdict(set)
    for row in rows:
        if "seed" in row:
            trials[key_of(row, ("dataset", "setting", "repetition"))].add(row["seed"])
    uneven = sum(len(seeds) > 1 for seeds in trials.values())
    text = (
        f"Seeds are a function of data set, setting and repetition, so that all methods see the "
        f"same random trial: {len(trials):,} trials in these rows"
    )
    if uneven:
        return f"{text}, {uneven:,} of which have more than one seed and cannot be paired."
    return f"{text}, one seed each."


def environments(rows: Iterable[Row]) -> list[tuple[str, int]]:
    """Versions and machines, with how many rows each made, the most first.

    Examples
    --------
    >>> run = dict.fromkeys(("experiment", "dataset", "setting", "contender", "parameters"))
    >>> row = run | {"repetition": 0, "versions": {"numpy": "2.0"}, "machine": "x86_64, 2 cores"}
    >>> environments([row])
    [('numpy 2.0; x86_64, 2 cores', 1)]
    """
    counts: Counter[str] = Counter()
    for row in tidy(rows):
        versions: Mapping[str, str] = row.get("versions", {})
        words = ", ".join(f"{name} {versions[name]}" for name in sorted(versions))
        counts[f"{words or 'versions unknown'}; {row.get('machine', 'machine unknown')}"] += 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
