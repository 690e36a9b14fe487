"""Supervision: pairs or labels as one value, from arrays, files and frames."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

from samekind import PairConstraints, Supervision
from samekind.constraints import ConstraintConflict, InputError


@pytest.mark.parametrize(
    ("labels", "y", "names"),
    [
        (["cat", None, "dog", "cat"], [0, -1, 1, 0], ("cat", "dog")),
        (["b", "", " ", float("nan"), " a "], [1, -1, -1, -1, 0], ("a", "b")),
        ([3, -1, 0], [1, -1, 0], (0, 3)),
        (np.array([3.0, np.nan, -1.0]), [0, -1, -1], (3,)),
        (np.array(["x", "", "y"]), [0, -1, 1], ("x", "y")),
        (np.ma.masked_array([1, 2], mask=[True, False]), [-1, 0], (2,)),
        (pd.Series(["x", None, "y"]), [0, -1, 1], ("x", "y")),
        (pd.Series([1, None, 2], dtype="Int64"), [0, -1, 1], (1, 2)),
        (pd.Series(["x", None, "y"], dtype="category"), [0, -1, 1], ("x", "y")),
        (pl.Series(["x", None, "y"]), [0, -1, 1], ("x", "y")),
        (["10", 9, "x"], [1, 0, 2], (9, "10", "x")),
        ([-1, None], [-1, -1], ()),
    ],
)
def test_labels_of_any_kind_are_numbered(labels, y, names):
    known = Supervision.from_labels(labels)
    assert known.y.tolist() == y
    assert known.names == names
    assert known.n_samples == len(y)
    assert known.constraints == PairConstraints.from_labels(known.y)


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        ([], ValueError, "y is empty"),
        ([[1, 2], [3, 4]], TypeError, r"y\[0\] is \[1, 2\]"),
        (np.zeros((2, 2)), ValueError, r"y has shape \(2, 2\)"),
        ("cat", TypeError, "y is a str"),
        (["cat", "-1"], ValueError, r"y\[1\]: the label '-1' may mean .*; leave it blank"),
    ],
)
def test_labels_that_are_none_are_refused(labels, error, message):
    with pytest.raises(error, match=message):
        Supervision.from_labels(labels)


def test_pairs_have_no_names():
    pairs = PairConstraints(4, [(0, 1)], [(1, 2)])
    known = Supervision(pairs)
    assert known == Supervision.from_pairs(4, [(0, 1)], [(1, 2)])
    assert known.constraints is pairs
    assert (known.y, known.names, known.n_samples) == (None, (), 4)
    with pytest.raises(TypeError, match=r"expected a PairConstraints; use .*from_pairs"):
        Supervision([(0, 1)])


@pytest.mark.parametrize(
    "known",
    [Supervision.from_labels(["a", None, "b"]), Supervision.from_pairs(3, [(0, 1)])],
    ids=["labels", "pairs"],
)
def test_it_is_a_value(known):
    for same in (copy.deepcopy(known), pickle.loads(pickle.dumps(known))):
        assert same == known
        assert hash(same) == hash(known)
        assert same.y is None or not same.y.flags.writeable
    assert known != Supervision.from_labels(["a", None, "c"])
    with pytest.raises(AttributeError, match="is a value"):
        known.y = None
    with pytest.raises(AttributeError, match="is a value"):
        del known.names


FRAMES = [pd.DataFrame, pl.DataFrame]


@pytest.fixture(params=["csv", *FRAMES], ids=["csv", "pandas", "polars"])
def read(request, tmp_path):
    """Supervision from columns, by a file or by a frame."""

    def by(columns, *args, **options):
        if request.param != "csv":
            return Supervision.from_frame(request.param(columns), *args, **options)
        path = tmp_path / "known.csv"
        pd.DataFrame(columns).to_csv(path, index=False)
        return Supervision.from_csv(path, *args, **options)

    return by


def test_labels_are_read_by_number_or_id(read):
    assert read({"row": [3, 0], "label": ["red", "blue"]}, 4).y.tolist() == [0, -1, -1, 1]
    columns = {"label": ["x", "y", None], "more": [1, 2, 3], "row": ["10", "cat", "bee"]}
    known = read(columns, 3, ids=["10", "bee", "cat"])
    assert known.y.tolist() == [0, -1, 1]
    assert known.names == ("x", "y")


def test_row_numbers_may_be_whole_floats(read):
    assert read({"row": [1.0, 2.0], "label": ["x", "x"]}, 3).y.tolist() == [-1, 0, 0]


def test_pairs_are_read_by_number_or_id(read):
    columns = {"a": [0, 1], "b": [1, 2], "kind": ["must-link", "cannot-link"]}
    assert read(columns, 3) == Supervision.from_pairs(3, [(0, 1)], [(1, 2)])
    columns = {"a": ["x"], "b": ["z"], "kind": ["must-link"]}
    assert read(columns, 3, ids="xyz") == Supervision.from_pairs(3, [(0, 2)])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"row": [0, 0], "label": ["a", "b"]}, r"(line 3|row 2): row 0 is labeled 'b' here and"),
        ({"row": [4], "label": ["a"]}, r"(line 2|row 1): '4' is not a valid row number"),
        ({"row": [0], "label": ["-1"]}, r"(line 2|row 1): the label '-1' may mean a class"),
        ({"row": [0], "label": [None]}, "no row has a label; label at least one row"),
        ({"a": [0], "label": ["x"]}, "the columns are a,label; expected a,b,kind .*row,label"),
        ({"a": [0], "b": [1], "kind": ["alike"]}, r"(line 2|row 1): unknown kind 'alike'"),
    ],
)
def test_a_bad_table_says_where_and_what_to_do(read, columns, message):
    with pytest.raises(InputError, match=message):
        read(columns, 4)


@pytest.mark.parametrize(
    ("text", "ids", "line", "reason"),
    [
        (
            "row,label\n0,a\n1,b\n0,b\n",
            None,
            4,
            "row 0 is labeled 'b' here and 'a' in line 2; keep",
        ),
        ("row,label\nbee,a\nbee,b\n", "ids", 3, "bee is labeled 'b' here and 'a' in line 2"),
        ("row,label\nbe,a\n", "ids", 2, "no row has the id 'be'; did you mean 'bee'?"),
        ("row,label\nzzz,a\n", "ids", 2, "no row has the id 'zzz'; the ids begin with '10'"),
        ("row,label\n²,a\n", None, 2, "'²' is not a valid row number"),
        ("row,row,label\n0,1,a\n", None, 1, "column 'row' is repeated"),
        ("\nrow,label\n\n9,a\n", None, 4, "'9' is not a valid row number"),
        ("row,label\n0\n", None, 2, "the line has 1 cell, expected 2"),
        ("", None, None, "the file is empty"),
    ],
)
def test_a_bad_file_of_labels_names_its_line(tmp_path, text, ids, line, reason):
    path = tmp_path / "labels.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=reason) as caught:
        Supervision.from_csv(path, 3, ids=["10", "bee", "cat"] if ids else None)
    assert caught.value.line == line
    assert str(caught.value).startswith(str(path))


def test_the_same_label_twice_is_fine(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("row,label\n1,a\n1,a\n1,\n,\n")
    assert Supervision.from_csv(path, 3).y.tolist() == [-1, 0, -1]


def test_something_that_is_no_frame_is_refused():
    with pytest.raises(TypeError, match="frame is a list; expected a frame of pandas or polars"):
        Supervision.from_frame([(0, 1)], 3)


LABELS = ["cat", "cat", "cat", "dog", "dog", None]


@pytest.mark.parametrize(
    ("found", "names", "overruled"),
    [
        ([0, 0, 0, 1, 1, 1], ("cat", "dog", "cluster 2"), []),
        ([1, 1, 1, 0, 0, 2], ("dog", "cat", "cluster 2"), []),
        ([0, 0, 0, 0, 1, 1], ("cat+dog", "dog", "cluster 2"), [3]),
        ([0, 1, 1, 1, 1, 1], ("cat", "cat+dog", "cluster 2"), [3, 4]),
        ([0, 1, 1, 2, 2, 2], ("cat (2)", "cat", "dog"), []),
        ([0, 0, 0, 0, 0, 0], ("cat+dog", "cluster 1", "cluster 2"), [3, 4]),
    ],
)
def test_clusters_are_called_by_the_labels_they_hold(found, names, overruled):
    known = Supervision.from_labels(LABELS)
    assert known.cluster_names(found, 3) == names
    report = known.evaluate(found)
    assert report.overruled.tolist() == overruled
    assert (report.n_labels, report.satisfied) == (5, 5 - len(overruled))


def test_names_of_clusters_differ_even_where_classes_look_like_them():
    known = Supervision.from_labels(["cluster 1", None, "1", 1])
    names = known.cluster_names([0, 1, 2, 3], 4)
    assert len(set(names)) == 4


def test_what_was_not_given_is_not_violated():
    assert Supervision.from_labels([None, None]).evaluate([0, 1]).given == 0
    pairs = Supervision.from_pairs(3, [(0, 1)])
    assert pairs.evaluate([0, 1, 1]).violated_must_link.tolist() == [[0, 1]]
    with pytest.raises(ValueError, match=r"labels has shape \(2,\)"):
        Supervision.from_labels(["a", "b", None]).evaluate([0, 1])


def test_labels_and_pairs_together():
    known = Supervision.from_labels(["cat", None, "dog", None])
    pairs = PairConstraints(4, [(0, 1)], [(2, 3)])
    both = known.with_pairs(pairs)
    assert both.constraints == PairConstraints(4, [(0, 1)], [(0, 2), (2, 3)])
    assert both.pairs == pairs
    assert (both.names, both.y.tolist()) == (known.names, known.y.tolist())
    assert both != known
    copy = pickle.loads(pickle.dumps(both))
    assert copy == both
    assert copy.constraints == both.constraints
    assert both.cluster_names([0, 0, 1, 1], 2) == ("cat", "dog")
    report = both.evaluate([0, 1, 1, 1])
    assert (report.n_labels, report.n_must_link, report.n_cannot_link) == (2, 1, 1)
    assert report.violated_must_link.tolist() == [[0, 1]]
    assert str(report).startswith("2 of 2 given labels kept; 0 overruled. 0 of 2 pairs satisfied")
    assert Supervision(pairs).with_pairs(PairConstraints(4, [(1, 3)])).y is None


def test_pairs_against_labels_are_refused():
    known = Supervision.from_labels(["cat", None, "dog"])
    with pytest.raises(ConstraintConflict, match=r"ann and cleo .*ann = bob = cleo"):
        known.with_pairs(PairConstraints(3, [(0, 1), (1, 2)]), ids=["ann", "bob", "cleo"])
    with pytest.raises(ValueError, match="cover 3 samples and the others 4"):
        known.with_pairs(PairConstraints(4, [(0, 1)]))
