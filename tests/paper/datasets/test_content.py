"""What is compared: each way in which data can be others is noticed and named."""

from dataclasses import replace

import numpy as np
import pytest

from samekind.paper.datasets.content import (
    describe,
    differences,
    remember,
    remembered,
    remembered_rows,
)
from samekind.paper.datasets.convert import numbered, read_as
from samekind.paper.datasets.errors import RefusedDataset
from samekind.paper.datasets.records import Arrays


def altered(toy, **more):
    arrays = Arrays(toy.X.copy(), toy.y.copy(), dict(toy.extras))
    return replace(arrays, **more)


def found(toy, other):
    return "; ".join(differences(describe(other), describe(toy)))


def test_mean_and_variance_are_those_of_numpy(toy):
    content = describe(toy)
    np.testing.assert_allclose(content.means, toy.X.astype(float).mean(0), atol=1e-10)
    np.testing.assert_allclose(content.variances, toy.X.astype(float).var(0), atol=1e-10)
    assert content.class_means[1] == pytest.approx(toy.X[toy.y == 1].mean())


def test_the_same_content_differs_in_nothing(toy):
    assert found(toy, altered(toy, X=toy.X.astype(float) + 1e-6)) == ""


def test_a_single_altered_value_is_noticed(toy):
    X = toy.X.copy()
    X[20, 5] += 1
    assert "1 of 12 column means differ, most that of column 5" in found(toy, altered(toy, X=X))


def test_two_rows_exchanged_within_a_column_are_noticed_by_their_classes(toy):
    """Means and variances of the columns stay; only the rows belong to other classes."""
    X = toy.X.copy()
    X[[0, 29]] = X[[29, 0]]
    assert found(toy, altered(toy, X=X)).startswith("2 of 3 class means differ")


def test_rows_exchanged_within_a_class_are_noticed(toy):
    """Columns, classes and labels stay as they are; what else belongs to a row would not."""
    X = toy.X.copy()
    X[10:20] = X[19:9:-1]
    said = found(toy, altered(toy, X=X))
    assert said.startswith("its values stand in other rows: ")
    assert "of 12 column drifts differ" in said


def test_another_order_of_the_rows_is_noticed(toy):
    other = Arrays(toy.X[::-1], toy.y[::-1])
    assert "its rows come in another order" in found(toy, other)


def test_other_sizes_of_the_classes_are_noticed(toy):
    y = toy.y.copy()
    y[10] = 0
    assert found(toy, altered(toy, y=y)).startswith("its class 0 has 11 samples, expected 10")


def test_another_range_is_named(toy):
    assert "run from 0 to 1, expected 0 to 255" in found(toy, altered(toy, X=toy.X / 255))


def test_other_extras_are_named(toy):
    whole = altered(toy, extras={"group": toy.y, "edges": toy.y})
    other = altered(toy, extras={"group": toy.y + 1})
    assert found(whole, other) == "its array 'group' differs; its array 'edges' is missing"


def test_what_is_remembered_is_what_was_described(shelf, toy):
    whole = altered(toy, extras={"group": toy.y})
    remember("toy", describe(whole), rows=np.arange(5))
    assert differences(describe(whole), remembered("toy")) == []
    np.testing.assert_array_equal(remembered_rows("toy"), np.arange(5))
    assert remembered("other") is None


def read(record, arrays):
    return read_as(record, "a file", lambda: arrays)


def test_labels_from_one_and_gray_levels_to_one_are_brought_in_line(shelf, toy):
    record = shelf.add("toy", toy)
    same = read(record, Arrays(toy.X / 255, toy.y + 1))
    np.testing.assert_array_equal(same.X, toy.X)
    np.testing.assert_array_equal(same.y, toy.y)
    assert same.X.dtype == np.uint8


@pytest.mark.parametrize("column_major", [False, True])
def test_pictures_in_the_other_layout_are_turned(shelf, toy, column_major):
    record = shelf.add("toy", toy, image_shape=(4, 3), column_major=column_major)
    there = (3, 4) if column_major else (4, 3)
    turned = toy.X.reshape(-1, *there).transpose(0, 2, 1).reshape(30, 12)
    assert not np.array_equal(turned, toy.X)
    np.testing.assert_array_equal(read(record, Arrays(turned, toy.y)).X, toy.X)


def test_altered_data_are_refused_with_what_differs(shelf, toy):
    record = shelf.add("toy", toy)
    wrong = toy.X.copy()
    wrong[:, 3] = 7
    with pytest.raises(RefusedDataset, match="a file is not the data set 'toy'") as caught:
        read(record, Arrays(wrong, toy.y))
    assert "column means differ, most that of column 3: 7, expected" in str(caught.value)
    assert "column variances differ, most that of column 3: 0, expected" in str(caught.value)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda X, y: (X[:-1], y[:-1]), "29 x 12 values and 29 labels, expected 30 x 12"),
        (lambda X, y: (X, y[:-1]), "30 x 12 values and 29 labels, expected 30 x 12"),
        (lambda X, y: (np.where(X == 255, np.nan, X), y), "values that are not finite"),
    ],
)
def test_what_cannot_even_be_compared_is_refused(shelf, toy, spoil, said):
    record = shelf.add("toy", toy)
    with pytest.raises(RefusedDataset, match=said):
        read(record, Arrays(*spoil(toy.X, toy.y)))


def test_a_data_set_known_by_digest_alone_is_not_taken_on_trust(shelf, toy):
    record = replace(shelf.add("toy", toy), name="unknown")
    with pytest.raises(RefusedDataset, match="nothing is known of it but the digest"):
        read(record, toy)


def test_another_data_set_that_is_easily_mistaken_is_named(shelf, toy):
    other = altered(toy, X=toy.X // 2)
    remember("rough", describe(other))
    record = shelf.add("toy", toy, mistaken=("rough", "it is the rough variant"))
    with pytest.raises(RefusedDataset, match=r"'toy': it is the rough variant$"):
        read(record, other)


def test_labels_are_counted_by_number_or_by_name():
    np.testing.assert_array_equal(numbered(np.array(["b", "a", "b"])), [1, 0, 1])
    np.testing.assert_array_equal(numbered(np.array([[10.0], [2.0]])), [1, 0])
