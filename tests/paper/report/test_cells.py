"""Cells: means, deviations and counts of runs, whatever the order of the rows."""

import math
import random

import numpy as np
import pytest

from fake_rows import fake_row, scored, table_rows
from samekind.paper.report.cells import Cells, cells_of, tidy

HERE = ("table2", "yale", {"labelled": 2})
PLACE = HERE[1:]


def runs(contender, scores, **more):
    return [fake_row(*HERE, contender, at, ACC=score, **more) for at, score in enumerate(scores)]


def test_means_and_deviations_are_numpys_with_one_degree_of_freedom():
    values = [71.3, 68.0, 74.9, 70.2]
    score = Cells(runs("SL", values), "table2").find(*PLACE, "SL", "ACC").score("ACC")
    assert score.mean == np.mean(values)
    assert score.std == np.std(values, ddof=1)
    assert score.count == 4


def test_a_single_run_has_no_deviation():
    score = Cells(runs("SL", [70.0]), "table2").find(*PLACE, "SL", "ACC").score("ACC")
    assert (score.mean, score.count) == (70.0, 1)
    assert math.isnan(score.std)


def test_failed_runs_are_counted_and_not_averaged():
    rows = runs("SL", [70.0, 72.0])
    rows.append(fake_row(*HERE, "SL", 2, failed="ValueError: no"))
    cell = Cells(rows, "table2").find(*PLACE, "SL", "ACC")
    assert cell.score("ACC").mean == 71.0
    assert (len(cell.rows), len(cell.failed), cell.reasons) == (2, 1, ["ValueError: no"])


def test_only_what_converged_counts_as_converged():
    statuses = ["CONVERGED", "UNBOUNDED", "MAX_ITER", "VANISHED"]
    rows = [fake_row(*HERE, "SL", at, status=status) for at, status in enumerate(statuses)]
    assert cells_of(rows, "table2")[0].not_converged == 2


def test_seconds_are_the_mean_of_the_runs():
    rows = [fake_row(*HERE, "SL", at, seconds=float(at)) for at in range(4)]
    assert cells_of(rows, "table2")[0].seconds == 1.5


def test_lsgr_is_the_variant_with_the_best_mean_of_the_metric():
    rows = [
        fake_row(*HERE, f"LSGR-{name}", at, ACC=acc + at, NMI=nmi)
        for name, acc, nmi in (("adj", 60.0, 90.0), ("lap", 65.0, 70.0), ("nlap", 62.0, 80.0))
        for at in range(3)
    ]
    cells = Cells(rows, "table2")
    assert cells.find(*PLACE, "LSGR", "ACC").contender == "LSGR-lap"
    assert cells.find(*PLACE, "LSGR", "NMI").contender == "LSGR-adj"
    means = [
        cells.find(*PLACE, f"LSGR-{v}", "ACC").score("ACC").mean for v in ("adj", "lap", "nlap")
    ]
    assert cells.find(*PLACE, "LSGR", "ACC").score("ACC").mean == max(means)


def test_a_variant_that_failed_throughout_is_not_the_best():
    rows = [*runs("LSGR-lap", [50.0]), fake_row(*HERE, "LSGR-adj", 0, failed="no")]
    cells = Cells(rows, "table2")
    assert cells.find(*PLACE, "LSGR", "ACC").contender == "LSGR-lap"


def test_without_any_score_lsgr_still_tells_why():
    cells = Cells([fake_row(*HERE, "LSGR-adj", 0, failed="no")], "table2")
    assert cells.find(*PLACE, "LSGR", "ACC").reasons == ["no"]


def test_of_two_sets_of_parameters_the_last_counts():
    old = runs("DGSL", [50.0], parameters={"feedback": 0.2}, ended="2026-01-01T00:00:00Z")
    new = runs("DGSL", [89.0, 91.0], parameters={"feedback": 0.1}, ended="2026-01-02T00:00:00Z")
    for rows in (old + new, new + old):
        cells = Cells(rows, "table2")
        assert cells.find(*PLACE, "DGSL", "ACC").score("ACC").mean == 90.0
        assert [len(cell.rows) for cell in cells.replaced] == [1]


def test_of_two_rows_of_one_run_the_last_counts():
    rows = runs("SL", [50.0]) + runs("SL", [60.0])
    assert Cells(rows, "table2").find(*PLACE, "SL", "ACC").score("ACC").mean == 60.0


def test_the_order_of_rows_does_not_matter():
    rows = table_rows(("yale",), 4)
    shuffled = random.Random(0).sample(rows, len(rows))
    assert tidy(shuffled) == tidy(rows)


def test_a_setting_is_the_same_in_whatever_order_it_is_written():
    one = scored("figure-classes", "yale", {"labelled": 2, "class_share": 0.2}, "SL", 0)
    two = scored("figure-classes", "yale", {"class_share": 0.2, "labelled": 2}, "SL", 1)
    assert len(Cells([one, two], "figure-classes").all) == 1


@pytest.mark.parametrize("name", ["labelled", "class_share"])
def test_settings_come_by_size(name):
    rows = [scored("figure-classes", "yale", {name: value}, "SL", 0) for value in (10, 2, 6)]
    found = Cells(rows, "figure-classes").settings("yale", name)
    assert [setting[name] for setting in found] == [2, 6, 10]
