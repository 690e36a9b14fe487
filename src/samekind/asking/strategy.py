"""Hearts and borders: which question comes next.

First the heart of every cluster that the steady graph has by itself; then samples on the border
between two groups, and groups that were never compared. Nothing is asked that follows from the
answers. What nobody was sure of comes last, once more and through other samples where there are.
"""

from typing import NamedTuple

import numpy as np

from samekind._typing import BoolArray, IntArray
from samekind.asking.situation import Situation

EVERY = 3  # every third question compares groups, where nobody said how many there are


class Question(NamedTuple):
    """What a strategy chooses: one sample beside others, of different groups each.

    Attributes
    ----------
    sample : int
        Row number.
    beside : tuple of int
        Row numbers, at least one.
    why : str
        A word on the reason, such as "border".

    Examples
    --------
    >>> Question(sample=3, beside=(0, 7), why="border")
    Question(sample=3, beside=(0, 7), why='border')
    """

    sample: int
    beside: tuple[int, ...]
    why: str


def hearts_and_borders(s: Situation) -> Question | None:
    """The next question, None when nothing is left."""
    return _unfinished(s) or _heart(s) or _turn(s) or _border(s) or _last(s)


def _unfinished(s: Situation) -> Question | None:
    """Go on with the sample that was none of those shown last, until its group is known."""
    for answer in reversed(s.answers):
        x = answer.sample
        if answer.verb != "answer" or answer.same is not None or answer.unsure:
            continue
        if x not in s.group_of and not s.known.aside[x]:
            return _beside_groups(s, x, "border")
    return None


def _heart(s: Situation) -> Question | None:
    for cluster in s.untouched:
        x = s.heart(cluster)
        if x is not None and (question := _beside_groups(s, x, "heart")):
            return question
    return None


def _turn(s: Situation) -> Question | None:
    if len(s.groups) > s.n_clusters or (s.grows and s.n_asked % EVERY == EVERY - 1):
        return _compare(s, _never_compared(s, 0))
    return None


def _border(s: Situation) -> Question | None:
    waiting = _waiting(s, 0)
    if not len(waiting):
        return _compare(s, _never_compared(s, 0))
    x = _most_promising(s, waiting)
    if len(s.groups) > 1:
        a, b = _ranked(s, x)[:2]
        allowed = _never_compared(s, 0)
        if max(a, b) < len(s.groups) and allowed[a, b]:
            return _compare(s, allowed, (a, b))
    return _beside_groups(s, x, "border")


def _last(s: Situation) -> Question | None:
    """Once more what nobody was sure of."""
    waiting = _waiting(s, 1)
    if len(waiting):
        x = _most_promising(s, waiting)
        return _beside_groups(s, x, "unsure")
    return _compare(s, _never_compared(s, 1), why="unsure")


def _beside_groups(s: Situation, x: int, why: str) -> Question | None:
    """A sample beside the likeliest groups that it may still belong to."""
    apart = s.differs(x)
    open_groups = [g for g in _ranked(s, x) if g < len(s.groups) and g not in apart]
    if x in s.group_of or not open_groups:
        return None
    return Question(x, tuple(s.exemplar(g, x) for g in open_groups[: s.row]), why)


def _ranked(s: Situation, x: int) -> list[int]:
    """Columns of the shares, the nearest first."""
    found: list[int] = np.argsort(-s.shares[x].round(12), kind="stable").tolist()
    return found


def _waiting(s: Situation, n_unsure: int) -> IntArray:
    """Samples in no group of which somebody was so often unsure."""
    free = np.ones(s.ground.n_samples, dtype=bool)
    free[list(s.group_of)] = False
    aside = [x for x, count in s.known.aside.items() if count != n_unsure]
    free[aside] = False
    if n_unsure:
        free &= np.isin(np.arange(len(free)), list(s.known.aside))
    return np.flatnonzero(free)


def _most_promising(s: Situation, samples: IntArray) -> int:
    """The first of the best, in steps that rounding cannot change."""
    return int(samples[s.promise[samples].round(9).argmax()])


def _never_compared(s: Situation, n_unsure: int) -> BoolArray:
    """Pairs of groups that nothing is known of, which were so often unsure."""
    found: BoolArray = ~s.differ & (s.unsure_groups == n_unsure)
    np.fill_diagonal(found, False)
    return found


def _compare(
    s: Situation, allowed: BoolArray, first: tuple[int, int] | None = None, why: str = "groups"
) -> Question | None:
    """One of the two nearest groups, or of ``first``, beside all it was never compared with."""
    if not allowed.any():
        return None
    near = np.array([s.nearness[:, list(g.members)].mean(axis=1) for g in s.groups])
    near = np.where(allowed, ((near + near.T) / 2).round(12), -1.0)
    if first is not None:
        near[first] = near[first[::-1]] = np.inf
    a = int(max(np.unravel_index(near.argmax(), near.shape)))  # the later of the two
    others = [g for g in np.argsort(-near[a], kind="stable").tolist() if allowed[a, g]]
    x = s.exemplar(a)
    return Question(x, tuple(s.exemplar(g, x) for g in others[: s.row]), why)
