"""Figures of scores over a setting or a parameter: constraints, classes, sensitivity."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from samekind.paper.experiments.rows import Row
from samekind.paper.report.canvas import Drawing, Grid, Style, draw_panels
from samekind.paper.report.cells import Cells, Score, collapsed
from samekind.paper.report.lines import Line, paint_lines
from samekind.paper.report.names import DATASETS, dataset_title, in_order

METRICS = ("ACC", "NMI")
LETTERS = {
    "feedback": "tau",
    "sparsity": "lambda_Z",
    "local_ratio": "alpha2 / alpha1",
    "must_link_weight": "lambda_M",
}
# Colors and shapes that a method keeps in all figures.
_LOOKS = {
    "DGSL": (0, "o"),
    "SL": (1, "s"),
    "CSP": (2, "^"),
    "CSCAP": (3, "D"),
    "LSGR": (6, "v"),
    "SC": (7, "P"),
    "E2CP": (4, "X"),
    "DGSL-chosen": (5, "h"),
    "DGSL-spread": (8, "*"),
    "SameKind": (10, "p"),
}
_OTHERS = (9, 11, 15, 16, 17, 22, 30)


@dataclass(frozen=True)
class Part:
    """A range of what a figure varies."""

    words: str
    low: float
    high: float


@dataclass(frozen=True)
class Axis:
    """What a figure varies."""

    setting: str
    words: str
    factor: float = 1.0
    parts: Sequence[Part] = ()


ALL = Part("all", -float("inf"), float("inf"))
CONSTRAINTS = Axis(
    "must_links_per_sample",
    "must-links per sample",
    parts=(Part("0.07 to 0.21", 0, 0.23), Part("0.25 to 2", 0.23, float("inf"))),
)
CLASSES = Axis("class_share", "labeled classes, %", 100.0, (ALL,))


def looks(methods: Iterable[str]) -> dict[str, Style]:
    """A style for each method, DGSL's a little stronger."""
    others = [name for name in methods if name not in _LOOKS]
    styles = {}
    for name in methods:
        if name in _LOOKS:
            slot, marker = _LOOKS[name]
        else:
            slot, marker = _OTHERS[others.index(name) % len(_OTHERS)], "<"
        styles[name] = Style(name, slot, marker, width=2.4 if name == "DGSL" else 1.5)
    return styles


def setting_figure(rows: Iterable[Row], experiment: str, axis: Axis) -> Drawing | None:
    """Scores of all methods over a setting; None where nothing was run."""
    cells = Cells(rows, experiment)
    methods = in_order(collapsed(cells.contenders))
    if not methods:
        return None
    styles = looks(methods)

    def lines(dataset: str, metric: str) -> Iterator[Line]:
        for method in methods:
            points = []
            for setting in cells.settings(dataset, axis.setting):
                cell = cells.find(dataset, setting, method, metric)
                score = None if cell is None else cell.score(metric)
                if score is not None:
                    points.append((axis.factor * setting[axis.setting], score))
            yield from _line(styles[method], points)

    title = f"ACC and NMI over {axis.words}"
    datasets = in_order(cells.datasets, DATASETS)
    return _drawing(experiment, title, axis.words, datasets, lines, list(styles.values()))


def sensitivity_figures(rows: Iterable[Row], experiment: str) -> list[Drawing]:
    """DGSL with one parameter moved at a time, a figure for each parameter."""
    cells = Cells(rows, experiment)
    points: dict[tuple[str, str, str], list[tuple[float, Score]]] = defaultdict(list)
    for cell in cells.all:
        name, value = moved(cell.contender)
        for metric in METRICS:
            score = cell.score(metric)
            if score is not None:
                points[name, cell.dataset, metric].append((value, score))
    drawings = []
    for name in in_order({key[0] for key in points}, list(LETTERS)):
        words = f"{name} ({LETTERS[name]})" if name in LETTERS else name

        def lines(dataset: str, metric: str, name: str = name) -> Iterator[Line]:
            found = sorted(points[name, dataset, metric], key=lambda point: point[0])
            yield from _line(looks(["DGSL"])["DGSL"], found)

        title = f"ACC and NMI of DGSL over {words}"
        datasets = in_order({key[1] for key in points if key[0] == name}, DATASETS)
        drawings.append(_drawing(f"{experiment}-{name}", title, words, datasets, lines, []))
    return drawings


def moved(contender: str) -> tuple[str, float]:
    """The parameter and the value in the name of a contender.

    Examples
    --------
    >>> moved("DGSL feedback=0.01")
    ('feedback', 0.01)
    """
    name, _, value = contender.rpartition(" ")[2].partition("=")
    return name, float(value)


def _line(style: Style, points: Sequence[tuple[float, Score]]) -> Iterator[Line]:
    if points:
        yield Line(style, [x for x, _ in points], [score for _, score in points])


def _drawing(
    name: str,
    title: str,
    words: str,
    datasets: Sequence[str],
    lines: Callable[[str, str], Iterator[Line]],
    legend: Sequence[Style],
) -> Drawing:
    """Panels in pairs of rows: ACC, and NMI below it."""
    columns = 4 if len(datasets) % 4 == 0 else 3
    blocks = -(-len(datasets) // columns)

    def paint(grid: Grid) -> None:
        for at, dataset in enumerate(datasets):
            for below, metric in enumerate(METRICS):
                axes = grid[2 * (at // columns) + below][at % columns]
                head = f"{dataset_title(dataset)}: {metric}, %"
                paint_lines(axes, list(lines(dataset, metric)), head, words)

    svg = draw_panels(paint, name=name, label=title, shape=(2 * blocks, columns), legend=legend)
    caption = f"{title}: means over the random trials, bands of one standard deviation."
    return Drawing(name, svg, caption)
