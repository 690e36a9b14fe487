"""The situation after some answers: how near every sample is to the groups, and labels.

A pure function of the ground and the answers in force. Nothing is solved but the columns of K of
samples that were not spoken of before.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from samekind._typing import FloatArray, IntArray
from samekind.asking.groups import Groups

AROUND = 1.5  # what is around a sample counts in full up to so many answers for each cluster


class Situation(Groups):
    """What follows from the groups for all samples; parameters as of Groups."""

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
        return self._shares(range(len(self.groups)), self.seeded)

    def _shares(self, groups: Iterable[int], clusters: Iterable[int]) -> FloatArray:
        hearts = self.ground.heart_columns()
        columns = [self._spread(g) for g in groups]
        columns += [hearts[c] / hearts[c].sum() for c in clusters]
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
    def leading(self) -> tuple[list[int], list[int]]:
        """The groups that labels spread from, and the clusters whose hearts they spread from.

        All groups, unless they are more than clusters: pairs from elsewhere, or groups that were
        not compared yet. Then those that are all different, and hearts that these have not reached.
        """
        if len(self.groups) <= self.n_clusters:
            return list(range(len(self.groups))), self.seeded
        groups = self._all_different[: self.n_clusters]
        reached = {int(self.ground.clusters[m]) for g in groups for m in self.groups[g].members}
        free = [c for c in range(len(self.ground.members)) if c not in reached]
        return groups, free[: self.n_clusters - len(groups)]

    @cached_property
    def _settled(self) -> tuple[FloatArray, IntArray, dict[int, tuple[int, ...]]]:
        """Shares of what leads, labels, and for each number the samples that are known of it."""
        groups, clusters = self.leading
        F = self._shares(groups, clusters)
        numbers = np.array([self.groups[g].number for g in groups] + clusters)
        column = {self.groups[g].part: i for i, g in enumerate(groups)}
        labels: IntArray = numbers[F.argmax(axis=1)]
        lost = F.sum(axis=1) == 0
        labels[lost] = self.ground.clusters[lost]
        known: dict[int, tuple[int, ...]] = {}
        for part, members in enumerate(self.known.parts):
            votes = F[members].sum(axis=0)
            votes[[column[p] for p in self.known.differ[part] if p in column]] = -1.0
            number = self._number(members)
            if part in column or votes.max() < 0:  # it leads, or is different from all that do
                known[number] = tuple(sorted(members))
            else:
                number = int(numbers[votes.argmax()])
            labels[members] = number
        return F, labels, known

    def labels(self) -> IntArray:
        """For each sample the number of its group or cluster; parts of one kind stay together."""
        return self._settled[1].copy()

    def clusters(self) -> list[tuple[int, tuple[int, ...], IntArray]]:
        """For each number what is known of it, and all its samples: known first, then nearest."""
        F, labels, known = self._settled
        groups, clusters = self.leading
        column = {self.groups[g].number: i for i, g in enumerate(groups)}
        column |= {c: len(groups) + i for i, c in enumerate(clusters)}
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
