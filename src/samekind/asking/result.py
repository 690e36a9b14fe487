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


@dataclass(frozen=True)
class Task:
    """What a fit needs."""

    X: Any
    n_clusters: int
    seed: int
    constraints: PairConstraints


def result_of(X: Any, s: Situation, seed: int) -> Result:
    """The fit with all answers, or the steady labels where the fit predicts worse."""
    task = task_of(X, s, seed)
    held = [a for a in s.answers if a.verb == "answer" and not a.unsure][EVERY - 1 :: EVERY]
    before = Situation(s.ground, [a for a in s.answers if a not in held], s.row, grows=s.grows)
    by_steady, n_new = agreement(before.labels(), held, before)
    if n_new < AT_LEAST:
        return _steady(s, task, "there are too few answers to tell whether a fit would be better")
    by_fit, _ = agreement(fitted(task_of(X, before, seed)).labels_, held, before)
    told = (
        f"fit predicted {100 * by_fit:.0f} % of {n_new} answers that it had not seen, "
        f"the steady labels {100 * by_steady:.0f} %"
    )
    if by_fit < by_steady:
        return _steady(s, task, f"a {told}")
    model = fitted(task)
    if not model.status_.usable:
        return _steady(s, task, f"the fit ended so: {model.status_}")
    return Result(model.labels_, "fit", f"the {told}", model, task.constraints)


def _steady(s: Situation, task: Task, why: str) -> Result:
    labels = np.unique(s.labels(), return_inverse=True)[1]
    return Result(labels, "steady", why, None, task.constraints)


def task_of(X: Any, s: Situation, seed: int) -> Task:
    """The fit with all answers: at least as many clusters as groups that are all different."""
    must = [pair for answer in s.answers for pair in answer.must_link]
    cannot = [pair for answer in s.answers for pair in answer.cannot_link]
    constraints = PairConstraints(s.ground.n_samples, must or None, cannot or None)
    different = constraints.distinct_groups(len(s.groups)) if s.answers else []
    return Task(X, max(s.n_clusters, len(different)), seed, constraints)


def fitted(task: Task) -> SameKind:
    """SameKind with all answers; its warnings are in its status."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = SameKind(task.n_clusters, random_state=task.seed)
        return model.fit(task.X, constraints=task.constraints)


def agreement(labels: IntArray, answers: Sequence[Answer], before: Situation) -> tuple[float, int]:
    """Share of answers that labels agree with, in all that did not follow before; of how many."""
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
    return float(np.mean(right)) if right else 0.0, len(right)
