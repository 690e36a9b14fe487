import numpy as np
from scipy.sparse import block_diag, csr_array

from samekind._selection.choice import _clarity
from samekind._selection.graphs import CandidateGraphs, sharing


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
