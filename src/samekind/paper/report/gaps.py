"""What is missing, and why."""

from collections import Counter
from collections.abc import Collection, Iterator

from samekind.paper.report.cells import Cells
from samekind.paper.report.names import dataset_title, in_order
from samekind.paper.report.score_tables import TABLE2, TABLE4, PaperTable, ScoreTables
from samekind.paper.report.sections import Source

EXPERIMENTS = (
    *("table1", "figure-samples", "table2", "table4", "figure-constraints", "figure-classes"),
    *("figure-sensitivity", "figure-matrices", "figure-hypergraph", "convergence", "complexity"),
)


def gaps(source: Source) -> list[str]:
    """Sentences: missing data sets, experiments and cells that were not run, failed runs."""
    found = [f"Data set missing: {reason}" for _, reason in sorted(source.missing.items())]
    there = {row["experiment"] for row in source.rows}
    found += [f"{name}: not run." for name in EXPERIMENTS if name not in there]
    for paper in (TABLE2, TABLE4):
        if paper.experiment in there:
            found += _empty_cells(source, paper)
    return [*found, *_failures(source), *_replaced(source, there)]


def _empty_cells(source: Source, paper: PaperTable) -> Iterator[str]:
    tables = ScoreTables(source.rows, paper, source.missing)
    counts: Counter[tuple[str, str]] = Counter()
    for dataset in tables.datasets:
        for f in tables.labeled(dataset):
            for method in tables.methods(dataset):
                if tables.score(dataset, f, method) is None:
                    counts[method, tables.why_not(dataset, f, method)] += 1
    reasons = in_order({why for _, why in counts}, ("data set missing", "not run", "failed"))
    for why in reasons:
        names = in_order({method for method, reason in counts if reason == why})
        words = ", ".join(f"{name} {counts[name, why]}" for name in names)
        yield f"{paper.experiment}, empty cells, {why}: {words}."


def _failures(source: Source) -> Iterator[str]:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for row in source.rows:
        if "failed" in row:
            name = dataset_title(row["dataset"])
            counts[row["experiment"], row["contender"], name, str(row["failed"])] += 1
    for (experiment, contender, dataset, reason), count in sorted(counts.items()):
        who = " ".join(word for word in (contender, "on", dataset) if word)
        yield f"{experiment}: {count} failed, {who}: {reason}"


def _replaced(source: Source, there: Collection[str]) -> Iterator[str]:
    for experiment in EXPERIMENTS:
        # Of a grid every point counts; searches and experiments of one's own may be grids too.
        if experiment == "figure-hypergraph" or experiment not in there:
            continue
        replaced = Cells(source.rows, experiment).replaced
        if replaced:
            count = sum(len(cell.rows) + len(cell.failed) for cell in replaced)
            names = ", ".join(in_order({cell.contender for cell in replaced}))
            yield (
                f"{experiment}: {count} rows of {names} were made with other parameters than the "
                "last ones and are left out."
            )
