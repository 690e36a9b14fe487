"""What a run does beside fitting."""

import pytest

from problems import blobs
from samekind import DGSL, sample_pairs
from samekind.constraints import Supervision
from samekind.paper.experiments.parameters import (
    AUTHORS,
    FEW_PAIRS,
    MANY_PAIRS,
    Origin,
    dgsl_parameters,
)
from samekind.paper.experiments.protocol import EXPERIMENTS
from samekind.paper.experiments.tasks import _feedback


def test_alpha1_is_met_by_the_feedback_of_each_trial():
    X, y = blobs(3, n_per_class=30, d=20, spread=2.0)
    told = Supervision(sample_pairs(y, 10, random_state=0))
    parameters = {"alpha1": 0.25, "sparsity": 0.5, "must_link_weight": 100.0, "random_state": 0}
    feedback = _feedback(parameters, X, told, 3)
    assert "alpha1" not in parameters
    model = DGSL(3, **parameters, feedback=feedback).fit(X, constraints=told.constraints)
    assert model.alpha1_ == pytest.approx(0.25)


def test_a_spread_weight_does_not_change_the_feedback_of_a_trial():
    X, y = blobs(3, n_per_class=30, d=20, spread=2.0)
    told = Supervision(sample_pairs(y, 10, random_state=0))
    parameters = {"alpha1": 0.25, "sparsity": 0.5, "random_state": 0}
    plain, spread = (
        _feedback({**parameters, "spread_weight": weight}, X, told, 3) for weight in (0.0, 100.0)
    )
    assert spread == plain


def test_few_pairs_of_umist_are_those_of_the_older_commit():
    assert [round(share * 575) for share in FEW_PAIRS] == [40, 60, 80, 100, 120]
    few, many = ({"must_links_per_sample": part[0]} for part in (FEW_PAIRS, MANY_PAIRS))
    assert dgsl_parameters("umist", few).origin == Origin.FEW_PAIRS
    assert dgsl_parameters("umist", many).parameters == AUTHORS["umist"]
    assert dgsl_parameters("orl", few).parameters == AUTHORS["orl"]


@pytest.mark.parametrize(
    ("words", "name", "value", "datasets"),
    [
        ("weight 10", "must_link_weight", 10.0, {"isolet1", "isolet2"}),
        ("sparsity 1", "sparsity", 1.0, {"yaleb18"}),
    ],
)
def test_a_logged_parameter_is_moved_where_it_does_not_suit_and_alone(words, name, value, datasets):
    runs = list(EXPERIMENTS["figure-constraints"].runs(repetitions=1))
    moved = [run for run in runs if run.contender.endswith(words)]
    assert {run.dataset for run in moved} == datasets
    logged = {(run.contender, run.dataset): dict(run.parameters) for run in runs}
    for run in moved:
        unmoved = logged[run.contender.removesuffix(f" {words}"), run.dataset]
        assert run.parameters == {**unmoved, name: value}
