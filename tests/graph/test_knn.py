import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from samekind.graph import local_graph
from samekind.graph._knn import nearest_rows


def textbook_graph(X, m, l):
    """Section III-A with the authors' counting, entry by entry."""
    n = len(X)
    D = cdist(X, X)
    W = np.zeros((n, n))
    for i in range(n):
        order = sorted(range(n), key=lambda j: (j != i, D[i, j]))  # the sample itself first
        sigma = max(D[i, order[l - 1]], 1e-2)
        for j in order[1:m]:
            W[i, j] = np.exp(-((D[i, j] / sigma) ** 2))
    return (W + W.T) / 2


@pytest.mark.parametrize(("m", "l"), [(7, 5), (2, 2), (5, 9), (30, 3), (1, 1)])
def test_it_is_the_textbook_graph(m, l):
    X = np.random.default_rng(m).standard_normal((30, 4))
    np.testing.assert_allclose(local_graph(X, m, l).toarray(), textbook_graph(X, m, l), atol=1e-12)


def test_more_neighbors_than_samples_are_cut():
    X = np.random.default_rng(0).standard_normal((5, 2))
    np.testing.assert_array_equal(local_graph(X, 50, 50).toarray(), local_graph(X, 5, 5).toarray())


def test_repeated_samples_get_weight_one():
    X = np.array([[0.0, 0.0]] * 4 + [[5.0, 5.0]])
    W = local_graph(X, n_neighbors=3, scale_neighbor=2).toarray()
    assert set(np.round(W[:4, :4][W[:4, :4] > 0], 12)) <= {0.5, 1.0}
    assert (W.diagonal() == 0).all()


def test_far_from_the_origin_distances_keep_their_digits():
    X = np.random.default_rng(0).standard_normal((40, 3))
    near, far = local_graph(X), local_graph(X + 2.0**27)
    # X + 2^27 itself is rounded to 2^-26; products of such numbers would lose everything.
    np.testing.assert_allclose(far.toarray(), near.toarray(), atol=1e-6)


def test_sparse_and_dense_samples_agree():
    X = np.random.default_rng(0).poisson(0.5, (40, 20)) * np.linspace(1, 2, 20)
    np.testing.assert_allclose(
        local_graph(csr_array(X)).toarray(), local_graph(X).toarray(), atol=1e-12
    )


def test_ties_go_to_the_smaller_index():
    X = np.zeros((20, 2))
    X[10:] = 1.0
    nearest, distance = nearest_rows(X, 2, rows=np.array([[1.0, 1.0]]))
    assert nearest.tolist() == [[10, 11]]
    assert distance.tolist() == [[0.0, 0.0]]


def test_distances_that_rounding_separates_tie_in_any_unit():
    """Rows of whole numbers; divided by seven, equal distances differ in their last digit."""
    X = np.random.default_rng(0).poisson(3.0, (40, 30)).astype(float)
    for unit in (1 / 7, 1 / 13, 1e150 / 3):
        np.testing.assert_array_equal(nearest_rows(X, 6)[0], nearest_rows(unit * X, 6)[0])
