import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind import PairConstraints, sample_labels, sample_pairs
from samekind._selection import evidence as module
from samekind._selection.diffusion import Diffusion
from samekind._selection.evidence import evidence_of
from samekind.graph import local_graph


def of(pairs):
    closed = pairs.closure()
    return evidence_of(closed.must_link, closed.cannot_link, pairs.group_of)


@pytest.fixture
def blobs_and_graphs():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = 4 * np.eye(3)[y] + rng.standard_normal((90, 3))
    return y, local_graph(X, 8, 4), local_graph(rng.standard_normal((90, 3)), 8, 4)


def test_a_graph_that_knows_the_classes_scores_higher(blobs_and_graphs):
    y, good, random = blobs_and_graphs
    evidence = of(PairConstraints.from_labels(sample_labels(y, 5, random_state=0)))
    assert evidence.n_tested == 15
    assert evidence.score(Diffusion(good)) > 0.9
    assert evidence.score(Diffusion(random)) < 0.7


def test_it_cannot_leak(blobs_and_graphs):
    """The score belongs to the graph and the pairs; labels of other samples do not enter."""
    y = blobs_and_graphs[0]
    known = sample_labels(y, 5, random_state=0)
    evidence = of(PairConstraints.from_labels(known))
    assert set(evidence.samples.tolist()) == set(np.flatnonzero(known >= 0).tolist())
    # Must-links are no edges: a graph without any edge says nothing, whatever the pairs.
    empty = evidence.score(Diffusion(csr_array((90, 90))))
    assert empty == pytest.approx(0.25)  # ties: none is nearer, the area is a half


def test_one_precision_or_the_other(blobs_and_graphs):
    y, good, _ = blobs_and_graphs
    evidence = of(sample_pairs(y, 20, 20, random_state=0))
    scores = [evidence.score(Diffusion(good, single=single)) for single in (True, False)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-3)


def test_nothing_to_test_is_no_score():
    assert np.isnan(of(PairConstraints(5, must_link=[(0, 1)])).score(Diffusion(csr_array((5, 5)))))
    assert of(PairConstraints(5)).n_tested == 0


def test_of_very_many_pairs_some_are_tested(monkeypatch, blobs_and_graphs):
    monkeypatch.setattr(module, "MOST_SAMPLES", 20)
    monkeypatch.setattr(module, "MOST_OF_GROUP", 8)
    y, good, _ = blobs_and_graphs
    evidence = of(PairConstraints.from_labels(y))
    assert 0 < evidence.n_tested <= 20
    assert evidence.score(Diffusion(good)) > 0.9


def test_pairs_that_share_no_sample_count_as_many_as_they_are(blobs_and_graphs):
    """No group has both a mate to leave out and another marked different; the area remains."""
    _, good, random = blobs_and_graphs
    must = [(i, i + 3) for i in range(0, 36, 6)]
    cannot = [(i, i + 1) for i in range(40, 52, 2)]
    evidence = of(PairConstraints(90, must, cannot))
    assert len(evidence.tested) == 0
    assert evidence.n_tested == 6
    assert evidence.score(Diffusion(good)) > 0.9 > evidence.score(Diffusion(random))
