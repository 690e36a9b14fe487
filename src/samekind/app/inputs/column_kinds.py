"""What a column of a table holds: numbers, dates, categories, or what cannot be used.

Dates are recognized by skrub; its TableVectorizer as a whole is not used. That one casts to
float32, turns one column of text into thirty, which then outweigh all numbers, and its fitted form
is made of private types, which a model file should not have to trust.
"""

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from samekind._typing import FloatArray
from samekind.app.inputs.columns import Unit

if TYPE_CHECKING:
    from pandas import DataFrame, Series

# How programs write "no value".
MISSING = pa.array(
    ["", "-", "--", "?", "...", "na", "n/a", "#n/a", "#na", "<na>", "null", "none", "nan"]
)
MOSTLY = 0.5  # share of the cells from which on the others are taken for mistakes
DAY = 86_400.0
TIME = r"^[0-9]{1,3}:[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?$"  # of day, or how long
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_LETTERS = {
    "%Y": "YYYY",
    "%y": "YY",
    "%m": "MM",
    "%b": "Mon",
    "%B": "Month",
    "%d": "DD",
    "%H": "hh",
    "%I": "hh",
    "%M": "mm",
    "%S": "ss",
    "%f": "ffffff",
    "%p": "AM",
    "%z": "+hh:mm",
}


class Unusable(ValueError):
    """What is wrong with a column, as the end of a sentence that begins with its name."""


@dataclass(frozen=True)
class Found:
    """Cells of one column, recognized.

    ``values`` are float64 with NaN where blank for numbers and dates (days since 1970), and an
    arrow array of texts with nulls otherwise.
    """

    kind: str  # "number", "date" or "text"
    values: Any
    date_format: str | None = None
    single: bool = False  # numbers in float32
    hours: bool = False  # numbers that were times

    @property
    def blank(self) -> NDArray[np.bool_]:
        """Where there is no value."""
        if self.kind == "text":
            return np.asarray(self.values.is_null())
        return np.asarray(np.isnan(self.values))


def recognize(column: "Series", place: "Places", *, as_text: bool = False) -> Found:
    """What a column holds, whatever type pandas has for it."""
    from pandas import CategoricalDtype
    from pandas.api import types

    if isinstance(column.dtype, CategoricalDtype) or types.is_bool_dtype(column.dtype):
        return Found("text", _texts(column))
    if types.is_datetime64_any_dtype(column.dtype):
        return Found("date", _days(column))
    if types.is_timedelta64_dtype(column.dtype):
        return Found("number", column.dt.total_seconds().to_numpy(np.float64) / DAY)
    if types.is_complex_dtype(column.dtype):
        raise Unusable("holds complex numbers, expected real ones")
    if types.is_numeric_dtype(column.dtype) and not as_text:
        return _numbers(column, place)
    texts = _texts(column)
    return Found("text", texts) if as_text else _of_texts(texts, place)


def as_numbers(column: "Series", place: "Places") -> FloatArray:
    """The numbers of a column that held numbers before."""
    found = recognize(column, place)
    if found.kind == "number":
        return np.asarray(found.values)
    if found.blank.all():
        return np.full(len(column), np.nan)
    held = "dates" if found.kind == "date" else _first_text(found.values, place)
    raise Unusable(f"holds {held}, expected numbers")


def as_dates(column: "Series", date_format: str | None, place: "Places") -> FloatArray:
    """Days since 1970 of a column that held dates before."""
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return _days(column)
    texts = _texts(column)
    if date_format is None:
        found = _of_texts(texts, place)
        if found.kind == "date" or found.blank.all():
            return _days(pd.to_datetime(pd.Series(texts.to_pandas()), format=found.date_format))
        raise Unusable(f"holds {_first_text(texts, place)}, expected dates")
    days = _days(pd.to_datetime(texts.to_pandas(), format=date_format, errors="coerce", utc=True))
    wrong = np.isnan(days) & ~np.asarray(texts.is_null())
    if wrong.any():
        raise Unusable(
            f"holds {_first_text(texts, place, wrong)}, expected dates as {in_letters(date_format)}"
        )
    return days


def as_texts(column: "Series") -> Any:
    """The texts of a column, null where blank."""
    return _texts(column)


class Places:
    """Where the rows of a frame are: as its index says, if it is named "line" or "row"."""

    def __init__(self, frame: "DataFrame") -> None:
        named = frame.index.name in ("line", "row")
        self.unit: Unit = frame.index.name if named else "row"
        self.numbers = frame.index if named else range(1, len(frame) + 1)

    def __call__(self, i: int) -> str:
        """The place of row i, counted from 0."""
        return f"{self.unit} {self.numbers[i]}"


def _numbers(column: "Series", place: Places) -> Found:
    single = column.dtype in ("float32", "float[pyarrow]")
    with np.errstate(over="ignore"):  # a long double that is too large: refused as inf
        values = column.to_numpy(np.float64, na_value=np.nan)
    return Found("number", _finite(values, place), single=single)


def _finite(values: FloatArray, place: Places) -> FloatArray:
    wrong = np.flatnonzero(np.isinf(values))
    if len(wrong):
        raise Unusable(f"holds {values[wrong[0]]} in {place(wrong[0])}, expected finite numbers")
    return values


def _texts(column: "Series") -> Any:
    """Texts without blanks around them, null where there is nothing."""
    try:
        texts = pa.array(column, from_pandas=True)
        if isinstance(texts, pa.ChunkedArray):
            texts = texts.combine_chunks()
        if pa.types.is_dictionary(texts.type):
            texts = texts.dictionary_decode()
        if not pa.types.is_string(texts.type):
            texts = _written(texts)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        texts = pa.array([None if x is None or x != x else str(x) for x in column], pa.string())
    texts = pc.utf8_trim_whitespace(texts)
    return pc.if_else(is_missing(texts), pa.scalar(None, pa.string()), texts)


