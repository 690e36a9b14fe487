"""Records that a report shows, as far as it looks at them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class IterationRecord(Protocol):
    """One outer iteration of the solver."""

    @property
    def objective(self) -> float: ...  # may be nan
    @property
    def rho(self) -> float: ...  # may be inf or nan
    @property
    def change_A(self) -> float: ...
    @property
    def change_Z(self) -> float: ...
    @property
    def nonzeros_per_row(self) -> float: ...
    @property
    def seconds(self) -> float: ...


class CandidateRecord(Protocol):
    """A graph that could have been chosen."""

    @property
    def n_neighbors(self) -> Any: ...  # None: no local graph; "graph": one of the user
    @property
    def local_share(self) -> float: ...
    @property
    def by_pairs(self) -> float: ...  # may be nan
    @property
    def by_modularity(self) -> float: ...
    @property
    def total(self) -> float: ...
    @property
    def kept(self) -> bool: ...


class ChoiceRecord(Protocol):
    """What a method chose; its text is a sentence."""

    @property
    def candidates(self) -> Sequence[CandidateRecord]: ...
    @property
    def n_tested(self) -> int: ...
    @property
    def local_share(self) -> float: ...
    @property
    def standardized(self) -> bool: ...
    @property
    def n_components(self) -> int | None: ...
    @property
    def metric_learned(self) -> bool: ...
    @property
    def metric_by_pairs(self) -> tuple[float, float] | None: ...
    @property
    def n_directions(self) -> int: ...
    @property
    def of_rows(self) -> bool: ...
    @property
    def n_named(self) -> int: ...
    @property
    def learned(self) -> bool: ...
    @property
    def pairs_in_graph(self) -> bool | None: ...
    @property
    def start(self) -> str: ...
    @property
    def modularity(self) -> float: ...


@dataclass(frozen=True)
class KChoice:
    """How the number of clusters was chosen, where it was not given.

    Parameters
    ----------
    ks, scores : sequence of int, sequence of float
        Numbers of clusters that were tried, in ascending order, and the score of each.
    chosen : int
        The one that was taken.
    alternatives : sequence of (int, str)
        The next candidates, each with a sentence on what splits or merges.
    sentence : str
        How far the choice can be relied on.

    Examples
    --------
    >>> choice = KChoice([2, 3, 4], [0.4, 0.9, 0.8], 3, [(4, "cluster 1 splits")])
    >>> choice.alternatives[0][1]
    'cluster 1 splits'
    """

    ks: Sequence[int]
    scores: Sequence[float]
    chosen: int
    alternatives: Sequence[tuple[int, str]] = ()
    sentence: str = ""

    def __post_init__(self) -> None:
        if len(self.ks) != len(self.scores) or self.chosen not in self.ks:
            raise ValueError(
                f"ks has {len(self.ks)} entries, scores {len(self.scores)} and chosen is "
                f"{self.chosen}; hand over one score for each of ks, and one of them as chosen"
            )
