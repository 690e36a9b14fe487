"""Ranges of parameters, declared as a table and checked in fit.

Not in __init__, so that scikit-learn's clone and grid search work. The messages are those of
scikit-learn, whose own table of this kind is private to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real
from typing import Any


@dataclass(frozen=True)
class Whole:
    """An int, at least ``low``.

    Examples
    --------
    >>> print(Whole(1, or_none=True))
    an int in the range [1, inf) or None
    """

    low: int
    or_none: bool = False

    def holds(self, value: object) -> bool:
        if value is None:
            return self.or_none
        return (
            isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= self.low
        )

    def __str__(self) -> str:
        return f"an int in the range [{self.low}, inf)" + (" or None" if self.or_none else "")


@dataclass(frozen=True)
class Number:
    """A finite number above ``low``, or at least ``low`` where that is allowed too.

    Below ``below``, where there is such a bound.

    Examples
    --------
    >>> print(Number(0, closed=True, below=1))
    a float in the range [0.0, 1.0)
    """

    low: float
    closed: bool = False
    or_none: bool = False
    below: float = float("inf")

    def holds(self, value: object) -> bool:
        if value is None:
            return self.or_none
        if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value):
            return False
        above = float(value) >= self.low if self.closed else float(value) > self.low
        return above and float(value) < self.below

    def __str__(self) -> str:
        text = f"a float in the range {'[' if self.closed else '('}{float(self.low)}, "
        return f"{text}{float(self.below)})" + (" or None" if self.or_none else "")


@dataclass(frozen=True)
class OneOf:
    """One of a few words.

    Examples
    --------
    >>> print(OneOf(("kmeans", "seeded")))
    a str among {'kmeans', 'seeded'}
    """

    words: tuple[str, ...]

    def holds(self, value: object) -> bool:
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        return f"a str among {{{', '.join(map(repr, self.words))}}}"


@dataclass(frozen=True)
class TrueOrFalse:
    """True or False."""

    def holds(self, value: object) -> bool:
        return isinstance(value, bool)

    def __str__(self) -> str:
        return "a bool"


@dataclass(frozen=True)
class AutoOrBool:
    """True, False, or left to the method."""

    def holds(self, value: object) -> bool:
        return isinstance(value, bool) or (isinstance(value, str) and value == "auto")

    def __str__(self) -> str:
        return "a bool or 'auto'"


@dataclass(frozen=True)
class Jobs:
    """A number of threads as in scikit-learn: -1 is all cores, None is 1."""

    def holds(self, value: object) -> bool:
        return value is None or (
            isinstance(value, Integral) and not isinstance(value, bool) and value != 0
        )

    def __str__(self) -> str:
        return "an int other than 0, or None"


Range = Whole | Number | OneOf | TrueOrFalse | AutoOrBool | Jobs


def ranges_of(cls: type) -> Mapping[str, Range]:
    """The ranges of all parameters: RANGES of a class and of its base classes."""
    ranges: dict[str, Range] = {}
    for part in reversed(cls.__mro__):
        ranges |= part.__dict__.get("RANGES", {})
    return ranges


def check_parameters(estimator: Any) -> None:
    """Refuse the first parameter of an estimator that is outside its range.

    Examples
    --------
    >>> from samekind import DGSL
    >>> check_parameters(DGSL(0))
    Traceback (most recent call last):
        ...
    ValueError: The 'n_clusters' parameter of DGSL must be an int in the range [1, inf). \
Got 0 instead.
    """
    values = estimator.get_params(deep=False)
    for name, allowed in ranges_of(type(estimator)).items():
        if name in values and not allowed.holds(values[name]):
            raise ValueError(
                f"The {name!r} parameter of {type(estimator).__name__} must be {allowed}. "
                f"Got {values[name]!r} instead."
            )
