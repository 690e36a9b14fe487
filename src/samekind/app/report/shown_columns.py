"""Columns that say what a cluster is like, with values as people read them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind._typing import IntArray
from samekind.app.report.clusters import Cluster, distinctive_features
from samekind.app.report.content import ReportContent
from samekind.app.report.tables import number

MOST_COLUMNS = 6
LONGEST_TEXT = 60  # letters of a cell
RARE = 0.1  # share of the rows below which a text is not typical, nor a word by so much more
MOST_TEXTS = 2000  # of a cluster, whose words are counted
MOST_WORDS = 5


class ShownColumns:
    """The user's own columns, or the features where there are none.

    Examples
    --------
    >>> from samekind.app.report import Snapshot
    >>> last = Snapshot(None, None, np.eye(2))
    >>> content = ReportContent(
    ...     title="Two",
    ...     labels=np.array([0, 1]),
    ...     names=["a", "b"],
    ...     last=last,
    ...     X=np.array([[1.0, 0.0], [0.0, 1.0]]),
    ...     feature_columns=["color", "color"],
    ...     table={"color": ["red", "blue"]},
    ... )
    >>> columns = ShownColumns(content)
    >>> columns.cell("color", 1), columns.typical("color", np.array([0]))
    ('blue', 'red')
    """

    def __init__(self, content: ReportContent) -> None:
        self._table: Mapping[str, Sequence[object]] = content.table or {}
        self._made_of = content.feature_columns if self._table else None
        self._columns: dict[str, NDArray[Any]] = {}
        self._words: dict[str, dict[str, float]] = {}
        self._names: list[str] = []
        self._X: NDArray[Any] | None = None
        if content.X is not None:
            self._X = np.asarray(content.X)
            given = content.feature_names
            n_features = self._X.shape[1]
            self._names = [f"column {c}" if given is None else given[c] for c in range(n_features)]

    def of(self, clusters: Sequence[Cluster]) -> list[list[str]]:
        """For each cluster the columns in which it differs most from all rows."""
        if self._X is None:
            return [list(self._table)[:MOST_COLUMNS] for _ in clusters]
        if self._made_of is None:
            best = distinctive_features(self._X, clusters, MOST_COLUMNS)
            return [[self._names[c] for c in columns] for columns in best]
        shown = []
        for columns in distinctive_features(self._X, clusters, self._X.shape[1]):
            names = dict.fromkeys(self._made_of[c] for c in columns)
            shown.append([name for name in names if name in self._table][:MOST_COLUMNS])
        return shown

    def cell(self, name: str, row: int) -> str:
        return _text(self._column(name)[row])

    def typical(self, name: str, rows: IntArray) -> str:
        """The mean of numbers, the median of dates; of texts the most frequent one with its share,
        or the words that they have more often than all rows.
        """
        column = self._column(name)[rows]
        if _is_date(column):
            dates = np.sort(column[~np.isnat(column)])
            return _text(dates[(len(dates) - 1) // 2].astype("M8[D]")) if len(dates) else ""
        if self.is_number(name):
            return "" if np.isnan(column).all() else number(float(np.nanmean(column)))
        texts, counts = np.unique(column[column != ""], return_counts=True)
        if not len(texts):
            return ""
        share = counts.max() / len(rows)
        if share < RARE and len(texts) > 1:
            return self._typical_words(name, column) or f"{len(texts)} different"
        text = _text(texts[counts.argmax()])
        return text if share == 1 else f"{text} ({100 * share:.0f}\N{NO-BREAK SPACE}%)"

    def _typical_words(self, name: str, texts: NDArray[Any]) -> str:
        """Words that more of these texts have than of all in the column, by share of the texts."""
        if name not in self._words:
            self._words[name] = _shares_of_words(self._column(name))
        everywhere = self._words[name]
        more = {
            word: share - everywhere.get(word, 0.0)
            for word, share in _shares_of_words(texts).items()
        }
        telling = sorted((-by, word) for word, by in more.items() if by >= RARE)
        return ", ".join(word for _, word in telling[:MOST_WORDS])

    def is_number(self, name: str) -> bool:
        return bool(np.issubdtype(self._column(name).dtype, np.number))

    def _column(self, name: str) -> NDArray[Any]:
        """Numbers, with nan where there are none; or texts, blank where there is none."""
        if name not in self._columns:
            if name in self._table:
                self._columns[name] = _array(self._table[name])
            else:
                assert self._X is not None  # the names come from it
                self._columns[name] = self._X[:, self._names.index(name)]
        return self._columns[name]


def _array(values: Sequence[object]) -> NDArray[Any]:
    if isinstance(values, np.ndarray) and (
        np.issubdtype(values.dtype, np.number) or _is_date(values)
    ):
        return values
    types = set(map(type, values))
    if types == {str} or types <= {int, float}:  # at once; the rest goes cell by cell
        return np.array(values)
    if all(_is_number(value) or _is_blank(value) for value in values):
        return np.array([np.nan if _is_blank(value) else value for value in values], dtype=float)
    return np.array(["" if _is_blank(value) else str(value) for value in values])


def _shares_of_words(texts: NDArray[Any]) -> dict[str, float]:
    """Which share of the texts has each word, from a part of very many.

    Examples
    --------
    >>> _shares_of_words(np.array(["No paper, no ink", "paper jam"]))["paper"]
    1.0
    """
    part = texts[:: len(texts) // MOST_TEXTS + 1]
    found = Counter(word for text in part for word in set(re.findall(r"\w\w+", text.lower())))
    return {word: n / len(part) for word, n in found.items()}


def _is_date(values: NDArray[Any]) -> bool:
    return bool(np.issubdtype(values.dtype, np.datetime64))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _is_blank(value: object) -> bool:
    return value is None or value == "" or value != value


def _text(value: object) -> str:
    """A cell as text: blank where there is no value, cut where it is very long."""
    if _is_number(value):
        return "" if _is_blank(value) else number(value)
    if isinstance(value, np.datetime64):
        return "" if np.isnat(value) else str(value).replace("T", " ")
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT].rstrip()}…"
