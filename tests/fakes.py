"""Small methods of every kind, for tests of what is made around methods."""

from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from samekind._kernels.admm import AdmmIteration
from samekind._kernels.propagation import harmonic
from samekind._kernels.status import Status
from samekind.estimators import SC
from samekind.estimators._base.label_method import LabelMethod, Spread
from samekind.estimators._base.parameters import Number, Whole
from samekind.estimators._base.registry import METHODS, Method
from samekind.graph import local_graph


class Spreads(LabelMethod):
    """Labels spread on the local graph."""

    SUPERVISION: ClassVar = "labels"

    RANGES: ClassVar = {"max_iter": Whole(1), "tol": Number(0)}

    def __init__(
        self,
        *,
        n_neighbors=7,
        scale_neighbor=5,
        random_state=None,
        memory_limit=None,
        max_iter=4,
        tol=0.01,
    ):
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.max_iter = max_iter
        self.tol = tol

    def _spread(self, X, Y, callback, random_state):
        W = local_graph(X, self.n_neighbors, self.scale_neighbor)
        found = harmonic(W, Y)
        if callback is not None:
            callback(AdmmIteration(1, 0.003, 0.001, 1.0))
        fitted = {"affinity_matrix_": W, "n_iter_": 1}
        return Spread(found.F, found.reached, found.status, fitted)


class Shrugs(LabelMethod):
    """All samples are put into the first class, whatever their labels say."""

    SUPERVISION: ClassVar = "labels"
    INTERPRETATION: ClassVar = True

    def __init__(self, *, n_neighbors=7, scale_neighbor=5, random_state=None, memory_limit=None):
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.random_state = random_state
        self.memory_limit = memory_limit

    def _spread(self, X, Y, callback, random_state):
        F = np.zeros((len(Y), Y.shape[1]))
        F[:, 0] = 1.0
        return Spread(F, np.arange(len(Y)) > 1, Status.MAX_ITER, {})


class Guesses(SC):
    """Spectral clustering under another name."""

    SUPERVISION: ClassVar = "pairs"
    INTERPRETATION: ClassVar = True


class Turns(TransformerMixin, BaseEstimator):
    """A transformer."""

    SUPERVISION: ClassVar = "labels"

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return -X


def register(monkeypatch):
    """Put them into the table of methods until the test is over."""
    for made in map(Method, (Spreads, Shrugs, Guesses, Turns)):
        monkeypatch.setitem(METHODS, made.name, made)
