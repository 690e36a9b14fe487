"""The published numbers of the paper, by our names of its data sets."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# Tables 2 to 4 are on subsets that the authors chose, table 1 on the whole sets.
SUBSETS = {
    "ORL": "orl",
    "Yale": "yale",
    "COIL20": "coil20",
    "UMIST": "umist",
    "isolet1": "isolet1",
    "isolet2": "isolet2",
    "Extended Yale B": "yaleb18",
    "MNIST": "mnist_1000",
    "USPS": "usps_1000",
}
WHOLE = {"Extended Yale B": "yaleb", "MNIST": "mnist", "USPS": "usps", "Isolet": "isolet"}
PUBLISHED_NAMES = {ours: name for names in (SUBSETS, WHOLE) for name, ours in names.items()}


@dataclass(frozen=True)
class PublishedScore:
    """A cell of the paper's tables 2 to 4, in percent."""

    table: int
    metric: str
    dataset: str
    labeled: int  # samples per class, the paper's f
    method: str
    mean: float
    std: float


@dataclass(frozen=True)
class PublishedSize:
    """A row of the paper's table 1."""

    dataset: str
    samples: int
    dimensions: int
    classes: int
    kind: str


@cache
def published_scores() -> tuple[PublishedScore, ...]:
    """Tables 2 (ACC), 3 (NMI) and 4 (ACC, methods that take labels), in the paper's order.

    Examples
    --------
    >>> published_scores()[0]
    PublishedScore(table=2, metric='ACC', dataset='orl', labeled=2, method='SL', mean=66.8, std=2.9)
    """
    return tuple(
        PublishedScore(
            int(line["table"].removeprefix("table")[0]),
            line["metric"],
            SUBSETS[line["dataset"]],
            int(line["per_class"]),
            line["method"],
            float(line["mean"]),
            float(line["std"]),
        )
        for line in _lines("tables.csv")
    )


@cache
def published_sizes() -> tuple[PublishedSize, ...]:
    """Table 1, in the paper's order.

    Examples
    --------
    >>> published_sizes()[0]
    PublishedSize(dataset='yale', samples=165, dimensions=1024, classes=15, kind='face')
    """
    return tuple(
        PublishedSize(
            (SUBSETS | WHOLE)[line["dataset"]],
            int(line["samples"]),
            int(line["dimensions"]),
            int(line["classes"]),
            line["kind"],
        )
        for line in _lines("datasets.csv")
    )


def _lines(name: str) -> Iterator[dict[str, str]]:
    text = (files("samekind.paper.experiments.published") / name).read_text(encoding="utf-8")
    yield from csv.DictReader(text.splitlines())
