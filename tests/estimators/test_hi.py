import numpy as np
import pytest
from scipy.sparse import csr_array, eye_array

from problems import blobs
from samekind._kernels import propagation
from samekind._kernels.status import Status
from samekind.estimators._base import hypergraph_method as _hypergraph_method
from samekind.estimators._hi import HI
from samekind.graph import hypergraph_operator, incidence_from_neighbors, normalized_laplacian


@pytest.fixture
def partly_labeled():
    """Three blobs; three labels each."""
    X, y = blobs(0, d=3, spread=0.3)
    known = np.full(len(y), -1)
    for c in range(3):
        known[np.flatnonzero(y == c)[:3]] = 10 * c
    return X, 10 * y, known


def one_hot(y):
    return (y[:, None] == np.unique(y[y >= 0])[None, :]).astype(float)


@pytest.mark.parametrize("xi", [0.5, 0.9, 0.99])
def test_the_shares_solve_the_printed_problem(partly_labeled, xi):
    X, _, known = partly_labeled
    model = HI(smoothness=xi).fit(X, known)
    O, Y = model.affinity_matrix_.toarray(), one_hot(known)
    F = np.linalg.solve(np.eye(len(X)) - xi * O, Y)
    np.testing.assert_allclose(
        model.label_distributions_, F / F.sum(axis=1, keepdims=True), atol=1e-10
    )
    # The gradient of Tr(F'(I - O)F) + mu |F - Y|^2 is zero at (1 - xi) times this F.
    mu, F = 1 / xi - 1, (1 - xi) * F
    np.testing.assert_allclose(F - O @ F + mu * (F - Y), 0.0, atol=1e-12)


def test_separated_classes_are_found(partly_labeled):
    X, y, known = partly_labeled
    model = HI().fit(X, known)
    np.testing.assert_array_equal(model.labels_, y)
    np.testing.assert_array_equal(model.labels_, model.transduction_)
    np.testing.assert_array_equal(model.predict(X + 1e-3), y)
    assert model.classes_.tolist() == [0, 10, 20]
    assert model.constraint_report_.satisfied == 9
    assert model.status_ is Status.CONVERGED


def test_without_an_incidence_each_sample_has_the_hyperedge_of_its_nearest(partly_labeled):
    X, _, known = partly_labeled
    made = HI(n_neighbors=5).fit(X, known)
    given = HI().fit(X, known, incidence=incidence_from_neighbors(X, 5))
    np.testing.assert_array_equal(made.label_distributions_, given.label_distributions_)


def test_hyperedges_of_two_spread_labels_as_half_the_normalized_laplacian():
    rng = np.random.default_rng(0)
    n = 14
    W = np.triu(rng.uniform(0.5, 2.0, (n, n)) * (rng.random((n, n)) < 0.5), 1)
    i, j = np.nonzero(W)
    U = np.zeros((n, len(i)))
    U[i, np.arange(len(i))] = U[j, np.arange(len(i))] = 1.0
    y = np.where(np.arange(n) < 4, np.arange(n) % 2, -1)
    N = normalized_laplacian(csr_array(W + W.T)).toarray()
    # I - xi O = (1 - xi) I + xi (I - O), and I - O is N / 2.
    F = np.linalg.solve(0.2 * np.eye(n) + 0.8 * N / 2, one_hot(y))
    model = HI(smoothness=0.8).fit(rng.standard_normal((n, 2)), y, incidence=U, weights=W[i, j])
    expected = F / F.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.label_distributions_, expected, atol=1e-12)


def test_samples_that_no_label_reaches_are_counted_and_get_the_most_frequent_class():
    U = np.zeros((8, 3))
    U[[0, 1], 0] = U[[2, 3], 1] = U[[4, 5], 2] = 1.0  # 6 and 7 are in no hyperedge
    model = HI().fit(np.eye(8), [4, -1, 9, 9, -1, -1, -1, 9], incidence=U)
    assert model.labels_.tolist() == [4, 4, 9, 9, 9, 9, 9, 9]
    assert model.n_unreached_ == 3  # 4, 5 and 6; sample 7 has a label of its own
    np.testing.assert_allclose(model.label_distributions_[4:7], [[0.25, 0.75]] * 3)


