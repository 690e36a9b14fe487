import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from problems import blobs
from samekind._kernels.hypergraph_network import Net, distributions, scaled_features
from samekind._kernels.status import Status
from samekind.estimators._hgnn import HGNN
from samekind.graph import incidence_from_neighbors


@pytest.fixture(scope="module")
def partly_labeled():
    """Three blobs; three labels each, and three more to be held out."""
    X, y = blobs(0, d=3, spread=0.3)
    known, held_out = np.full((2, len(y)), -1)
    for c in range(3):
        members = np.flatnonzero(y == c)
        known[members[:3]], held_out[members[3:6]] = 10 * c, 10 * c
    return X, 10 * y, known, held_out


def test_separated_classes_are_found(partly_labeled):
    X, y, known, _ = partly_labeled
    model = HGNN(random_state=0).fit(X, known)
    np.testing.assert_array_equal(model.labels_, y)
    np.testing.assert_array_equal(model.predict(X + 1e-3), y)
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1.0)
    assert model.status_ is Status.CONVERGED
    assert model.constraint_report_.satisfied == 9
    assert model.n_iter_ == len(model.loss_curve_) == 200
    assert model.n_unreached_ == 0
    assert model.validation_score_ is None


def test_the_answer_is_that_of_the_kept_weights_without_dropout(partly_labeled):
    X, _, known, _ = partly_labeled
    model = HGNN(random_state=0, max_iter=30).fit(X, known)
    (W1, W2), (b1, b2) = model.coefs_, model.intercepts_
    F = distributions(Net(W1, b1, W2, b2), model.affinity_matrix_, scaled_features(X))
    np.testing.assert_array_equal(model.label_distributions_, F)


def test_permuting_the_samples_permutes_the_labels(partly_labeled):
    """With dropout 0 the seed alone makes the first weights equal: they know no samples."""
    X, _, known, _ = partly_labeled
    order = np.random.default_rng(0).permutation(len(X))
    model = HGNN(dropout=0.0, random_state=0, max_iter=60)
    plain = model.fit(X, known).label_distributions_
    mixed = model.fit(X[order], known[order]).label_distributions_
    np.testing.assert_allclose(mixed, plain[order], atol=1e-8)


