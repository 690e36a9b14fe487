"""The situation after some answers: how near every sample is to the groups, and labels.

A pure function of the ground and the answers in force. Nothing is solved but the columns of K of
samples that were not spoken of before.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from samekind._typing import FloatArray, IntArray
from samekind.asking.groups import Groups
from samekind.asking.merging import merged

AROUND = 1.5  # what is around a sample counts in full up to so many answers for each cluster


@dataclass
class Leading:
    """Groups that are taken for one, the largest first, or the heart of a cluster."""

    groups: list[int]
    number: int
    column: FloatArray = field(default_factory=lambda: np.empty(0))


class Situation(Groups):
    """What is known after some answers: what a strategy chooses the next question by.

    Attributes
    ----------
    n_samples, n_clusters, n_asked, row : int
        Samples, clusters expected, questions answered; how many may be shown beside one.
    groups : list
        Groups that the answers have found, each with its ``members``, at least one.
    group_of : dict
        Place in ``groups`` of each sample that is in one.
    shares : ndarray of shape (n_samples, n_columns)
        How near every sample is to each group and, in the columns after these, to clusters that
        no group has reached yet; rows sum to 1.
    margin : ndarray of shape (n_samples,)
        How much nearer a sample is to the nearest of them than to the next.
    promise : ndarray of shape (n_samples,)
        How much an answer about a sample may settle, on a logarithmic scale.
    known.aside : Counter
        How often the answer for a sample was "unsure".
    """

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return self.ground.n_samples

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

    @cached_property
    def _leading(self) -> list["Leading"]:
        """What labels spread from: groups, and clusters that none has reached, by their hearts.

        Where these are more than clusters (pairs from elsewhere, groups that were not compared
        yet), the nearest that are not known to be different are taken for one.
        """
        hearts = self.ground.heart_columns()
        n_groups, free = len(self.groups), self.untouched
        each = [Leading([g], self._number(self.groups[g].members)) for g in range(n_groups)]
        each += [Leading([], c) for c in free]
        columns = [self._spread(g) for g in range(n_groups)]
        columns += [hearts[c] / hearts[c].sum() for c in free]
        for one, column in zip(each, columns, strict=True):
            one.column = column
        if len(each) <= self.n_clusters:
            return each
        inside = [list(group.members) for group in self.groups]
        inside += [self.ground.middle(c).tolist() for c in free]
        raw = [*self.nearness, *(hearts[c] for c in free)]
        near = np.array([[column[rows].mean() for rows in inside] for column in raw]).round(12)
        differ = np.zeros(near.shape, dtype=bool)
        differ[:n_groups, :n_groups] = self.differ
        size = np.array([len(one.members) for one in self.groups] + [1.0] * len(free))
        return [
            _joined([each[i] for i in item], size[item])
            for item in merged((near + near.T) / 2, differ, size, self.n_clusters)
        ]

    @cached_property
    def _settled(self) -> tuple[FloatArray, IntArray, dict[int, tuple[int, ...]]]:
        """Shares of what leads, labels, and for each number the samples that are known of it."""
        leading = self._leading
        F = np.array([one.column for one in leading]).T
        total = F.sum(axis=1)
        F /= np.where(total > 0, total, 1.0)[:, None]
        numbers = np.array([one.number for one in leading])
        labels: IntArray = numbers[F.argmax(axis=1)]
        labels[total == 0] = self.ground.clusters[total == 0]
        parts = [[self.groups[g].part for g in one.groups] for one in leading]
        column = {part: i for i, some in enumerate(parts) for part in some}
        known: dict[int, tuple[int, ...]] = {
            one.number: tuple(sorted(self.groups[one.groups[0]].members))
            for one in leading
            if one.groups
        }
        for part, members in enumerate(self.known.parts):
            votes = F[members].sum(axis=0)
            votes[[column[p] for p in self.known.differ[part] if p in column]] = -1.0
            number = int(numbers[column.get(part, int(votes.argmax()))])
            if part not in column and votes.max() < 0:  # different from all
                number = self._number(members)
                known[number] = tuple(sorted(members))
            labels[members] = number
        return F, labels, known

    def labels(self) -> IntArray:
        """For each sample the number of its group or cluster; parts of one kind stay together."""
        return self._settled[1].copy()

    def clusters(self) -> list[tuple[int, tuple[int, ...], IntArray]]:
        """For each number what is known of it, and all its samples: known first, then nearest."""
        F, labels, known = self._settled
        column = {one.number: i for i, one in enumerate(self._leading)}
        found: list[tuple[int, tuple[int, ...], IntArray]] = []
        for number in np.unique(labels).tolist():
            rows = np.flatnonzero(labels == number)
            share = F[rows, column[number]] if number in column else np.zeros(len(rows))
            is_known = np.isin(rows, known.get(number, ()))
            order = np.lexsort((rows, -share.round(12), ~is_known))
            found.append((number, known.get(number, ()), rows[order]))
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


def _joined(some: list[Leading], size: FloatArray) -> Leading:
    order = np.argsort(-size, kind="stable")
    groups = [g for i in order for g in some[i].groups]
    column = np.average([one.column for one in some], axis=0, weights=size)
    return Leading(groups, min(one.number for one in some), column)
