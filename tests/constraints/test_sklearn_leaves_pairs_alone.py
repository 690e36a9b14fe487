"""scikit-learn cuts fit arguments that are as long as X; it must not cut this value."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.model_selection import GridSearchCV, cross_validate

from samekind.constraints import PairConstraints

N = 20


class Recorder(ClusterMixin, BaseEstimator):
    """Remembers what reached `fit`."""

    def __init__(self, constraints=None, n_clusters=2):
        self.constraints = constraints
        self.n_clusters = n_clusters

    def fit(self, X, y=None, *, constraints=None):
        self.received_ = constraints
        self.labels_ = np.zeros(len(X), dtype=int)
        return self

    def score(self, X, y=None):
        return 0.0


@pytest.fixture
def constraints():
    # As many pairs as samples: the length at which an array of pairs would be cut.
    return PairConstraints(N, cannot_link=[(i, (i + 7) % N) for i in range(N)])


def received(constraints):
    X = np.zeros((N, 2))
    params = {"constraints": constraints}
    result = cross_validate(Recorder(), X, cv=4, params=params, return_estimator=True)
    return [estimator.received_ for estimator in result["estimator"]]


def test_an_array_of_pairs_would_be_cut(constraints):
    assert {len(cut) for cut in received(constraints.cannot_link)} == {15}


def test_cross_validate_hands_the_value_on_whole(constraints):
    assert all(whole == constraints for whole in received(constraints))


def test_a_grid_search_hands_the_value_on_whole(constraints):
    search = GridSearchCV(Recorder(), {"n_clusters": [2, 3]}, cv=2)
    search.fit(np.zeros((N, 2)), constraints=constraints)
    assert search.best_estimator_.received_ == constraints


def test_clone_copies_the_value(constraints):
    assert clone(Recorder(constraints)).constraints == constraints
