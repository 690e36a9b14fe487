"""Groups: what the answers in force have found on this ground.

A *group* is a part that labels spread from: two samples or more of one kind, or a single one that
was found different from the groups before it. Clusters of the steady graph that no group has
reached yet take part by their hearts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from samekind._typing import BoolArray, IntArray
from samekind.asking.answers import Answer
from samekind.asking.ground import Ground
from samekind.asking.known import Known

HEART_COMPARED = 3  # a heart that differs from so many likely groups, or a row, is a new one
HEART_TRIES = 3  # samples from the middle of a cluster that are tried if all are "unsure"


@dataclass(frozen=True)
class Group:
    """Samples that are known to be one kind, at least one."""

    part: int
    members: tuple[int, ...]
    number: int  # as in the labels


class Groups:
    """The groups that answers have found.

    Parameters
    ----------
    ground : Ground
    answers : sequence of Answer
    row : int
        How many samples are shown beside one.
    grows : bool
        Whether the number of clusters grows with the groups found.
    """

    def __init__(
        self, ground: Ground, answers: Sequence[Answer], row: int, *, grows: bool = False
    ) -> None:
        self.ground, self.answers, self.row, self.grows = ground, answers, row, grows
        self.known = Known(answers, int(ground.members[0][0]))
        self.n_asked = sum(answer.verb == "answer" for answer in answers)

    @cached_property
    def _heart_of(self) -> dict[int, int]:
        """The cluster of each sample that was tried as its heart."""
        return {
            int(sample): c
            for c, members in enumerate(self.ground.members)
            for sample in members[:HEART_TRIES]
        }

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """A group with the heart of a cluster has its number."""
        return {int(members[0]): c for c, members in enumerate(self.ground.members)}

    def _number(self, members: Sequence[int]) -> int:
        k = len(self.ground.members)
        return min(self._numbers.get(m, k + m) for m in members)

    @cached_property
    def groups(self) -> list[Group]:
        """In the order in which they were first spoken of."""
        known, found = self.known, list[Group]()
        before = set[int]()
        for p, members in enumerate(known.parts):
            compared = len(known.differ[p])
            enough = min(max(HEART_COMPARED, self.row), len(before))
            is_heart = members[0] in self._heart_of and compared >= enough
            if len(members) > 1 or is_heart or before <= known.differ[p]:
                found.append(Group(p, tuple(members), self._number(members)))
                before.add(p)
        return found

    @cached_property
    def group_at(self) -> dict[int, int]:
        """Place in ``groups`` of each part that is one."""
        return {group.part: g for g, group in enumerate(self.groups)}

    @cached_property
    def group_of(self) -> dict[int, int]:
        """Place in ``groups`` of each sample that is in one."""
        return {sample: g for g, group in enumerate(self.groups) for sample in group.members}

    @cached_property
    def differ(self) -> BoolArray:
        """(n_groups, n_groups), whether two groups are known to be different."""
        found = np.zeros((len(self.groups), len(self.groups)), dtype=bool)
        for g, group in enumerate(self.groups):
            others = [self.group_at[p] for p in self.known.differ[group.part] if p in self.group_at]
            found[g, others] = True
        return found

    def differs(self, sample: int) -> set[int]:
        """Places of the groups that a sample is known to be different from."""
        part = self.known.part_of.get(sample)
        if part is None:
            return set()
        return {self.group_at[p] for p in self.known.differ[part] if p in self.group_at}

    @cached_property
    def untouched(self) -> list[int]:
        """Clusters of the steady graph that no group has reached, largest first."""
        reached = {int(self.ground.clusters[sample]) for sample in self.group_of}
        return [c for c in range(len(self.ground.members)) if c not in reached]

    def heart(self, cluster: int) -> int | None:
        """The sample to ask about, in the middle of a cluster; None if nobody is sure of any."""
        for sample in self.ground.members[cluster][:HEART_TRIES].tolist():
            if not self.known.aside[sample]:
                return int(sample)
        return None

    @property
    def n_clusters(self) -> int:
        k = self.ground.n_clusters
        return max(k, len(self._all_different)) if self.grows else k

    @cached_property
    def _all_different(self) -> list[int]:
        """Places of groups that are all different from one another, large ones first."""
        found: list[int] = []
        for g in sorted(range(len(self.groups)), key=lambda g: -len(self.groups[g].members)):
            if self.differ[g, found].all():
                found.append(g)
        return found

    @cached_property
    def seeded(self) -> list[int]:
        """The clusters whose hearts take part: untouched ones, while groups are missing."""
        return self.untouched[: max(0, self.n_clusters - len(self.groups))]

    @cached_property
    def _unsure_of(self) -> set[tuple[int, int]]:
        unsure = [answer for answer in self.answers if answer.unsure]
        found = {(answer.sample, other) for answer in unsure for other in answer.beside}
        return found | {(b, a) for a, b in found}

    @cached_property
    def unsure_groups(self) -> IntArray:
        """(n_groups, n_groups), how often the comparison of two groups was "unsure"."""
        found = np.zeros((len(self.groups), len(self.groups)), dtype=np.int64)
        pairs = ((a.sample, other) for a in self.answers if a.unsure for other in a.beside)
        for (p, q), count in self.known.counted(pairs).items():
            if p in self.group_at and q in self.group_at:
                g, h = self.group_at[p], self.group_at[q]
                found[g, h] = found[h, g] = count
        return found
