"""The situation after some answers: groups, how near every sample is to them, labels.

A pure function of the ground and the answers in force. A *group* is a part that labels spread
from: two samples or more of one kind, or a single one that was found different from the groups
before it. Clusters of the steady graph that no group has reached yet take part by their hearts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from samekind._typing import BoolArray, FloatArray, IntArray
from samekind.asking.answers import Answer
from samekind.asking.ground import Ground
from samekind.asking.known import Known

HEART_COMPARED = 3  # a heart that differs from so many likely groups, or a row, is a new one
AROUND = 2.0  # what is around a sample counts in full up to so many answers for each cluster
HEART_TRIES = 3  # samples from the middle of a cluster that are tried if all are "unsure"


@dataclass(frozen=True)
class Group:
    """Samples that are known to be one kind, at least one."""

    part: int
    members: tuple[int, ...]
    number: int  # as in the labels


class Situation:
    """What the answers in force say on this ground.

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

    @cached_property
    def groups(self) -> list[Group]:
        """In the order in which they were first spoken of."""
        known, found = self.known, list[Group]()
        before = set[int]()
        k = len(self.ground.members)
        for p, members in enumerate(known.parts):
            compared = len(known.differ[p])
            enough = min(max(HEART_COMPARED, self.row), len(before))
            is_heart = members[0] in self._heart_of and compared >= enough
            if len(members) > 1 or is_heart or before <= known.differ[p]:
                number = min(self._numbers.get(m, k + m) for m in members)
                found.append(Group(p, tuple(members), number))
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
        return max(k, len(self.groups)) if self.grows else k

    @cached_property
    def seeded(self) -> list[int]:
        """The clusters whose hearts take part: untouched ones, while groups are missing."""
        return self.untouched[: max(0, self.n_clusters - len(self.groups))]

    @cached_property
    def nearness(self) -> FloatArray:
        """(n_groups, n_samples): mean over the members of a group of their columns of K."""
        return np.array(
            [self.ground.columns(list(g.members)).sum(axis=0) / len(g.members) for g in self.groups]
        )

    @cached_property
    def margin(self) -> FloatArray:
        """How much nearer every sample is to the nearest than to the one after."""
        F = self.shares.copy()
        for part, members in enumerate(self.known.parts):
            if part not in self.group_at:
                F[np.ix_(members, list(self.differs(members[0])))] = 0.0
        if F.shape[1] == 1:
            return F[:, 0]
        best = np.partition(F, -2, axis=1)[:, -2:]
        return np.asarray(best[:, 1] - best[:, 0])

    @cached_property
    def promise(self) -> FloatArray:
        """How much an answer about each sample may settle, on a logarithmic scale.

        A sample promises much if it is uncertain and, in the beginning, if much around it is:
        uncertainty spreads over the graph as answers do.
        """
        uncertain = 1 - self.margin
        uncertain[list(self.group_of)] = 0.0
        around = min(1.0, AROUND * self.n_clusters / max(self.n_asked, 1))
        tiny = np.finfo(float).tiny
        reached = self.ground.spread(uncertain)
        return np.asarray(
            np.log(np.maximum(uncertain, tiny)) + around * np.log(np.maximum(reached, tiny))
        )

    @cached_property
    def shares(self) -> FloatArray:
        """(n_samples, n_groups + n_seeded): how near to each; rows sum to 1."""
        hearts = self.ground.heart_columns()
        columns = [self._spread(g) for g in range(len(self.groups))]
        columns += [hearts[c] / hearts[c].sum() for c in self.seeded]
        F = np.array(columns).T
        total = F.sum(axis=1, keepdims=True)
        return np.asarray(F / np.where(total > 0, total, 1.0))

    def _spread(self, g: int) -> FloatArray:
        """What spreads from a group, and from the hearts of clusters that it has for itself.

        A heart has the weight of one member: it counts less and less.
        """
        column: FloatArray = self.nearness[g] / self.nearness[g].sum()
        if not self._own_clusters[g]:
            return column
        hearts = self.ground.heart_columns()
        heart = sum(hearts[c] / hearts[c].sum() for c in self._own_clusters[g])
        weight = 1 / (1 + len(self.groups[g].members))
        return np.asarray((1 - weight) * column + weight * heart / len(self._own_clusters[g]))

    @cached_property
    def _own_clusters(self) -> list[list[int]]:
        """For each group the clusters of the steady graph that no other group has reached."""
        inside: dict[int, set[int]] = {}
        for sample, g in self.group_of.items():
            inside.setdefault(int(self.ground.clusters[sample]), set()).add(g)
        return [[c for c in inside if inside[c] == {g}] for g in range(len(self.groups))]

    def labels(self) -> IntArray:
        """For each sample the number of its group or cluster."""
        F = self.shares.copy()
        lost = F.sum(axis=1) == 0
        for part, members in enumerate(self.known.parts):
            apart = [self.group_at[p] for p in self.known.differ[part] if p in self.group_at]
            if part not in self.group_at and len(apart) < F.shape[1]:
                F[np.ix_(members, apart)] = -1.0
        numbers = np.array([g.number for g in self.groups] + self.seeded)
        found: IntArray = numbers[F.argmax(axis=1)]
        found[lost] = self.ground.clusters[lost]
        for group in self.groups:
            found[list(group.members)] = group.number
        return found

    def exemplar(self, g: int, beside: int = -1) -> int:
        """The member of a group that is nearest to all of them.

        One that nobody was sure of, in particular beside the same sample, comes last.
        """
        members = self.groups[g].members
        if len(members) == 1:
            return members[0]
        near = self.nearness[g][list(members)].round(12)
        order = sorted(
            range(len(members)),
            key=lambda i: (
                (beside, members[i]) in self._unsure_of,
                self.known.aside[members[i]] > 0,
                -near[i],
                members[i],
            ),
        )
        return members[order[0]]

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
