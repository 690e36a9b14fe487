"""The parameters of a method, as its signature and its docstring tell them."""

import inspect
import re
from dataclasses import dataclass

from samekind.estimators._base.registry import Method

# Parameters that have an option of their own.
OPTIONS = {"n_clusters": "-k", "random_state": "--seed"}


@dataclass(frozen=True)
class Parameter:
    """One parameter: its name, what it may be, its default, and what it does in one sentence."""

    name: str
    kind: str
    default: object
    summary: str


def parameters_of(method: Method) -> list[Parameter]:
    """The parameters of a method, in the order of its signature.

    Examples
    --------
    >>> from samekind import SC
    >>> first = parameters_of(Method(SC))[0]
    >>> first.name, first.kind, first.default
    ('n_clusters', 'int', 8)
    >>> first.summary
    'k, the number of clusters.'
    """
    manual = inspect.getdoc(method.estimator) or ""
    entries = re.findall(r"^(\w+) : (.*)\n((?:    .*\n?)+)", manual, re.M)
    explained = {name: (kind, " ".join(text.split())) for name, kind, text in entries}
    found = []
    for one in inspect.signature(method.estimator).parameters.values():
        kind, text = explained.get(one.name, ("", ""))
        sentence = re.split(r"(?<=\.) ", text)[0]
        found.append(Parameter(one.name, kind.split(", default")[0], one.default, sentence))
    return found