def _written(values: Any) -> Any:
    kind = values.type
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return values.cast(pa.string())
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise Unusable(f"holds values of type {kind}, expected numbers, text or dates")
    if pa.types.is_boolean(kind):
        return pc.if_else(values, "true", "false")
    if pa.types.is_floating(kind):  # whole numbers that a blank has turned into floats
        shown = [None if x is None or x != x else f"{x:.17g}" for x in values.to_pylist()]
        return pa.array(shown, pa.string())
    return values.cast(pa.string())


def is_missing(texts: Any) -> Any:
    """Where a text means that there is no value."""
    return pc.fill_null(pc.is_in(pc.utf8_lower(texts), MISSING), False)


def _of_texts(texts: Any, place: Places) -> Found:
    try:
        values = pc.cast(texts, pa.float64()).to_numpy(zero_copy_only=False)
        return Found("number", _finite(np.array(values, np.float64), place))
    except pa.ArrowInvalid:
        pass
    is_number = np.array(pc.fill_null(pc.match_substring_regex(texts, NUMBER), False))
    filled = ~np.asarray(texts.is_null())
    if is_number.sum() >= MOSTLY * filled.sum():
        raise Unusable(f"holds numbers, and {_few_texts(texts, filled & ~is_number, place)}")
    if pc.all(pc.match_substring_regex(texts, TIME)).as_py():
        return Found("number", _hours(texts), hours=True)
    return _dates(texts, filled, place) or Found("text", texts)


def _hours(texts: Any) -> FloatArray:
    """Times as hours; NaN where blank. 4:30 is four and a half, be it of hours or of minutes.

    Examples
    --------
    >>> _hours(pa.array(["7:30", None, "12:00:36"]))
    array([ 7.5 ,   nan, 12.01])
    """
    shares = 1 / 60.0 ** np.arange(3)
    parts = [np.array(text.split(":"), float) if text else [np.nan] for text in texts.to_pylist()]
    return np.array([np.dot(part, shares[: len(part)]) for part in parts])


def _dates(texts: Any, filled: NDArray[np.bool_], place: Places) -> Found | None:
    import pandas as pd
    from pandas.tseries.api import guess_datetime_format

    first = texts[int(np.argmax(filled))].as_py()
    if not any(letter.isdigit() for letter in first):  # a month alone is no date
        return None
    from skrub import ToDatetime  # type: ignore[import-untyped]
    from skrub.core import RejectColumn  # type: ignore[import-untyped]

    column, reader = pd.Series(texts.to_pandas(), dtype="str"), ToDatetime()
    try:
        return Found("date", _days(reader.fit_transform(column)), reader.format_)
    except RejectColumn:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that days come first
            guess = guess_datetime_format(first)
    if guess is None:
        return None
    days = _days(pd.to_datetime(column, format=guess, errors="coerce", utc=True))
    some = ~np.isnan(days)
    if (some == filled).all():
        return Found("date", days, guess)
    if some.sum() < max(2, MOSTLY * filled.sum()):
        return None
    raise Unusable(f"holds dates, and {_few_texts(texts, filled & ~some, place)}")


def _days(dates: Any) -> FloatArray:
    """Days since 1970, in universal time where a time zone is given; NaN where blank."""
    import pandas as pd

    column = pd.Series(dates)
    if isinstance(column.dtype, pd.ArrowDtype):
        column = pa.array(column).cast(pa.timestamp("us")).to_pandas()
    if column.dt.tz is not None:
        column = column.dt.tz_convert(None)
    moments = column.to_numpy("datetime64[us]")
    return np.where(np.isnat(moments), np.nan, moments.astype(np.int64) / (1e6 * DAY))


def moments(days: FloatArray) -> NDArray[np.datetime64]:
    """Days since 1970 as dates, with hours and minutes if any has them; NaT where NaN.

    Examples
    --------
    >>> moments(np.array([0.0, 365.0, np.nan]))
    array(['1970-01-01', '1971-01-01', 'NaT'], dtype='datetime64[D]')
    """
    minutes = np.where(np.isnan(days), 0, np.round(days * 24 * 60)).astype("datetime64[m]")
    dates = (
        minutes if (minutes != minutes.astype("datetime64[D]")).any() else minutes.astype("M8[D]")
    )
    return np.where(np.isnan(days), np.datetime64("NaT"), dates)


def _few_texts(texts: Any, where: NDArray[np.bool_], place: Places) -> str:
    more = int(where.sum()) - 1
    others = f" and {more} more" if more else ""
    return f"{_first_text(texts, place, where)}{others}"


def _first_text(texts: Any, place: Places, where: NDArray[np.bool_] | None = None) -> str:
    i = int(np.argmax(~np.asarray(texts.is_null()) if where is None else where))
    text = texts[i].as_py()
    return f"the text {shortened(text)!r} in {place(i)}"


def in_letters(date_format: str) -> str:
    """A format of dates as people write it.

    Examples
    --------
    >>> in_letters("%d.%m.%Y")
    'DD.MM.YYYY'
    """
    for code, letters in _LETTERS.items():
        date_format = date_format.replace(code, letters)
    return date_format


def shortened(text: str, most: int = 40) -> str:
    """A text that is too long for a message, cut."""
    return text if len(text) <= most else text[: most - 3] + "..."
