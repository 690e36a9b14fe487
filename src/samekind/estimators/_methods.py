"""The methods by name, with what each wants to know; a new method is one line here."""

from dataclasses import dataclass
from typing import Any

from samekind.estimators._dgsl import DGSL
from samekind.estimators._spectral_clustering import SC


@dataclass(frozen=True)
class Method:
    """A method as the command line and the experiments see it."""

    estimator: type[Any]
    supervision: str  # "none", "pairs", "must-links" or "labels"
    our_reading: bool = False  # the published text leaves open what it computes

    @property
    def name(self) -> str:
        """How it is called on the command line."""
        return self.estimator.__name__.lower()

    @property
    def title(self) -> str:
        """How it is called wherever its numbers are shown."""
        return self.estimator.__name__ + (" (our reading)" if self.our_reading else "")

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return str(self.estimator.__doc__).strip().splitlines()[0]

    @property
    def takes_labels(self) -> bool:
        """Whether fit wants labels; else pairs, of which some methods make no use."""
        return self.supervision == "labels"


METHODS = {
    method.name: method
    for method in (
        Method(DGSL, "pairs"),
        Method(SC, "none"),
    )
}
