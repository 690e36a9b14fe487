"""Points won and lost in a figure, by more than a point of the mean."""

from fake_rows import fake_row
from samekind.paper.report.curve_tables import BEST, CurveTables
from samekind.paper.report.curves import CLASSES, CONSTRAINTS

SCORES = {  # share of must-links: scores of two trials
    0.1: {"DGSL": (70.0, 72.0), "SL": (68.0, 68.0), "LSGR-adj": (60.0, 60.0)},
    0.5: {"DGSL": (80.0, 80.0), "SL": (79.5, 79.5), "LSGR-adj": (83.0, 83.0)},
    1.0: {"DGSL": (90.0, 90.0), "SL": (95.0, 95.0), "LSGR-adj": (70.0, 70.0)},
}


def rows(dataset="yale"):
    return [
        fake_row(
            "figure-constraints",
            dataset,
            {"must_links_per_sample": share},
            contender,
            repetition,
            ACC=score,
        )
        for share, by_contender in SCORES.items()
        for contender, scores in by_contender.items()
        for repetition, score in enumerate(scores)
    ]


def test_points_are_counted_by_range_and_against_the_best_of_the_others():
    curves = CurveTables(rows(), "figure-constraints", CONSTRAINTS)
    table = curves.margins("", ["yale"])
    assert table.columns == ["against", "0.07 to 0.21", "0.25 to 2"]
    assert {row[0].text: [field.text for field in row[1:]] for row in table.rows} == {
        "SL": ["1 / 0 / 0", "0 / 1 / 1"],
        "LSGR": ["1 / 0 / 0", "1 / 0 / 1"],
        BEST: ["1 / 0 / 0", "0 / 0 / 2"],
    }


def test_only_trials_that_both_have_are_compared():
    shown = [row for row in rows() if row["contender"] != "SL" or row["repetition"] == 0]
    for row in shown:
        if row["contender"] == "DGSL" and row["repetition"] == 1:
            row["ACC"] = 0.0  # SL has no such trial
    table = CurveTables(shown, "figure-constraints", CONSTRAINTS).margins("", ["yale"])
    assert [field.text for field in table.rows[0]] == ["SL", "1 / 0 / 0", "0 / 1 / 1"]


def test_each_of_our_methods_is_held_against_the_others_not_against_ours():
    shown = rows() + [row | {"contender": "SameKind", "ACC": row["ACC"] + 2.0} for row in dgsl()]
    table = CurveTables(shown, "figure-constraints", CONSTRAINTS).margins("", ["yale"])
    assert [words for words, _ in table.groups] == [
        "DGSL: points won / tied / lost",
        "SameKind: points won / tied / lost",
    ]
    assert [field.text for field in table.rows[-1]] == [
        BEST,
        *("1 / 0 / 0", "0 / 0 / 2"),
        *("1 / 0 / 0", "0 / 1 / 1"),
    ]


def dgsl():
    return [row for row in rows() if row["contender"] == "DGSL"]


def test_data_sets_that_are_not_asked_for_and_figures_without_rivals_do_not_count():
    curves = CurveTables(rows(), "figure-constraints", CONSTRAINTS)
    assert curves.margins("", ["orl"]) is None
    assert CurveTables([], "figure-classes", CLASSES).margins("", ["yale"]) is None
