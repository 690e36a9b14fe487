"""Groups that are all different from one another, in the graph of cannot-links.

`neighbors` maps each group that has a cannot-link to the groups it is different from.
More than k groups that are mutually different cannot be put into k clusters. The search
is exact among few groups; among many it is greedy and may miss such a set. Even an exact
"none" is no proof that k clusters suffice: an odd ring needs three and has no triangle.
"""

from collections import defaultdict

from samekind._typing import IntArray

Neighbors = dict[int, set[int]]

STARTS, LOOKED_AT = 50, 200  # of the greedy search for distinct groups
EXACT_UP_TO = 20  # groups; at most 3^(20/3), about 1500, maximal cliques


def as_neighbors(group_pairs: IntArray) -> Neighbors:
    """Turn pairs of groups into a map from each group to those it is different from."""
    neighbors: Neighbors = defaultdict(set)
    for a, b in group_pairs.tolist():
        neighbors[a].add(b)
        neighbors[b].add(a)
    return dict(neighbors)


def find_clique_beyond(neighbors: Neighbors, k: int) -> list[int]:
    """More than k mutually different groups, or an empty list where none was found."""
    core = _core(neighbors, k)
    clique = _largest_clique(core) if len(core) <= EXACT_UP_TO else _greedy_clique(core, k)
    return clique if len(clique) > k else []


def _core(neighbors: Neighbors, degree: int) -> Neighbors:
    """What is left when groups with fewer neighbors than `degree` are taken out in turn.

    Every clique of more than `degree` groups survives this.
    """
    core = {group: set(others) for group, others in neighbors.items()}
    loose = [group for group, others in core.items() if len(others) < degree]
    while loose:
        group = loose.pop()
        for other in core.pop(group):
            core[other].remove(group)
            if len(core[other]) == degree - 1:  # just now; below that it is listed already
                loose.append(other)
    return core


def _largest_clique(neighbors: Neighbors) -> list[int]:
    """Branch and bound; ties go to the groups that come first."""
    best: list[int] = []

    def grow(clique: list[int], candidates: set[int]) -> None:
        nonlocal best
        if len(clique) > len(best):
            best = clique
        for group in sorted(candidates):
            if len(clique) + len(candidates) <= len(best):
                return
            grow([*clique, group], candidates & neighbors[group])
            candidates = candidates - {group}

    grow([], set(neighbors))
    return best


def _greedy_clique(neighbors: Neighbors, k: int) -> list[int]:
    """Grow cliques, best connected groups first, until one has more than k or all are covered."""
    order = sorted(neighbors, key=lambda group: (-len(neighbors[group]), group))
    rank = {group: position for position, group in enumerate(order)}
    covered: set[int] = set()
    for start in order:
        if start in covered:
            continue
        clique, candidates = [start], neighbors[start]
        while candidates:
            group = min(candidates, key=rank.__getitem__)
            clique.append(group)
            candidates = candidates & neighbors[group]
        if len(clique) > k:
            return clique
        covered.update(clique)
    return []


def greedy_seeds(neighbors: Neighbors, sizes: IntArray, k: int) -> list[int]:
    """Up to k mutually different groups, largest first, ties by group number."""
    telling = [group for group, size in enumerate(sizes.tolist()) if size > 1 or group in neighbors]
    chosen: list[int] = []
    for group in sorted(telling, key=lambda group: -sizes[group]):
        if len(chosen) == k:
            break
        if neighbors.get(group, set()).issuperset(chosen):
            chosen.append(group)
    return chosen


def distinct_groups(neighbors: Neighbors, sizes: IntArray, k: int) -> list[int]:
    """Mutually different groups, as many as a greedy search finds and at most k.

    From each of the best connected groups the search always adds the group that keeps most
    candidates; of equally many groups those with more samples win. Without cannot-links the
    largest must-link group is all that is known.
    """
    if not neighbors:
        largest = int(sizes.argmax())
        return [largest] if sizes[largest] > 1 else []
    order = sorted(neighbors, key=lambda group: (-len(neighbors[group]), -sizes[group], group))
    rank = {group: position for position, group in enumerate(order)}
    best: list[int] = []
    for start in order[:STARTS]:
        found, left = [start], set(neighbors[start])
        while left and len(found) < k:
            # From rank 0 on, so that ties go to the better connected group.
            looked_at = sorted(left, key=rank.__getitem__)[:LOOKED_AT]
            group = max(looked_at, key=lambda one: (len(neighbors[one] & left), sizes[one]))
            found.append(group)
            left &= neighbors[group]
        if _worth(found, sizes) > _worth(best, sizes):
            best = found
    return best


def _worth(groups: list[int], sizes: IntArray) -> tuple[int, int]:
    return len(groups), int(sizes[groups].sum()) if groups else 0
