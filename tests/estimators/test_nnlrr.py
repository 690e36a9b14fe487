import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from problems import blobs
from samekind import Status, sample_labels
from samekind.estimators._nnlrr import NNLRR
from samekind.estimators._nnlrs import NNLRS


@pytest.fixture
def touching():
    """Blobs that run into each other, and the labels of four samples in each."""
    X, y = blobs(3, n_per_class=15, d=12, spread=2.5)
    return X, y, sample_labels(y, 4, random_state=0)


def test_without_label_weight_it_is_nnlrs(touching):
    X, _, known = touching
    model, base = NNLRR(label_weight=0).fit(X, known), NNLRS().fit(X, known)
    assert_array_equal(model.representation_, base.representation_)
    assert_array_equal(model.label_distributions_, base.label_distributions_)
    assert (model.n_rounds_, model.n_iter_) == (1, base.n_iter_)


def test_a_huge_label_weight_parts_labeled_samples_of_different_classes(touching):
    X, _, known = touching
    C = NNLRR(label_weight=1e3).fit(X, known).representation_
    given = known != -1
    apart = (known[:, None] != known[None, :]) & given[:, None] & given[None, :]
    assert not C[apart].any()
    assert C.min() >= 0
    assert NNLRS().fit(X, known).representation_[apart].any()


def test_it_ends_once_labels_stay_and_keeps_the_given_ones(touching):
    X, _, known = touching
    model = NNLRR(label_weight=0.1, tol=1e-4, max_iter=1000).fit(X, known)
    assert model.status_ is not Status.MAX_ITER  # its labels here may count as collapsed
    assert model.n_rounds_ > 1
    assert model.constraint_report_.violated == 0
    # The representation is the one that belongs to the labels it led to.
    again, untaught = (
        NNLRR(label_weight=0.1, tol=1e-4, max_iter=1000).fit(X, model.labels_),
        NNLRR(label_weight=0).fit(X, known),
    )
    off, taught = (
        np.linalg.norm(other.representation_ - model.representation_) for other in (again, untaught)
    )
    assert off < taught / 5


def test_rounds_that_do_not_settle_are_reported(touching):
    X, _, known = touching
    with pytest.warns(ConvergenceWarning, match="stopped at max_iter"):
        model = NNLRR(label_weight=0.1, max_rounds=1).fit(X, known)
    assert model.status_ is Status.MAX_ITER
    assert model.n_rounds_ == 1


def test_steps_of_all_rounds_are_counted_on(touching):
    X, _, known = touching
    seen = []
    model = NNLRR(label_weight=0.1).fit(X, known, callback=seen.append)
    assert_array_equal([record.iteration for record in seen], np.arange(1, model.n_iter_ + 1))
