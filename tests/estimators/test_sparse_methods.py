"""SSC, S3R and DCSSC: certificates of each representation, and how the three are related."""

import cvxpy as cp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ortho_group
from sklearn.linear_model import Lasso as ScikitLasso

from problems import blobs
from samekind import DCSSC, S3R, SSC, sample_labels
from samekind._kernels.lasso import Lasso, smallest_peak
from samekind._kernels.propagation import harmonic, one_hot
from samekind._kernels.shrink import unit_rows
from samekind._kernels.sparse_representation import (
    Outliers,
    lasso_representation,
    outlier_representation,
)
from samekind.estimators._base.self_taught_method import different


def subspaces(seed, n_per=8, k=3, d=12, rank=2):
    """Samples of independent subspaces, without noise."""
    rng = np.random.default_rng(seed)
    basis = ortho_group.rvs(d, random_state=seed)
    X = [rng.standard_normal((n_per, rank)) @ basis[rank * c : rank * (c + 1)] for c in range(k)]
    return np.vstack(X), np.repeat(np.arange(k), n_per)


@pytest.fixture
def small():
    X, y = blobs(0, n_per_class=6, k=3, d=5, spread=1.0)
    return unit_rows(X), y


def off_diagonal(A):
    return A[~np.eye(len(A), dtype=bool)]


def objective(X, C, w, l, hard=None, b=0.0):
    value = np.abs(w * C).sum() + l / 2 * ((X - C @ X) ** 2).sum()
    if hard is not None:
        for members in hard.T.astype(bool):
            value += b * ((C[members] - C[members].mean(axis=0)) ** 2).sum() if any(members) else 0
    return value


@pytest.mark.parametrize("noise_weight", [2.0, 20.0, 800.0])
def test_the_lasso_meets_its_optimality_conditions(small, noise_weight):
    X, _ = small
    gram = X @ X.T
    l = noise_weight / smallest_peak(gram)
    found = lasso_representation(Lasso.of(X, noise_weight), tol=1e-6)
    C = found.C
    assert found.status.converged
    assert_array_equal(np.diag(C), 0)
    gradient = off_diagonal(l * (gram - C @ gram))
    entries = off_diagonal(C)
    assert np.abs(gradient).max() <= 1 + 1e-6
    assert_allclose(gradient[entries != 0], np.sign(entries[entries != 0]), atol=1e-6)


def test_a_row_is_that_of_scikit_learns_lasso(small):
    X, _ = small
    l = 20.0 / smallest_peak(X @ X.T)
    C = lasso_representation(Lasso.of(X, 20.0), tol=1e-6).C
    for row in (0, 7):
        others = np.arange(len(X)) != row
        model = ScikitLasso(1 / (l * X.shape[1]), fit_intercept=False, tol=1e-12, max_iter=100_000)
        model.fit(X[others].T, X[row])
        assert_allclose(C[row, others], model.coef_, atol=1e-5)


def test_units_do_not_matter(small):
    X, _ = small
    C = [lasso_representation(Lasso.of(c * X, 20.0)).C for c in (1.0, 255.0)]
    assert_allclose(C[0], C[1], atol=1e-8)


def test_outliers_agree_with_a_general_solver(small):
    X, _ = small
    g = 5.0 / np.abs(X).sum(axis=1).max()
    found = outlier_representation(Outliers.of(X, 5.0), tol=1e-6, max_iter=20_000)
    assert found.status.converged
    C = cp.Variable((len(X), len(X)))
    value = cp.sum(cp.abs(C)) + g * cp.sum(cp.abs(X - C @ X))
    best = cp.Problem(cp.Minimize(value), [cp.diag(C) == 0]).solve(solver=cp.CLARABEL)
    ours = np.abs(found.C).sum() + g * np.abs(X - found.C @ X).sum()
    assert_array_equal(np.diag(found.C), 0)
    assert ours == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize("coherence", [0.0, 0.5])