def test_a_label_amid_others_can_be_overruled_and_is_reported():
    y = np.array([0, 0, 0, 0, 1, -1, 1])
    U = np.zeros((7, 2))
    U[:5, 0] = U[5:, 1] = 1.0
    model = HI(smoothness=0.99).fit(np.eye(7), y, incidence=U)
    assert model.labels_.tolist() == [0, 0, 0, 0, 0, 1, 1]
    assert model.constraint_report_.overruled.tolist() == [4]


def test_weights_turn_the_balance_between_hyperedges():
    U = np.array([[1, 0], [1, 1], [0, 1]])
    y = [0, -1, 1]
    for weights, label in (([2.0, 1.0], 0), ([1.0, 2.0], 1), ([0.0, 1.0], 1)):
        assert HI().fit(np.eye(3), y, incidence=U, weights=weights).labels_[1] == label


def test_permuting_samples_and_hyperedges_permutes_the_answer(partly_labeled):
    X, _, known = partly_labeled
    U = incidence_from_neighbors(X, 6)
    w = np.random.default_rng(0).uniform(0.5, 2, U.shape[1])
    rows, columns = (np.random.default_rng(s).permutation(len(X)) for s in (1, 2))
    plain = HI().fit(X, known, incidence=U, weights=w)
    mixed = HI().fit(X[rows], known[rows], incidence=U[rows][:, columns], weights=w[columns])
    np.testing.assert_allclose(
        mixed.label_distributions_, plain.label_distributions_[rows], atol=1e-12
    )


def test_many_samples_take_the_iterative_route_to_the_same_answer(partly_labeled, monkeypatch):
    X, _, known = partly_labeled
    direct = HI(smoothness=0.99).fit(X, known)
    monkeypatch.setattr(propagation, "FACTORIZED_UP_TO", 0)
    iterated = HI(smoothness=0.99).fit(X, known)
    assert iterated.status_ is Status.CONVERGED
    np.testing.assert_allclose(
        iterated.label_distributions_, direct.label_distributions_, atol=1e-8
    )


def test_the_rows_given_are_left_alone_and_may_be_sparse(partly_labeled):
    X, _, known = partly_labeled
    before, labels_before = X.copy(), known.copy()
    dense, sparse = HI().fit(X, known), HI().fit(csr_array(X), known)
    np.testing.assert_array_equal(X, before)
    np.testing.assert_array_equal(known, labels_before)
    np.testing.assert_array_equal(dense.labels_, sparse.labels_)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"incidence": np.eye(3)}, "incidence has 3 rows but X has 6"),
        ({"incidence": np.zeros((6, 1))}, "hyperedge 0 of the incidence matrix holds no sample"),
        ({"incidence": np.ones((6, 1)), "weights": [-1.0]}, r"weights\[0\] is -1"),
        ({"weights": [1.0]}, "there are 6 hyperedges"),
    ],
)
def test_a_hypergraph_that_does_not_fit_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        HI().fit(np.eye(6), [0, 1, -1, -1, -1, -1], **arguments)


@pytest.mark.parametrize("value", [0, 1, -0.5, np.nan, "much"])
def test_a_smoothness_outside_its_range_is_refused(value):
    with pytest.raises(ValueError, match=r"a float in the range \(0.0, 1.0\)"):
        HI(smoothness=value).fit(np.eye(3), [0, 1, -1])


def test_hyperedges_too_large_for_memory_are_refused_before_they_are_multiplied(monkeypatch):
    monkeypatch.setattr(_hypergraph_method, "hypergraph_operator", None)
    y = np.where(np.arange(100) < 2, np.arange(100), -1)
    with pytest.raises(MemoryError, match="10000 pairs of samples"):
        HI(memory_limit=1e5).fit(np.eye(100), y, incidence=np.ones((100, 3)))


def test_the_operator_is_kept(partly_labeled):
    X, _, known = partly_labeled
    O = HI(n_neighbors=4).fit(X, known).affinity_matrix_
    assert abs(O - hypergraph_operator(incidence_from_neighbors(X, 4))).max() == 0
    assert abs(HI(n_neighbors=1).fit(X, known).affinity_matrix_ - eye_array(len(X))).max() == 0
