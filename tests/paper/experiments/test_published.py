"""The published numbers: complete, and under our names."""

from collections import Counter

import pytest

from samekind.paper.experiments.published import PUBLISHED_NAMES, published_scores, published_sizes


def test_every_cell_of_the_tables_is_there_once():
    cells = Counter((one.table, one.dataset, one.labeled, one.method) for one in published_scores())
    assert set(cells.values()) == {1}
    assert Counter(one.table for one in published_scores()) == {2: 135, 3: 135, 4: 54}


@pytest.mark.parametrize("table", [2, 3, 4])
def test_every_method_has_every_cell(table):
    by_method = {}
    for one in published_scores():
        if one.table == table:
            by_method.setdefault(one.method, set()).add((one.dataset, one.labeled))
    assert len({frozenset(cells) for cells in by_method.values()}) == 1


def test_published_scores_are_percent_with_small_deviations():
    assert all(0 < one.std < one.mean <= 100 for one in published_scores())


def test_dgsl_has_the_same_numbers_in_tables_2_and_4():
    of = {
        (one.table, one.dataset, one.labeled): one
        for one in published_scores()
        if one.method == "DGSL"
    }
    shared = [(dataset, f) for table, dataset, f in of if table == 4]
    assert all(of[2, *cell].mean == of[4, *cell].mean for cell in shared)


def test_every_printed_size_has_a_name():
    assert {one.dataset for one in published_sizes()} <= set(PUBLISHED_NAMES)
