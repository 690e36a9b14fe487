"""What follows from pairs: groups, implied pairs, contradictions and their proofs.

Must-links are transitive, so they fall into groups, and a cannot-link between two
samples holds between their whole groups. A cannot-link inside a group is therefore a
contradiction, and the chain of must-links between its two ends is the proof.

Pure functions on index arrays: `pairs` is (m, 2) without repeats, `is_must` says for each
row which kind it is, and the order of the rows is the order in which they were given.
"""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from samekind._typing import IntArray

BoolArray = npt.NDArray[np.bool_]


def group_ids(n_samples: int, must_link: IntArray) -> IntArray:
    """A group number for every sample, counted in the order of smallest members."""
    ones = np.ones(len(must_link))
    graph = coo_array((ones, (must_link[:, 0], must_link[:, 1])), shape=(n_samples, n_samples))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def implied_must_links(group_of: IntArray) -> IntArray:
    """All pairs i < j within groups."""
    ids = np.arange(group_of.max() + 1)
    pairs = _members_of_both(group_of, np.column_stack([ids, ids]))
    return pairs[pairs[:, 0] < pairs[:, 1]]


def implied_cannot_links(group_of: IntArray, cannot_link: IntArray) -> IntArray:
    """All pairs between the members of groups that have a cannot-link between them."""
    return _members_of_both(group_of, linked_groups(group_of, cannot_link))


def linked_groups(group_of: IntArray, cannot_link: IntArray) -> IntArray:
    """The pairs of groups with a cannot-link between them, each once."""
    first, second = group_of[cannot_link[:, 0]], group_of[cannot_link[:, 1]]
    # One number for each pair, and a plain sort: np.unique takes seconds for millions.
    n_groups = group_of.max() + 1
    keys = np.sort(np.minimum(first, second) * n_groups + np.maximum(first, second))
    keys = keys[np.diff(keys, prepend=-1) > 0]
    return np.column_stack([keys // n_groups, keys % n_groups])


def _members_of_both(group_of: IntArray, group_pairs: IntArray) -> IntArray:
    """For each pair of groups (p, q), every member of p beside every member of q."""
    members, sizes = np.argsort(group_of, kind="stable"), np.bincount(group_of)
    starts = np.cumsum(sizes) - sizes
    p, q = group_pairs[:, 0], group_pairs[:, 1]
    counts = sizes[p] * sizes[q]
    step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    p, q = np.repeat(p, counts), np.repeat(q, counts)
    left, right = starts[p] + step // sizes[q], starts[q] + step % sizes[q]
    return np.column_stack([members[left], members[right]])


def contradictions(n_samples: int, pairs: IntArray, is_must: BoolArray) -> list[tuple[int, int]]:
    """The rows that complete a contradiction when the pairs are taken in order.

    Each comes with the row of the cannot-link that is contradicted: itself, or, where a
    must-link would join samples that are already apart, the earliest that keeps them so.
    A row listed here counts as left out for the rows after it.
    """
    group_of = group_ids(n_samples, pairs[is_must])
    inside = group_of[pairs[:, 0]] == group_of[pairs[:, 1]]
    disputed = np.unique(group_of[pairs[inside & ~is_must, 0]])
    # Pairs outside the disputed groups can take part in no contradiction, in any order.
    rows = np.flatnonzero(inside & np.isin(group_of[pairs[:, 0]], disputed))
    return list(_replay(rows, pairs, is_must))


def _replay(rows: IntArray, pairs: IntArray, is_must: BoolArray) -> Iterator[tuple[int, int]]:
    root = {sample: sample for sample in np.unique(pairs[rows]).tolist()}
    members = {sample: [sample] for sample in root}
    apart: dict[int, dict[int, int]] = {sample: {} for sample in root}  # root -> root -> row
    for row, (i, j), must in zip(
        rows.tolist(), pairs[rows].tolist(), is_must[rows].tolist(), strict=True
    ):
        a, b = root[i], root[j]
        if must and b in apart[a]:
            yield row, apart[a][b]
        elif must and a != b:
            _merge(a, b, root, members, apart)
        elif not must and a == b:
            yield row, row
        elif not must:
            apart[a].setdefault(b, row)
            apart[b].setdefault(a, row)


def _merge(
    a: int,
    b: int,
    root: dict[int, int],
    members: dict[int, list[int]],
    apart: dict[int, dict[int, int]],
) -> None:
    """Join two groups, the one with less to carry over into the other."""
    small, large = sorted([a, b], key=lambda r: len(members[r]) + len(apart[r]))
    for sample in members[small]:
        root[sample] = large
    members[large] += members.pop(small)
    for other, row in apart.pop(small).items():
        del apart[other][small]
        apart[large][other] = apart[other][large] = min(row, apart[large].get(other, row))


def proofs(
    pairs: IntArray, is_must: BoolArray, found: list[tuple[int, int]]
) -> Iterator[tuple[int, ...]]:
    """For each contradiction, the shortest chain between the ends of its cannot-link.

    The chain runs over the must-links kept so far and, where a must-link completes the
    contradiction, over that one too. One at a time: only the first may be asked for.
    """
    neighbors: dict[int, list[int]] = defaultdict(list)
    done = 0
    for row, cannot in found:
        for i, j in pairs[done:row][is_must[done:row]].tolist():
            _link(neighbors, i, j)
        done = row + 1
        i, j = pairs[row].tolist()
        start, goal = pairs[cannot].tolist()
        if is_must[row]:
            _link(neighbors, i, j)
        yield shortest_chain(neighbors, start, goal)
        if is_must[row]:
            neighbors[i].pop()
            neighbors[j].pop()


def _link(neighbors: dict[int, list[int]], i: int, j: int) -> None:
    neighbors[i].append(j)
    neighbors[j].append(i)


def shortest_chain(neighbors: dict[int, list[int]], start: int, goal: int) -> tuple[int, ...]:
    """Breadth-first search from both ends at once; `start` and `goal` are connected."""
    if start == goal:
        return (start,)
    ahead: dict[int, int] = {start: start}  # sample -> the one it was reached from
    behind: dict[int, int] = {goal: goal}
    ahead_rim, behind_rim = [start], [goal]
    while True:
        # Whole levels, the thinner side first: the first meeting is then a shortest one.
        forward = len(ahead_rim) <= len(behind_rim)
        seen, rim, others = (ahead, ahead_rim, behind) if forward else (behind, behind_rim, ahead)
        reached = []
        for sample in rim:
            for other in neighbors[sample]:
                if other in seen:
                    continue
                seen[other] = sample
                if other in others:
                    return (*_trail(ahead, other)[::-1], *_trail(behind, other)[1:])
                reached.append(other)
        rim[:] = reached


def _trail(reached_from: dict[int, int], sample: int) -> list[int]:
    trail = [sample]
    while reached_from[sample] != sample:
        sample = reached_from[sample]
        trail.append(sample)
    return trail
