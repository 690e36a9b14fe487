"""Which graph: the pairs decide as far as they can, modularity where they cannot.

A candidate's total is a weighted mean of what the pairs say of it and of a prior, the modularity of
the k clusters that the graph has by itself, large ones counting less. The pairs say how near
diffusion brings samples of a kind, and, as far as that leaves it open and there are many of them,
whether those clusters keep them. The prior counts as a fixed number of tested samples, so that it
decides without pairs and fades with many. Candidates that half a standard error does not separate
from the best are all kept, and their mean is the graph. But the mean of two graphs that contradict
each other has the clusters of neither: where the own clusters of such candidates differ, those that
most shares agree on are kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from samekind._selection.diffusion import Diffusion
from samekind._selection.evidence import Evidence
from samekind._selection.graphs import CandidateGraphs
from samekind._selection.modularity import even_modularity, separated
from samekind._selection.n_clusters import best_modularity
from samekind._selection.own_clusters import own_clusters
from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import compact

PRIOR_WEIGHT = 30.0  # the prior counts as so many tested samples
STANDARD_ERRORS = 0.5  # within so many of the best, a candidate is kept
OWN_UP_TO = 5000  # samples whose own clusters in a single graph are looked for too
CHANCE_ERRORS = 1.0  # standard errors above chance from which on own clusters say what pairs say
AGREEING = 0.5  # adjusted Rand index from which on clusters are taken for the same


Score = tuple[Any, float, float, float]  # m, s, by the pairs, by modularity


@dataclass(frozen=True)
class Candidate:
    """One graph with what is said of it."""

    n_neighbors: Any  # m of its local graph, None for none; "graph" for one of the user
    local_share: float  # s
    by_pairs: float  # between 0 and 1, 0.5 by chance; nan without pairs to test
    by_modularity: float  # or the mean share inside plain clusters; nan where all have the same
    total: float
    kept: bool


@dataclass(frozen=True)
class Chosen:
    """The mean of the candidates that were kept, and what was said of all."""

    graph: csr_array
    candidates: tuple[Candidate, ...]
    n_tested: int
    clearest: float = np.nan  # by diffusion alone, of any candidate; nan without pairs to test
    # Clusters that graphs have by themselves, by share of the local graph, where they were made.
    own: Mapping[float, IntArray] = field(default_factory=dict)
    own_told: bool = False  # whether such clusters keep more of the pairs than chance would
    # Share of the pairs that each of them keeps, both kinds counting the same.
    own_kept: Mapping[float, float] = field(default_factory=dict)

    @property
    def local_share(self) -> float:
        """Mean share of the local graphs among the candidates that were kept."""
        return float(np.mean([one.local_share for one in self.candidates if one.kept]))

    @property
    def best_by_pairs(self) -> float:
        return max(one.by_pairs for one in self.candidates)


def choose(
    graphs: CandidateGraphs,
    evidence: Evidence,
    n_clusters: int | tuple[int, int],
    order: IntArray | None = None,
) -> Chosen:
    """Score all candidates and keep the best; see ``spread_labels`` for ``order``.

    Where the number of clusters is not known but between two bounds, the prior of a graph is its
    modularity at the number that suits it best.
    """
    own = dict[float, IntArray]()
    # The prior depends on the share: of a single one, it could not tell candidates apart.
    several = len(graphs.shares) > 1
    prior = dict.fromkeys(graphs.shares, np.nan)
    if isinstance(n_clusters, tuple):
        if several:
            prior = {s: best_modularity(graphs.of_share(s), *n_clusters) for s in graphs.shares}
    elif several or graphs.n_samples <= OWN_UP_TO:
        own = {s: own_clusters(graphs.of_share(s), n_clusters, order) for s in graphs.shares}
        if several:
            prior = {s: _clarity(graphs, s, own[s], n_clusters) for s in graphs.shares}
    told = told_by_pairs(graphs, evidence)
    n = evidence.n_tested
    kept_by = {s: evidence.kept(labels) for s, labels in own.items()} if n else {}
    # The less diffusion tells: at chance half, where it leaves nothing open nothing.
    trust = (1 - max(told, default=1.0)) * n / (n + PRIOR_WEIGHT)
    scores = [
        (m, s, by_pairs + trust * (kept_by.get(s, by_pairs) - by_pairs), prior[s])
        for (m, s), by_pairs in zip(graphs.candidates, told, strict=True)
    ]
    own_told = False
    found = _chosen(graphs, scores, n, own)
    if kept_by:
        keeps = float(np.mean([kept_by[one.local_share] for one in found.candidates if one.kept]))
        n_pairs = 2 * evidence.n_compared
        own_told = n_pairs > 0 and keeps > 0.5 + CHANCE_ERRORS * standard_error(0.5, n_pairs)
    return replace(found, clearest=max(told), own_told=own_told, own_kept=kept_by)


def chosen_without_pairs(graphs: CandidateGraphs, chosen: Chosen) -> Chosen:
    """What would have been chosen without pairs, from what was found by ``choose``."""
    scores = [
        (one.n_neighbors, one.local_share, one.by_pairs, one.by_modularity)
        for one in chosen.candidates
    ]
    return _chosen(graphs, scores, 0, chosen.own)


def _chosen(
    graphs: CandidateGraphs, scores: Sequence[Score], n_tested: int, own: Mapping[float, IntArray]
) -> Chosen:
    """The candidates that scores leave, and their mean."""
    totals = _totals(scores, n_tested)
    best = float(totals.max())
    margin = STANDARD_ERRORS * standard_error(best, n_tested + PRIOR_WEIGHT)
    kept = totals >= best - margin
    if own:
        share = np.array([s for _, s in graphs.candidates])
        best_of = {s: float(totals[share == s].max()) for s in np.unique(share[kept])}
        kept &= np.isin(share, _agreeing(own, best_of))
    candidates = tuple(
        Candidate(*score, total=float(total), kept=bool(keep))
        for score, total, keep in zip(scores, totals, kept, strict=True)
    )
    graph = sum(graphs.graph(one.n_neighbors, one.local_share) for one in candidates if one.kept)
    return Chosen(compact(csr_array(graph / kept.sum())), candidates, n_tested, own=own)


def _agreeing(own: Mapping[float, IntArray], best_of: Mapping[float, float]) -> list[float]:
    """Of the shares in ``best_of`` those whose own clusters most of them agree on.

    Examples
    --------
    >>> import numpy as np
    >>> one, other = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> _agreeing({0.0: one, 0.5: other, 1.0: other}, {0.0: 0.8, 0.5: 0.7, 1.0: 0.7})
    [0.5, 1.0]
    """
    groups = {
        s: [t for t in best_of if adjusted_rand_score(own[s], own[t]) > AGREEING] for s in best_of
    }
    return groups[max(best_of, key=lambda s: (len(groups[s]), best_of[s]))]


def _clarity(graphs: CandidateGraphs, s: float, labels: IntArray, n_clusters: int) -> float:
    # Among the neighbors: of few coefficients a row, some samples always stand apart.
    plain = separated(graphs.mean_local, labels, n_clusters)
    return even_modularity(graphs.of_share(s), labels) if plain is None else plain


def told_by_pairs(graphs: CandidateGraphs, evidence: Evidence) -> list[float]:
    """What the pairs say of each candidate; nan without pairs to test."""
    if not evidence.n_tested:
        return [np.nan] * len(graphs.candidates)
    return [
        evidence.score(Diffusion(graphs.graph(m, s), single=True)) for m, s in graphs.candidates
    ]


def _totals(scores: Sequence[Score], n_tested: int) -> FloatArray:
    told, prior = np.array([score[2:] for score in scores]).T
    told = told if n_tested else np.zeros_like(told)
    prior = np.where(np.isnan(prior), told.mean(), prior)
    return np.asarray((n_tested * told + PRIOR_WEIGHT * prior) / (n_tested + PRIOR_WEIGHT))


def standard_error(share: float, n: float) -> float:
    """Of a share that was observed n times; one of 0 or 1 counts as nearly so.

    Examples
    --------
    >>> standard_error(0.5, 25)
    0.1
    """
    p = min(max(share, 0.01), 0.99)
    return float(np.sqrt(p * (1 - p) / n))
