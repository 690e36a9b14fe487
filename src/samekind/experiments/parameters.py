"""Parameters of DGSL for the paper's data sets, each with where it comes from.

The authors logged theirs beside their public code, for the smallest number of labelled samples.
They were chosen with the true labels, as the paper's numbers were.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final


class Origin:
    """Where parameters come from, in words."""

    AUTHORS: Final = "the authors' log at the smallest number of labelled samples"
    ISOLET1: Final = "not logged: what the authors logged for isolet1"
    DEFAULTS: Final = "our defaults, the same for all data sets"
    VALIDATION: Final = "a small grid, chosen on the validation nodes"
    GRAPH: Final = "our defaults; the graph's sparsity from search-graph, chosen with true labels"
    SEARCH: Final = "a small grid, on draws outside those of the tables"
    GRID: Final = "one parameter moved, the others as the authors logged them"


def _set(
    feedback: float,
    sparsity: float,
    must_link_weight: float,
    local_ratio: float,
    n_neighbors: int,
    scale_neighbor: int,
) -> dict[str, Any]:
    return dict(locals())


AUTHORS: dict[str, dict[str, Any]] = {
    "orl": _set(0.01, 0.0, 10.0, 0.2, 7, 5),
    "yale": _set(0.02, 0.5, 10.0, 0.2, 7, 5),
    "coil20": _set(0.2, 3.0, 100.0, 0.02, 7, 5),
    "umist": _set(0.1, 1.0, 100.0, 0.05, 5, 3),
    "isolet1": _set(0.02, 0.0, 1.0, 0.1, 51, 21),
    "isolet2": _set(0.02, 0.0, 1.0, 0.1, 51, 21),
    "yaleb18": _set(0.005, 0.25, 100.0, 0.02, 4, 3),
    "mnist_1000": _set(0.02, 1.0, 10.0, 0.2, 7, 5),
    "usps_1000": _set(0.02, 1.0, 10.0, 0.2, 7, 5),
}
# Of the self-representation that the baselines get as their graph on faces, which the paper does
# not state: the best on the mean of SL, CSP, CSCAP and LSGR in search-graph.
GRAPH_SPARSITY = {"orl": 1.0, "yale": 2.0, "umist": 4.0, "yaleb18": 0.5}


@dataclass(frozen=True)
class Chosen:
    """Parameters, and where they come from."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    origin: str = Origin.DEFAULTS

    def but(self, origin: str | None = None, **parameters: Any) -> "Chosen":
        """The same with some of them changed."""
        return Chosen({**self.parameters, **parameters}, origin or self.origin)


def dgsl_parameters(dataset: str, setting: Mapping[str, Any]) -> Chosen:
    """What the authors used on a data set; our defaults on any other.

    Examples
    --------
    >>> dgsl_parameters("orl", {"labelled": 2}).parameters["feedback"]
    0.01
    >>> dgsl_parameters("digits", {"labelled": 2}).parameters
    {}
    """
    if dataset not in AUTHORS:
        return Chosen()
    origin = Origin.ISOLET1 if dataset == "isolet2" else Origin.AUTHORS
    return Chosen(AUTHORS[dataset], origin)
