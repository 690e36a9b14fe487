"""What scikit-learn expects of an estimator, for every way a fit can go."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from samekind import DGSL
from samekind.estimators._base import plan as _plan

PLAIN = {"algorithm": "plain", "assign_labels": "seeded"}


@parametrize_with_checks(
    [
        DGSL(n_clusters=3),
        DGSL(n_clusters=3, **PLAIN),
        DGSL(n_clusters=3, solver="sparse"),
        DGSL(n_clusters=3, solver="sparse", **PLAIN),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture
def _by_neighbors(monkeypatch):
    monkeypatch.setattr(_plan, "WHOLE_UP_TO", 0)


@pytest.mark.usefixtures("_by_neighbors")
@parametrize_with_checks([DGSL(n_clusters=3, solver="sparse", n_candidates=5)])
def test_scikit_learn_contract_with_neighbors_alone(estimator, check):
    check(estimator)
