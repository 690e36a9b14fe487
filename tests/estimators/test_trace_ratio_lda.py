import numpy as np
import pytest
from scipy.linalg import eigvalsh
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from problems import blobs
from samekind._kernels.status import Status
from samekind._kernels.trace_ratio import trace_ratio
from samekind.estimators import _trace_ratio_lda as module
from samekind.estimators._trace_ratio_lda import TraceRatioLDA


def unequal_blobs(seed, d=5):
    """Classes of 20, 12 and 6 samples."""
    X, y = blobs(seed, n_per_class=20, d=d, spread=2.0)
    rows = np.concatenate([np.flatnonzero(y == c)[:size] for c, size in enumerate((20, 12, 6))])
    return X[rows], y[rows]


def printed_scatters(X, y):
    """S_b and S_w, written out as printed below (4)."""
    n, m = len(X), X.mean(axis=0)
    S_b, S_w = np.zeros((2, X.shape[1], X.shape[1]))
    for c in np.unique(y):
        n_c, m_c = (y == c).sum(), X[y == c].mean(axis=0)
        S_b += n_c / n * np.outer(m_c - m, m_c - m)
        for x in X[y == c]:
            S_w += n_c / n * np.outer(x - m_c, x - m_c)
    return S_b, S_w


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_ratio_is_the_root_of_the_printed_problem(seed, k):
    X, y = unequal_blobs(seed)
    model = TraceRatioLDA(k).fit(X, y)
    S_b, S_w = printed_scatters(X, y)
    top = eigvalsh(S_b - model.trace_ratio_ * S_w)[-k:]
    assert abs(top.sum()) <= 1e-9 * np.abs(S_b).sum()  # f(rho) = 0: no G does better
    G = model.components_
    np.testing.assert_allclose(G @ G.T, np.eye(k), atol=1e-12)
    reached = np.trace(G @ S_b @ G.T) / np.trace(G @ S_w @ G.T)
    assert reached == pytest.approx(model.trace_ratio_)
    assert model.status_ is Status.CONVERGED
    assert model.shrinkage_ == 0


def test_one_component_is_the_largest_generalized_eigenvalue():
    X, y = unequal_blobs(0)
    assert TraceRatioLDA(1).fit(X, y).trace_ratio_ == pytest.approx(
        eigvalsh(*printed_scatters(X, y))[-1]
    )


@pytest.mark.parametrize("seed", range(3))
def test_no_direction_or_plane_of_a_fine_grid_does_better(seed):
    X, y = unequal_blobs(seed, d=3)
    S_b, S_w = printed_scatters(X, y)
    u, v = np.meshgrid(np.linspace(0, np.pi, 400), np.linspace(0, np.pi, 400))
    g = np.array([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)]).reshape(3, -1)
    b, w = ((g * (S @ g)).sum(axis=0) for S in (S_b, S_w))
    # A plane in three dimensions is what is left beside its normal.
    best_of_grid = {1: (b / w).max(), 2: ((np.trace(S_b) - b) / (np.trace(S_w) - w)).max()}
    for k, found in best_of_grid.items():
        best = TraceRatioLDA(k).fit(X, y).trace_ratio_
        assert found <= best * (1 + 1e-12)
        assert found == pytest.approx(best, rel=1e-3)


def test_one_component_and_equal_classes_agree_with_scikit_learn():
    X, y = blobs(1, n_per_class=20, d=4, spread=1.5)
    theirs = LinearDiscriminantAnalysis(solver="eigen", n_components=1).fit(X, y).scalings_[:, 0]
    ours = TraceRatioLDA(1).fit(X, y).components_[0]
    assert abs(ours @ theirs) / np.linalg.norm(theirs) == pytest.approx(1, abs=1e-9)


def test_rows_without_a_label_are_left_out():
    X, y = unequal_blobs(0)
    known = np.where(np.arange(len(y)) % 3 == 0, -1, y)
    part, whole = TraceRatioLDA(2).fit(X[known >= 0], y[known >= 0]), TraceRatioLDA(2)
    np.testing.assert_array_equal(whole.fit(X, known).components_, part.components_)
    assert whole.classes_.tolist() == [0, 1, 2]
    assert whole.transform(X).shape == (len(X), 2)


def test_rotating_and_shifting_the_features_rotates_the_directions():
    X, y = unequal_blobs(2)
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))[0]
    plain, turned = TraceRatioLDA(2).fit(X, y), TraceRatioLDA(2).fit(7 * X @ Q + 3.0, y)
    assert turned.trace_ratio_ == pytest.approx(plain.trace_ratio_)
    G, H = plain.components_ @ Q, turned.components_
    np.testing.assert_allclose(G.T @ G, H.T @ H, atol=1e-8)  # the same subspace


def test_features_that_do_not_vary_change_nothing():
    X, y = unequal_blobs(1)
    constant = np.full((len(X), 2), [1e9 / 3, 0.1])
    wide = TraceRatioLDA(2).fit(np.hstack([X, constant, X[:, :1]]), y)
    assert wide.shrinkage_ == 0  # a repeated feature is rotated away as well
    np.testing.assert_array_equal(wide.components_[:, 5:7], 0.0)


