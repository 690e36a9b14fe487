"""The chosen graph, learned further; and labels from it, unless those without learning fit better.

Where every sample is represented by all, thresholds go by rank in each row and weights are shares.
Of many samples each one is represented by its neighbors alone, with the numbers of DGSL in the
scale of X: coefficients that all samples share say less and less as these become more. So do
neighbors if the pairs name every cluster, from fewer samples on. Where they do not, learning by
neighbors merges clusters that nobody named, and the chosen graph is used as it is.

A few pairs across a border can draw two clusters together, or cut one where the graph is dense.
Where labels fit the chosen graph far worse than clusters that graphs have by themselves, it is
learned once more without the pairs, which then only seed and mend the labels.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from samekind._kernels.candidates import neighbors
from samekind._kernels.status import Status
from samekind._selection.choice import Chosen, chosen_without_pairs, standard_error
from samekind._selection.graphs import sharing
from samekind._selection.labels import N_STARTS, Spread
from samekind._selection.modularity import even_modularity, modularity, weight_cut
from samekind._selection.views import N_CANDIDATES, View
from samekind._solver import Problem, Solution, solve
from samekind._solver.embedding import Embedder
from samekind._solver.records import ScaleFree
from samekind._typing import FloatArray, IntArray

# The constants below were chosen on the paper's nine data sets and on tables; see docs.
FEEDBACK = 3.0  # how strongly the embedding thins out the learned graph
GIVEN_SHARE, GIVEN_SHARE_ALL_LOCAL = 0.3, 0.65  # of the chosen graph beside the learned one
SMOOTHNESS = 100.0  # gamma = SMOOTHNESS (k / c - 1) Tr(L_C) / n, c clusters named
FEW_NAMED = 0.1  # in place of k / c - 1 where all are named, by few of the samples in pairs
# Learning stops once nothing moves by so many times a typical largest coefficient. Few samples win
# a little by more iterations; of some thousand, labels are about as good after less than half.
TOL, TOL_OF_SOME_THOUSAND = 0.25, 0.7
COUPLING_OF_MANY, FEEDBACK_OF_MANY, SPARSITY_OF_MANY, MUST_OF_MANY = 2.0, 3.6, 0.12, 10.0
TOL_OF_MANY, LOCAL_OF_MANY = 0.225, 2.0
STARTS_OF_MANY = 5  # of k-means
STARTS_OF_MEASURE, STARTS_OF_MEASURE_OF_MANY = 5, 1
# Samples from which on they are represented by neighbors if every cluster is named and at least
# this share of the chosen graph is local.
NEIGHBORS_FROM, MOSTLY_LOCAL = 2000, 0.5
NOT_LEARNED = (Status.MAX_ITER, Status.VANISHED)
# Labels of the learned graph need this share of the modularity that those without learning have
# in the chosen graph; labels of graphs with pairs, of that which those without pairs have.
FITS_AS_WELL = 0.95
CONTRADICTED = 2.0  # standard errors by which pairs say less of clusters than of the graph
LEAST_OF_CLUSTER = 15  # samples that a cluster has on average where this is looked at


def problem_of(
    view: View,
    chosen: Chosen,
    must_link: csr_array,
    L_cannot: csr_array | None,
    n_clusters: int,
    n_named: int,
    share_named: float = 1.0,
) -> Problem:
    """What the solver gets.

    ``must_link`` is the matrix M. ``share_named``: of the samples that are marked different from
    others, those in the n_named groups. Two samples name two clusters, but their border is not
    known from them: without gamma, H would do nothing but keep single samples apart. It is the
    graph that knows the border, if its own clusters keep the pairs.
    """
    shift = 0.0
    if L_cannot is not None:
        unnamed = n_clusters / max(n_named, 1) - 1
        if n_named == n_clusters and chosen.own_told:
            unnamed = FEW_NAMED * (1 - share_named)
        shift = SMOOTHNESS * unnamed * float(L_cannot.diagonal().sum()) / L_cannot.shape[0]
    must = sharing(must_link)
    problem = Problem(
        P=np.zeros((1, 1)) if view.represented is None else view.represented.P,
        local=csr_array(chosen.graph + must),
        L_cannot=L_cannot,
        n_components=n_clusters,
        tau=FEEDBACK,
        lam=1.0,
        lam_z=0.0,
        local_ratio=1.0,
        shift=shift,
    )
    all_named = n_named == n_clusters
    local = chosen.local_share >= MOSTLY_LOCAL and view.X.shape[0] >= NEIGHBORS_FROM
    if view.represented is None or (all_named and local):
        weights = LOCAL_OF_MANY * chosen.graph + MUST_OF_MANY * must_link
        problem = replace(problem, local=csr_array(weights))
        return _by_neighbors(problem, view) if all_named else problem
    share = GIVEN_SHARE_ALL_LOCAL if chosen.local_share > 0.999 else GIVEN_SHARE
    beside = csr_array((share * chosen.graph + must) / (1 - share))
    found = view.represented.coefficients
    return replace(problem, scale_free=ScaleFree(found.largest, found.floor, beside))


def _by_neighbors(problem: Problem, view: View) -> Problem:
    values = view.X.data if issparse(view.X) else view.X.ravel()
    lam = COUPLING_OF_MANY * float(np.einsum("i,i->", values, values, dtype=np.float64))
    lam /= view.X.shape[0]
    P = neighbors(view.X, view.nearest[:, :N_CANDIDATES], lam)
    off = np.where(P.columns == np.arange(len(P))[:, None], 0.0, np.abs(P.first))
    typical = float(np.median(off.max(axis=1)))
    tau, lam_z = FEEDBACK_OF_MANY * typical, SPARSITY_OF_MANY * typical * lam
    return replace(problem, P=P, tau=tau, lam=lam, lam_z=lam_z)


def learn(
    problem: Problem,
    view: View,
    max_iter: int,
    callback: Callable[[Any], object] | None,
    *,
    all_named: bool,
) -> Solution | None:
    """The learned graph; None where there is nothing to learn, or learning is known to hurt.

    ``all_named``: whether the pairs name every cluster.
    """
    if problem.scale_free is not None and view.represented is not None:
        tol = TOL if view.X.shape[0] < NEIGHBORS_FROM else TOL_OF_SOME_THOUSAND
        tol *= float(np.median(view.represented.coefficients.largest))
    elif all_named:  # else P is missing
        tol = TOL_OF_MANY * problem.tau / FEEDBACK_OF_MANY
    else:
        return None
    return solve(problem, max_iter=max_iter, tol=tol, callback=callback) if tol else None


@dataclass(frozen=True)
class Found:
    """Labels with the graph they come from."""

    H: FloatArray
    W: csr_array
    spread: Spread
    learned: bool
    status: Status  # of what the labels come from


def labels_of(
    problem: Problem,
    view: View,
    chosen: Chosen,
    run: Solution | None,
    spread: Callable[..., Spread],
) -> Found:
    """Labels from the learned graph, unless those from the chosen graph fit it far better.

    Learning can draw a graph together where the representation says little; the chosen graph is
    the measure for both. ``spread(W, H, n_starts=...)`` gives labels.
    """
    n_starts, few = N_STARTS, STARTS_OF_MEASURE
    if view.represented is None:
        n_starts, few = STARTS_OF_MANY, STARTS_OF_MEASURE_OF_MANY
    if run is None:
        first = Embedder(problem).first
        H, status = first.H, first.status
    else:
        H, status = run.first_H, run.status
    learned = run is not None and run.status not in NOT_LEARNED
    measure = spread(problem.local, H, n_starts=few if learned else n_starts)
    if run is not None and learned:
        last = spread(run.W_fused, run.H, n_starts=n_starts)
        fits = [even_modularity(chosen.graph, one.labels) for one in (measure, last)]
        if fits[1] >= FITS_AS_WELL * fits[0]:
            return Found(run.H, run.W_fused, last, learned=True, status=status)
        measure = spread(problem.local, H, n_starts=n_starts)
    return Found(H, problem.local, measure, learned=False, status=status)


def strays(chosen: Chosen, labels: IntArray) -> bool:
    """Whether labels fit the chosen graph far worse than clusters that graphs have by themselves.

    False for many samples, whose own clusters are not looked for, and for few: neighborhoods that
    hold whole clusters show nothing but even cuts. False too where pairs say more of the graph than
    of those clusters, by CONTRADICTED standard errors, or by half as many if labels cut less of the
    graph: modularity prefers even cuts, though they go through the largest of unequal kinds.
    """
    if len(labels) < LEAST_OF_CLUSTER * len(np.unique(labels)) or not chosen.own:
        return False
    own, s = max((modularity(chosen.graph, one), s) for s, one in chosen.own.items())
    if modularity(chosen.graph, labels) >= FITS_AS_WELL * own:
        return False
    told, kept, n = chosen.clearest, chosen.own_kept.get(s, np.nan), chosen.n_tested
    if not n:
        return True
    errors = (told - kept) / np.hypot(standard_error(told, n), standard_error(kept, n))
    cuts_less = weight_cut(chosen.graph, labels) < weight_cut(chosen.graph, chosen.own[s])
    return bool(errors <= (CONTRADICTED / 2 if cuts_less else CONTRADICTED))


def learned_without_pairs(
    view: View,
    chosen: Chosen,
    n_clusters: int,
    max_iter: int,
    callback: Callable[[Any], object] | None,
    spread: Callable[..., Spread],
) -> Iterator[tuple[Chosen, Solution | None, Found]]:
    """Labels that the pairs only seed: of the chosen graph, and of the one chosen without pairs.

    The second is left out where it is the same.
    """
    other = chosen_without_pairs(view.graphs, chosen)
    same = [one.kept for one in other.candidates] == [one.kept for one in chosen.candidates]
    for one in (chosen,) if same else (chosen, other):
        problem = problem_of(view, one, csr_array(one.graph.shape), None, n_clusters, 0)
        run = learn(problem, view, max_iter, callback, all_named=False)
        yield one, run, labels_of(problem, view, one, run, spread)
