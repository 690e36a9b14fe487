"""Labels of new rows from the cells of very many training rows."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone

from samekind import SC
from samekind.estimators._base import prediction


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    X = 2 * rng.standard_normal((6, 4))[np.arange(900) % 6] + rng.standard_normal((900, 4))
    return SC(6, random_state=0).fit(X)


def test_cells_give_the_labels_of_all_pairs(fitted, monkeypatch):
    new = fitted._fit_X + 0.1
    wanted = fitted.predict(new)
    assert not hasattr(fitted, "_fit_cells")
    monkeypatch.setattr(prediction, "CELLS_FROM", 100)
    model = pickle.loads(pickle.dumps(fitted))
    found = model.predict(new)
    assert np.mean(found == wanted) > 0.99
    assert_array_equal(model.predict(model._fit_X), model.labels_)
    assert_array_equal(model.predict(new[:7]), found[:7])
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(new), found)


def test_a_new_fit_makes_new_cells(fitted, monkeypatch):
    monkeypatch.setattr(prediction, "CELLS_FROM", 100)
    model = clone(fitted).fit(fitted._fit_X)
    model.predict(model._fit_X[:1])
    model.fit(100 + fitted._fit_X[::-1])
    assert_array_equal(model.predict(100 + fitted._fit_X[::-1]), model.labels_)


def test_sparse_rows_are_compared_with_all(fitted, monkeypatch):
    monkeypatch.setattr(prediction, "CELLS_FROM", 100)
    model = clone(fitted).fit(csr_array(fitted._fit_X))
    assert_array_equal(model.predict(csr_array(fitted._fit_X)), model.labels_)
