"""TableEncoder: a table of numbers, categories, dates and texts becomes a matrix of numbers."""

import warnings
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from samekind._typing import FloatArray
from samekind.app.inputs.column_kinds import Places, Unusable, moments
from samekind.app.inputs.column_messages import check_columns, grouped, unusable
from samekind.app.inputs.columns import check_names
from samekind.app.inputs.encoded_column import EncodedColumn
from samekind.app.inputs.errors import InputError
from samekind.app.inputs.learned_column import Learned, learn_column, words_per_text

if TYPE_CHECKING:
    from pandas import DataFrame

FORMAT = 1
SEVERAL_WORDS, MANY_WORDS = 3, 6  # on average: texts and not names, and not addresses


class TableEncoder:
    """Make numbers of the columns of a table, and the same numbers of new rows.

    Numbers stay as they are, blanks filled by the median with a column beside that says where;
    dates become days; categories one column of 0 and 1 for each value; texts the main directions
    of their words. Columns with one value, and texts that differ in every row, are left out; but
    where nothing else tells the rows apart, the longest texts count by their words.

    Parameters
    ----------
    scale : {"auto", "none", "standard"}
        "standard" makes every column of the table count the same: what it became has variance 1
        in all. "auto" does so if any column is not a plain number.
    text : sequence of str
        Columns of which the words count.
    category : sequence of str
        Columns whose numbers are codes, not amounts.
    keep : sequence of str
        Columns to keep even if they seem to only count the rows.

    Attributes
    ----------
    columns_ : tuple of EncodedColumn
        What became of each column, also of those left out.
    feature_names_ : tuple of str
        Names of the columns of the matrix.
    encoded_ : bool
        Whether any column is more than a plain number.
    standardized_ : bool
        Whether features were scaled.
    texts_ : tuple of str
        Columns of texts with many words that were left out, for whoever wants to name them.

    Notes
    -----
    `state` gives what was learned as dict, list, str, int, float, bool, None and ndarray alone,
    and `from_state` takes it back; no type of this package or of another has to be trusted.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, None, 40], "city": ["Rome", "Oslo", "Rome"], "x": 1})
    >>> encoder = TableEncoder(scale="none")
    >>> encoder.fit_transform(frame)
    array([[20.,  0.,  1.],
           [30., 10.,  0.],
           [40.,  0.,  1.]])
    >>> for sentence in encoder.describe():
    ...     print(sentence)
    Column 'age': numbers; 1 blank filled by the median, 30, and marked in a column of its own.
    Column 'city': 2 categories, one column: Oslo 0, Rome 1.
    Column 'x': left out, as every row has the same value.
    """

    def __init__(
        self,
        scale: str = "auto",
        *,
        text: Sequence[str] = (),
        category: Sequence[str] = (),
        keep: Sequence[str] = (),
    ) -> None:
        self.scale, self.text, self.category, self.keep = scale, text, category, keep

    def fit_transform(
        self, frame: "DataFrame", *, source: str | PathLike[str] = "the table"
    ) -> FloatArray:
        """Learn what the columns hold, and encode them.

        Parameters
        ----------
        frame : DataFrame
            Texts are parsed. An index named "line" holds lines of a file, for messages.
        source : str or path
            Where it comes from, for messages.

        Raises
        ------
        InputError
            With all columns that cannot be used, or if none is left.
        """
        frame = frame.set_axis(map(str, frame.columns), axis=1)
        check_names(source, list(frame.columns), None)
        place, problems, learned = Places(frame), {}, []
        for name in frame.columns:
            try:
                learned.append(
                    learn_column(
                        name,
                        frame[name],
                        place,
                        words=name in self.text,
                        category=name in self.category,
                        keep=frame.shape[1] == 1 or name in self.keep,
                    )
                )
            except Unusable as error:
                problems[name] = str(error)
        if problems:
            names = ",".join(problems)
            remedy = (
                "correct these cells or leave them blank, leave the columns out with "
                f"--drop {names}, or take numbers for codes with --category {names}"
            )
            raise unusable(source, problems, remedy)
        learned = self._with_texts(frame, place, learned)
        self.columns_ = tuple(column for column, _ in learned)
        self._settle_scale()
        if not self.feature_names_:
            raise InputError(
                source,
                f"no column tells the rows apart ({' '.join(self.describe()[:3])})",
                "add columns with numbers, dates or categories, or name a text with --text",
            )
        return self._joined([block for _, block in learned if block is not None])

    def transform(
        self, frame: "DataFrame", *, source: str | PathLike[str] = "the new rows"
    ) -> FloatArray:
        """Encode new rows as those before; one warning for each thing that is different.

        Raises
        ------
        InputError
            With all columns that are missing, or with all that cannot be used.
        """
        frame = frame.set_axis(map(str, frame.columns), axis=1)
        check_columns(list(frame.columns), self.columns_, source)
        place, problems, blocks = Places(frame), {}, []
        for column in self._used:
            try:
                block, notes = column.encode(frame[column.name], place)
            except Unusable as error:
                problems[column.name] = str(error)
                continue
            blocks.append(block)
            for note in notes:
                warnings.warn(f"{source}: column '{column.name}' {note}", stacklevel=2)
        if problems:
            raise unusable(source, problems, "correct these cells, or leave them blank")
        return self._joined(blocks)

    def describe(self) -> tuple[str, ...]:
        """One sentence for each column: what became of it."""
        return tuple(f"Column '{column.name}': {column.sentence}." for column in self.columns_)

    def summary(self) -> tuple[str, ...]:
        """As `describe`, more than three columns of one fate together; nothing if all are plain.

        Examples
        --------
        >>> import pandas as pd
        >>> encoder = TableEncoder()
        >>> _ = encoder.fit_transform(pd.DataFrame({name: [1, 2] for name in "abcd"} | {"e": 7}))
        >>> for sentence in encoder.summary():
        ...     print(sentence)
        Columns 'a', 'b', 'c', 'd': numbers.
        Column 'e': left out, as every row has the same value.
        """
        if all(column.kind == "number" and not column.marks_blanks for column in self.columns_):
            return ()
        return grouped(self.columns_)

    def cells(self, X: FloatArray, table: "DataFrame") -> dict[str, Any]:
        """Used columns as people read them: numbers and dates from X, NaN or NaT where blank, else
        as they were.

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"a": ["1", "", "3"], "b": ["x", "y", "x"]})
        >>> encoder = TableEncoder()
        >>> cells = encoder.cells(encoder.fit_transform(frame), frame)
        >>> cells["a"].tolist(), cells["b"].tolist()
        ([1.0, nan, 3.0], ['x', 'y', 'x'])
        """
        found: dict[str, Any] = {}
        for column in self._used:
            if column.kind not in ("number", "date"):
                found[column.name] = table[column.name].astype(object).fillna("").to_numpy()
                continue
            at = self.feature_names_.index(column.features[0])
            values = np.array(X[:, at], dtype=np.float64)
            if self.standardized_:
                values = values * column.spreads[0] + column.centers[0]
            if column.marks_blanks:
                values[X[:, at + 1] != 0] = np.nan
            found[column.name] = values if column.kind == "number" else moments(values)
        return found

    def state(self) -> dict[str, Any]:
        """What was learned, in plain types."""
        return {
            "kind": "table",
            "format": FORMAT,
            "scale": self.scale,
            "columns": [column.state() for column in self.columns_],
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> "TableEncoder":
        """The encoder that `state` came from."""
        if state.get("kind") != "table" or state.get("format") != FORMAT:
            raise ValueError(
                f"the encoder of the table has format {state.get('format')}, and this version "
                f"reads {FORMAT}; fit again"
            )
        encoder = cls(state["scale"])
        encoder.texts_ = ()
        encoder.columns_ = tuple(map(EncodedColumn.from_state, state["columns"]))
        encoder._settle_scale()
        return encoder

    def _with_texts(
        self, frame: "DataFrame", place: Places, learned: Sequence[Learned]
    ) -> list[Learned]:
        """As learned, but with the words of the longest texts where there is nothing else."""
        out = [column.name for column, _ in learned if column.kind == "none"]
        counted = {name: words_per_text(frame[name], place) for name in out}
        texts = [name for name in out if counted[name] >= SEVERAL_WORDS]
        longest = max(texts, key=counted.__getitem__) if texts and len(out) == len(learned) else ""
        self.texts_ = tuple(
            name for name in texts if name != longest and counted[name] >= MANY_WORDS
        )
        return [
            _with_words(one, frame, place) if one[0].name == longest else one for one in learned
        ]

    def _settle_scale(self) -> None:
        self.encoded_ = any(
            column.kind in ("date", "category", "words") for column in self.columns_
        )
        self.standardized_ = self.scale == "standard" or (self.scale == "auto" and self.encoded_)
        self.feature_names_ = tuple(name for column in self.columns_ for name in column.features)

    @property
    def _used(self) -> list[EncodedColumn]:
        return [column for column in self.columns_ if column.features]

    def _joined(self, blocks: Sequence[FloatArray]) -> FloatArray:
        single = not self.standardized_ and all(block.dtype == np.float32 for block in blocks)
        X = np.empty((len(blocks[0]), len(self.feature_names_)), "f4" if single else "f8")
        at = 0
        for column, block in zip(self._used, blocks, strict=True):
            part = X[:, at : at + len(column.features)]
            part[:] = block
            if self.standardized_:
                part -= column.centers
                part /= column.spreads
            at += len(column.features)
        return X


def _with_words(learned: Learned, frame: "DataFrame", place: Places) -> Learned:
    """The column by its words; as it was if no word is in two texts."""
    name = learned[0].name
    try:
        return learn_column(name, frame[name], place, words=True, category=False, keep=False)
    except Unusable:
        return learned
