"""Rows with what is known of them, and what SameKind chooses from that before it learns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from samekind._selection.chance import beyond_chance
from samekind._selection.choice import Chosen, choose, standard_error
from samekind._selection.evidence import Evidence, evidence_of
from samekind._selection.held_out import JUDGED, told_held_out, told_of
from samekind._selection.n_clusters import NumberOfClusters, bounds, choose_n_clusters
from samekind._selection.relevant import Relevant, directions, scatter_of
from samekind._selection.scaling import (
    Moments,
    few_features_decide,
    moments_of,
    principal_components,
    scaling_of,
)
from samekind._selection.views import View, view_of
from samekind._typing import FloatArray, IntArray
from samekind.constraints import PairConstraints
from samekind.estimators._base.collapse import in_pairs

COMPARED_UP_TO, N_COMPARED = 2000, 1000  # rows; of more than the first, so many are compared
LEAST_COMPONENTS = 2
STANDARDIZE_ERRORS = 2.0  # standard errors by which the pairs have to prefer other features
# The same, for units of what varies within groups: so many, times 1 + RELEVANT_PRIOR / n where n
# samples are tested, as few also learn such units badly.
RELEVANT_ERRORS, RELEVANT_PRIOR = 0.35, 50
# The same where only some of the rows are compared: among all, plain neighbors are nearer still.
RELEVANT_ERRORS_OF_SOME = 1.5
ENOUGH_TESTED = 10  # samples from which on their score means something
# Directions in which kinds differ are tried where the known samples have labels, most of them at
# least, and say no more of any graph: what says more is learned further better as it is.
BY_LABELS, SAYS_LITTLE = 0.5, 0.8


@dataclass(frozen=True)
class Distances:
    """Learned distances, before all known samples are learned from."""

    components: FloatArray  # V, (n_features, m)
    n_directions: int  # in which kinds differ that count more; 0 for none
    by_pairs: tuple[float, float]  # what held-out pairs say without and with them
    clearer: bool  # whether that is reason enough to take them


@dataclass(frozen=True)
class KnownRows:
    """X, the user's graph or None, and the pairs."""

    X: Any
    graph: csr_array | None
    pairs: PairConstraints
    standardize: bool | str  # as the parameter of SameKind
    n_components: int | None = None  # principal components that rows are reduced to

    @property
    def n_samples(self) -> int:
        return int(self.X.shape[0])

    @cached_property
    def evidence(self) -> Evidence:
        closed = self.pairs.closure()
        return evidence_of(closed.must_link, closed.cannot_link, self.pairs.group_of)

    @cached_property
    def usual(self) -> bool:
        """Whether features are standardized before the pairs are asked."""
        return self.standardize is True or (
            self.standardize == "auto" and few_features_decide(self.X, self.moments)
        )

    @cached_property
    def moments(self) -> Moments:
        """Of the rows: each reading of very many takes its time."""
        return moments_of(self.X)

    def some(self, up_to: int, most: int | None = None) -> "KnownRows":
        """All rows where these are few, else many of those in pairs, and random others."""
        if self.n_samples <= up_to:
            return self
        order = np.random.default_rng(0).permutation(self.n_samples)
        inside = in_pairs(self.pairs)[order]
        rows = np.sort(np.concatenate([order[inside], order[~inside]])[: most or up_to])
        graph = None if self.graph is None else self.graph[rows][:, rows]
        return replace(self, X=self.X[rows], graph=graph, pairs=self.pairs.subset(rows))

    def by_components(self, n_clusters: int, by_representation: float) -> "KnownRows | None":
        """Rows reduced to as many principal components as there are clusters, two at least.

        None where these are not defined, or noise, and where the representation graph has clusters
        that are not due to chance: subspaces, which components would mix. Its modularity is
        ``by_representation``, nan for none.
        """
        n_components = max(n_clusters, LEAST_COMPONENTS)
        X = scaling_of(self.X, standardize=self.usual, moments=self.moments).apply(self.X)
        if principal_components(X, n_components) is None:
            return None
        if beyond_chance(by_representation, X, n_clusters):
            return None
        return replace(self, n_components=n_components)

    def view(
        self,
        standardized: bool,
        *,
        whole: bool = True,
        n_clusters: int | None = None,
        relevant: Relevant | None = None,
        only: tuple[int, int] | None = None,
    ) -> View:
        return view_of(
            self.X,
            self.graph,
            standardized=standardized,
            whole=whole,
            n_clusters=n_clusters,
            moments=self.moments,
            n_components=self.n_components,
            relevant=relevant,
            only=only,
        )

    def chosen(self, n_clusters: int, *, whole: bool) -> "ChosenView":
        """The rows, in which units and why so, and the graph that was chosen from them.

        ``whole``: whether every sample is represented by all.
        """
        usual, auto, few = self.usual, self.standardize == "auto", self.n_samples <= COMPARED_UP_TO
        why = "parameter" if not auto else "units" if usual else "default"
        standardized, distances, relevant = usual, None, None
        view = self.view(usual, whole=whole, n_clusters=n_clusters) if few else None
        compared = self.some(COMPARED_UP_TO, N_COMPARED)
        if compared.evidence.n_tested:
            plain = view or compared.view(usual, only=JUDGED)
            told = max(told_of(plain.graphs, compared.evidence).values())
            distances = compared._distances(plain, told, n_clusters, all_rows=few)
            if distances is not None and distances.clearer:
                relevant = self._relevant(distances)
            if relevant is None and auto and compared._clearer(not usual, told):
                standardized, why = not usual, "pairs"
        if view is None or relevant is not None or why == "pairs":
            view = self.view(standardized, whole=whole, n_clusters=n_clusters, relevant=relevant)
        chosen = choose(view.graphs, self.evidence, n_clusters, view.order)
        return ChosenView(view, why, chosen, distances, relevant is not None)

    def _distances(
        self, plain: View, told: float, n_clusters: int, *, all_rows: bool
    ) -> Distances | None:
        """Learned distances, and whether held-out pairs are clearer so than of the rows.

        None where too little is known to tell, or nothing could be clearer. ``told``: what pairs
        say of the plain rows. Principal components, which are tried later, are no worse a goal.
        ``all_rows``: whether these are not only some that are compared.
        """
        n = self.evidence.n_tested
        if issparse(self.X) or self.graph is not None or self.n_components is not None:
            return None
        if n < ENOUGH_TESTED:
            return None
        errors = RELEVANT_ERRORS * (1 + RELEVANT_PRIOR / n)
        errors = errors if all_rows else max(errors, RELEVANT_ERRORS_OF_SOME)
        if told + errors * standard_error(told, n) >= 1:
            return None
        rows = plain.X - plain.X.mean(axis=0)
        V, place, n_directions = directions(rows), np.argsort(plain.order), 0
        best = told_held_out(rows @ V, self.evidence, place)
        if best is None:
            return None
        if told < SAYS_LITTLE and self._by_labels(n_clusters):
            by_kinds = told_held_out(rows @ V, self.evidence, place, n_clusters - 1)
            if by_kinds is not None and by_kinds > best:
                best, n_directions = by_kinds, n_clusters - 1
        clearer = best > max(told + errors * standard_error(told, n), 0.5 + standard_error(0.5, n))
        if clearer:
            told = max(told, self._told_by_components(rows, n_clusters))
            clearer = best > told + errors * standard_error(told, n)
        return Distances(V, n_directions, (told, best), clearer)

    def _told_by_components(self, rows: FloatArray, n_clusters: int) -> float:
        """What pairs say of the first principal components; 0 where these are not defined."""
        components = principal_components(rows, max(n_clusters, LEAST_COMPONENTS))
        if components is None:
            return 0.0
        view = view_of(rows @ components, None, standardized=False, only=JUDGED)
        return max(told_of(view.graphs, self.evidence).values())

    def _by_labels(self, n_clusters: int) -> bool:
        """Whether every cluster is named, by most of the samples that are known."""
        named = self.pairs.distinct_groups(n_clusters)
        return len(named) == n_clusters and share_named(named, self.pairs) > BY_LABELS

    def _relevant(self, distances: Distances) -> Relevant | None:
        scaling = scaling_of(self.X, standardize=self.usual, moments=self.moments)
        V, evidence = distances.components, self.evidence
        known = scaling.apply(self.X[evidence.samples]) @ V
        found = scatter_of(known, evidence.group, evidence.differ)
        return None if found is None else Relevant(V, found.stretch(distances.n_directions))

    def _clearer(self, standardized: bool, told: float) -> bool:
        """Whether the pairs clearly prefer other features."""
        n = self.evidence.n_tested
        goal = told + STANDARDIZE_ERRORS * standard_error((told * n + 1) / (n + 2), n)
        if goal >= 1:
            return False
        graphs = self.view(standardized, only=JUDGED).graphs
        return max(told_of(graphs, self.evidence).values()) > goal

    def number_of_clusters(self) -> NumberOfClusters:
        """How many clusters, from some of the rows where they are many."""
        some = self.some(COMPARED_UP_TO)
        view, pairs, n = some.view(some.usual), some.pairs, some.n_samples
        n_named, closed = len(pairs.distinct_groups(n)), pairs.closure()
        chosen = choose(view.graphs, some.evidence, bounds(n, n_named), view.order)
        M, narrow = pairs.must_link_matrix(), view.graphs.narrow_local
        return choose_n_clusters(
            chosen.graph, closed.must_link, closed.cannot_link, M, n_named, narrow
        )


@dataclass(frozen=True)
class ChosenView:
    """A view with the graph that was chosen from it, and why."""

    view: View
    standardized_by: str
    chosen: Chosen
    distances: Distances | None  # that were learned, where enough is known
    relevant: bool  # whether they were taken


def share_named(named: Sequence[IntArray], pairs: PairConstraints) -> float:
    """Of the samples that are marked different from others, the share in named groups."""
    marked = np.unique(pairs.cannot_link)
    return float(np.isin(marked, np.concatenate(named)).mean()) if len(marked) else 1.0
