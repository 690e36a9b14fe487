import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from problems import blobs
from samekind import SC, PairConstraints, sample_labels
from samekind._kernels.spectral import spectral_embedding
from samekind.estimators._lsgr import LSGR
from samekind.graph import laplacian, local_graph, normalized_laplacian

LOSSES = {"adj": lambda W: -W, "lap": laplacian, "nlap": normalized_laplacian}


@pytest.fixture
def touching():
    """Blobs that run into each other, with must-links alone."""
    X, y = blobs(0, n_per_class=30, spread=2.5)
    known = PairConstraints.from_labels(sample_labels(y, 4, random_state=0))
    return X, PairConstraints(len(X), known.must_link)


def projection(model):
    return model.embedding_ @ model.embedding_.T


@pytest.mark.parametrize("variant", LOSSES)
def test_the_embedding_minimizes_loss_and_regularizer(touching, variant):
    X, pairs = touching
    model = LSGR(3, variant=variant, must_link_weight=2.5).fit(X, constraints=pairs)
    total = LOSSES[variant](local_graph(X)) + 2.5 * laplacian(pairs.must_link_matrix())
    values, vectors = np.linalg.eigh(total.toarray())
    assert_allclose(model.embedding_.T @ model.embedding_, np.eye(3), atol=1e-12)
    reached = np.vdot(model.embedding_, total @ model.embedding_)
    assert reached == pytest.approx(values[:3].sum(), abs=1e-9)
    assert_allclose(projection(model), vectors[:, :3] @ vectors[:, :3].T, atol=1e-6)


def test_without_weight_it_is_plain_spectral_clustering(touching):
    X, pairs = touching
    ours = LSGR(3, must_link_weight=0, random_state=0).fit(X, constraints=pairs)
    plain = SC(3, random_state=0).fit(X)
    assert_array_equal(ours.labels_, plain.labels_)
    assert_allclose(projection(ours), projection(plain), atol=1e-9)
    lap = LSGR(3, variant="lap", must_link_weight=0).fit(X, constraints=pairs)
    H = spectral_embedding(local_graph(X), 3, normalized=False).H
    assert_allclose(projection(lap), H @ H.T, atol=1e-9)


def test_the_laplacian_variant_is_that_of_the_graph_with_must_links(touching):
    X, pairs = touching
    model = LSGR(3, variant="lap", must_link_weight=7.0).fit(X, constraints=pairs)
    joined = csr_array(local_graph(X) + 7.0 * pairs.must_link_matrix())
    H = spectral_embedding(joined, 3, normalized=False).H
    assert_allclose(projection(model), H @ H.T, atol=1e-9)
    assert_allclose(model.affinity_matrix_.toarray(), joined.toarray())


@pytest.mark.parametrize("variant", LOSSES)
def test_a_large_weight_makes_one_point_of_each_group(touching, variant):
    """The limit is the problem in which groups are contracted to one sample."""
    X, pairs = touching
    model = LSGR(3, variant=variant, must_link_weight=1e6).fit(X, constraints=pairs)
    one, other = model.embedding_[pairs.must_link.T]
    assert np.linalg.norm(one - other, axis=1).max() < 1e-4
    member = np.equal.outer(pairs.group_of, np.unique(pairs.group_of)).astype(float)
    member /= np.sqrt(member.sum(axis=0))
    loss = LOSSES[variant](local_graph(X))
    contracted = np.linalg.eigvalsh(member.T @ (loss @ member))[:3]
    assert np.vdot(model.embedding_, loss @ model.embedding_) == pytest.approx(
        contracted.sum(), abs=1e-4
    )


def test_the_order_of_must_links_does_not_matter(touching):
    X, pairs = touching
    given, turned = (
        LSGR(3, random_state=0).fit(X, must_link=links)
        for links in (pairs.must_link, pairs.must_link[::-1, ::-1])
    )
    assert_array_equal(given.labels_, turned.labels_)
    assert_array_equal(given.embedding_, turned.embedding_)


def test_cannot_links_are_ignored_with_one_warning(touching):
    X, pairs = touching
    with pytest.warns(UserWarning, match="LSGR ignores cannot-links") as seen:
        told = LSGR(3, random_state=0).fit(X, must_link=pairs.must_link, cannot_link=[(0, 1)])
    assert len(seen) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = LSGR(3, random_state=0).fit(X, must_link=pairs.must_link)
    assert_array_equal(told.labels_, alone.labels_)
    assert told.constraint_report_.n_cannot_link == 1


def test_parameters_out_of_range_are_refused(touching):
    with pytest.raises(ValueError, match=r"'variant'.*a str among {'adj', 'lap', 'nlap'}"):
        LSGR(3, variant="best").fit(touching[0])
    with pytest.raises(ValueError, match=r"'must_link_weight'.*range \[0.0, inf\)"):
        LSGR(3, must_link_weight=-1).fit(touching[0])
