"""Doubts: each answer left out in turn, how surprised is the steady graph?

Every number comes from the columns of K that are there already; nothing is solved. What an answer
says is left out together with all that follows from it alone: the part it holds together falls
into its two sides.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from samekind._typing import FloatArray
from samekind.asking.answers import Answer
from samekind.asking.situation import Situation

Links = dict[int, list[tuple[int, int]]]  # sample -> samples of one kind, and by which answer


@dataclass(frozen=True)
class Doubt:
    """An answer that the steady graph and the other answers would not have expected.

    Attributes
    ----------
    seq : int
        Its line, for ``confirm``, ``change`` and ``withdraw``.
    sample : int
    beside : tuple of int
    said : str
        "same=J" or "none".
    surprise : float
        From 0 to 1.
    rather : int or None
        The row that the sample would rather be the same kind as; None for none of these.
    again : tuple of int
        For each row of `beside` another one of its group, where there is one: who is asked again
        beside other rows does not repeat a mistake.
    """

    seq: int
    sample: int
    beside: tuple[int, ...]
    said: str
    surprise: float
    rather: int | None
    again: tuple[int, ...]


def ranked_doubts(s: Situation) -> list[Doubt]:
    """All answers that were not confirmed, the most surprising first."""
    asked = [a for a in s.answers if a.verb == "answer" and not a.unsure]
    if not asked:
        return []
    samples = list(s.known.part_of)
    place = {sample: i for i, sample in enumerate(samples)}
    K = s.ground.columns(samples)[:, samples]
    root = np.sqrt(np.diag(K))
    near = K / root[:, None] / root
    links = _links(s)
    doubts = [_doubt(s, answer, near, place, links) for answer in asked if not answer.confirmed]
    return sorted(doubts, key=lambda doubt: (-doubt.surprise, doubt.seq))


def _doubt(
    s: Situation, answer: Answer, near: FloatArray, place: dict[int, int], links: Links
) -> Doubt:
    x = answer.sample
    own = _side(x, answer.seq, links)
    rows = [place[m] for m in own]
    again = tuple(_other(b, answer.seq, own, near[place[x]], place, links) for b in answer.beside)

    def to(members: list[int] | tuple[int, ...]) -> float:
        columns = [place[m] for m in members]
        return float(near[np.ix_(rows, columns)].mean())

    rivals = {g: to(group.members) for g, group in enumerate(s.groups) if x not in group.members}
    if answer.same is not None:
        other = _side(answer.beside[answer.same], answer.seq, links)
        if x in other:  # the other answers say so too
            return Doubt(answer.seq, x, answer.beside, answer.said, 0.0, None, again)
        expected = to(other)
        best = max(rivals, key=lambda g: rivals[g], default=None)
        rival = rivals[best] if best is not None else 0.0
        rather = None if best is None else s.exemplar(best, x)
    else:
        shown = {s.known.part_of[b]: b for b in answer.beside}
        by = {b: to(s.known.parts[p]) for p, b in shown.items()}
        rather = max(by, key=lambda b: by[b])
        rival = by[rather]
        rest = [m for m in own if m != x]
        expected = float(near[place[x], [place[m] for m in rest]].mean()) if rest else 0.0
        others = [value for g, value in rivals.items() if s.groups[g].part not in shown]
        expected = max([expected, *others])
    total = expected + rival
    surprise = rival / total if total > 0 else 0.5
    return Doubt(answer.seq, x, answer.beside, answer.said, round(surprise, 9), rather, again)


def _other(
    shown: int, seq: int, own: list[int], near: FloatArray, place: dict[int, int], links: Links
) -> int:
    """The nearest other sample of a group that was shown."""
    others = [m for m in _side(shown, seq, links) if m != shown and m not in own]
    return max(others, key=lambda m: (near[place[m]], -m), default=shown)


def _links(s: Situation) -> Links:
    links: Links = defaultdict(list)
    for answer in s.answers:
        for a, b in answer.must_link:
            links[a].append((b, answer.seq))
            links[b].append((a, answer.seq))
    return links


def _side(x: int, left_out: int, links: Links) -> list[int]:
    """The samples that are one kind with x without one of the answers."""
    found, waiting = {x}, [x]
    while waiting:
        for other, seq in links[waiting.pop()]:
            if seq != left_out and other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)
