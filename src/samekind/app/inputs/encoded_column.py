"""One column of a table: what was learned about it, and how its cells become numbers."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from samekind._typing import FloatArray, IntArray
from samekind.app.inputs.column_kinds import Places, as_dates, as_numbers, as_texts, shortened
from samekind.app.inputs.words import Words

if TYPE_CHECKING:
    from pandas import Series

BLANK, OTHER = "(blank)", "(other)"
_TUPLES = ("features", "centers", "spreads", "levels", "shares")


@dataclass(frozen=True)
class EncodedColumn:
    """How the cells of a column become numbers, one column of them for each of ``features``.

    Attributes
    ----------
    name, sentence : str
        The column, and what became of it.
    kind : {"number", "date", "category", "words", "none"}
        "none" is left out.
    features : tuple of str
    centers, spreads : tuple of float
        What to subtract from each feature, and then to divide by, so that every column counts the
        same.
    fill : float
        Stands for blanks among numbers and dates.
    marks_blanks : bool
        Whether a second feature is other than 0 where a number or date is blank.
    date_format : str or None
        Of dates that are written as text.
    levels, shares : tuple of str, tuple of float
        The categories, and which share of the rows each has.
    words : Words or None
    """

    name: str
    kind: str
    sentence: str
    features: tuple[str, ...] = ()
    centers: tuple[float, ...] = ()
    spreads: tuple[float, ...] = ()
    fill: float = 0.0
    marks_blanks: bool = False
    date_format: str | None = None
    levels: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    words: Words | None = None

    def encode(self, column: "Series", place: Places) -> tuple[FloatArray, tuple[str, ...]]:
        """Features of new cells, and what there is to say about them."""
        if self.kind == "number":
            return self._filled(as_numbers(column, place))
        if self.kind == "date":
            return self._filled(as_dates(column, self.date_format, place))
        texts = as_texts(column)
        if self.words is not None:
            return self.words.transform(plain(texts)), ()
        return self._one_hot(texts)

    def of_numbers(self, values: FloatArray) -> FloatArray:
        """Features of numbers or days, NaN where blank."""
        blank = np.isnan(values)
        filled = np.where(blank, self.fill, values) if blank.any() else values
        if not self.marks_blanks:
            return filled[:, None]
        # As far from 0 as numbers are from each other, whatever their unit.
        return np.column_stack([filled, blank * self.spreads[1]])

    def of_levels(self, codes: IntArray) -> FloatArray:
        """Features of positions in ``levels``; -1, a level not seen before, counts as average."""
        known = codes >= 0
        if len(self.levels) == 2:
            return np.where(known, codes, self.shares[1]).astype(np.float64)[:, None]
        features = np.zeros((len(codes), len(self.levels)))
        features[np.flatnonzero(known), codes[known]] = 1.0
        features[~known] = self.shares
        return features

    def codes_of(self, texts: Any) -> IntArray:
        """Positions of texts in ``levels``, -1 if not there."""
        levels = pa.array(self.levels, pa.string())
        found = pc.index_in(pc.fill_null(texts, BLANK), levels)
        return np.asarray(pc.fill_null(found, self._other), dtype=np.int64)

    @property
    def _other(self) -> int:
        return self.levels.index(OTHER) if OTHER in self.levels else -1

    def state(self) -> dict[str, Any]:
        """In plain types."""
        state = asdict(self) | {name: list(getattr(self, name)) for name in _TUPLES}
        return state | {"words": None if self.words is None else dict(vars(self.words))}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> "EncodedColumn":
        """What `state` came from."""
        words = None if state["words"] is None else Words(**state["words"])
        return cls(**state | {name: tuple(state[name]) for name in _TUPLES} | {"words": words})

    def _filled(self, values: FloatArray) -> tuple[FloatArray, tuple[str, ...]]:
        n = int(np.isnan(values).sum())
        note = f"is blank in {rows(n)}, and never was before; the median was filled in"
        return self.of_numbers(values), (note,) if n and not self.marks_blanks else ()

    def _one_hot(self, texts: Any) -> tuple[FloatArray, tuple[str, ...]]:
        codes = self.codes_of(texts)
        new = codes == -1
        if not new.any():
            return self.of_levels(codes), ()
        first = texts[int(np.argmax(new))].as_py()
        what = "is blank" if first is None else f"holds {shortened(first)!r} or other new values"
        note = f"{what} in {rows(int(new.sum()))}, and never was before; they count as average"
        return self.of_levels(codes), (note.replace("was", "did", 1) if first else note,)


def rows(n: int) -> str:
    """A number of rows in words.

    Examples
    --------
    >>> rows(1), rows(2)
    ('1 row', '2 rows')
    """
    return "1 row" if n == 1 else f"{n} rows"


def plain(texts: Any) -> list[str]:
    """Texts of an arrow array, "" where null."""
    filled: list[str] = pc.fill_null(texts, "").to_pylist()
    return filled
