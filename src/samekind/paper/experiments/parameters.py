"""Parameters of DGSL for the paper's data sets, each with where it comes from.

The authors logged theirs beside their public code, for the smallest number of labeled samples.
They were chosen with the true labels, as the paper's numbers were.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

# Labeled samples per class, the paper's f.
LABELED = {
    "orl": (2, 3, 4),
    "yale": (2, 3, 4),
    "coil20": (2, 6, 10),
    "umist": (2, 3, 4),
    "isolet1": (5, 7, 10),
    "isolet2": (5, 7, 10),
    "yaleb18": (4, 7, 10),
    "mnist_1000": (5, 7, 10),
    "usps_1000": (5, 7, 10),
}
OTHERWISE = (2, 5, 10)  # on data sets that the paper does not have


class Origin:
    """Where parameters come from, in words."""

    AUTHORS: Final = "the authors' log at the smallest number of labeled samples"
    LARGER: Final = "the authors' log, changed for larger f by search-dgsl, chosen with true labels"
    ISOLET1: Final = "not logged: what the authors logged for isolet1"
    ISOLET1_LARGER: Final = "not logged: what search-dgsl found on isolet1, chosen with true labels"
    NEIGHBORS: Final = "the authors' numbers of neighbors for DGSL; all else our defaults"
    DEFAULTS: Final = "our defaults, the same for all data sets"
    VALIDATION: Final = "a small grid, chosen on the validation nodes"
    GRAPH: Final = "our defaults; the graph's sparsity from search-graph, chosen with true labels"
    FOUND: Final = "{log}, changed by {search}, chosen with true labels"
    SEARCH: Final = "a small grid, on random trials outside those of the tables"
    FEW_PAIRS: Final = "the authors' older public commit, which runs UMIST with random pairs"
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
# What search-dgsl found better at the larger numbers of labeled samples, on the data sets where a
# cell with the logged parameters lay more than one published deviation below the published mean.
LARGER: dict[str, dict[str, float]] = {
    "coil20": {"feedback": 0.1, "must_link_weight": 1000.0},
    "isolet1": {"local_ratio": 0.02},
    "isolet2": {"local_ratio": 0.02},
    "yaleb18": {"local_ratio": 0.004},
}
# What search-constraints and search-classes found best where the supervision is of another kind
# than the one the authors logged their parameters for.
CONSTRAINTS: dict[str, dict[str, float]] = {
    "orl": {"feedback": 0.01, "must_link_weight": 10.0},
    "yale": {"feedback": 0.02, "must_link_weight": 10.0},
    "coil20": {"feedback": 0.6, "must_link_weight": 100.0},
    "umist": {"feedback": 0.3, "must_link_weight": 10000.0},
    "isolet1": {"feedback": 0.06, "must_link_weight": 10.0},
    "isolet2": {"feedback": 0.02, "must_link_weight": 10.0},
    "yaleb18": {"feedback": 0.005, "must_link_weight": 1000.0},
    "mnist_1000": {"feedback": 0.02, "must_link_weight": 10.0},
    "usps_1000": {"feedback": 0.02, "must_link_weight": 100.0},
}
CLASSES: dict[str, dict[str, float]] = {
    "orl": {"feedback": 0.02, "must_link_weight": 10.0, "sparsity": 1.0},
    "yale": {"feedback": 0.02, "must_link_weight": 10.0, "sparsity": 2.0},
    "isolet1": {"feedback": 0.3, "must_link_weight": 1.0, "sparsity": 2.0},
    "mnist_1000": {"feedback": 0.3, "must_link_weight": 1.0, "sparsity": 0.0},
}
# Random pairs of the authors' older public commit: 40, 60, 80, 100 and 120 must-links for the 575
# samples of UMIST. Its alpha1 is 0.5, half of which is ours; nothing is public for the other sets.
FEW_PAIRS = (0.0696, 0.1043, 0.1391, 0.1739, 0.2087)  # must-links per sample
MANY_PAIRS = (0.25, 0.5, 1.0, 1.5, 2.0)
UMIST_FEW_PAIRS: dict[str, Any] = {
    "alpha1": 0.25,
    "sparsity": 2.5,
    "must_link_weight": 100.0,
    "local_ratio": 0.02,
    "n_neighbors": 5,
    "scale_neighbor": 3,
}
# Of the self-representation that the baselines get as their graph on faces, which the paper does
# not state: the default of the estimators for all sets. Where the mean of SL, CSP, CSCAP and LSGR
# in search-graph falls more than WORSE points below that at the best sparsity, the best one.
DEFAULT_SPARSITY = 1.0
WORSE = 10.0
GRAPH_SPARSITY = {"orl": 1.0, "yale": 1.0, "umist": 4.0, "yaleb18": 1.0}


@dataclass(frozen=True)
class Chosen:
    """Parameters, and where they come from."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    origin: str = Origin.DEFAULTS

    def but(self, origin: str | None = None, **parameters: Any) -> "Chosen":
        """The same with some of them changed."""
        return Chosen({**self.parameters, **parameters}, origin or self.origin)


def dgsl_parameters(dataset: str, setting: Mapping[str, Any]) -> Chosen:
    """What the authors used on a data set, moved at larger f; our defaults on any other.

    Examples
    --------
    >>> dgsl_parameters("coil20", {"labelled": 2}).parameters["feedback"]
    0.2
    >>> dgsl_parameters("coil20", {"labelled": 6}).parameters["feedback"]
    0.1
    >>> dgsl_parameters("digits", {"labelled": 2}).parameters
    {}
    """
    if dataset not in AUTHORS:
        return Chosen()
    if dataset == "umist" and setting.get("must_links_per_sample") in FEW_PAIRS:
        return Chosen(UMIST_FEW_PAIRS, Origin.FEW_PAIRS)
    borrowed = dataset == "isolet2"
    chosen = Chosen(AUTHORS[dataset], Origin.ISOLET1 if borrowed else Origin.AUTHORS)
    if dataset in LARGER and setting.get("labelled", 0) > LABELED[dataset][0]:
        origin = Origin.ISOLET1_LARGER if borrowed else Origin.LARGER
        return chosen.but(origin, **LARGER[dataset])
    return chosen


def found_parameters(dataset: str, setting: Mapping[str, Any]) -> Chosen:
    """What a search found for random pairs, or for labels of some of the classes.

    Examples
    --------
    >>> found_parameters("isolet1", {"must_links_per_sample": 1.0}).origin
    "the authors' log, changed by search-constraints, chosen with true labels"
    """
    search, found = (
        ("search-constraints", CONSTRAINTS)
        if "must_links_per_sample" in setting
        else ("search-classes", CLASSES)
    )
    if dataset not in found:
        return Chosen()
    log = "the authors' log" + (" for isolet1" if dataset == "isolet2" else "")
    origin = Origin.FOUND.format(log=log, search=search)
    return Chosen(AUTHORS[dataset]).but(origin, **found[dataset])
