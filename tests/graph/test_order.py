"""The order of samples in memory: by METIS where it is installed, the same result without."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from samekind import DGSL, PairConstraints, sample_labels
from samekind.graph import _matrices as module
from samekind.graph import local_graph
from samekind.graph._matrices import order_in_memory


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(module, "ORDERED_FROM", 100)
    monkeypatch.setattr(module, "SAMPLES_PER_PART", 150)


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    y = np.arange(900) % 5
    X = 2.5 * rng.standard_normal((5, 6))[y] + rng.standard_normal((900, 6))
    return X, y


def between_parts(W: csr_array, order: np.ndarray, size: int) -> int:
    """Edges between blocks of an order."""
    place = np.argsort(order) // size
    edges = W.tocoo()
    return int(np.sum(place[edges.coords[0]] != place[edges.coords[1]]))


def test_an_order_holds_every_sample_once_and_metis_cuts_fewer_edges(samples):
    pytest.importorskip("pymetis")
    W = local_graph(samples[0])
    plain, metis = order_in_memory(W), order_in_memory(W, many_products=True)
    for order in (plain, metis):
        assert_array_equal(np.sort(order), np.arange(900))
    assert between_parts(W, metis, 150) < between_parts(W, plain, 150)
    assert_array_equal(metis, order_in_memory(W, many_products=True))


def test_a_graph_with_edges_to_itself_is_ordered(samples):
    W = local_graph(samples[0]) + csr_array(np.eye(900))
    assert_array_equal(np.sort(order_in_memory(csr_array(W), many_products=True)), np.arange(900))


def test_labels_are_the_same_with_and_without_metis(samples, monkeypatch):
    X, y = samples
    pairs = PairConstraints.from_labels(sample_labels(y, 4, random_state=0))
    model = DGSL(5, solver="sparse", n_candidates=15, sparsity=0.1, random_state=0)
    model.fit(X, constraints=pairs)
    labels, H = model.labels_, model.embedding_
    monkeypatch.setitem(sys.modules, "pymetis", None)  # cannot be imported
    model.fit(X, constraints=pairs)
    assert_array_equal(model.labels_, labels)
    assert_allclose(model.embedding_ @ model.embedding_.T, H @ H.T, atol=1e-7)
