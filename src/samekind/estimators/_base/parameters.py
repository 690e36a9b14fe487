"""Ranges of parameters, declared as a table and checked in fit.

Not in __init__, so that scikit-learn's clone and grid search work. scikit-learn's own table
of this kind is private to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real


@dataclass(frozen=True)
class Whole:
    """A whole number, at least ``low``."""

    low: int
    or_none: bool = False

    def holds(self, value: object) -> bool:
        if value is None:
            return self.or_none
        return (
            isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= self.low
        )

    def __str__(self) -> str:
        return f"a whole number of {self.low} or more" + (", or None" if self.or_none else "")


@dataclass(frozen=True)
class Number:
    """A finite number above ``low``, or at least ``low`` where that is allowed too.

    Below ``below``, where there is such a bound.
    """

    low: float
    closed: bool = False
    or_none: bool = False
    below: float | None = None

    def holds(self, value: object) -> bool:
        if value is None:
            return self.or_none
        if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value):
            return False
        if self.below is not None and float(value) >= self.below:
            return False
        return float(value) >= self.low if self.closed else float(value) > self.low

    def __str__(self) -> str:
        text = f"a finite number {'of' if self.closed else 'above'} {self.low:g}"
        text += " or more" if self.closed else ""
        text += "" if self.below is None else f" and below {self.below:g}"
        return text + (", or None" if self.or_none else "")


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def holds(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        return " or ".join(repr(word) for word in self.words)


Range = Whole | Number | OneOf


def check_parameters(owner: str, values: Mapping[str, object], ranges: Mapping[str, Range]) -> None:
    """Refuse the first value outside its range.

    Examples
    --------
    >>> check_parameters("DGSL", {"tol": -1}, {"tol": Number(0)})
    Traceback (most recent call last):
        ...
    ValueError: The 'tol' parameter of DGSL must be a finite number above 0. Got -1 instead.
    """
    for name, allowed in ranges.items():
        if not allowed.holds(values[name]):
            raise ValueError(
                f"The {name!r} parameter of {owner} must be {allowed}. "
                f"Got {values[name]!r} instead."
            )
