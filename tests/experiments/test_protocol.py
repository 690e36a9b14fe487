"""The protocol as data: who runs, on which draws, for how long."""

import pytest

from samekind.experiments.parameters import Chosen
from samekind.experiments.protocol import EXPERIMENTS, REPETITIONS, Contender, Experiment


def made_of(*contenders, datasets=("yale", "coil20"), **more):
    settings = [{"labelled": count} for count in (2, 3)]
    return Experiment("e", "E", datasets, contenders, lambda _: settings, **more)


def test_seeds_of_a_search_are_none_of_the_tables():
    """What is chosen is chosen on other draws than those it is shown on."""
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


def test_a_method_that_is_not_compared_joins_with_its_defaults():
    one = made_of(Contender("A", "sl", lambda *_: Chosen({"n_neighbors": 9})))
    runs = list(one.runs(["yale"], ["sl", "e2cp"], 1))
    assert {(run.contender, run.method, str(run.parameters)) for run in runs} == {
        ("A", "sl", "{'n_neighbors': 9}"),
        ("E2CP", "e2cp", "{}"),
    }
    facts = made_of(Contender("", ""), task="facts")
    assert not list(facts.runs(methods=["sl"]))


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
