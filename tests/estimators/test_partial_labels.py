"""A y with unknowns is supervision for every method that takes pairs; a complete one is ignored."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from samekind import PairConstraints
from samekind.estimators._base.registry import METHODS
from samekind.estimators._base.validation import supervision_of

RNG = np.random.default_rng(0)
X = np.repeat([[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]], 8, axis=0) + RNG.normal(size=(24, 2))
TRUE = np.repeat([0, 1, 2], 8)
KNOWN = np.where(np.arange(24) % 4 == 0, TRUE, -1)
NAMES = np.array([None if one == -1 else f"kind {one}" for one in KNOWN], dtype=object)
FORMS = {
    "-1": KNOWN,
    "None": NAMES,
    "NaN": np.where(KNOWN == -1, np.nan, KNOWN),
    "NA": pd.Series(NAMES, dtype="string"),
    "masked": np.ma.masked_array(np.where(KNOWN == -1, 0, KNOWN), KNOWN == -1),
}
ON_PAIRS = [name for name, method in METHODS.items() if not method.takes_labels]


def fitted(name, *args, **options):
    model = METHODS[name].estimator(n_clusters=3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not every method uses every kind of pairs
        return model.fit(X, *args, **options)


@pytest.mark.parametrize("form", FORMS)
def test_unknowns_of_every_form_say_the_same(form):
    known = supervision_of(PairConstraints(24), FORMS[form])
    assert known.constraints == PairConstraints.from_labels(KNOWN)


@pytest.mark.parametrize("name", ON_PAIRS)
def test_a_y_with_unknowns_is_supervision(name):
    expected = fitted(name, constraints=PairConstraints.from_labels(KNOWN))
    model = fitted(name, NAMES)
    assert_array_equal(model.labels_, expected.labels_)
    assert model.constraint_report_.given == expected.constraint_report_.given > 0


@pytest.mark.parametrize("name", ON_PAIRS)
def test_a_complete_y_is_ignored(name):
    model = fitted(name, TRUE)
    assert_array_equal(model.labels_, fitted(name).labels_)
    assert model.constraint_report_.given == 0


@pytest.mark.parametrize(
    "y",
    [
        ["a", "", "b", ""],
        ["a", -1, "b", -1],
        ["a", np.nan, "b", np.nan],
        np.array(["a", " ", "b", ""]),
        np.array([[0], [-1], [1], [-1]]),
        np.array([["a"], [None], ["b"], [None]], dtype=object),
    ],
)
def test_blank_text_and_columns_have_unknowns(y):
    known = supervision_of(PairConstraints(4), y)
    assert known.y.tolist() == [0, -1, 1, -1]


@pytest.mark.parametrize(
    ("y", "error", "words"),
    [
        (["a", "-1", "b", "b"], ValueError, "may mean a class or 'unknown'"),
        ([0, 1], ValueError, "y has 2 labels but X has 4 rows"),
        ([[0, 1], [-1, 0], [0, 0], [1, 1]], ValueError, r"y has shape \(4, 2\)"),
        ({0: "a"}, TypeError, "y is a dict"),
        ("abcd", TypeError, "y is a str"),
    ],
)
def test_a_y_that_cannot_be_meant_is_refused(y, error, words):
    with pytest.raises(error, match=words):
        supervision_of(PairConstraints(4), y)
