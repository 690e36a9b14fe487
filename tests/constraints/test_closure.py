"""Closure and contradictions against a model that squares boolean matrices."""

import csv
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samekind.constraints import ConstraintConflict, PairConstraints
from samekind.constraints.closure import linked_groups


@st.composite
def statements(draw, max_samples=8, max_pairs=10):
    """A number of samples, and pairs in the order in which they are said."""
    n = draw(st.integers(1, max_samples))
    index = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(index, index, st.booleans()), max_size=max_pairs))


def split(said):
    return [(i, j) for i, j, must in said if must], [(i, j) for i, j, must in said if not must]


def same_matrix(n, must):
    """R[i, j]: i and j are the same kind, by repeated squaring."""
    R = np.eye(n, dtype=bool)
    for i, j in must:
        R[i, j] = R[j, i] = True
    for _ in range(n):
        R = R @ R
    return R


def different_matrix(n, must, cannot):
    R, D = same_matrix(n, must), np.zeros((n, n), dtype=bool)
    for i, j in cannot:
        D[i, j] = D[j, i] = True
    return R @ D @ R


def is_consistent(n, said):
    must, cannot = split(said)
    R = same_matrix(n, must)
    return not any(R[i, j] for i, j in cannot)


def replayed(n, said):
    """Keep each statement that is consistent with those kept before; the others apart."""
    kept, dropped = [], []
    for statement in said:
        (kept if is_consistent(n, [*kept, statement]) else dropped).append(statement)
    return kept, dropped


def as_set(pairs):
    return {(min(i, j), max(i, j)) for i, j in np.asarray(pairs).reshape(-1, 2).tolist()}


def in_order(pairs):
    """Self pairs left out, the first mention of each pair kept."""
    return list(dict.fromkeys((min(p), max(p)) for p in pairs if p[0] != p[1]))


def distance(n, must, start, goal):
    """Number of must-links between two samples, by powers of the adjacency matrix."""
    step = np.eye(n, dtype=bool)
    for i, j in must:
        step[i, j] = step[j, i] = True
    reached = np.eye(n, dtype=bool)
    for length in range(n):
        if reached[start, goal]:
            return length
        reached = reached @ step
    return None


def must_links_first(said):
    return sorted(said, key=lambda statement: not statement[2])


@settings(max_examples=60, deadline=None)
@given(statements())
def test_groups_are_the_classes_of_the_closure(problem):
    n, said = problem
    must, _ = split(said)
    R = same_matrix(n, must)
    constraints = PairConstraints(n, must)
    group_of = constraints.group_of
    np.testing.assert_array_equal(group_of[:, None] == group_of[None, :], R)
    firsts = [int(np.flatnonzero(group_of == g)[0]) for g in range(group_of.max() + 1)]
    assert firsts == sorted(firsts)  # numbered by smallest member
    expected = sorted({tuple(np.flatnonzero(row)) for row in R}, key=lambda g: (-len(g), g[0]))
    assert [tuple(g) for g in constraints.groups] == [g for g in expected if len(g) > 1]


@settings(max_examples=60, deadline=None)
@given(statements())
def test_contradictions_are_found_exactly_when_the_closure_has_them(problem):
    n, said = problem
    must, cannot = split(said)
    if is_consistent(n, said):
        constraints = PairConstraints(n, must, cannot)
        assert [tuple(p) for p in constraints.must_link.tolist()] == in_order(must)
        assert [tuple(p) for p in constraints.cannot_link.tolist()] == in_order(cannot)
        assert constraints.dropped == ()
        return
    with pytest.raises(ConstraintConflict) as caught:
        PairConstraints(n, must, cannot)
    R = same_matrix(n, must)
    first = next((min(p), max(p)) for p in cannot if R[p])
    chain = caught.value.chain
    assert caught.value.pair == first
    assert (chain[0], chain[-1]) == first
    assert as_set(list(pairwise(chain))) <= as_set(must)
    assert len(chain) - 1 == distance(n, must, *first)
    assert " = ".join(map(str, chain)) in str(caught.value) or len(chain) == 1


