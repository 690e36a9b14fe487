"""DGSL against the others: pairs are the same random trials, and the test is scipy's."""

import random

import numpy as np
import pytest
from scipy.stats import wilcoxon

from fake_rows import fake_row
from samekind.paper.report.cells import cells_of
from samekind.paper.report.pairing import Comparison, compare

HERE = ("table2", "yale", {"labelled": 2})


def cell(contender, scores):
    rows = [fake_row(*HERE, contender, at, ACC=score) for at, score in scores.items()]
    random.Random(contender).shuffle(rows)
    return cells_of(rows, "table2")[0]


def drawn(seed, shift=0.0, n=20):
    values = 70 + shift + np.random.default_rng(seed).standard_normal(n)
    return dict(enumerate(values.tolist()))


def test_p_is_wilcoxons_over_the_pairs():
    a, b = drawn(0, 0.6), drawn(1)
    found = compare(cell("DGSL", a), cell("SL", b), "ACC")
    expected = wilcoxon([a[at] for at in range(20)], [b[at] for at in range(20)])
    assert found.p == pytest.approx(expected.pvalue)
    assert found.difference == pytest.approx(np.mean(list(a.values())) - np.mean(list(b.values())))


def test_pairs_are_made_by_repetition():
    """The same numbers on other trials are another test."""
    a = drawn(0)
    b = {at: value - 0.01 for at, value in a.items()}
    turned = {(at + 7) % 20: value for at, value in b.items()}
    assert compare(cell("DGSL", a), cell("SL", b), "ACC").outcome == "won"
    assert compare(cell("DGSL", a), cell("SL", turned), "ACC").outcome == "tied"


def test_only_shared_trials_count():
    a, b = drawn(0), drawn(1)
    few = {at: b[at] for at in (3, 5, 8, 13)}
    assert compare(cell("DGSL", a), cell("SL", few), "ACC").n_pairs == 4
    assert compare(cell("DGSL", a), cell("SL", {99: 50.0}), "ACC") is None


def test_a_method_is_not_compared_with_itself_or_with_nothing():
    one = cell("DGSL", drawn(0))
    assert compare(one, one, "ACC") is None
    assert compare(None, one, "ACC") is None


@pytest.mark.parametrize("noise", [0.0, 1e-13])
def test_equal_scores_are_tied_rounding_included(noise):
    a = drawn(0)
    b = {at: value - noise for at, value in a.items()}
    assert compare(cell("DGSL", a), cell("SL", b), "ACC").p == 1.0


def test_the_direction_decides_between_won_and_lost():
    a, b = drawn(0, 5.0), drawn(1)
    assert compare(cell("DGSL", a), cell("SL", b), "ACC").outcome == "won"
    assert compare(cell("DGSL", b), cell("SL", a), "ACC").outcome == "lost"


def test_at_the_level_itself_a_cell_is_tied():
    assert Comparison(0.05, 1.0, 20).outcome == "tied"


def test_five_pairs_cannot_decide():
    a, b = drawn(0, 50.0, n=5), drawn(1, n=5)
    assert compare(cell("DGSL", a), cell("SL", b), "ACC").outcome == "tied"
