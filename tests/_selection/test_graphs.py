import numpy as np
import pytest
from scipy.sparse import csr_array

from problems import blobs
from samekind._selection.graphs import (
    CandidateGraphs,
    local_graphs,
    projection,
    representation_graph,
    sharing,
    strongest_coefficients,
)
from samekind.graph import find_neighbors


def graphs_of(X):
    X = X - X.mean(axis=0)
    found = find_neighbors(X, 29)
    R = representation_graph(strongest_coefficients(projection(X)))
    return CandidateGraphs(local_graphs(found.nearest, found.distance), R)


@pytest.mark.parametrize("shape", [(30, 5), (30, 80)])
def test_projection_is_its_formula(shape):
    X = np.random.default_rng(0).standard_normal(shape)
    X -= X.mean(axis=0)
    G = X @ X.T
    v = np.trace(G) / len(X)
    expected = G @ np.linalg.inv(G + v * np.eye(len(X)))
    np.testing.assert_allclose(projection(X), expected, atol=1e-12)
    np.testing.assert_allclose(projection(1e5 * X), expected, atol=1e-12)


def test_projection_of_sparse_rows_centers_them():
    X = np.random.default_rng(0).random((30, 50)) * (
        np.random.default_rng(1).random((30, 50)) < 0.2
    )
    np.testing.assert_allclose(projection(csr_array(X)), projection(X - X.mean(axis=0)), atol=1e-10)


def test_equal_rows_have_no_projection():
    assert not projection(np.zeros((5, 3))).any()
    assert not projection(np.zeros((5, 9))).any()


def test_the_strongest_are_the_strongest():
    P = projection(np.random.default_rng(0).standard_normal((40, 6)))
    found = strongest_coefficients(P, 7)
    off = np.abs(P - np.diag(np.diag(P)))
    np.testing.assert_allclose(found.sizes, -np.sort(-off, axis=1)[:, :8])
    np.testing.assert_allclose(np.take_along_axis(off, found.columns, axis=1), found.sizes)


def test_shares_sum_to_one():
    W = csr_array(np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0], [0.0, 0.0, 0.0]]))
    assert sharing(W).sum() == pytest.approx(2.0)  # two rows that are not zero


def test_candidates_do_not_depend_on_units_or_origin():
    X, _ = blobs(0, n_per_class=20, k=3, d=6)
    ones, others = graphs_of(X), graphs_of(1e-4 * X + 17)
    for m, s in ones.candidates:
        A, B = ones.graph(m, s), others.graph(m, s)
        assert abs(A - B).max() < 1e-6
        assert abs(A - A.T).max() < 1e-15
        assert A.diagonal().max() == 0
    assert len(ones.candidates) == 17


def test_the_neighbors_stay_as_they_were_found():
    """Samples that are many are represented by the nearest of them."""
    found = find_neighbors(blobs(0, n_per_class=20)[0], 29)
    nearest, distance = found.nearest.copy(), found.distance.copy()
    local_graphs(nearest, distance)
    np.testing.assert_array_equal(nearest, found.nearest)
    np.testing.assert_array_equal(distance, found.distance)


def test_opposite_sides_of_the_mean_are_no_neighbors():
    """Their coefficients are large and negative; of any sign, they would join two clusters."""
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    X = 3 * np.where(y == 0, 1.0, -1.0)[:, None] + rng.standard_normal((80, 12))
    P = projection(X - X.mean(axis=0))
    across = [
        representation_graph(strongest_coefficients(P, positive=sign)).toarray()[y[:, None] != y]
        for sign in (True, False)
    ]
    assert across[0].sum() < 0.02 * 80 < 0.3 * 80 < across[1].sum()
