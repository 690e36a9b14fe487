import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from problems import blobs
from samekind import Status, sample_labels
from samekind._kernels.propagation import class_mass, harmonic, local_and_global, one_hot
from samekind._kernels.shrink import unit_rows
from samekind.estimators._nnlrs import NNLRS, joined_by_length


@pytest.fixture
def labeled():
    """Blobs around directions of their own, and the labels of four samples in each."""
    X, y = blobs(3, n_per_class=15, d=12, spread=1.0)
    return X, y, sample_labels(y, 4, random_state=0)


@pytest.mark.parametrize(
    ("propagation", "spread"),
    [("harmonic", harmonic), ("class_mass", class_mass), ("spreading", local_and_global)],
)
def test_labels_spread_on_the_graph_of_the_representation(labeled, propagation, spread):
    X, y, known = labeled
    model = NNLRS(propagation=propagation).fit(X, known)
    assert_array_equal(model.labels_, y)
    assert model.status_ is Status.CONVERGED
    W = joined_by_length(model.representation_)
    assert abs(W - model.affinity_matrix_).max() == 0
    assert_allclose(model.label_distributions_, spread(W, one_hot(known, model.classes_)).F)


def test_the_representation_is_not_negative_and_better_than_none(labeled):
    X, _, known = labeled
    model = NNLRS().fit(X, known)
    C, X = model.representation_, unit_rows(X)
    error = np.linalg.norm(X - C @ X, axis=1).sum()
    value = np.linalg.norm(C, "nuc") + model.sparsity * C.sum() + model.noise_weight * error
    assert C.min() >= 0
    assert value < model.noise_weight * len(X)  # at C = 0


def test_the_length_of_rows_does_not_matter(labeled):
    X, _, known = labeled
    lengths = np.random.default_rng(0).uniform(0.1, 10, (len(X), 1))
    plain, scaled = NNLRS().fit(X, known), NNLRS().fit(lengths * X, known)
    assert_allclose(scaled.representation_, plain.representation_, atol=1e-6)


def test_sparse_and_single_precision_rows_give_the_same(labeled):
    X, _, known = labeled
    C = NNLRS().fit(X, known).representation_
    assert_allclose(NNLRS().fit(csr_array(X), known).representation_, C, atol=1e-6)
    single = NNLRS().fit(X.astype(np.float32), known).representation_
    assert_allclose(single, C, atol=1e-3)


def test_no_graph_is_reported_and_every_other_sample_counted(labeled):
    X, _, known = labeled
    with pytest.warns(ConvergenceWarning, match="no edges"):
        model = NNLRS(noise_weight=1e-3).fit(X, known)
    assert not model.representation_.any()
    assert model.status_ is Status.EDGELESS
    assert model.n_unreached_ == (known == -1).sum()
    assert_array_equal(model.labels_[known != -1], known[known != -1])


def test_running_out_of_steps_is_reported_and_each_step_is_shown(labeled):
    X, _, known = labeled
    seen = []
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model = NNLRS(max_iter=3).fit(X, known, callback=seen.append)
    assert model.n_iter_ == len(seen) == 3
    assert seen[-1].primal > 0


def test_more_pairs_than_fit_into_memory_are_refused(labeled):
    X, _, known = labeled
    with pytest.raises(MemoryError, match="NNLRS of 45 samples"):
        NNLRS(memory_limit=1000).fit(X, known)


def test_the_graph_is_symmetric_without_loops_and_small_weights():
    C = np.random.default_rng(1).uniform(0, 1, (6, 6))
    C[0, 1] = 1e-4
    C[1, 0] = 0
    W = joined_by_length(C)
    assert abs(W - W.T).max() == 0
    assert not W.diagonal().any()
    assert W[0, 1] == 0
    rows = C - np.diag(np.diag(C))
    rows[0, 1] = 0
    rows = unit_rows(rows)
    assert_allclose(W.toarray(), (rows + rows.T) / 2, atol=1e-6)
