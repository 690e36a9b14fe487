"""What scikit-learn expects of an estimator, for every way a fit can go."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from samekind import DGSL
from samekind.estimators._base import plan as _plan

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.usefixtures("few_starts"),
]

FEW = {"max_iter": 3}  # no check looks at the optimum
PLAIN = {"algorithm": "plain", "assign_labels": "seeded"}


@parametrize_with_checks(
    [
        DGSL(n_clusters=3, **FEW),
        DGSL(n_clusters=3, **FEW, **PLAIN),
        DGSL(n_clusters=3, **FEW, solver="sparse"),
        DGSL(n_clusters=3, **FEW, solver="sparse", **PLAIN),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture
def _by_neighbors(monkeypatch):
    monkeypatch.setattr(_plan, "WHOLE_UP_TO", 0)


@pytest.mark.usefixtures("_by_neighbors")
@parametrize_with_checks([DGSL(n_clusters=3, **FEW, solver="sparse", n_candidates=5)])
def test_scikit_learn_contract_with_neighbors_alone(estimator, check):
    check(estimator)
