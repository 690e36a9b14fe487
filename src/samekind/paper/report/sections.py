"""The sections of the page: for each experiment its tables and figures, and how they were made."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from samekind.paper.experiments.rows import Row
from samekind.paper.report.canvas import Drawing
from samekind.paper.report.cells import Cell, Cells, cells_of
from samekind.paper.report.complexity import complexity_figure, complexity_table
from samekind.paper.report.convergence import convergence_figure
from samekind.paper.report.curve_tables import CurveTables
from samekind.paper.report.curves import (
    CLASSES,
    CONSTRAINTS,
    sensitivity_figures,
    setting_figure,
)
from samekind.paper.report.dataset_table import dataset_table
from samekind.paper.report.hypergraph import hypergraph_figure, hypergraph_table
from samekind.paper.report.names import DATASETS, dataset_title
from samekind.paper.report.others import other_tables
from samekind.paper.report.pictures import matrices_figure, samples_figure
from samekind.paper.report.provenance import how_made
from samekind.paper.report.score_tables import (
    TABLE2,
    TABLE3,
    TABLE4,
    TABLE4_UNLABELED,
    ScoreTables,
    attained,
    comparison_table,
    signed,
)
from samekind.paper.report.searches import search_tables
from samekind.paper.report.tables import Field, Table

SEARCHES = {
    "search-graph": "Search: sparsity of the baselines' graph on faces",
    "search-dgsl": "Search: parameters of DGSL at larger f",
    "search-constraints": "Search: parameters of DGSL for random pairs",
    "search-classes": "Search: parameters of DGSL with labels of some of the classes",
}

LEGEND = (
    "Ours: mean ± standard deviation (number of random trials); †: number of runs that did not "
    "converge, explained below the table. Bold: the best of its column. p: Wilcoxon's signed-rank "
    "test of DGSL against the method over the paired trials; with five pairs or fewer it cannot be "
    "below 0.05."
)


@dataclass(frozen=True)
class Section:
    """A part of the page."""

    id: str
    title: str
    texts: Sequence[str] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Drawing] = ()
    numbers: Sequence[Table] = ()  # of the figures, for who asks
    made: Table | None = None  # how


@dataclass(frozen=True)
class Source:
    """What everything is made from.

    Parameters
    ----------
    rows : sequence of rows
    missing : mapping of str to str
        Data sets that are not there, and why.
    interpreted : collection of str
        Contenders whose published text leaves open what they compute.
    """

    rows: Sequence[Row]
    missing: Mapping[str, str] = field(default_factory=dict)
    interpreted: Collection[str] = ()

    def made(self, experiment: str, *, whole_grid: bool = False) -> Table | None:
        cells: list[Cell] = (
            cells_of(self.rows, experiment) if whole_grid else Cells(self.rows, experiment).all
        )
        return how_made(cells, self.interpreted)


def sections_of(source: Source) -> list[Section]:
    """All sections, in the order of the paper; those of which nothing was run say so."""
    sections = [*_tables(source), *_curves(source), *_inside(source), *_searches(source)]
    return [*sections, *_others(source, {section.id for section in sections})]


def _tables(source: Source) -> Iterator[Section]:
    rows = source.rows
    sizes = dataset_table(rows, source.missing)
    yield Section("table1", "Table 1: the data sets", tables=[sizes])
    name = "figure-samples"
    yield _pictured(source, name, "Pictures of the data sets", [samples_figure(rows)])
    two, three, four, unlabeled = (
        ScoreTables(rows, paper, source.missing, source.interpreted)
        for paper in (TABLE2, TABLE3, TABLE4, TABLE4_UNLABELED)
    )
    made = source.made("table2")
    for at, one in ((2, two), (3, three)):
        title = f"Table {at}: {one.paper.metric} with f labeled samples per class"
        tables = [one.table(dataset) for dataset in one.datasets]
        yield Section(f"table{at}", title, [LEGEND], tables, made=made if at == 2 else None)
    yield comparison_section(two, three)
    texts = [
        "Methods that learn from labels, and DGSL on the pairs of the same labeled samples. The "
        "paper cites the numbers of the other methods from their literature and does not say "
        "whether labeled samples count; so ours are given both ways.",
        LEGEND,
    ]
    tables = [one.table(dataset) for one in (four, unlabeled) for dataset in one.datasets]
    tables.append(comparison_table([four, unlabeled], "Cells of table 4"))
    yield Section("table4", "Table 4: partial labels", texts, tables, made=source.made("table4"))


def comparison_section(*tables: ScoreTables) -> Section:
    """DGSL against the other methods, and against its own published numbers."""
    found = attained(tables)
    below = [one for one in found if not one.near]
    texts = [
        f"Of the {len(found)} cells of DGSL with a published value, {len(found) - len(below)} are "
        "no more than one published standard deviation below the published mean."
    ]
    listed = [
        [
            Field(f"{dataset_title(one.dataset)}, f = {one.labeled}, {one.metric}"),
            Field(f"{one.ours.mean:.1f}", f"± {one.ours.std:.1f} ({one.ours.count})"),
            Field(f"{one.published.mean:.1f}", f"± {one.published.std:.1f}"),
            Field(signed(one.ours.mean - one.published.mean)),
        ]
        for one in below
    ]
    shown = [comparison_table(tables, "Cells of tables 2 and 3 at p < 0.05")]
    if listed:
        columns = ["cell of DGSL", "ours", "published", "difference"]
        shown.append(Table("Cells farther below", columns, listed))
    return Section(
        "comparison", "DGSL against the other methods and its published values", texts, shown
    )


def _curves(source: Source) -> Iterator[Section]:
    rows = source.rows
    for name, title, axis, text in (
        (
            "figure-constraints",
            "Growing numbers of random pairs",
            CONSTRAINTS,
            "Three cannot-links for each must-link. The first five numbers of must-links are those "
            "of UMIST in the authors' older public commit, by sample; the others are our choice. "
            "LSGR is the best of its variants on the mean. DGSL has what the authors logged for "
            "labeled samples (on UMIST with few pairs that of the older commit), DGSL-spread "
            "spread_weight=None and assign_labels='group' beside it, DGSL-chosen what a search "
            "found; SameKind has nothing to choose.",
        ),
        (
            "figure-classes",
            "Labels of some of the classes",
            CLASSES,
            "The smallest f of each data set, for a share of its classes that is sampled anew in "
            "each trial. LSGR is the best of its variants on the mean. DGSL has what the authors "
            "logged for labels of all classes, DGSL-spread spread_weight=None and "
            "assign_labels='group' beside it, DGSL-chosen what a search found; SameKind has "
            "nothing to choose.",
        ),
    ):
        drawing = setting_figure(rows, name, axis)
        curves = CurveTables(rows, name, axis)
        tables, numbers = [curves.comparison(), *_margins(curves, name)], curves.scores()
        yield _pictured(source, name, title, [drawing], [text], tables, numbers)
    name = "figure-sensitivity"
    text = "One parameter of DGSL moved at a time, at the smallest f of each data set."
    figures = sensitivity_figures(rows, name)
    yield _pictured(source, name, "Sensitivity to the parameters", figures, [text])


def _margins(curves: CurveTables, name: str) -> Iterator[Table | None]:
    """With random pairs Isolet beside the others: its logged must-link weight is 1."""
    if name == "figure-classes":
        yield curves.margins("", DATASETS)
    else:
        isolet = [one for one in DATASETS if one.startswith("isolet")]
        yield curves.margins(", without Isolet", [one for one in DATASETS if one not in isolet])
        yield curves.margins(", Isolet", isolet)


def _inside(source: Source) -> Iterator[Section]:
    rows = source.rows
    name = "figure-matrices"
    title = "Graph and embedding, early and late"
    yield _pictured(source, name, title, [matrices_figure(rows)])
    name = "figure-hypergraph"
    tables = [hypergraph_table(rows, name, source.interpreted)]
    figures = [hypergraph_figure(rows, name)]
    title = "Cora with a hypergraph"
    yield _pictured(source, name, title, figures, tables=tables, whole_grid=True)
    yield _pictured(source, "convergence", "Convergence", [convergence_figure(rows)])
    tables = [complexity_table(rows)]
    yield _pictured(source, "complexity", "Complexity", [complexity_figure(rows)], tables=tables)


def _searches(source: Source) -> Iterator[Section]:
    """Only what was run: a search is no experiment of the paper."""
    text = (
        "Chosen with the true labels, as the paper's parameters were, on random trials outside "
        "those of the tables: the best mean ACC over methods and settings (number of trials)."
    )
    for name, title in SEARCHES.items():
        tables = search_tables(source.rows, name)
        if tables:
            yield Section(name, title, [text], tables, made=source.made(name, whole_grid=True))


def _others(source: Source, shown: Collection[str]) -> Iterator[Section]:
    """What somebody has added to the protocol."""
    others = sorted({row["experiment"] for row in source.rows} - set(shown))
    for number, name in enumerate(others, start=1):
        tables = other_tables(source.rows, name)
        made = source.made(name, whole_grid=True)
        yield Section(f"other-{number}", name, tables=tables, made=made)


def _pictured(
    source: Source,
    name: str,
    title: str,
    figures: Sequence[Drawing | None],
    texts: Sequence[str] = (),
    tables: Sequence[Table | None] = (),
    numbers: Sequence[Table] = (),
    *,
    whole_grid: bool = False,
) -> Section:
    drawn = [one for one in figures if one is not None]
    if drawn:
        shown = [one for one in tables if one is not None]
        made = source.made(name, whole_grid=whole_grid)
        return Section(name, title, texts, shown, drawn, numbers, made)
    rows = [row for row in source.rows if row["experiment"] == name]
    failed = [str(row["failed"]) for row in rows if "failed" in row]
    if failed:
        reasons = "; ".join(sorted(set(failed)))
        return Section(name, title, [f"{len(failed)} of {len(rows)} runs failed: {reasons}"])
    return Section(name, title, ["Not run: the rows hold nothing of it."])
