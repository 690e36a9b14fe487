"""Labels do not depend on the order of the rows, even where nothing falls into clusters."""

import numpy as np
import pytest
from contract import CLUSTERING, fit
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


def test_the_order_is_the_same_far_from_the_origin(noise):
    X, _ = noise
    order, far = own_order(X), own_order(np.column_stack([X, np.full(N, 1.7e9)]) + 1e6)
    assert set(order) == set(far) == set(range(N))
    np.testing.assert_array_equal(own_order(X - 2.0**20), order)
