"""Misspelled names: which of the known ones come nearest."""

from collections.abc import Iterable
from difflib import SequenceMatcher

ALIKE = 0.6  # from here on a name is offered as what was meant


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names, the most similar first; capital letters make no difference.

    Examples
    --------
    >>> nearest("gsl", ["sc", "csp", "dgsl"])
    ['dgsl', 'sc', 'csp']
    """
    return sorted(known, key=lambda one: -_likeness(name, one))


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """A question with the most similar name, or another remedy where none is similar.

    Examples
    --------
    >>> did_you_mean("nam", ["name", "kind"], "use one of these")
    "did you mean 'name'?"
    >>> did_you_mean("zzz", ["name", "kind"], "use one of these")
    'use one of these'
    """
    first = next(iter(nearest(name, known)), "")
    return f"did you mean '{first}'?" if _likeness(name, first) >= ALIKE else otherwise


def _likeness(name: str, known: str) -> float:
    return SequenceMatcher(None, name.lower(), known.lower()).ratio()
