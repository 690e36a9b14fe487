"""The methods by name: every class in a file of samekind.estimators that has SUPERVISION.

Adding one is described in docs/extend_method.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from typing import Any

from samekind import estimators

SUPERVISIONS = ("pairs", "must-links", "none", "labels")


@dataclass(frozen=True)
class Method:
    """A method as the command line and the experiments see it."""

    estimator: type[Any]

    @property
    def supervision(self) -> str:
        """What it learns from, one of SUPERVISIONS."""
        return str(self.estimator.SUPERVISION)

    @property
    def interpretation(self) -> bool:
        """Whether the published text leaves open what exactly is computed."""
        return "INTERPRETATION" in vars(self.estimator)

    @property
    def name(self) -> str:
        """How it is called on the command line."""
        return self.estimator.__name__.lower()

    @property
    def title(self) -> str:
        """How it is called wherever its numbers are shown."""
        return self.estimator.__name__ + (" (our interpretation)" if self.interpretation else "")

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return str(self.estimator.__doc__).strip().splitlines()[0]

    @property
    def takes_labels(self) -> bool:
        """Whether fit wants labels; else pairs, which some methods ignore."""
        return self.supervision == "labels"

    @property
    def interruptible(self) -> bool:
        """Whether it iterates, so that a callback can end it and keep what it has."""
        return "max_iter" in signature(self.estimator).parameters

    @property
    def clusters(self) -> bool:
        """Whether it sorts samples; a transformer only gives them other coordinates."""
        return hasattr(self.estimator, "predict")


def _found() -> Iterator[Method]:
    for one in iter_modules(estimators.__path__):
        if not one.ispkg:
            for value in vars(import_module(f"{estimators.__name__}.{one.name}")).values():
                if isinstance(value, type) and "SUPERVISION" in vars(value):
                    yield Method(value)


FIRST = ("samekind", "dgsl")


def _place(method: Method) -> tuple[int, int, str]:
    """SameKind and DGSL first, then by what they learn from."""
    first = FIRST.index(method.name) if method.name in FIRST else len(FIRST)
    return first, SUPERVISIONS.index(method.supervision), method.name


METHODS = {method.name: method for method in sorted(set(_found()), key=_place)}
