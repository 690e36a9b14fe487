"""Methods declared as tables: a parameter is written, explained and bounded once.

A method is a class whose annotated names are its parameters, as in a dataclass; those of the
classes it builds on come first. scikit-learn finds the parameters in the signature that is made
from them, ``ranges_of`` their ranges, and readers all of their descriptions in one docstring.
"""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

from samekind.estimators._base.parameters import Range

Class = TypeVar("Class", bound=type)
# Parts of a docstring that are joined with those of the classes below; in numpydoc's order.
JOINED = ("Parameters", "Attributes")


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
def method(cls: Class) -> Class:
    """Give a class the signature and the docstring that its parameters and bases make.

    Examples
    --------
    >>> @method
    ... class Base:
    ...     '''Something.
    ...
    ...     Parameters
    ...     ----------
    ...     tol : float
    ...         When to stop.
    ...     '''
    ...
    ...     tol: float = 0.1
    >>> @method
    ... class Derived(Base):
    ...     '''Something else.
    ...
    ...     Parameters
    ...     ----------
    ...     weight : float
    ...         How much.
    ...     '''
    ...
    ...     weight: float = 1.0
    >>> list(inspect.signature(Derived).parameters)
    ['tol', 'weight']
    >>> "When to stop." in Derived.__doc__
    True
    """
    own = inspect.cleandoc(cls.__doc__ or "")
    bases = [inspect.cleandoc(base.__dict__.get("__doc__") or "") for base in cls.__bases__]
    dataclass(kw_only=True, eq=False, repr=False)(cls)  # changes the class itself
    cls.__doc__ = _joined(own, bases)
    return cls


def ranges_of(cls: type) -> Mapping[str, Range]:
    """The ranges of all parameters, from a class and those it builds on."""
    ranges: dict[str, Range] = {}
    for part in reversed(cls.__mro__):
        ranges |= part.__dict__.get("RANGES", {})
    return ranges


def _joined(own: str, bases: list[str]) -> str:
    """A docstring with the entries of the bases before its own; its own replace theirs."""
    for title in JOINED:
        texts = filter(None, (_entries(text, title) for text in bases))
        inherited = _without("\n".join(texts), _entries(own, title))
        if not inherited:
            continue
        heading = f"{title}\n{'-' * len(title)}\n"
        if heading in own:
            own = own.replace(heading, f"{heading}{inherited}\n", 1)
        else:
            own = _before_the_rest(own, title, f"{heading}{inherited}")
    return own


def _entries(text: str, title: str) -> str:
    found = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n\w[^\n]*\n---|\Z)", text, re.M | re.S)
    return found.group(1).strip("\n") if found else ""


def _without(entries: str, others: str) -> str:
    """The entries that the others do not explain too: a default may change on the way."""
    names = re.findall(r"^\S.*? :", others, re.M)
    kept = [entry for entry in re.split(r"\n(?=\S)", entries) if not entry.startswith(tuple(names))]
    return "\n".join(kept)


def _before_the_rest(own: str, title: str, section: str) -> str:
    """Put a section where numpydoc expects it: before the first that comes later."""
    later = "References|Examples" if title == "Attributes" else "Attributes|References|Examples"
    found = re.search(rf"^(?:{later})\n---", own, re.M)
    at = found.start() if found else len(own)
    return f"{own[:at].rstrip()}\n\n{section}\n\n{own[at:]}".rstrip() + "\n"