@settings(max_examples=60, deadline=None)
@given(statements())
def test_dropping_equals_a_replay_pair_by_pair(problem):
    n, said = problem
    kept, dropped = replayed(n, must_links_first(said))
    must, cannot = split(said)
    constraints = PairConstraints(n, must, cannot, on_conflict="drop")
    assert [tuple(p) for p in constraints.must_link.tolist()] == in_order(must)
    assert [tuple(p) for p in constraints.cannot_link.tolist()] == in_order(split(kept)[1])
    expected = list(dict.fromkeys((min(i, j), max(i, j)) for i, j, _ in dropped))
    assert [d.pair for d in constraints.dropped] == expected
    assert all(d.kind == "cannot-link" for d in constraints.dropped)


def write(folder, said):
    path = Path(folder, "pairs.csv")
    with path.open("w", newline="") as file:
        rows = [(i, j, "must-link" if must else "cannot-link") for i, j, must in said]
        csv.writer(file).writerows([("a", "b", "kind"), *rows])
    return path


@settings(max_examples=60, deadline=None)
@given(statements(max_samples=6, max_pairs=14))
def test_a_csv_is_replayed_by_its_lines(problem):
    n, said = problem
    kept, dropped = replayed(n, said)
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, said)
        constraints = PairConstraints.from_csv(path, n, on_conflict="drop")
        assert [tuple(p) for p in constraints.must_link.tolist()] == in_order(split(kept)[0])
        assert [tuple(p) for p in constraints.cannot_link.tolist()] == in_order(split(kept)[1])
        records = [(*d.pair, d.kind == "must-link") for d in constraints.dropped]
        expected = dict.fromkeys((min(i, j), max(i, j), must) for i, j, must in dropped)
        assert records == list(expected)
        if not dropped:
            assert PairConstraints.from_csv(path, n) == constraints
            return
        with pytest.raises(ConstraintConflict, match="line ") as caught:
            PairConstraints.from_csv(path, n)
    i, j, must = dropped[0]
    conflict, before = caught.value, said[: said.index(dropped[0])]
    chain, known = conflict.chain, split(before)[0] + [(i, j)] * must
    assert conflict.pair == (min(i, j), max(i, j))
    assert as_set([(chain[0], chain[-1])]) <= as_set(split([*before, dropped[0]])[1])
    assert as_set(list(pairwise(chain))) <= as_set(known)
    assert len(chain) - 1 == distance(n, known, chain[0], chain[-1])
    further = len(expected) - 1
    assert (f"({further} further" in str(conflict)) == (further > 0)


@pytest.mark.parametrize("seed", range(5))
def test_long_files_with_many_contradictions_are_replayed_too(tmp_path, seed):
    # More merging of groups that are apart from others than short examples hold.
    rng = np.random.default_rng(seed)
    said = [(i, j, k < 2) for i, j, k in rng.integers(0, (12, 12, 3), size=(60, 3)).tolist()]
    kept, dropped = replayed(12, said)
    constraints = PairConstraints.from_csv(write(tmp_path, said), 12, on_conflict="drop")
    assert constraints == PairConstraints(12, *split(kept))
    assert {d.kind for d in constraints.dropped} == {"must-link", "cannot-link"}
    assert {d.pair for d in constraints.dropped} == as_set([d[:2] for d in dropped])


@settings(max_examples=60, deadline=None)
@given(statements())
def test_closed_is_everything_that_follows(problem):
    n, said = problem
    kept, _ = replayed(n, said)
    must, cannot = split(kept)
    constraints = PairConstraints(n, must, cannot)
    closed = constraints.closure()
    upper = np.triu_indices(n, 1)
    same = same_matrix(n, must)[upper]
    different = different_matrix(n, must, cannot)[upper]
    pairs = np.column_stack(upper)
    assert as_set(closed.must_link) == as_set(pairs[same])
    assert as_set(closed.cannot_link) == as_set(pairs[different])
    assert closed.closure() == closed
    given_first = closed.must_link[: len(constraints.must_link)]
    np.testing.assert_array_equal(given_first, constraints.must_link)


