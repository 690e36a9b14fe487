"""The end of a dialogue: a full fit where it predicts answers as well as the steady labels do.

With few answers a fit can be far worse than none. So some answers are held back, a fit and the
steady labels are made from the others, and both are asked; the fit has to be right as often.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samekind._typing import IntArray
from samekind.asking.answers import Answer
from samekind.asking.situation import Situation
from samekind.constraints import PairConstraints
from samekind.estimators import SameKind

EVERY, AT_LEAST = 5, 4  # every fifth answer is held back; fewer in all prove nothing


@dataclass(frozen=True)
class Result:
    """What a dialogue ends with.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        Numbers from 0, one for each cluster.
    by : str
        "fit": of SameKind with all answers; "steady": of the graph without a fit, as in
        ``Questions.labels``.
    why : str
        The reason, as a sentence.
    model : SameKind or None
        The fit, where it was taken.
    constraints : PairConstraints
        All that was said.
    """

    labels: IntArray
    by: str
    why: str
    model: SameKind | None
    constraints: PairConstraints


def result_of(X: Any, s: Situation, seed: int, constraints: PairConstraints) -> Result:
    """The fit with all answers, or the steady labels where the fit predicts worse."""
    pairs = [a for a in s.answers if a.must_link or a.cannot_link]
    held = [a for a in pairs if a.verb == "answer"][EVERY - 1 :: EVERY]
    steady = np.unique(s.labels(), return_inverse=True)[1]
    if len(held) < AT_LEAST:
        why = f"{len(pairs)} answers are too few to tell whether a fit would be better"
        return Result(steady, "steady", why, None, constraints)
    kept = [a for a in s.answers if a not in held]
    before = Situation(s.ground, kept, s.row, grows=s.grows)
    by_fit, by_steady = (
        agreement(labels, held, before)
        for labels in (fitted(X, before, seed).labels_, before.labels())
    )
    share = f"{100 * by_fit:.0f} % of {len(held)} answers that it had not seen"
    beside = f"the steady labels {100 * by_steady:.0f} %"
    if by_fit < by_steady:
        why = f"a fit predicted {share}, {beside}"
        return Result(steady, "steady", why, None, constraints)
    model = fitted(X, s, seed)
    if not model.status_.usable:
        return Result(steady, "steady", f"the fit: {model.status_}", None, constraints)
    why = f"the fit predicted {share}, {beside}"
    return Result(model.labels_, "fit", why, model, constraints)


def fitted(X: Any, s: Situation, seed: int) -> SameKind:
    """SameKind with all answers; its warnings are in its status."""
    must = [pair for answer in s.answers for pair in answer.must_link]
    cannot = [pair for answer in s.answers for pair in answer.cannot_link]
    constraints = PairConstraints(s.ground.n_samples, must or None, cannot or None)
    different = constraints.distinct_groups(len(s.groups)) if s.answers else []
    k = min(max(s.n_clusters, len(different)), s.ground.n_samples)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return SameKind(k, random_state=seed).fit(X, constraints=constraints)


def agreement(labels: IntArray, answers: Sequence[Answer], before: Situation) -> float:
    """Share of answers that labels agree with, in all that did not follow before."""
    part_of, differ = before.known.part_of, before.known.differ

    def new(a: int, b: int) -> bool:
        p, q = part_of.get(a, -1), part_of.get(b, -1)
        return p < 0 or q < 0 or (p != q and q not in differ[p])

    right = []
    for answer in answers:
        same = [labels[a] == labels[b] for a, b in answer.must_link if new(a, b)]
        apart = [labels[a] != labels[b] for a, b in answer.cannot_link if new(a, b)]
        if same or apart:
            right.append(all([*same, *apart]))
    return float(np.mean(right)) if right else 0.0
