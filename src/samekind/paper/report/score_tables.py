"""Tables 2 to 4 of the paper: ours, the published number and the difference side by side."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from samekind.paper.experiments.published import PublishedScore, published_scores
from samekind.paper.experiments.rows import Row
from samekind.paper.report.cells import Cell, Cells, Score, collapsed, is_variant
from samekind.paper.report.names import DATASETS, dataset_title, in_order
from samekind.paper.report.pairing import OURS, Comparison, compare, tally
from samekind.paper.report.tables import NONE, Field, Table, method_field

COLUMNS = ("ours", "published", "diff.", "p")
ENDINGS = {
    "MAX_ITER": "Runs that stopped at the limit of iterations",
    "VANISHED": "Runs whose Z vanished or nearly so (fewer than 2 weights in a row, on average)",
    "UNVERIFIED": "Runs whose embedding could not be verified",
    "COLLAPSED": "Runs whose clusters collapsed, so that their labels should not be used",
    "EDGELESS": "Runs whose graph has no edges, so that their labels say nothing",
    "EMPTY_CLUSTERS": "Runs in which some clusters hold no sample",
    "INTERRUPTED": "Runs that were ended before they converged",
    "UNDECIDED": "Runs whose pairs fit no graph",
    "FIRST_GRAPH": "Runs whose labels come from the first graph, as learning did not settle",
}


@dataclass(frozen=True)
class PaperTable:
    """Which rows and which published numbers make a table."""

    number: int
    experiment: str
    metric: str
    published: str  # the published metric it stands beside
    words: str


TABLE2 = PaperTable(2, "table2", "ACC", "ACC", "ACC, %")
TABLE3 = PaperTable(3, "table2", "NMI", "NMI", "NMI, %")
TABLE4 = PaperTable(4, "table4", "ACC", "ACC", "ACC over all samples, %")
TABLE4_UNLABELED = PaperTable(
    4, "table4", "ACC unlabelled", "ACC", "ACC over the unlabeled samples, %"
)


class ScoreTables:
    """One of the paper's tables, data set by data set.

    Parameters
    ----------
    rows : sequence of rows
    paper : PaperTable
    missing : mapping of str to str
        Data sets that are not there, and why.
    interpreted : collection of str
        Methods whose published text leaves open what they compute.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        paper: PaperTable,
        missing: Mapping[str, str] | None = None,
        interpreted: Collection[str] = (),
    ) -> None:
        self.paper = paper
        self.cells = Cells(rows, paper.experiment)
        self._missing = missing or {}
        self._interpreted = interpreted
        self._published = {
            (one.dataset, one.labeled, one.method): one
            for one in published_scores()
            if (one.table, one.metric) == (paper.number, paper.published)
        }

    @property
    def datasets(self) -> list[str]:
        """The paper's and those that were run."""
        return in_order([*(key[0] for key in self._published), *self.cells.datasets], DATASETS)

    def labeled(self, dataset: str) -> list[int]:
        """Labeled samples per class, the paper's f."""
        run = (each["labelled"] for each in self.cells.settings(dataset, "labelled"))
        return sorted({key[1] for key in self._published if key[0] == dataset} | set(run))

    def methods(self, dataset: str) -> list[str]:
        """The paper's, LSGR as the best of its variants, then what else was run."""
        published = list(dict.fromkeys(key[2] for key in self._published))
        run = {cell.contender for cell in self.cells.all if cell.dataset == dataset}
        return published + in_order((run | collapsed(run)) - set(published))

    def find(self, dataset: str, labeled: int, method: str) -> Cell | None:
        return self.cells.find(dataset, {"labelled": labeled}, method, self.paper.metric)

    def score(self, dataset: str, labeled: int, method: str) -> Score | None:
        cell = self.find(dataset, labeled, method)
        return None if cell is None else cell.score(self.paper.metric)

    def published(self, dataset: str, labeled: int, method: str) -> PublishedScore | None:
        return self._published.get((dataset, labeled, method))

    def comparison(self, dataset: str, labeled: int, method: str) -> Comparison | None:
        ours = self.find(dataset, labeled, OURS)
        return compare(ours, self.find(dataset, labeled, method), self.paper.metric)

    def why_not(self, dataset: str, labeled: int, method: str) -> str:
        """Why a cell is empty, in a word or two."""
        cell = self.find(dataset, labeled, method)
        if cell is not None and cell.failed:
            return "failed"
        return "data set missing" if dataset in self._missing else "not run"

    def table(self, dataset: str) -> Table:
        """Ours ± deviation (count), published ± deviation, difference, and p against DGSL."""
        fewest = self.labeled(dataset)
        methods = self.methods(dataset)
        best = {f: self.best(dataset, f) for f in fewest}
        rows = [
            [method_field(method, self._interpreted)]
            + [field for f in fewest for field in self._fields(dataset, f, method, best[f])]
            for method in methods
        ]
        return Table(
            f"{dataset_title(dataset)}: {self.paper.words}",
            ["method", *COLUMNS * len(fewest)],
            rows,
            [(f"f = {f}", len(COLUMNS)) for f in fewest],
            list(self._notes(dataset)),
        )

    def best(self, dataset: str, labeled: int) -> tuple[str, str]:
        """The highest number of a column as it is shown, ours and the published one."""
        methods = self.methods(dataset)
        scores = (self.score(dataset, labeled, method) for method in methods)
        published = (self.published(dataset, labeled, method) for method in methods)
        return _highest(scores), _highest(published)

    def _fields(
        self, dataset: str, labeled: int, method: str, best: tuple[str, str]
    ) -> Iterator[Field]:
        cell = self.find(dataset, labeled, method)
        ours = None if cell is None else cell.score(self.paper.metric)
        published = self.published(dataset, labeled, method)
        if cell is None or ours is None:
            yield Field(self.why_not(dataset, labeled, method), faint=True)
        else:
            text = f"{ours.mean:.1f}"
            yield Field(text, _aside(ours, cell.not_converged), best=text == best[0])
        if published is None:
            yield Field(NONE)
        else:
            text = f"{published.mean:.1f}"
            yield Field(text, f"± {published.std:.1f}", best=text == best[1])
        if ours is None or published is None:
            yield Field(NONE)
        else:
            yield Field(signed(ours.mean - published.mean))
        comparison = self.comparison(dataset, labeled, method)
        yield Field(NONE if comparison is None else _p(comparison.p))

    def _notes(self, dataset: str) -> Iterator[str]:
        if dataset in self._missing:
            yield f"Missing: {self._missing[dataset]}"
        chosen = []
        for f in self.labeled(dataset):
            best = self.find(dataset, f, "LSGR")
            if best is not None and is_variant(best.contender) and best.rows:
                chosen.append(f"{best.contender} at f = {f}")
        if chosen:
            yield f"LSGR is the best of its three variants on the mean: {', '.join(chosen)}."
        yield from self._endings(dataset)
        yield from self._failures(dataset)

    def _endings(self, dataset: str) -> Iterator[str]:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for cell in self.cells.all:
            if cell.dataset == dataset:
                for ending, count in cell.endings.items():
                    counts[ending][cell.contender] += count
        for ending in sorted(counts):
            words = ", ".join(f"{name} {counts[ending][name]}" for name in in_order(counts[ending]))
            # Rows of another version may have a status that this one does not know.
            yield f"† {ENDINGS.get(ending, f'Runs that ended with {ending}')}: {words}."

    def _failures(self, dataset: str) -> Iterator[str]:
        for cell in self.cells.all:
            if cell.dataset == dataset and cell.failed:
                yield (
                    f"{cell.contender}, f = {cell.setting.get('labelled', '?')}: "
                    f"{len(cell.failed)} of {len(cell.failed) + len(cell.rows)} runs failed: "
                    f"{'; '.join(cell.reasons)}"
                )


