"""Commas and points in numbers: before decimals, or separators of thousands."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

LOOKED_AT = 1000  # rows that decide
_TWO_POINTS = r"^[+-]?[0-9]{1,3}(\.[0-9]{3}){2,}$"
_WHOLE = r"^[+-]?[0-9]+$"
_POINTS_IN_THOUSANDS = r"^[+-]?([0-9]{1,3}(\.[0-9]{3})+|[0-9]+)(,[0-9]+)?$"
_COMMAS_IN_THOUSANDS = r"^[+-]?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)(\.[0-9]+)?$"


def decimals_of(columns: Sequence[Any], separator: str) -> str | None:
    """Which sign is before the decimals, where numbers tell it; None where they do not.

    Examples
    --------
    >>> decimals_of([pa.chunked_array([["1,5", "2,25"]])], ";")
    ','
    >>> decimals_of([pa.chunked_array([["1,500", "12,250.5"]])], ",")
    '.'
    >>> decimals_of([pa.chunked_array([["12.250", "1.062.500"]])], ";")
    ','
    >>> decimals_of([pa.chunked_array([["1.5", "a, b"]])], ",") is None
    True
    """
    found = None
    for column in columns:
        texts = pc.utf8_trim_whitespace(column.slice(0, LOOKED_AT))
        filled = texts.filter(pc.not_equal(texts, ""))
        if _share(filled, _TWO_POINTS) > 0 and _share(filled, _POINTS_IN_THOUSANDS) == 1:
            return ","
        with_comma = texts.filter(pc.match_substring(texts, ","))
        if not len(with_comma) or _share(with_comma, r"^[+-]?[0-9.,]+$") < 1:
            continue
        thousands = _share(filled, _COMMAS_IN_THOUSANDS)
        decimals = _share(filled, _POINTS_IN_THOUSANDS)
        if max(thousands, decimals) < 0.5:
            continue
        if decimals > thousands:
            return ","  # no other meaning is possible
        if thousands > decimals or separator == ",":
            found = found or "."
        else:
            return ","
    return found


def with_points(column: Any, decimal: str) -> Any:
    """The column with its numbers as Python writes them; other cells stay as they are.

    Examples
    --------
    >>> with_points(pa.chunked_array([["1.250,5", "a, b", "3"]]), ",").to_pylist()
    ['1250.5', 'a, b', '3']
    """
    texts = pc.utf8_trim_whitespace(column)
    pattern = _POINTS_IN_THOUSANDS if decimal == "," else _COMMAS_IN_THOUSANDS
    is_number = pc.match_substring_regex(texts, pattern)
    if not pc.any(pc.and_(is_number, pc.invert(pc.match_substring_regex(texts, _WHOLE)))).as_py():
        return column
    other = "." if decimal == "," else ","
    plain = pc.replace_substring(pc.replace_substring(texts, other, ""), ",", ".")
    return pc.if_else(is_number, plain, column)


def _share(texts: Any, pattern: str) -> float:
    if not len(texts):
        return 0.0
    return float(pc.mean(pc.match_substring_regex(texts, pattern).cast(pa.float64())).as_py())
