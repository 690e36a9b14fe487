"""What SameKind chose, in words and numbers."""

import math
from dataclasses import dataclass

from samekind._selection.choice import Candidate
from samekind._selection.labels import OF_ROWS
from samekind._selection.n_clusters import NumberOfClusters


@dataclass(frozen=True)
class Choice:
    """What was chosen for one fit, and why.

    Attributes
    ----------
    candidates : tuple of Candidate
        The graphs that were compared: number of neighbors of the local graph, its share,
        score by the pairs (0.5 by chance, nan where there was nothing to test), by modularity,
        both together, and whether it was kept. The graph is the mean of those kept.
    n_tested : int
        What the score by the pairs counts as: samples whose own group could be compared with
        groups marked different or, if more, pairs without a common sample.
    chosen_by : str
        What decided between the candidates: "pairs", with modularity as a prior, or "modularity".
    local_share : float
        Mean share of the local graph, beside the representation graph, among those kept.
    standardized : bool
        Whether features were divided by their standard deviations.
    standardized_by : str
        What decided that: "parameter", "pairs", "units" or "default".
    n_components : int or None
        Principal components that rows were reduced to, as neighbors among the rows themselves say
        little, or their labels could not be told from chance; None: they were not.
    n_named : int
        Clusters for which a group of samples is known, all marked different.
    learned : bool
        Whether the learned graph was used; False: the chosen graph was, as learning did not settle,
        as samples are many and some clusters are not named, or as clusters of the rows are plainer.
    pairs_in_graph : bool or None
        Whether the pairs entered the final graph. False: labels of a graph with them fitted the
        chosen graph far worse than those of one without, so they are seeds of the labels alone.
        None without pairs.
    start : str
        Where the winning labels spread from: "named groups" or "k-means"; or "k-means on the
        rows", whose clusters are the labels where they are plainer than those of any graph: less
        variance inside, and fewer neighbors that lie in another cluster.
    n_starts : int
        Different partitions that were tried.
    modularity : float
        Of the labels in the final graph, less the share of violated cannot-links.
    n_clusters : NumberOfClusters or None
        How the number of clusters was chosen; None where it was given.
    metric_learned : bool
        Whether distances count what varies within must-link groups less (relevant component
        analysis, shrunk).
    metric_by_pairs : tuple of two floats, or None
        What pairs that were held out say of rows as they are, and with such distances; None where
        too little is known to compare.
    n_directions : int
        Directions in which kinds differ that count more than others (linear discriminant analysis);
        0 where they do not.
    """

    candidates: tuple[Candidate, ...]
    n_tested: int
    chosen_by: str
    local_share: float
    standardized: bool
    standardized_by: str
    n_named: int
    learned: bool
    pairs_in_graph: bool | None
    start: str
    n_starts: int
    modularity: float
    n_clusters: NumberOfClusters | None = None
    n_components: int | None = None
    metric_learned: bool = False
    metric_by_pairs: tuple[float, float] | None = None
    n_directions: int = 0

    @property
    def best_by_pairs(self) -> float:
        """The best score by the pairs of any candidate; nan where there was nothing to test."""
        return max(one.by_pairs for one in self.candidates)

    @property
    def of_rows(self) -> bool:
        """Whether labels are clusters of the rows, so that no graph was used."""
        return self.start == OF_ROWS

    def by_modularity(self, local_share: float) -> float:
        """Of candidates with that share; nan where there is none, or it was not compared."""
        return next(
            (one.by_modularity for one in self.candidates if one.local_share == local_share),
            math.nan,
        )

    def __str__(self) -> str:
        kept = [one for one in self.candidates if one.kept]
        if self.chosen_by == "pairs":
            best = self.best_by_pairs
            judged = f"by {self.n_tested} samples in pairs (best score {best:.2f}, chance 0.50)"
        else:
            best = max(one.by_modularity for one in self.candidates)
            by = "alike" if math.isnan(best) else f"by modularity alone (best {best:.2f})"
            judged = by if self.n_tested else f"{by}, as no pairs could be tested"
        features = "standardized" if self.standardized else "as they are"
        if self.n_components is not None:
            features += f", reduced to {_count(self.n_components, 'principal component')}"
        why = _WHY[self.standardized_by]
        if self.metric_learned and self.metric_by_pairs is not None:
            before, after = self.metric_by_pairs
            more = ", what tells kinds apart more" if self.n_directions else ""
            why += (
                f"; what varies among samples of the same kind counts less{more}: held-out pairs "
                f"score {after:.2f} so, else {before:.2f}"
            )
        graph = "learned from there" if self.learned else "used as it is, not learned further"
        if self.pairs_in_graph is False:
            graph += "; labels fit better so than with the pairs, which only seed them"
        if self.of_rows:
            graph = "not used, as clusters of the rows are plainer"
        number = f"{self.n_clusters}. " if self.n_clusters is not None else ""
        return number + (
            f"{len(kept)} of {len(self.candidates)} graphs kept {judged}; "
            f"{100 * self.local_share:.0f} % local graph, the rest representation; {graph}. "
            f"Features {features} ({why}). "
            f"{_count(self.n_named, 'cluster')} named. "
            f"Labels from {self.start}, the best of {_count(self.n_starts, 'start')}."
        )


def _count(n: int, what: str) -> str:
    return f"{n} {what}" + ("" if n == 1 else "s")


_WHY = {
    "parameter": "as asked",
    "pairs": "the pairs are clearer so",
    "units": "else one or two features would decide alone",
    "default": "nothing spoke against it",
}