def comparison_table(tables: Iterable[ScoreTables], title: str) -> Table:
    """DGSL against each other method: cells won, tied and lost."""
    tables = list(tables)
    columns = ["DGSL against", *(f"{one.paper.words}: won / tied / lost" for one in tables)]
    methods = in_order(
        {name for one in tables for data in one.datasets for name in one.methods(data)}
    )
    rows = []
    for method in methods:
        found = [[test for *_, test in _comparisons(one, method)] for one in tables]
        if any(found):
            rows.append([Field(method), *(Field(tally(tests)) for tests in found)])
    return Table(title, columns, rows)


def _comparisons(tables: ScoreTables, method: str) -> Iterator[tuple[str, int, Comparison]]:
    for dataset in tables.datasets:
        for f in tables.labeled(dataset):
            comparison = tables.comparison(dataset, f, method)
            if comparison is not None:
                yield dataset, f, comparison


@dataclass(frozen=True)
class Attained:
    """A published number of DGSL, and ours."""

    metric: str
    dataset: str
    labeled: int
    ours: Score
    published: PublishedScore

    @property
    def near(self) -> bool:
        """Whether ours is no more than one published deviation below the published mean."""
        return self.ours.mean >= self.published.mean - self.published.std


def attained(tables: Iterable[ScoreTables]) -> list[Attained]:
    """All cells of DGSL that have both a published number and one of ours."""
    found = []
    for one in tables:
        for dataset in one.datasets:
            for f in one.labeled(dataset):
                ours, published = one.score(dataset, f, OURS), one.published(dataset, f, OURS)
                if ours is not None and published is not None:
                    found.append(Attained(one.paper.metric, dataset, f, ours, published))
    return found


def signed(value: float) -> str:
    """A difference with its sign, which zero has not.

    Examples
    --------
    >>> signed(1.26), signed(-0.31), signed(-0.01)
    ('+1.3', '−0.3', '0.0')
    """
    text = f"{abs(value):.1f}"
    return text if float(text) == 0 else ("+" if value > 0 else "−") + text


def _p(value: float) -> str:
    return "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def _aside(score: Score, not_converged: int) -> str:
    return score.aside + (f" †{not_converged}" if not_converged else "")


def _highest(scores: Iterable[Score | PublishedScore | None]) -> str:
    means = [score.mean for score in scores if score is not None]
    return f"{max(means):.1f}" if means else ""
