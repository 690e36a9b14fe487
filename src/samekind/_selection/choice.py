"""Which graph: the pairs decide as far as they can, modularity where they cannot.

A candidate's total is a weighted mean of what the pairs say of it and of a prior, the modularity
of the k clusters that the graph has by itself, large ones counting less. The prior counts as
a fixed number of tested samples, so that it decides without pairs and fades with many. Candidates
that half a standard error does not separate from the best are all kept, and their mean is the
graph; but for those whose own clusters are others than those of the best: the mean of two graphs
that contradict each other has the clusters of neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from samekind._selection.diffusion import Diffusion
from samekind._selection.evidence import Evidence
from samekind._selection.graphs import CandidateGraphs
from samekind._selection.modularity import even_modularity
from samekind._selection.n_clusters import best_modularity
from samekind._selection.own_clusters import own_clusters
from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import compact

PRIOR_WEIGHT = 30.0  # the prior counts as so many tested samples
STANDARD_ERRORS = 0.5  # within so many of the best, a candidate is kept
AGREEING = 0.5  # adjusted Rand index of its own clusters with those of the best


@dataclass(frozen=True)
class Candidate:
    """One graph with what is said of it."""

    n_neighbors: Any  # m of its local graph, None for none; "graph" for one of the user
    local_share: float  # s
    by_pairs: float  # between 0 and 1, 0.5 by chance; nan without pairs to test
    by_modularity: float  # nan where all candidates have the same
    total: float
    kept: bool


@dataclass(frozen=True)
class Chosen:
    """The mean of the candidates that were kept, and what was said of all."""

    graph: csr_array
    candidates: tuple[Candidate, ...]
    n_tested: int
    own: tuple[IntArray, ...] = ()  # clusters that graphs have by themselves, where they were made

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
    prior = dict.fromkeys(graphs.shares, np.nan)
    if len(prior) == 1:
        pass  # the prior depends on the share: it could not tell candidates apart
    elif isinstance(n_clusters, tuple):
        prior = {s: best_modularity(graphs.of_share(s), *n_clusters) for s in graphs.shares}
    else:
        own = {s: own_clusters(graphs.of_share(s), n_clusters, order) for s in graphs.shares}
        prior = {s: even_modularity(graphs.of_share(s), own[s]) for s in graphs.shares}
    told = told_by_pairs(graphs, evidence)
    scores = [
        (m, s, by_pairs, prior[s]) for (m, s), by_pairs in zip(graphs.candidates, told, strict=True)
    ]
    totals = _totals(scores, evidence.n_tested)
    best = float(totals.max())
    margin = STANDARD_ERRORS * standard_error(best, evidence.n_tested + PRIOR_WEIGHT)
    kept = totals >= best - margin
    if own:
        first = own[graphs.candidates[int(totals.argmax())][1]]
        agreeing = {s: adjusted_rand_score(first, own[s]) > AGREEING for s in graphs.shares}
        kept &= np.array([agreeing[s] for _, s in graphs.candidates])
    candidates = tuple(
        Candidate(*score, total=float(total), kept=bool(keep))
        for score, total, keep in zip(scores, totals, kept, strict=True)
    )
    graph = sum(graphs.graph(one.n_neighbors, one.local_share) for one in candidates if one.kept)
    mean = compact(csr_array(graph / kept.sum()))
    return Chosen(mean, candidates, evidence.n_tested, tuple(own.values()))


def told_by_pairs(graphs: CandidateGraphs, evidence: Evidence) -> list[float]:
    """What the pairs say of each candidate; nan without pairs to test."""
    if not evidence.n_tested:
        return [np.nan] * len(graphs.candidates)
    return [
        evidence.score(Diffusion(graphs.graph(m, s), single=True)) for m, s in graphs.candidates
    ]


def _totals(scores: Sequence[tuple[Any, float, float, float]], n_tested: int) -> FloatArray:
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
