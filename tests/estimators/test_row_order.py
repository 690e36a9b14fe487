"""Labels do not depend on the order of the rows, even where nothing falls into clusters."""

import numpy as np
import pytest
from contract import CLUSTERING, LABEL_METHODS, fit
from sklearn.metrics import adjusted_rand_score

from samekind._selection.scaling import own_order
from samekind.estimators._base.registry import METHODS

pytestmark = pytest.mark.filterwarnings("ignore")
N, K = 60, 5


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(8)
    return rng.standard_normal((N, 5)), np.where(np.arange(N) < 2 * K, np.arange(N) % K, -1)


@pytest.mark.parametrize("name", CLUSTERING)
def test_another_order_of_rows_gives_the_same_partition(noise, name):
    X, known = noise
    given = {} if METHODS[name].takes_labels else {"n_clusters": K}
    model = METHODS[name].estimator(random_state=0, **given)
    labels = fit(model, X, known).labels_
    for seed in range(2):
        mixed = np.random.default_rng(seed).permutation(N)
        other = fit(model, X[mixed], known[mixed]).labels_
        assert adjusted_rand_score(labels[mixed], other) == 1


@pytest.mark.parametrize("name", ["samekind", "sc", "sl", "csp", "cscap", "lsgr", "e2cp", "hi"])
def test_neighbors_at_one_distance_do_not_follow_the_order_of_the_rows(name):
    """Of the rows, all of whole numbers, none are equal."""
    rows = np.unique(np.random.default_rng(0).poisson(2.0, size=(80, 4)), axis=0).astype(float)
    known = np.where(np.arange(len(rows)) < 9, np.arange(len(rows)) % 3, -1)
    given = {} if METHODS[name].takes_labels else {"n_clusters": 3}
    model = METHODS[name].estimator(random_state=0, **given)
    labels = fit(model, rows, known).labels_
    for seed in range(2):
        mixed = np.random.default_rng(seed).permutation(len(rows))
        other = fit(model, rows[mixed], known[mixed]).labels_
        assert adjusted_rand_score(labels[mixed], other) == 1


@pytest.mark.parametrize("name", ["sc", "sl", "csp", "cscap", "lsgr", "e2cp", *LABEL_METHODS])
def test_equal_rows_are_told_apart_by_what_is_known_of_them(name):
    given = {} if METHODS[name].takes_labels else {"n_clusters": 5}
    for seed in range(4):
        rng = np.random.default_rng(seed)
        value = rng.integers(7, size=30)
        X, known = rng.standard_normal((7, 60))[value], np.full(30, -1)
        for kind in range(5):
            known[np.flatnonzero(value % 5 == kind)[:2]] = kind
        model = METHODS[name].estimator(random_state=0, **given)
        labels, mixed = fit(model, X, known).labels_, rng.permutation(30)
        other = fit(model, X[mixed], known[mixed]).labels_
        assert adjusted_rand_score(labels[mixed], other) == 1


@pytest.mark.parametrize("name", LABEL_METHODS)
def test_equal_rows_get_the_same_label(name):
    """More rows are equal than a hyperedge holds; some values have no label, or stand alone."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        value = np.concatenate([np.arange(12), rng.integers(12, size=48)])
        X, known = np.eye(12)[value], np.full(60, -1)
        some, mixed = [0, 1, 2, 3, 4, 20, 21, 22, 23], rng.permutation(60)
        known[some] = value[some] % 3
        model = METHODS[name].estimator(random_state=0)
        labels, other = (fit(model, X[at], known[at]).labels_ for at in (np.arange(60), mixed))
        np.testing.assert_array_equal(other, labels[mixed])
        free = known == -1
        assert len(np.unique(np.column_stack([value, labels])[free], axis=0)) == len(
            np.unique(value[free])
        )


def test_labels_do_not_spread_along_rounding():
    """Rows that are orthogonal are not joined; what no label reaches is counted."""
    X = np.eye(8)[np.concatenate([np.arange(8), np.arange(4), np.arange(4)])]
    known = np.where(np.arange(16) < 3, np.arange(16), -1)
    model = METHODS["s2lrr"].estimator().fit(X, known)
    assert model.n_unreached_ == 7
    np.testing.assert_array_equal(model.labels_[[8, 9, 10, 12, 13, 14]], [0, 1, 2, 0, 1, 2])


def test_equal_rows_tie_in_the_order():
    """The last digit of a product by BLAS depends on the place of a row."""
    for d in (5, 60, 617):
        row = np.random.default_rng(0).standard_normal((1, d))
        np.testing.assert_array_equal(own_order(np.repeat(row, 23, axis=0)), np.arange(23))


def test_the_order_is_the_same_far_from_the_origin(noise):
    X, _ = noise
    order, far = own_order(X), own_order(np.column_stack([X, np.full(N, 1.7e9)]) + 1e6)
    assert set(order) == set(far) == set(range(N))
    np.testing.assert_array_equal(own_order(X - 2.0**20), order)


def test_shares_that_tie_are_decided_alike():
    """All six rows are neighbors, so that two classes of two labels each have equal shares."""
    X, known = np.random.default_rng(0).standard_normal((6, 60)), np.array([0, 1, -1, 1, 0, 2])
    labels = METHODS["hi"].estimator().fit(X, known).labels_
    for seed in range(6):
        mixed = np.random.default_rng(seed).permutation(6)
        other = METHODS["hi"].estimator().fit(X[mixed], known[mixed]).labels_
        np.testing.assert_array_equal(other, labels[mixed])
