"""Searches on their rows, and that the protocol uses what they say."""

import pytest

from fake_rows import fake_row
from samekind.paper.experiments.parameters import (
    AUTHORS,
    CLASSES,
    CONSTRAINTS,
    DEFAULT_SPARSITY,
    GRAPH_SPARSITY,
    LARGER,
    WORSE,
)
from samekind.paper.report.searches import search_tables, searched


def rows():
    """Two methods on two graphs; LSGR counts with its better variant."""
    scores = {
        ("SL", 1.0): 50.0,
        ("SL", 2.0): 60.0,
        ("LSGR-adj", 1.0): 20.0,
        ("LSGR-lap", 1.0): 70.0,
        ("LSGR-adj", 2.0): 40.0,
        ("LSGR-lap", 2.0): 30.0,
    }
    return [
        fake_row(
            "search-graph",
            "yale",
            {"labelled": 2},
            contender,
            repetition,
            parameters={"sparsity": sparsity, "variant": contender},
            ACC=score + repetition,
        )
        for (contender, sparsity), score in scores.items()
        for repetition in (20, 21)
    ]


def test_a_point_has_the_mean_over_methods_and_trials():
    points = searched(rows(), "search-graph")["yale"]
    assert [(dict(one.parameters), one.mean, one.trials) for one in points] == [
        ({"sparsity": 1.0}, pytest.approx(60.0 + 20.5), 2),
        ({"sparsity": 2.0}, pytest.approx(50.0 + 20.5), 2),
    ]


def test_the_chosen_point_is_bold_alone():
    (table,) = search_tables(rows(), "search-graph")
    assert [[field.best for field in row] for row in table.rows] == [[False, True], [False, False]]


def test_the_graphs_of_the_baselines_are_the_default_unless_the_search_says_that_it_fails(
    stored_rows,
):
    found = searched(stored_rows, "search-graph")
    assert set(found) == set(GRAPH_SPARSITY)
    for name, points in found.items():
        means = {point.parameters["sparsity"]: point.mean for point in points}
        best = points[0].parameters["sparsity"]
        fails = means[DEFAULT_SPARSITY] < means[best] - WORSE
        assert GRAPH_SPARSITY[name] == (best if fails else DEFAULT_SPARSITY)


def test_dgsl_at_larger_f_is_what_the_search_found_best(stored_rows):
    found = searched(stored_rows, "search-dgsl")
    assert set(found) == set(LARGER) - {"isolet2"}
    for name, points in found.items():
        chosen = {**AUTHORS[name], **LARGER[name]}
        assert points[0].parameters == {one: chosen[one] for one in points[0].parameters}


@pytest.mark.parametrize(
    ("search", "used"), [("search-constraints", CONSTRAINTS), ("search-classes", CLASSES)]
)
def test_dgsl_in_other_settings_is_what_the_search_found_best(stored_rows, search, used):
    found = searched(stored_rows, search)
    assert {name: points[0].parameters for name, points in found.items()} == used
