"""The methods with settings that make them quick, and what to hand to them."""

from functools import cache

from problems import blobs
from samekind import PairConstraints, sample_labels
from samekind.estimators._base.registry import METHODS

# Data of the contract are easy, so that few steps do.
QUICK = {"hgnn": {"dropout": 0.0}}
NAMES = sorted(METHODS)
PAIR_METHODS = [name for name in NAMES if not METHODS[name].takes_labels]
LABEL_METHODS = [name for name in NAMES if METHODS[name].takes_labels and METHODS[name].clusters]
SUPERVISED = [name for name in PAIR_METHODS if METHODS[name].supervision != "none"]
UNSUPERVISED = [name for name in PAIR_METHODS if METHODS[name].supervision == "none"]
CLUSTERING = PAIR_METHODS + LABEL_METHODS


def made(name, n_clusters=3, **parameters):
    """A method ready to fit."""
    settings = {"random_state": 0} | QUICK.get(name, {}) | parameters
    if not METHODS[name].clusters:
        del settings["random_state"]
    if METHODS[name].takes_labels:
        return METHODS[name].estimator(**settings)
    return METHODS[name].estimator(n_clusters, **settings)


def fit(model, X, known, **more):
    """Fit with labels (-1: unknown), or with all pairs among the labeled samples."""
    if METHODS[type(model).__name__.lower()].takes_labels:
        return model.fit(X, known, **more)
    return model.fit(X, constraints=PairConstraints.from_labels(known), **more)


@cache
def groups(spread=0.6, n_per_class=20):
    """Three blobs around directions of their own, their classes and the labels of four in each.

    Far apart, or with ``spread=3.0`` running into each other. All tests see the same arrays.
    """
    X, y = blobs(3, n_per_class=n_per_class, k=3, d=20, spread=spread)
    X, known = X / 2, sample_labels(y, 4, random_state=0)
    for array in (X, y, known):
        array.flags.writeable = False
    return X, y, known


@cache
def fitted(name, spread=0.6):
    """One fit for all tests that look at what it found."""
    X, _, known = groups(spread)
    return fit(made(name), X, known)
