import numpy as np
from scipy.sparse import block_diag, csr_array

from samekind import sample_pairs
from samekind._selection.choice import _clarity, choose
from samekind._selection.evidence import evidence_of
from samekind._selection.graphs import CandidateGraphs, sharing
from samekind._selection.own_clusters import own_clusters


def joined(*sizes):
    blocks = block_diag([np.ones((size, size)) - np.eye(size) for size in sizes])
    return sharing(csr_array(blocks))


def test_strays_of_the_representation_are_no_plain_clusters():
    """With few coefficients a row some samples stand apart there, though all are neighbors."""
    stray = np.repeat([0, 1], [56, 4])
    graphs = CandidateGraphs({30: joined(60)}, joined(56, 4))
    assert _clarity(graphs, 0.0, stray, 2) < 0.5
    apart = CandidateGraphs({30: joined(56, 4)}, joined(60))
    assert _clarity(apart, 1.0, stray, 2) == 1.0


def test_pairs_ask_what_the_clusters_of_a_graph_keep():
    """Both graphs bring pairs equally near; the clusters of one of them cut through a kind."""
    y = np.repeat([0, 1], 30)
    right = joined(30, 30)
    wrong = right.toarray()
    wrong[:15, 15:30] *= 0.2  # a kind in two halves, one of which hangs on the other kind
    wrong[15:30, :15] *= 0.2
    wrong[:15, 30:] = wrong[30:, :15] = 0.015
    graphs = CandidateGraphs({7: right}, sharing(csr_array(wrong)))
    own = {s: own_clusters(graphs.of_share(s), 2) for s in (0.0, 1.0)}
    rng = np.random.default_rng(0)
    pairs = sample_pairs(y, 40, 40, random_state=rng.integers(1 << 30)).closure()
    evidence = evidence_of(pairs.must_link, pairs.cannot_link, pairs.group_of)
    assert evidence.kept(y) == evidence.kept(own[1.0]) == 1.0
    assert evidence.kept(own[0.0]) < 0.9
    by_pairs = {
        one.local_share: one.by_pairs for one in choose(graphs, evidence, 2, None).candidates
    }
    assert by_pairs[0.0] < by_pairs[1.0]