@settings(max_examples=60, deadline=None)
@given(statements())
def test_linked_groups_are_listed_once_and_in_order(problem):
    n, said = problem
    must, cannot = split(replayed(n, said)[0])
    constraints = PairConstraints(n, must, cannot)
    found = linked_groups(constraints.group_of, constraints.cannot_link)
    assert found.shape[1] == 2
    expected = {tuple(sorted(p)) for p in constraints.group_of[constraints.cannot_link].tolist()}
    assert [tuple(p) for p in found.tolist()] == sorted(expected)


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(30)), st.integers(2, 29), st.integers(1, 4))
def test_the_chain_is_shortest_on_a_ladder_of_shortcuts(names, length, stride):
    path = [(names[i], names[i + 1]) for i in range(length)]
    shortcuts = [(names[i], names[i + stride]) for i in range(0, length - stride + 1, stride)]
    must = path + shortcuts
    ends = (names[0], names[length])
    with pytest.raises(ConstraintConflict) as caught:
        PairConstraints(30, must, [ends])
    assert len(caught.value.chain) - 1 == distance(30, must, *ends)


def test_the_sentence_names_both_samples_and_the_chain():
    sentence = (
        "^samples 3 and 12 are marked different, yet 3 = 7 = 12 follows from the must-links; "
        "remove one of these constraints$"
    )
    with pytest.raises(ConstraintConflict, match=sentence):
        PairConstraints(20, [(12, 7), (7, 3)], [(12, 3)])


def test_only_the_ends_of_a_long_chain_are_shown():
    n = 1300
    must, ends = list(pairwise(range(n))), (0, n - 1)
    links = (
        "yet 0 = 1 = 2 = 3 = 4 = 5 = ... (1,288 more) ... = "
        "1294 = 1295 = 1296 = 1297 = 1298 = 1299 follows"
    )
    with pytest.raises(ConstraintConflict) as caught:
        PairConstraints(n, must, [ends])
    assert links in str(caught.value)
    assert caught.value.chain == tuple(range(n))
    (dropped,) = PairConstraints(n, must, [ends], on_conflict="drop").dropped
    assert links in dropped.reason


@pytest.mark.parametrize(("n", "hidden"), [(12, False), (13, True)])
def test_a_chain_of_twelve_is_shown_whole(n, hidden):
    with pytest.raises(ConstraintConflict) as caught:
        PairConstraints(n, list(pairwise(range(n))), [(0, n - 1)])
    assert ("... (1 more) ..." in str(caught.value)) == hidden
    assert (" = ".join(map(str, range(n))) in str(caught.value)) == (not hidden)


def test_further_contradictions_are_counted():
    with pytest.raises(ConstraintConflict, match=r"\(1 further contradiction found\)$"):
        PairConstraints(4, [(0, 1), (2, 3)], [(0, 1), (1, 0), (0, 2), (3, 2)])
    with pytest.raises(ConstraintConflict, match=r"\(2 further contradictions found\)$"):
        PairConstraints(4, [(0, 1), (2, 3)], [(0, 1), (3, 2), (3, 3)])


def test_a_sample_that_differs_from_itself_is_a_contradiction():
    with pytest.raises(ConstraintConflict, match="sample 2 is marked different from itself"):
        PairConstraints(4, cannot_link=[(0, 1), (2, 2)])
    constraints = PairConstraints(4, cannot_link=[(0, 1), (2, 2)], on_conflict="drop")
    assert constraints.cannot_link.tolist() == [[0, 1]]
    assert constraints.dropped[0].pair == (2, 2)


def test_a_dropped_must_link_says_which_pair_keeps_it_out(tmp_path):
    path = write(tmp_path, [(0, 1, True), (2, 3, True), (0, 3, False), (2, 1, True)])
    constraints = PairConstraints.from_csv(path, 4, on_conflict="drop")
    (dropped,) = constraints.dropped
    assert (dropped.pair, dropped.kind) == ((1, 2), "must-link")
    assert dropped.reason == (
        f"{path}: line 5: samples 1 and 2 are marked the same, yet then 0 = 1 = 2 = 3 would "
        "follow, and 0 and 3 are marked different; remove one of these constraints"
    )


def test_other_answers_to_conflicts_are_refused():
    with pytest.raises(ValueError, match="on_conflict is 'ignore'; expected 'raise' or 'drop'"):
        PairConstraints(3, on_conflict="ignore")
