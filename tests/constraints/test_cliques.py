"""Mutually different groups, against enumeration."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samekind.constraints import PairConstraints
from samekind.constraints.cliques import find_clique_beyond


@st.composite
def values(draw):
    n = draw(st.integers(1, 9))
    pairs = st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=22)
    must, cannot = draw(pairs.map(lambda p: p[:4])), draw(pairs)
    return PairConstraints(n, must, cannot, on_conflict="drop")


def different_groups(value):
    return {frozenset(p) for p in value.group_of[value.cannot_link].tolist()}


def largest_by_enumeration(value):
    """The size of the largest set of mutually different groups."""
    different = different_groups(value)
    nodes = sorted(set().union(*different))
    for size in range(len(nodes), 0, -1):
        for chosen in combinations(nodes, size):
            if all(frozenset(p) in different for p in combinations(chosen, 2)):
                return size
    return 0


def assert_mutually_different_groups(value, groups):
    different = different_groups(value)
    ids = [int(value.group_of[members[0]]) for members in groups]
    for group, members in zip(ids, groups, strict=True):
        np.testing.assert_array_equal(members, np.flatnonzero(value.group_of == group))
    assert all(frozenset(p) in different for p in combinations(ids, 2))
    order = [(-len(members), members[0]) for members in groups]
    assert order == sorted(order)


@settings(max_examples=60, deadline=None)
@given(values(), st.integers(1, 5))
def test_a_clique_is_found_exactly_when_there_is_one(value, k):
    largest = largest_by_enumeration(value)
    clique = value.clique_beyond(k)
    if largest <= k:
        assert clique is None
    else:
        assert clique is not None
        assert len(clique) == largest
        assert_mutually_different_groups(value, clique)


@pytest.mark.parametrize("size", [5, 30])
def test_a_planted_clique_among_many_groups_is_found(size):
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 300, size=(300, 2))
    planted = rng.choice(300, size, replace=False)
    pairs = [(i, j) for i, j in noise.tolist() if i != j]
    pairs += list(combinations(planted.tolist(), 2))
    value = PairConstraints(300, cannot_link=pairs)
    clique = value.clique_beyond(size - 1)
    assert clique is not None
    assert_mutually_different_groups(value, clique)
    assert {int(members[0]) for members in clique} >= set(planted.tolist())


def test_the_greedy_search_tries_every_group_and_may_end_with_none():
    # Complete but for one pair in each of 15 couples: the largest clique has 15 groups.
    pairs = [(i, j) for i, j in combinations(range(30), 2) if j - i != 15]
    value = PairConstraints(30, cannot_link=pairs)
    found = value.clique_beyond(14)
    assert found is not None
    assert len(found) == 15
    assert_mutually_different_groups(value, found)
    assert value.clique_beyond(15) is None


def test_groups_with_few_neighbors_do_not_count_towards_the_exact_limit():
    # 40 loose ends around one triangle: only the triangle comes into question.
    neighbors = {0: {1, 2}, 1: {0, 2}, 2: {0, 1}}
    for end in range(3, 43):
        neighbors[end] = {end % 3}
        neighbors[end % 3].add(end)
    assert find_clique_beyond(neighbors, 2) == [0, 1, 2]
    assert find_clique_beyond(neighbors, 3) == []


def test_an_odd_ring_shows_that_none_is_no_proof():
    ring = PairConstraints(5, cannot_link=[(i, (i + 1) % 5) for i in range(5)])
    assert ring.clique_beyond(2) is None  # yet two clusters cannot satisfy it
    best = max(
        ring.evaluate([int(bit) for bit in f"{labels:05b}"]).satisfied for labels in range(32)
    )
    assert best == 4


@settings(max_examples=60, deadline=None)
@given(values(), st.integers(1, 5))
def test_seeds_are_the_greedy_choice_largest_first(value, k):
    different = different_groups(value)
    members = [np.flatnonzero(value.group_of == g) for g in range(value.group_of.max() + 1)]
    touched = set().union(*different)
    order = sorted(
        (g for g, m in enumerate(members) if len(m) > 1 or g in touched),
        key=lambda g: (-len(members[g]), members[g][0]),
    )
    expected = []
    for group in order:
        if len(expected) < k and all(frozenset((group, e)) in different for e in expected):
            expected.append(group)
    seeds = value.seed_groups(k)
    assert [s.tolist() for s in seeds] == [members[g].tolist() for g in expected]
    assert_mutually_different_groups(value, seeds)


def test_without_cannot_links_the_largest_group_is_the_only_seed():
    assert PairConstraints(4).seed_groups(3) == []
    (seed,) = PairConstraints(6, [(0, 1), (2, 3), (3, 4)]).seed_groups(3)
    assert seed.tolist() == [2, 3, 4]


@pytest.mark.parametrize("method", ["clique_beyond", "seed_groups"])
@pytest.mark.parametrize(("k", "error"), [(0, ValueError), (1.5, TypeError)])
def test_k_is_a_positive_integer(method, k, error):
    with pytest.raises(error, match=rf"k is {k}; expected an int in the range \[1, inf\)"):
        getattr(PairConstraints(3), method)(k)
