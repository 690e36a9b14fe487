"""Numbers as people write them: with a currency, a percent sign or a unit, digits in groups."""

from typing import Any

import pyarrow.compute as pc

from samekind.app.inputs.column_kinds import is_missing

LOOKED_AT = 1000  # rows that decide whether a column is looked at as a whole
_MARKS = " \u00a0\u2009\u202f'’"  # between groups of three digits
_CURRENCY = r"\p{Sc}|CHF|EUR|GBP|USD"
# Letters right behind a number are a unit if they are small: 12kg, but 1001A names something.
_UNIT = rf"{_CURRENCY}|[^\pL0-9\s.,+-][^0-9]*|\p{{Ll}}[^0-9]*|\s\pL[^0-9]*"
_AMOUNT = (
    rf"^(?P<sign>[+-]?)(?P<before>{_CURRENCY})?[\s\x{{a0}}\x{{202f}}]*"
    rf"(?P<number>[+-]?(?:[1-9][0-9]{{0,2}}(?:[{_MARKS}][0-9]{{3}})+(?:[.,][0-9]+)?|[0-9][0-9.,]*))"
    rf"[\x{{a0}}\x{{202f}}\s]*?(?P<after>{_UNIT})?$"
)


def bare_numbers(column: Any) -> tuple[Any, str]:
    """A column of amounts without what stands beside the numbers, and what that is.

    Any other column stays as it is: one with a cell that is no amount, or with two units.

    Examples
    --------
    >>> import pyarrow as pa
    >>> column, unit = bare_numbers(pa.chunked_array([["1.250,50 €", "", "3 €"]]))
    >>> column.to_pylist(), unit
    (['1.250,50', '', '3'], '€')
    >>> bare_numbers(pa.chunked_array([["12 kg", "500 g"]]))[0].to_pylist()
    ['12 kg', '500 g']
    """
    some = pc.utf8_trim_whitespace(column.slice(0, LOOKED_AT))
    some = some.filter(pc.invert(is_missing(some)))
    if not _any(pc.match_substring_regex(some, r"[^0-9.,+eE-]")):
        return column, ""
    texts = pc.utf8_trim_whitespace(column)
    filled = pc.invert(is_missing(texts))
    found = pc.extract_regex(texts, _AMOUNT)
    if _any(pc.and_(filled, pc.is_null(found))):
        return column, ""
    units = [_only(pc.struct_field(found, side)) for side in ("before", "after")]
    if None in units:
        return column, ""
    number = pc.replace_substring_regex(pc.struct_field(found, "number"), f"[{_MARKS}]", "")
    signed = pc.binary_join_element_wise(pc.struct_field(found, "sign"), number, "")
    return pc.if_else(filled, signed, column), " ".join(filter(None, units))


def _only(units: Any) -> str | None:
    """The one unit of all cells that have any, "" if none has; None if there are several."""
    different = [x for x in pc.unique(pc.utf8_trim_whitespace(units)).to_pylist() if x]
    return None if len(different) > 1 else "".join(different)


def _any(cells: Any) -> bool:
    return bool(pc.any(cells, min_count=0).as_py())
