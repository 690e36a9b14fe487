"""The protocol as data: who runs, on which trials, for how long."""

import pytest

from samekind.paper.experiments.parameters import Chosen, Origin, found_parameters
from samekind.paper.experiments.protocol import EXPERIMENTS, REPETITIONS, Contender, Experiment
from samekind.paper.experiments.runner import _wanted


def made_of(*contenders, datasets=("yale", "coil20"), **more):
    settings = [{"labelled": count} for count in (2, 3)]
    return Experiment("e", "E", datasets, contenders, lambda _: settings, **more)


def test_seeds_of_a_search_are_none_of_the_tables():
    """What is chosen is chosen on other trials than those it is shown on."""
    shown = {(run.dataset, run.seed) for run in EXPERIMENTS["table2"].runs()}
    for name in ("search-graph", "search-dgsl"):
        searched = {(run.dataset, run.seed) for run in EXPERIMENTS[name].runs()}
        assert searched
        assert not searched & shown


def test_slow_methods_have_hours_except_for_the_least_they_owe():
    slow = Contender("S", "sl", max_hours=1.0, at_least=3)
    free = {
        (run.dataset, run.setting["labelled"], run.repetition)
        for run in made_of(slow).runs()
        if run.max_hours is None
    }
    on_yale = {("yale", f, at) for f in (2, 3) for at in range(REPETITIONS)}
    assert free == on_yale | {("coil20", 2, at) for at in range(3)}


def test_methods_without_a_limit_have_none():
    quick = Contender("Q", "sl")
    assert {run.max_hours for run in made_of(quick).runs()} == {None}


def test_what_is_not_compared_joins_with_its_defaults():
    one = made_of(Contender("A", "sl", lambda *_: Chosen({"n_neighbors": 9})), datasets=("yale",))
    runs = one.joined_by(["digits"], ["e2cp"]).runs(repetitions=1)
    assert {(run.dataset, run.contender, str(run.parameters)) for run in runs} == {
        (dataset, *rest)
        for dataset in ("yale", "digits")
        for rest in (("A", "{'n_neighbors': 9}"), ("E2CP", "{}"))
    }
    facts = made_of(Contender("", ""), task="facts")
    assert facts.joined_by(["digits"], ["e2cp"]) == facts


def test_what_one_experiment_has_does_not_join_the_others():
    """Table 4 alone has methods on labels, table 2 alone has ORL."""
    wanted = _wanted(["table2", "table4"], ["orl", "yale"], ["nnlrs", "ssc"], 1)
    by_experiment = {
        name: {(run.dataset, run.method) for run in wanted if run.experiment == name}
        for name in ("table2", "table4")
    }
    assert by_experiment["table2"] == {("orl", "ssc"), ("yale", "ssc")}
    assert by_experiment["table4"] == {("yale", "nnlrs"), ("yale", "ssc")}


def test_all_methods_have_the_same_seeds():
    seeds = {}
    for run in EXPERIMENTS["table2"].runs(["yale"], repetitions=2):
        seeds.setdefault((run.setting["labelled"], run.repetition), set()).add(run.seed)
    assert {len(found) for found in seeds.values()} == {1}
    assert len(set.union(*seeds.values())) == len(seeds)


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_no_run_is_planned_twice(name):
    keys = [run.key for run in EXPERIMENTS[name].runs()]
    assert len(keys) == len(set(keys))


def test_origins_separate_logged_borrowed_and_default_parameters():
    def origins(method, dataset, labeled):
        runs = EXPERIMENTS["table2"].runs([dataset], [method], 1)
        return {run.origin for run in runs if run.setting == {"labelled": labeled}}

    assert origins("sl", "coil20", 2) == {Origin.NEIGHBORS}
    assert origins("sl", "umist", 2) == {Origin.GRAPH}
    assert origins("sl", "orl", 2) == {Origin.DEFAULTS}
    assert origins("dgsl", "isolet1", 7) == {Origin.LARGER}
    assert origins("dgsl", "isolet2", 7) == {Origin.ISOLET1_LARGER}
    assert origins("dgsl", "isolet2", 5) == {Origin.ISOLET1}
    pairs = {"must_links_per_sample": 1.0}
    assert found_parameters("isolet2", pairs).origin.startswith("the authors' log for isolet1")
