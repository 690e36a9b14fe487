import numpy as np
import pytest
from scipy.linalg import eig
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits, load_wine, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score, rand_score

from samekind import SC, PairConstraints, sample_labels
from samekind._kernels import csp
from samekind._kernels.shrink import unit_rows
from samekind.estimators._csp import CSP, agreement
from samekind.graph import local_graph


def some_labels(y, count, seed):
    """The labels of some samples, drawn from all; -1 elsewhere."""
    known = np.random.default_rng(seed).permutation(len(y))[:count]
    partial = np.full(len(y), -1)
    partial[known] = y[known]
    return partial


def parts_of(W):
    """L, D^-1/2 and the volume, as the authors' code has them."""
    degree = W.sum(axis=1)
    root = np.diag(1 / np.sqrt(degree))
    return np.eye(len(W)) - root @ W @ root, root, degree.sum()


def two_way(W, Q):
    """The steps of csp.m."""
    L, root, volume = parts_of(W)
    Q = root @ Q @ root
    values, vectors = eig(L, Q - np.linalg.norm(Q, 2) / 2 * np.eye(len(W)))
    V = vectors.real[:, values.real >= 0]
    V *= np.sqrt(volume) / np.linalg.norm(V, axis=0)
    cost = np.diag(V.T @ L @ V)
    order = np.argsort(cost)
    return root @ V[:, order[cost[order] > 1e-10][0]]


def k_way(W, Q, k):
    """The steps of csp_K.m."""
    L, root, volume = parts_of(W)
    s = np.linalg.svd(Q, compute_uv=False)
    Q1 = Q - ((s[k - 1] + s[k]) / 2 - 1e-6) * np.eye(len(W))
    V = eig(L, Q1)[1].real
    V /= np.linalg.norm(V, axis=0)
    V = V[:, np.einsum("ij,ij->j", V, Q1 @ V) >= 0]
    cost = np.diag(V.T @ L @ V)
    order = np.argsort(cost)
    mixed = [(V[:, i] > 0).any() and (V[:, i] < 0).any() for i in order]
    order = order[mixed.index(True) :][: k - 1]
    return root @ V[:, order] * np.sqrt(volume) * (1 - cost[order])


@pytest.fixture(scope="module")
def wine():
    """Two classes of wine, and the graph of the authors' demonstration."""
    X, y = load_wine(return_X_y=True)
    X, y = X[y > 0], y[y > 0] - 1
    W = np.exp(-squareform(pdist(X / X.std(axis=0, ddof=1), "sqeuclidean")) / 2)
    np.fill_diagonal(W, 0)
    return X, y, W


@pytest.mark.parametrize("seed", range(5))
def test_two_clusters_are_the_signs_of_the_authors_vector(wine, seed):
    X, y, W = wine
    pairs = PairConstraints.from_labels(some_labels(y, 10, seed))
    u = two_way(W, agreement(pairs).toarray())
    model = CSP(2, random_state=0).fit(X, constraints=pairs, graph=W)
    assert adjusted_rand_score(u > 0, model.labels_) == 1
    np.testing.assert_array_equal(model.labels_ == model.labels_[0], u * u[0] > 0)
    assert model.n_cuts_ == 1


@pytest.mark.parametrize("seed", range(3))
def test_more_clusters_have_the_coordinates_of_the_authors_code(seed):
    X, y = load_digits(n_class=4, return_X_y=True)
    X, y = X[:120], y[:120]
    W = local_graph(X, 12, 5).toarray() + 1e-3 * (1 - np.eye(120))
    pairs = PairConstraints.from_labels(sample_labels(y, 4, random_state=seed))
    H = k_way(W, agreement(pairs).toarray(), 4)
    model = CSP(4, pair_weights="raw", random_state=0).fit(X, constraints=pairs, graph=W)
    assert model.n_cuts_ == 3
    rows, ours = unit_rows(H), unit_rows(model.embedding_)
    np.testing.assert_allclose(ours @ ours.T, rows @ rows.T, atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_ten_labels_tell_two_moons_apart(seed):
    X, y = make_moons(200, noise=0.05, random_state=seed)
    pairs = PairConstraints.from_labels(some_labels(y, 10, seed))
    model = CSP(2, random_state=0).fit(X, constraints=pairs)
    assert rand_score(y, model.labels_) == 1
    assert model.constraint_report_.violated == 0


def test_without_pairs_it_is_spectral_clustering(wine):
    X, _, W = wine
    model = CSP(3, random_state=0).fit(X, graph=W)
    assert model.n_cuts_ == 0
    np.testing.assert_array_equal(model.labels_, SC(3, random_state=0).fit(X, graph=W).labels_)


def test_pairs_that_no_cut_agrees_with_are_reported(wine):
    """A single must-link is kept by vectors of one sign alone."""
    X, _, W = wine
    with pytest.warns(UserWarning, match=r"0 cuts .* spectral clustering without pairs is used"):
        model = CSP(2, random_state=0).fit(X, must_link=[(0, 1)], graph=W)
    assert model.n_cuts_ == 0
    np.testing.assert_array_equal(model.labels_, SC(2, random_state=0).fit(X, graph=W).labels_)


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
def test_fewer_cuts_than_clusters_take_are_reported(wine):
    X, _, W = wine
    with pytest.warns(UserWarning, match=r"1 cuts .* 4 clusters take 3; these alone"):
        model = CSP(4, random_state=0).fit(X, cannot_link=[(0, 100)], graph=W)
    assert model.embedding_.shape == (len(X), model.n_cuts_) == (len(X), 1)


def test_one_cluster_takes_no_cut(wine):
    X, _, W = wine
    model = CSP(1, random_state=0).fit(X, must_link=[(0, 1)], graph=W)
    assert model.n_cuts_ == 0
    assert set(model.labels_) == {0}


def test_both_weights_of_pairs_are_offered_and_differ(wine):
    X, y, W = wine
    pairs = PairConstraints.from_labels(some_labels(y, 10, 0))
    models = [
        CSP(2, pair_weights=weights, random_state=0).fit(X, constraints=pairs, graph=W)
        for weights in ("normalized", "raw")
    ]
    assert all(model.status_.converged for model in models)
    assert np.abs(models[0].embedding_ - models[1].embedding_).max() > 1e-3
    with pytest.raises(ValueError, match=r"a str among {'normalized', 'raw'}"):
        CSP(2, pair_weights="none").fit(X, constraints=pairs)


def test_seeded_assignment_keeps_the_signs(wine):
    X, y, W = wine
    pairs = PairConstraints.from_labels(some_labels(y, 10, 1))
    plain, seeded = (
        CSP(2, assign_labels=how, random_state=0).fit(X, constraints=pairs, graph=W).labels_
        for how in ("kmeans", "seeded")
    )
    assert adjusted_rand_score(plain, seeded) == 1


def test_an_unverified_pencil_is_a_warning(wine, monkeypatch):
    X, _, W = wine
    monkeypatch.setattr(csp, "RESIDUAL", -1.0)
    with pytest.warns(ConvergenceWarning, match="could not be verified"):
        CSP(2).fit(X, cannot_link=[(0, 100)], graph=csr_array(W))