def test_fewer_samples_than_features_are_shrunk_and_reported():
    X, y = unequal_blobs(0, d=60)
    model = TraceRatioLDA(2).fit(X, y)
    assert model.shrinkage_ == 1e-3
    assert model.status_ is Status.CONVERGED
    # The same problem, brought to the span of the rows by hand.
    S_b, S_w = printed_scatters(X, y)
    V = np.linalg.svd(X - X.mean(axis=0))[2][: len(X) - 1].T
    size = np.trace(S_b + S_w) / (len(X) - 1)
    shrunk = 0.999 * V.T @ S_w @ V + 0.001 * size * np.eye(len(X) - 1)
    rho = trace_ratio(V.T @ S_b @ V, shrunk, 2).rho
    assert model.trace_ratio_ == pytest.approx(rho)
    np.testing.assert_allclose(model.components_ @ V @ V.T, model.components_, atol=1e-12)


def test_less_shrinkage_gives_a_larger_ratio():
    X, y = unequal_blobs(0, d=60)
    ratios = [TraceRatioLDA(2, shrinkage=s).fit(X, y).trace_ratio_ for s in (0.5, 1e-2, 1e-4)]
    assert ratios[0] < ratios[1] < ratios[2]


def test_one_sample_in_each_class_keeps_what_principal_components_keep():
    """S_w is zero, so that shrinkage leaves the identity."""
    X = np.random.default_rng(0).standard_normal((6, 4))
    model = TraceRatioLDA(2).fit(X, np.arange(6))
    P = np.linalg.svd(X - X.mean(axis=0))[2][:2]
    np.testing.assert_allclose(model.components_.T @ model.components_, P.T @ P, atol=1e-8)


def test_classes_with_equal_means_have_ratio_zero():
    X, y = np.array([[-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [1.0, 1.0]]), [0, 0, 1, 1]
    model = TraceRatioLDA(1).fit(X, y)
    assert model.trace_ratio_ == pytest.approx(0, abs=1e-15)
    assert model.status_ is Status.CONVERGED


def test_the_default_is_one_direction_less_than_classes():
    X, y = unequal_blobs(0)
    model = TraceRatioLDA().fit(X, y)
    assert model.components_.shape == (2, 5)
    names = ["traceratiolda0", "traceratiolda1"]
    assert model.get_feature_names_out().tolist() == names
    assert TraceRatioLDA().fit(X[:, :1], y).components_.shape == (1, 1)


def test_it_stands_in_a_pipeline():
    X, y = blobs(0, d=6)
    found = make_pipeline(StandardScaler(), TraceRatioLDA(2)).fit_transform(X, y)
    nearest = ((found[:, None] - found[None]) ** 2).sum(axis=2) + 1e9 * np.eye(len(X))
    assert np.mean(y[nearest.argmin(axis=1)] == y) > 0.95


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        ([-1] * 6, "y holds no label"),
        ([2, 2, 2, -1, -1, -1], "one class only, 2"),
        ([0, 1, 0.5, 0, 1, 1], "Unknown label type"),
        ([0, 1], "inconsistent numbers of samples"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(y, sentence):
    X = np.random.default_rng(0).standard_normal((6, 2))
    with pytest.raises(ValueError, match=sentence):
        TraceRatioLDA().fit(X, y)


def test_more_directions_than_there_are_is_refused():
    X, y = unequal_blobs(0)
    with pytest.raises(ValueError, match="differ in 5 directions only; use n_components=5"):
        TraceRatioLDA(6).fit(X, y)
    with pytest.raises(ValueError, match="are all equal"):
        TraceRatioLDA().fit(np.full((4, 3), 0.1), [0, 0, 1, 1])


@pytest.mark.parametrize("parameters", [{"n_components": 0}, {"shrinkage": 0}, {"shrinkage": 1.0}])
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(ValueError, match=f"The '{next(iter(parameters))}' parameter"):
        TraceRatioLDA(**parameters).fit(*unequal_blobs(0))


def test_too_little_memory_is_refused_before_anything_is_made():
    X, y = np.ones((100, 3000)), np.arange(100) % 2
    with pytest.raises(MemoryError, match=r"100 labeled rows needs about 17\.8 MB.*memory_limit"):
        TraceRatioLDA(memory_limit=1e6).fit(X, y)
    with pytest.raises(ValueError, match="are all equal"):
        TraceRatioLDA(memory_limit=2e7).fit(X, y)


def test_a_ratio_that_did_not_settle_is_a_warning(monkeypatch):
    def short(S_b, S_w, k):
        return trace_ratio(S_b, S_w, k, max_iter=1)

    monkeypatch.setattr(module, "trace_ratio", short)
    with pytest.warns(ConvergenceWarning, match="TraceRatioLDA: stopped at max_iter"):
        model = TraceRatioLDA(2).fit(*unequal_blobs(0))
    assert model.status_ is Status.MAX_ITER
