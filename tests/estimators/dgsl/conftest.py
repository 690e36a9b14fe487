"""Blobs with pairs, near to each other and far apart; every test runs with each solver."""

import pytest

from problems import blobs
from samekind import DGSL, PairConstraints, sample_labels
from samekind.estimators._base import plan as _plan


@pytest.fixture(scope="module", params=["exact", "sparse", "neighbors"], autouse=True)
def way(request):
    """What DGSL does unless told: all pairs, candidates among all samples, or the nearest."""
    with pytest.MonkeyPatch.context() as patch:
        solver = "exact" if request.param == "exact" else "sparse"
        patch.setitem(DGSL.__init__.__kwdefaults__, "solver", solver)
        if request.param == "neighbors":
            patch.setattr(_plan, "WHOLE_UP_TO", 0)
        yield request.param


@pytest.fixture(scope="module")
def data():
    """Three blobs that touch, in units that suit the defaults, and pairs of four in each."""
    X, y = blobs(3, n_per_class=40, k=3, d=20, spread=2.0)
    return X / 2, y, PairConstraints.from_labels(sample_labels(y, 4, random_state=0))


@pytest.fixture(scope="module")
def separated():
    """Three blobs far apart."""
    X, y = blobs(3, n_per_class=40, k=3, d=20, spread=1.0)
    return X / 2, y, PairConstraints.from_labels(sample_labels(y, 4, random_state=0))


@pytest.fixture(scope="module")
def fitted(data, way):
    X, _, pairs = data
    model = DGSL(3, n_neighbors=15, random_state=0).fit(X, constraints=pairs)
    assert model.status_.converged
    return model