def test_weights_and_coherence_agree_with_a_general_solver(small, coherence):
    X, y = small
    hard = one_hot(np.where(np.arange(len(y)) % 3 > 0, y, -1), [0, 1, 2])
    w, l = 1 + 0.5 * different(hard), 20.0 / smallest_peak(X @ X.T)
    problem = Lasso.of(X, 20.0).coherent(hard, coherence)
    found = lasso_representation(problem, w, tol=1e-6, max_iter=5000)
    assert found.status.converged
    C = cp.Variable((len(X), len(X)))
    value = cp.sum(cp.multiply(w, cp.abs(C))) + l / 2 * cp.sum_squares(X - C @ X)
    for members in hard.T.astype(bool):
        chosen = np.flatnonzero(members)
        centered = np.eye(len(chosen)) - 1 / len(chosen)
        value += coherence * cp.sum_squares(centered @ C[chosen])
    best = cp.Problem(cp.Minimize(value), [cp.diag(C) == 0]).solve(solver=cp.CLARABEL)
    assert objective(X, found.C, w, l, hard, coherence) == pytest.approx(best, rel=1e-5)


def test_the_step_of_the_copy_solves_its_sylvester_equation(small):
    X, y = small
    hard = one_hot(np.where(np.arange(len(y)) % 2 > 0, y, -1), [0, 1, 2])
    problem, mu = Lasso.of(X, 20.0).coherent(hard, 0.3), 7.0
    B = np.random.default_rng(0).standard_normal(problem.gram.shape)
    A = problem.smooth_step(B, mu)
    known = hard.any(axis=1)
    T = hard @ (hard / np.maximum(hard.sum(axis=0), 1)).T  # same class, row sums 1 or 0
    Q = np.diag(known.astype(float)) - T
    left = A @ (problem.gram + mu * np.eye(len(A))) + 2 * 0.3 * Q @ A
    assert np.abs(left - problem.gram - B).max() < 1e-8 * np.abs(problem.gram).max()


@pytest.mark.parametrize("form", ["lasso", "outliers"])
def test_independent_subspaces_are_separated(form):
    X, y = subspaces(1)
    model = SSC(3, form=form, noise_weight=200.0, max_iter=5000, random_state=0).fit(X)
    between = np.abs(model.representation_[y[:, None] != y[None, :]])
    assert between.max() < 1e-6
    assert len(set(zip(y, model.labels_, strict=True))) == 3


def test_all_labels_known_and_dear_weights_make_blocks():
    X, y = blobs(0, n_per_class=8, k=3, d=6, spread=1.5)
    model = S3R(label_weight=1e4).fit(X, y)
    assert not model.representation_[y[:, None] != y[None, :]].any()
    assert model.n_rounds_ == 1


@pytest.fixture
def some():
    X, y = blobs(3, n_per_class=15, k=3, d=8, spread=2.0)
    return X, sample_labels(y, 3, random_state=0)


def test_s3r_without_label_weight_is_ssc_and_propagation(some):
    X, known = some
    model = S3R(label_weight=0.0).fit(X, known)
    plain = SSC(3, noise_weight=model.noise_weight, random_state=0).fit(X)
    assert model.n_rounds_ == 1
    assert_allclose(model.representation_, plain.representation_, atol=1e-12)
    spread = harmonic(plain.affinity_matrix_, one_hot(known, model.classes_))
    assert_allclose(model.label_distributions_, spread.F, atol=1e-10)


@pytest.mark.parametrize("label_weight", [0.0, 0.5])
def test_dcssc_without_coherence_is_s3r(some, label_weight):
    X, known = some
    models = [
        S3R(label_weight=label_weight).fit(X, known),
        DCSSC(label_weight=label_weight, coherence=0.0).fit(X, known),
    ]
    assert_array_equal(models[0].representation_, models[1].representation_)
    assert_array_equal(models[0].labels_, models[1].labels_)


def test_coherence_makes_rows_of_a_class_alike(some):
    X, known = some

    def spread(model):
        C, labels = model.fit(X, known).representation_, model.labels_
        return sum(((C[labels == c] - C[labels == c].mean(axis=0)) ** 2).sum() for c in range(3))

    assert spread(DCSSC(coherence=5.0)) < 0.8 * spread(DCSSC(coherence=0.0))
