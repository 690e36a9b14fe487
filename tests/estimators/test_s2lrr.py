import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from problems import blobs
from samekind import Status, sample_labels
from samekind._kernels.low_rank_representation import RotatedRows, low_rank_representation
from samekind._kernels.propagation import class_mass, one_hot
from samekind._kernels.proximal import soft
from samekind.estimators._s2lrr import S2LRR, hollow
from samekind.graph._matrices import scale_rows, symmetrized


@pytest.fixture
def touching():
    """Blobs that run into each other, and the labels of four samples in each."""
    X, y = blobs(3, n_per_class=15, d=12, spread=2.5)
    return X, y, sample_labels(y, 4, random_state=0)


def test_without_label_weight_it_is_low_rank_representation_and_propagation(touching):
    X, _, known = touching
    model = S2LRR(label_weight=0).fit(X, known)
    alone = low_rank_representation(RotatedRows.of(X), 0.0, 2.0, hollow, tol=1e-3)
    assert_array_equal(model.representation_, alone.C)
    W = symmetrized(scale_rows(abs(csr_array(alone.C))))
    assert_allclose(model.label_distributions_, class_mass(W, one_hot(known, model.classes_)).F)
    assert model.n_rounds_ == 1


def test_all_labels_and_a_large_weight_leave_weights_inside_classes_only(touching):
    X, y, _ = touching
    C = S2LRR(label_weight=100.0).fit(X, y).representation_
    assert not C[y[:, None] != y[None, :]].any()
    assert C.any()


def test_no_sample_represents_itself(touching):
    X, _, known = touching
    assert not np.diag(S2LRR().fit(X, known).representation_).any()


def test_it_ends_once_labels_stay_and_keeps_the_given_ones(touching):
    X, _, known = touching
    model = S2LRR().fit(X, known)
    assert model.status_ is not Status.MAX_ITER  # its labels here may count as collapsed
    assert 1 < model.n_rounds_ < model.max_rounds
    assert model.constraint_report_.violated == 0
    # The representation is the one that belongs to the labels it led to.
    again, untaught = S2LRR().fit(X, model.labels_), S2LRR(label_weight=0).fit(X, known)
    off, taught = (
        np.linalg.norm(other.representation_ - model.representation_) for other in (again, untaught)
    )
    assert off < taught / 5


def test_labels_shape_the_representation(touching):
    X, _, known = touching
    alone, told = S2LRR(label_weight=0).fit(X, known), S2LRR(label_weight=0.5).fit(X, known)
    across = told.labels_[:, None] != told.labels_[None, :]
    share = [
        np.abs(model.representation_)[across].sum() / np.abs(model.representation_).sum()
        for model in (alone, told)
    ]
    assert share[1] < share[0] / 2


def test_rounds_that_do_not_settle_are_reported(touching):
    X, _, known = touching
    with pytest.warns(ConvergenceWarning, match="stopped at max_iter"):
        assert S2LRR(max_rounds=1).fit(X, known).status_ is Status.MAX_ITER


def test_the_step_shrinks_and_clears_the_diagonal():
    A = np.random.default_rng(0).standard_normal((5, 5))
    expected = soft(A, 0.3) * (1 - np.eye(5))
    assert_allclose(hollow(A, 0.3), expected)
