import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from problems import blobs
from samekind import SC, PairConstraints, Status, sample_labels
from samekind._kernels.constraint_refinement import refine
from samekind._kernels.low_rank_representation import RotatedRows, low_rank_representation
from samekind._kernels.proximal import soft
from samekind._kernels.tensor_low_rank import tensor_representation
from samekind.estimators._ssctlrr import SSCTLRR, believed, with_pairs
from samekind.graph import laplacian, local_graph


@pytest.fixture
def touching():
    """Blobs that run into each other, and pairs among twelve samples."""
    X, y = blobs(3, n_per_class=15, d=12, spread=2.5)
    return X, y, PairConstraints.from_labels(sample_labels(y, 4, random_state=0))


def test_the_graph_is_made_step_by_step(touching):
    """As the description says, from the kernels."""
    X, _, pairs = touching
    model = SSCTLRR(3, random_state=0).fit(X, constraints=pairs)
    rows = RotatedRows.of(X)
    s = low_rank_representation(rows, 0.0, 0.5, soft, tol=1e-3).C.max()
    known = s * (pairs.must_link_matrix() - pairs.cannot_link_matrix())
    L = laplacian(with_pairs(local_graph(X, 7, 5), pairs))
    found = tensor_representation(rows, L, csr_array(known), 0.5, 10.0)
    # Up to rounding: the local graph is made of rows in an order of their own.
    assert_allclose(model.representation_, found.Z, atol=1e-10)
    assert_allclose(model.beliefs_, np.clip(found.B / s, -1, 1), atol=1e-10)
    Z = (np.abs(found.Z) + np.abs(found.Z.T)) / 2
    Z = (Z - Z.min()) / (Z.max() - Z.min())
    refined = refine(Z.copy(), model.beliefs_)
    refined = (refined + refined.T) / 2
    np.fill_diagonal(refined, 0)
    assert_allclose(model.affinity_matrix_.toarray(), refined, atol=1e-12)


def test_beliefs_are_those_of_the_pairs_and_lie_between_minus_1_and_1(touching):
    X, _, pairs = touching
    B = SSCTLRR(3, tol=1e-5).fit(X, constraints=pairs).beliefs_
    assert np.abs(B).max() <= 1
    assert_allclose(B[tuple(pairs.must_link.T)], 1, atol=1e-3)
    assert_allclose(B[tuple(pairs.cannot_link.T)], -1, atol=1e-3)


def test_beliefs_spread_to_samples_without_pairs():
    X, y = blobs(3, n_per_class=15, d=12, spread=1.0)
    known = sample_labels(y, 4, random_state=0)
    B = SSCTLRR(3).fit(X, constraints=PairConstraints.from_labels(known)).beliefs_
    unseen = known == -1
    B = B[np.ix_(unseen, unseen)]
    same = y[unseen][:, None] == y[unseen][None, :]
    assert B[same].min() > B[~same].max()


def test_pairs_change_the_result_and_are_mostly_kept(touching):
    X, _, pairs = touching
    model = SSCTLRR(3, random_state=0).fit(X, constraints=pairs)
    alone = SSCTLRR(3, random_state=0).fit(X)
    assert_allclose(alone.beliefs_, 0, atol=1e-12)
    assert model.constraint_report_.satisfaction > pairs.evaluate(alone.labels_).satisfaction


def test_the_embedding_is_that_of_spectral_clustering_of_its_graph(touching):
    X, _, pairs = touching
    model = SSCTLRR(3, random_state=0).fit(X, constraints=pairs)
    base = SC(3, random_state=0).fit(X, graph=model.affinity_matrix_)
    assert_allclose(
        model.embedding_ @ model.embedding_.T, base.embedding_ @ base.embedding_.T, atol=1e-8
    )


def test_the_length_of_rows_does_not_matter_on_a_ready_graph(touching):
    X, _, pairs = touching
    W = local_graph(X, 7, 5)
    lengths = np.random.default_rng(0).uniform(0.1, 10, (len(X), 1))
    plain = SSCTLRR(3).fit(X, constraints=pairs, graph=W)
    scaled = SSCTLRR(3).fit(lengths * X, constraints=pairs, graph=W)
    assert_allclose(scaled.beliefs_, plain.beliefs_, atol=1e-6)


def test_running_out_of_steps_is_reported_and_each_step_is_shown(touching):
    X, _, pairs = touching
    seen = []
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model = SSCTLRR(3, max_iter=4).fit(X, constraints=pairs, callback=seen.append)
    assert model.status_ is Status.MAX_ITER
    assert model.n_iter_ == len(seen) == 4


def test_weights_that_are_all_alike_stay_finite():
    W = believed(np.zeros((3, 3)), np.zeros((3, 3)))
    assert W.nnz == 0
