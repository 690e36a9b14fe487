"""PairConstraints as a value, and the validation of pairs."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from samekind.constraints import ConstraintConflict, PairConstraints


@pytest.fixture
def constraints():
    return PairConstraints(6, must_link=[(0, 1), (4, 1)], cannot_link=[(5, 0), (2, 3)])


def consistent(n, must, cannot):
    """Cannot-links that contradict nothing, whatever was drawn."""
    value = PairConstraints(n, must, cannot, on_conflict="drop")
    return PairConstraints(n, value.must_link, value.cannot_link)


@st.composite
def values(draw):
    n = draw(st.integers(1, 8))
    pairs = st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=10)
    return consistent(n, draw(pairs), draw(pairs))


# A value -----------------------------------------------------------------------------


def test_pairs_are_sorted_merged_and_kept_in_order():
    constraints = PairConstraints(9, [(7, 3), (0, 1), (3, 7), (2, 2), (0, 1)], [(8, 0), (0, 2)])
    assert constraints.must_link.tolist() == [[3, 7], [0, 1]]
    assert constraints.cannot_link.tolist() == [[0, 8], [0, 2]]
    assert constraints.must_link.dtype == constraints.group_of.dtype == np.int64


@pytest.mark.parametrize("name", ["n_samples", "must_link", "group_of", "dropped", "other"])
def test_attributes_can_be_neither_set_nor_removed(constraints, name):
    with pytest.raises(AttributeError, match=f"{name} cannot be set"):
        setattr(constraints, name, 1)
    with pytest.raises(AttributeError, match=f"{name} cannot be removed"):
        delattr(constraints, name)


@pytest.mark.parametrize(
    "copied", [lambda v: v, copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_copies_are_equal_and_read_only(copied):
    value = PairConstraints(5, [(0, 1)], [(1, 0), (1, 2)], on_conflict="drop")
    other = copied(value)
    assert other == value
    assert other.dropped == value.dropped
    assert len(other.dropped) == 1
    arrays = [other.must_link, other.cannot_link, other.group_of, *other.groups]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3


def test_the_arrays_given_stay_as_they_are():
    must, cannot = np.array([[1, 0], [3, 2]]), np.array([[2, 0]])
    value = PairConstraints(4, must, cannot)
    assert must.tolist() == [[1, 0], [3, 2]]
    must[0] = 3
    cannot[0] = 3
    assert value.must_link.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize("name", ["__len__", "shape", "__iter__", "__getitem__", "__array__"])
def test_nothing_makes_it_look_like_an_array(constraints, name):
    assert not hasattr(constraints, name)


def test_equality_goes_by_value_and_not_by_order(constraints):
    other = PairConstraints(6, must_link=[(1, 4), (1, 0)], cannot_link=[(3, 2), (0, 5)])
    assert constraints == other
    assert hash(constraints) == hash(other)
    assert len({constraints, other}) == 1


@pytest.mark.parametrize(
    "other",
    [
        PairConstraints(7, [(0, 1), (4, 1)], [(5, 0), (2, 3)]),
        PairConstraints(6, [(0, 1), (4, 1)], [(5, 0)]),
        PairConstraints(6, [(0, 1)], [(5, 0), (2, 3)]),
        PairConstraints(6, [(5, 0), (2, 3)], [(0, 1), (4, 1)]),
        "pairs",
    ],
)
def test_other_pairs_make_another_value(constraints, other):
    assert constraints != other


def test_the_repr_counts():
    value = PairConstraints(6, [(0, 1), (1, 2)], [(0, 2)], on_conflict="drop")
    expected = (
        "PairConstraints(n_samples=6, must_link=2 pairs, cannot_link=0 pairs, dropped=1 pair)"
    )
    assert repr(value) == expected


def test_a_conflict_survives_a_worker_process():
    with pytest.raises(ConstraintConflict) as caught:
        PairConstraints(3, [(0, 1), (1, 2)], [(0, 2)])
    other = pickle.loads(pickle.dumps(caught.value))
    assert (str(other), other.pair, other.chain) == (str(caught.value), (0, 2), (0, 1, 2))


# Validation --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 1), (3, 2)],
        ((0, 1), (3, 2)),
        [[0.0, 1.0], [3.0, 2.0]],
        [np.array([0, 1]), np.array([3, 2])],
        [(np.int32(0), np.uint8(1)), (np.float32(3), 2)],
        np.array([[0, 1], [3, 2]], dtype=np.uint64),
        np.array([[0, 1], [3, 2]], dtype=np.float32),
        np.array([[0, 1], [3, 2]], dtype=object),
        pd.DataFrame({"a": [0, 3], "b": [1, 2]}),
        pd.DataFrame({"a": [0, 3], "b": [1, 2]}, dtype="Int64"),
        pl.DataFrame({"a": [0, 3], "b": [1, 2]}),
    ],
)
def test_pairs_come_in_many_dresses(pairs):
    assert PairConstraints(4, pairs).must_link.tolist() == [[0, 1], [2, 3]]
    assert PairConstraints(4, None, pairs).cannot_link.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    "nothing",
    [None, [], (), np.empty((0, 2)), np.empty((0, 2), int), pd.DataFrame(columns=["a", "b"])],
)
def test_no_pairs_are_no_pairs(nothing):
    value = PairConstraints(3, nothing, nothing)
    assert value.must_link.shape == value.cannot_link.shape == (0, 2)
    assert value.groups == ()
    assert value.group_of.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("pairs", "error", "message"),
    [
        ([(0, 1), (1, 4)], ValueError, r"must_link\[1\] is \(1, 4\); .*in the range \[0, 4\)"),
        ([(0, 1), (-1, 2)], ValueError, r"must_link\[1\] is \(-1, 2\)"),
        ([(0, 10**30)], ValueError, r"must_link\[0\] is \(0, 10{30}\)"),
        (np.array([[0, 2**64 - 1]], dtype=np.uint64), ValueError, r"\(0, 18446744073709551615\)"),
        ([(0, 1), (1, 2.5)], ValueError, r"must_link\[1\] is \(1, 2.5\); expected two ints"),
        ([(0, 1), (1, np.nan)], ValueError, r"must_link\[1\] is \(1, nan\)"),
        (np.array([[0, 1], [1, np.inf]]), ValueError, r"must_link\[1\] is \(1.0, inf\)"),
        ([(0, 1), (1, True)], TypeError, r"must_link\[1\] is \(1, True\)"),
        (np.eye(2, dtype=bool), TypeError, r"must_link\[0\] is \(True, False\)"),
        ([(0, 1), (1, "2")], TypeError, r"must_link\[1\] is \(1, '2'\)"),
        (np.array([["0", "1"]]), TypeError, r"must_link\[0\] is \('0', '1'\)"),
        ([(0, 1), (1, None)], TypeError, r"must_link\[1\] is \(1, None\)"),
        ([(0, 1), (1, 2j)], TypeError, r"must_link\[1\] is \(1, 2j\)"),
        ([(0, 1), (1, 2, 3)], ValueError, r"shape \(m, 2\), .*must_link\[1\] is \(1, 2, 3\)"),
        ([0, 1], ValueError, r"a list of shape \(2,\); .*must_link\[0\] is 0"),
        ([(0, 1, 2)], ValueError, r"shape \(1, 3\); .*must_link\[0\]"),
        (np.empty((0, 3)), ValueError, r"a ndarray of shape \(0, 3\)"),
        ({(0, 1)}, ValueError, r"a set of shape \(\); expected pairs"),
        (3, ValueError, r"a int of shape \(\)"),
    ],
)
def test_bad_pairs_are_named_with_their_position(pairs, error, message):
    with pytest.raises(error, match=message):
        PairConstraints(4, pairs)
    with pytest.raises(error, match=message.replace("must_link", "cannot_link")):
        PairConstraints(4, None, pairs)


@pytest.mark.parametrize(
    ("n_samples", "error"), [(0, ValueError), (-3, ValueError), (2.0, TypeError), (True, TypeError)]
)
def test_the_number_of_samples_is_a_positive_integer(n_samples, error):
    with pytest.raises(error, match=rf"n_samples is {n_samples}; expected an int in the range"):
        PairConstraints(n_samples)


def test_numpy_integers_count_samples_too():
    assert type(PairConstraints(np.int64(3)).n_samples) is int


# Labels ------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-1, 3), min_size=1, max_size=9))
def test_labels_speak_of_all_labeled_pairs(y):
    value = PairConstraints.from_labels(y)
    known = [(i, j) for j in range(len(y)) for i in range(j) if y[i] >= 0 and y[j] >= 0]
    assert set(map(tuple, value.must_link.tolist())) == {(i, j) for i, j in known if y[i] == y[j]}
    assert set(map(tuple, value.cannot_link.tolist())) == {(i, j) for i, j in known if y[i] != y[j]}
    assert value.closure() == value
    assert PairConstraints.from_labels(np.array(y, dtype=float)) == value


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        (["cat", "-1"], ValueError, r"y\[1\]: the label '-1' may mean a class or 'unknown'"),
        ([0, {}], TypeError, r"y\[1\] is \{\}; expected text, a number or None"),
        ("cat", TypeError, r"y is a str; expected one label per sample"),
        (np.array([[0, 1]]), ValueError, r"y has shape \(1, 2\)"),
        ([], ValueError, r"y is empty"),
    ],
)
def test_bad_labels_are_refused_with_advice(y, error, message):
    with pytest.raises(error, match=message):
        PairConstraints.from_labels(y)


@pytest.mark.parametrize(
    "y",
    [
        ["cat", None, "cat", "dog"],
        ["cat", " ", " cat", "dog"],
        np.array(["cat", np.nan, "cat", "dog"], dtype=object),
        pd.Series(["cat", None, "cat", "dog"]),
        pd.Series([7, None, 7, 3]),
        pd.array([7, None, 7, 3], dtype="Int64"),
        [0.5, float("nan"), 0.5, -2],
        [True, -1, True, False],
    ],
)
def test_labels_of_any_kind_with_gaps(y):
    assert PairConstraints.from_labels(y) == PairConstraints(4, [(0, 2)], [(0, 3), (2, 3)])


def test_masked_entries_are_refused():
    pairs = np.ma.masked_array([[0, 1], [1, 2]], mask=[[0, 0], [0, 1]])
    for given_pairs in ((pairs, None), (None, pairs)):
        with pytest.raises(ValueError, match="_link has masked entries; fill them in or remove"):
            PairConstraints(4, *given_pairs)
    assert PairConstraints.from_labels(pairs[:, 1]) == PairConstraints(2)  # unknown
    with pytest.raises(ValueError, match="rows has masked entries"):
        PairConstraints(4).subset(pairs[:, 1])
    assert PairConstraints(4, pairs[:1]) == PairConstraints(4, [(0, 1)])


# Parts and matrices ------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(values(), st.data())
def test_take_keeps_given_pairs_between_kept_rows(value, data):
    indices = range(value.n_samples)
    rows = data.draw(st.lists(st.sampled_from(indices), min_size=1, unique=True))
    part = value.subset(rows)
    assert part.n_samples == len(rows)
    for taken, pairs in ((part.must_link, value.must_link), (part.cannot_link, value.cannot_link)):
        expected = [
            sorted((rows.index(i), rows.index(j)))
            for i, j in pairs.tolist()
            if i in rows and j in rows
        ]
        assert taken.tolist() == expected
    mask = np.isin(indices, rows)
    assert value.subset(mask) == value.subset(mask.tolist()) == value.subset(sorted(rows))
    assert value.subset(list(indices)) == value


def test_what_follows_through_rows_left_out_needs_the_closure():
    value = PairConstraints(3, [(0, 1), (1, 2)])
    assert value.subset([0, 2]).must_link.tolist() == []
    assert value.closure().subset([0, 2]).must_link.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ([0, 1, 0], ValueError, "row 0 more than once; expected distinct"),
        ([0, 6], ValueError, r"rows\[1\] is 6; .*in the range \[0, 6\)"),
        ([-1], ValueError, r"rows\[0\] is -1"),
        ([0.5], ValueError, r"rows\[0\] is 0.5"),
        (["0"], TypeError, r"rows\[0\] is '0'"),
        ([True, False], ValueError, "a mask of 2 entries, but the constraints cover 6 samples"),
        ([], ValueError, "rows is empty"),
        (np.zeros(6, bool), ValueError, "rows is empty"),
        ([[0, 1]], ValueError, r"rows has shape \(1, 2\)"),
        (3, ValueError, r"rows has shape \(\)"),
    ],
)
def test_bad_rows_are_refused(constraints, rows, error, message):
    with pytest.raises(error, match=message):
        constraints.subset(rows)


@settings(max_examples=60, deadline=None)
@given(values())
def test_matrices_hold_a_one_for_each_pair_both_ways(value):
    both = (
        (value.must_link, value.must_link_matrix()),
        (value.cannot_link, value.cannot_link_matrix()),
    )
    for pairs, matrix in both:
        expected = np.zeros((value.n_samples, value.n_samples))
        for i, j in pairs.tolist():
            expected[i, j] = expected[j, i] = 1.0
        assert isinstance(matrix, csr_array)
        assert matrix.dtype == np.float64
        np.testing.assert_array_equal(matrix.toarray(), expected)


@settings(max_examples=60, deadline=None)
@given(values(), st.randoms(use_true_random=False))
def test_renaming_the_samples_renames_the_pairs(value, random):
    order = list(range(value.n_samples))
    random.shuffle(order)
    renamed = value.subset(order)
    assert renamed.subset(np.argsort(order)) == value
    assert renamed.closure() == value.closure().subset(order)
    assert [len(g) for g in renamed.groups] == [len(g) for g in value.groups]
