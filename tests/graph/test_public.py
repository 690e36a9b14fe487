import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import coo_array, csr_matrix

from samekind import graph


def test_nothing_else_is_public():
    assert {name for name in vars(graph) if name[0] != "_"} == set(graph.__all__)


@pytest.mark.parametrize("name", graph.__all__)
def test_every_name_is_documented_with_an_example(name):
    text = getattr(graph, name).__doc__
    assert ">>>" in text
    assert "Parameters\n" in text or "Attributes\n" in text


@pytest.mark.parametrize("build", [graph.laplacian, graph.normalized_laplacian])
@pytest.mark.parametrize("kind", [np.array, list, coo_array, csr_matrix])
def test_laplacians_take_any_matrix(build, kind):
    W = np.array([[0.0, 2.0, 1.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    given = W.tolist() if kind is list else kind(W)
    assert_array_equal(build(given).toarray(), build(coo_array(W).tocsr()).toarray())


@pytest.mark.parametrize("build", [graph.laplacian, graph.normalized_laplacian])
def test_a_laplacian_needs_a_square_matrix(build):
    with pytest.raises(ValueError, match=r"W has shape \(1, 2\); expected one row and one column"):
        build([[0.0, 1.0]])


@pytest.mark.parametrize(
    ("build", "wrong"),
    [
        (lambda X: graph.local_graph(X, 0), "n_neighbors is 0; expected"),
        (lambda X: graph.local_graph(X, 3, 0), "scale_neighbor is 0; expected"),
        (lambda X: graph.incidence_from_neighbors(X, 0), "n_neighbors is 0; expected"),
        (lambda X: graph.find_neighbors(X, 3), "n_others is 3; expected"),
        (lambda X: graph.find_neighbors(X, -1), "n_others is -1; expected"),
        (lambda X: graph.local_graph([[np.nan], [1.0]]), "NaN"),
        (lambda X: graph.find_neighbors([1.0, 2.0], 1), "1D array"),
        (lambda X: graph.local_graph(np.ma.masked_equal(X, 3.0)), "X has 1 masked entry, .* row 2"),
    ],
)
def test_what_is_out_of_range_is_refused(build, wrong):
    with pytest.raises(ValueError, match=wrong):
        build([[0.0], [1.0], [3.0]])