def test_the_same_seed_gives_the_same_answer_and_another_one_another(partly_labeled):
    X, _, known, _ = partly_labeled
    runs = [
        HGNN(random_state=seed, max_iter=20, tol=1.0).fit(X, known).label_distributions_
        for seed in (3, 3, 4)
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert np.abs(runs[0] - runs[2]).max() > 1e-6


def test_the_loss_goes_to_zero_without_dropout_and_decay(partly_labeled):
    X, _, known, _ = partly_labeled
    model = HGNN(dropout=0.0, weight_decay=0.0, learning_rate=0.05, random_state=0)
    assert model.fit(X, known).loss_curve_[-1] < 1e-2


def test_held_out_labels_choose_the_epoch_and_are_not_trained_on(partly_labeled):
    X, _, known, held_out = partly_labeled
    seen = []
    model = HGNN(random_state=0, max_iter=30, tol=1.0)
    plain = model.fit(X, known).loss_curve_
    chosen = model.fit(X, known, validation=held_out, callback=seen.append)
    np.testing.assert_array_equal(chosen.loss_curve_, plain)
    held = held_out >= 0
    assert chosen.validation_score_ == (chosen.labels_ == held_out)[held].mean()
    assert chosen.validation_score_ == max(epoch.validation_accuracy for epoch in seen)
    assert seen[chosen.n_iter_ - 1].validation_accuracy == chosen.validation_score_
    assert chosen.constraint_report_.n_labels == 9


def test_labels_change_the_result(partly_labeled):
    X, y, known, _ = partly_labeled
    renamed = np.select([known == 0, known == 10], [10, 0], known)
    labels = HGNN(random_state=0).fit(X, renamed).labels_
    np.testing.assert_array_equal(labels, np.select([y == 0, y == 10], [10, 0], y))


def test_hyperedges_change_the_result():
    """The features of a sample say one class, those it shares a hyperedge with the other."""
    X = np.array([[1.0], [1.0], [1.0], [-1.0], [-1.0], [-1.0], [1.0]])
    y = [0, 0, -1, 1, 1, -1, -1]
    alone, joined = np.eye(7), np.eye(7)
    joined[6, 3:5] = 1.0
    for U, label in ((alone, 0), (joined, 1)):
        model = HGNN(dropout=0.0, random_state=0).fit(X, y, incidence=U)
        assert model.labels_[6] == label


def test_samples_in_no_hyperedge_are_counted_and_get_the_most_frequent_class():
    X = np.array([[1.0], [1.0], [-1.0], [-1.0], [-1.0], [-1.0]])
    U = np.zeros((6, 2))
    U[:2, 0] = U[2:5, 1] = 1.0
    y = [7, -1, 5, 5, -1, -1]
    model = HGNN(dropout=0.0, learning_rate=0.1, random_state=0).fit(X, y, incidence=U)
    assert model.labels_.tolist() == [7, 7, 5, 5, 5, 5]
    assert model.n_unreached_ == 1
    np.testing.assert_allclose(model.label_distributions_[5], [2 / 3, 1 / 3])


def test_sparse_and_dense_rows_agree_and_are_left_alone(partly_labeled):
    X, _, known, _ = partly_labeled
    before, U = X.copy(), incidence_from_neighbors(X, 5)
    runs = [
        HGNN(random_state=0, max_iter=20, tol=1.0).fit(rows, known, incidence=U)
        for rows in (X, csr_array(X))
    ]
    np.testing.assert_array_equal(X, before)
    np.testing.assert_allclose(*(run.label_distributions_ for run in runs), atol=1e-10)


def test_a_net_that_learned_nothing_is_not_called_converged(partly_labeled):
    """Squares of such gradients are infinite, so that Adam does not move: labels stay, too."""
    X, _, known, _ = partly_labeled
    model = HGNN(dropout=0.0, random_state=0, scale_features=False)
    with np.errstate(over="ignore"), pytest.warns(ConvergenceWarning, match="raise max_iter"):
        model.fit(X * 1e200, known, incidence=np.eye(len(X)))


def test_too_few_epochs_are_a_warning(partly_labeled):
    X, _, known, _ = partly_labeled
    with pytest.warns(ConvergenceWarning, match="HGNN: stopped at max_iter"):
        model = HGNN(random_state=0, max_iter=1).fit(X, known)
    assert model.status_ is Status.MAX_ITER


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda v: np.full_like(v, -1), "validation holds no label"),
        (lambda v: np.where(v == 10, 11, v), "validation holds label 11, which y does not"),
        (lambda v: np.maximum(v, 0), "has a label in y and in validation"),
        (lambda v: v[:-1], "inconsistent numbers of samples"),
        (lambda v: v / 4, "Unknown label type"),
    ],
)
def test_held_out_labels_that_cannot_choose_are_refused(partly_labeled, change, sentence):
    X, _, known, held_out = partly_labeled
    with pytest.raises(ValueError, match=sentence):
        HGNN(max_iter=1).fit(X, known, validation=change(held_out))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_net_that_blows_up_is_refused(partly_labeled):
    X, _, known, _ = partly_labeled
    with pytest.raises(ValueError, match="bring the features of X to about unit size"):
        HGNN(random_state=0, max_iter=5, learning_rate=1e200).fit(X, known)


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_hidden": 0},
        {"dropout": 1.0},
        {"dropout": -0.1},
        {"learning_rate": 0},
        {"weight_decay": -1.0},
        {"max_iter": 0},
        {"tol": np.inf},
    ],
)
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(ValueError, match=f"The '{next(iter(parameters))}' parameter of HGNN"):
        HGNN(**parameters).fit(np.eye(3), [0, 1, -1])
