"""What pairs say of rows in units of what varies within groups, of which they were no part.

The units are learned from two thirds of the known samples; the others are put to the test in graphs
of rows in these units, as pairs judge all graphs. Three times, so that each sample is tested once.
"""

from dataclasses import replace

import numpy as np

from samekind._selection.choice import told_by_pairs
from samekind._selection.evidence import Evidence
from samekind._selection.graphs import NEIGHBORS, CandidateGraphs
from samekind._selection.relevant import scatter_of
from samekind._selection.views import view_of
from samekind._typing import FloatArray, IntArray

N_FOLDS = 3
# (m, l) of the only local graph that is compared, and its shares beside the representation graph.
JUDGED, JUDGED_SHARES = NEIGHBORS[1], (0.5, 1.0)


def told_of(graphs: CandidateGraphs, evidence: Evidence) -> dict[float, float]:
    """What the pairs say of a few candidates, by their share of the local graph."""
    local = {m: W for m, W in graphs.local.items() if m in (JUDGED[0], "graph")}
    few = CandidateGraphs(local, graphs.representation, JUDGED_SHARES)
    told = told_by_pairs(few, evidence)
    return {s: one for (_, s), one in zip(few.candidates, told, strict=True)}


def told_held_out(
    rows: FloatArray, evidence: Evidence, place: IntArray, n_directions: int = 0
) -> float | None:
    """The best of that in units of what varies within groups; None where these cannot be learned.

    ``place``: see ``folds_of``; ``n_directions``: see ``Scatter``.
    """
    told: list[dict[float, float]] = []
    weight: list[int] = []
    for learned, tested in folds_of(evidence, place):
        known = rows[evidence.samples[learned]]
        found = scatter_of(known, evidence.group[learned], evidence.differ)
        if found is None:
            return None
        view = view_of(rows @ found.stretch(n_directions), None, standardized=False, only=JUDGED)
        told.append(told_of(view.graphs, tested))
        weight.append(tested.n_tested)
    shares = set(told[0]).intersection(*told) if told else set()
    means = [float(np.average([one[s] for one in told], weights=weight)) for s in shares]
    return max(means, default=None)


def folds_of(evidence: Evidence, place: IntArray) -> list[tuple[IntArray, Evidence]]:
    """For each fold the places in ``evidence.samples`` that are learned from, and what is tested.

    Samples of a large group are dealt out to the folds; a small group is held out whole, as
    without one of its samples it would say little.

    Parameters
    ----------
    evidence : Evidence
    place : ndarray, (n_samples,)
        Of each sample in an order that does not depend on how the rows came.
    """
    at = place[evidence.samples]
    group = evidence.group
    first = np.full(int(group.max()) + 1, len(place))
    np.minimum.at(first, group, at)
    fold = np.argsort(np.argsort(first))[group]
    size = np.bincount(group)
    order = np.lexsort((at, group))
    rank = np.empty(len(at), dtype=np.int64)
    rank[order] = np.arange(len(at)) - (np.cumsum(size) - size)[group[order]]
    fold = (fold + np.where(size[group] > N_FOLDS, rank, 0)) % N_FOLDS
    folds: list[tuple[IntArray, Evidence]] = []
    for one in range(N_FOLDS):
        out = fold == one
        tested = replace(
            evidence,
            tested=evidence.tested[out[evidence.tested]],
            must_link=evidence.must_link[out[evidence.must_link].any(axis=1)],
            cannot_link=evidence.cannot_link[out[evidence.cannot_link].any(axis=1)],
        )
        if len(tested.must_link) and len(tested.cannot_link) and tested.n_tested:
            folds.append((np.flatnonzero(~out), tested))
    return folds
