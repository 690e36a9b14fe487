"""Methods on the graph of neighbors do not depend on the units of X; the others end well."""

from functools import cache

import numpy as np
import pytest
from contract import CLUSTERING, fit, made
from sklearn.metrics import adjusted_rand_score

from problems import blobs
from samekind import sample_labels
from samekind.estimators._base.registry import METHODS
from samekind.metrics import clustering_accuracy

NEIGHBOR_GRAPH = ["samekind", "sc", "sl", "csp", "cscap", "lsgr", "e2cp", "hi", "hgnn"]
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def groups():
    X, y = blobs(3, n_per_class=12, k=3, d=20, spread=0.6)
    X += 0.5 * np.random.default_rng(0).standard_normal(X.shape)
    return X, y, sample_labels(y, 4, random_state=0)


@pytest.fixture(scope="module")
def usual(groups):
    """A method in the usual units, fitted once for all others."""
    return cache(lambda name: fit(made(name), groups[0], groups[2]))


MOVED = {
    "a timestamp": lambda X: np.column_stack([X, np.full(len(X), 1.7e9)]),
    "far away": lambda X: X + 1e9,
    "1e-200": lambda X: 1e-200 * X,
    "1e-150": lambda X: 1e-150 * X,
    "0.001": lambda X: 0.001 * X,
    "1e150": lambda X: 1e150 * X,
    "1e200": lambda X: 1e200 * X,
}


@pytest.mark.parametrize("name", NEIGHBOR_GRAPH)
@pytest.mark.parametrize("how", MOVED)
def test_shift_and_scale_leave_partitions_alone(groups, usual, name, how):
    X, _, known = groups
    moved = fit(made(name), MOVED[how](X), known)
    assert adjusted_rand_score(usual(name).labels_, moved.labels_) == 1
    assert moved.status_ is usual(name).status_
    np.testing.assert_array_equal(moved.predict(MOVED[how](X)), moved.labels_)


@pytest.mark.parametrize("name", sorted(set(CLUSTERING) - set(NEIGHBOR_GRAPH)))
@pytest.mark.parametrize("how", MOVED)
def test_methods_with_units_end_well_in_any(groups, name, how):
    X, y, known = groups
    few = {"max_iter": 20} if METHODS[name].interruptible else {}
    model = fit(made(name, **few), MOVED[how](X), known)
    assert model.labels_.shape == (len(X),)
    np.testing.assert_array_equal(model.predict(MOVED[how](X)), model.labels_)
    # k-means has all of these groups.
    assert clustering_accuracy(y, model.labels_) > 0.8 or not model.status_.converged


@pytest.mark.parametrize("name", CLUSTERING)
def test_values_beyond_the_range_are_refused(groups, name):
    X, _, known = groups
    with pytest.raises(ValueError, match=r"largest absolute value of X is .*multiply X"):
        fit(made(name), X * 1e300, known)
