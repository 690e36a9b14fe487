"""Docstrings that share entries: a parameter that many methods have is explained once."""

import inspect
import re
from typing import TypeVar

Class = TypeVar("Class", bound=type)
# Sections that are merged with those of the base classes.
MERGED = ("Parameters", "Attributes")
# Sections that follow them, in numpydoc's order.
LATER = {"Parameters": "Attributes|References|Examples", "Attributes": "References|Examples"}


def inherit_docs(cls: Class) -> Class:
    """Add the parameters and attributes that the base classes explain to a class's docstring.

    Examples
    --------
    >>> class Base:
    ...     '''Something.
    ...
    ...     Parameters
    ...     ----------
    ...     tol : float
    ...         When to stop.
    ...     '''
    >>> @inherit_docs
    ... class Derived(Base):
    ...     '''Something else.
    ...
    ...     Parameters
    ...     ----------
    ...     weight : float
    ...         How much.
    ...     '''
    >>> print(Derived.__doc__)
    Something else.
    <BLANKLINE>
    Parameters
    ----------
    tol : float
        When to stop.
    weight : float
        How much.
    """
    doc = inspect.cleandoc(cls.__doc__ or "")
    bases = [inspect.cleandoc(base.__dict__.get("__doc__") or "") for base in cls.__bases__]
    for title in MERGED:
        texts = filter(None, (_entries(text, title) for text in bases))
        inherited = _without("\n".join(texts), _entries(doc, title))
        if title == "Parameters" and "__init__" in vars(cls):
            inherited = _only(inherited, set(inspect.signature(cls).parameters))
        if inherited:
            doc = _with(doc, title, inherited)
    if "__init__" in vars(cls):
        doc = _in_order(doc, list(inspect.signature(cls).parameters))
    cls.__doc__ = doc
    return cls


def _entries(text: str, title: str) -> str:
    found = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n\w[^\n]*\n---|\Z)", text, re.M | re.S)
    return found.group(1).strip("\n") if found else ""


def _without(entries: str, others: str) -> str:
    """The entries that the others do not explain too: a subclass may change a default."""
    names = re.findall(r"^\S.*? :", others, re.M)
    kept = [entry for entry in re.split(r"\n(?=\S)", entries) if not entry.startswith(tuple(names))]
    return "\n".join(kept)


def _only(entries: str, names: set[str]) -> str:
    """The entries of these names: a subclass may lack a parameter."""
    kept = [entry for entry in re.split(r"\n(?=\S)", entries) if entry.split(" :")[0] in names]
    return "\n".join(kept)


def _in_order(doc: str, names: list[str]) -> str:
    """The docstring with its parameters in the order of the signature."""
    entries = _entries(doc, "Parameters")
    place = {name: i for i, name in enumerate(names)}
    ordered = sorted(
        re.split(r"\n(?=\S)", entries),
        key=lambda entry: place.get(re.split(r"[ ,]", entry)[0], len(names)),
    )
    return doc.replace(entries, "\n".join(ordered), 1) if entries else doc


def _with(doc: str, title: str, entries: str) -> str:
    """The docstring with entries at the start of a section, which is made where it is missing."""
    heading = f"{title}\n{'-' * len(title)}\n"
    if heading in doc:
        return doc.replace(heading, f"{heading}{entries}\n", 1)
    found = re.search(rf"^(?:{LATER[title]})\n---", doc, re.M)
    at = found.start() if found else len(doc)
    return f"{doc[:at].rstrip()}\n\n{heading}{entries}\n\n{doc[at:]}".rstrip() + "\n"
