"""Tables 1 to 4: ours beside the published ones, the best in bold, empty cells with a reason."""

import re

import pytest

from fake_rows import LABELS, fake_row, picture_rows, scored, table_rows
from samekind import Status
from samekind.paper.experiments.published import published_scores
from samekind.paper.report.dataset_table import dataset_table
from samekind.paper.report.readme import main_table
from samekind.paper.report.score_tables import (
    ENDINGS,
    TABLE2,
    TABLE3,
    TABLE4,
    TABLE4_UNLABELED,
    ScoreTables,
    attained,
    comparison_table,
)
from samekind.paper.report.tables import markdown

YALE = ("table2", "yale", {"labelled": 2})


def fields(table, method):
    """The row of a method."""
    return next(row for row in table.rows if row[0].text == method)


def published(table, dataset, labeled, method):
    return next(
        one
        for one in published_scores()
        if (one.table, one.dataset, one.labeled, one.method) == (table, dataset, labeled, method)
    )


@pytest.mark.parametrize(("paper", "metric"), [(TABLE2, "ACC"), (TABLE3, "NMI")])
def test_ours_published_and_difference_stand_side_by_side(paper, metric):
    rows = [fake_row(*YALE, "DGSL", at, **{metric: 60.0 + at}) for at in range(3)]
    ours, theirs, difference, p = fields(ScoreTables(rows, paper).table("yale"), "DGSL")[1:5]
    expected = published(paper.number, "yale", 2, "DGSL")
    assert ours.words == "61.0 ± 1.0 (3)"
    assert theirs.words == f"{expected.mean:.1f} ± {expected.std:.1f}"
    assert float(difference.text.replace("−", "-")) == pytest.approx(61.0 - expected.mean, abs=0.05)
    assert p.text == "–"


def test_bold_marks_the_best_of_each_column():
    table = ScoreTables(table_rows(("yale",)), TABLE2).table("yale")
    for column in range(1, len(table.columns)):
        kind = table.columns[column]
        cells = [row[column] for row in table.rows if row[column].text != "–"]
        if kind in ("ours", "published"):
            best = max(float(cell.text) for cell in cells)
            assert {cell.best for cell in cells if float(cell.text) == best} == {True}
            assert not any(cell.best for cell in cells if float(cell.text) < best)
        else:
            assert not any(cell.best for cell in cells)


def test_equal_numbers_are_bold_together():
    rows = [fake_row(*YALE, name, 0, ACC=score) for name, score in (("SL", 80.04), ("CSP", 80.0))]
    table = ScoreTables(rows, TABLE2).table("yale")
    assert fields(table, "SL")[1].best
    assert fields(table, "CSP")[1].best


def test_empty_cells_say_why():
    rows = [fake_row(*YALE, "SL", at, failed="LinAlgError: singular") for at in range(2)]
    tables = ScoreTables(rows, TABLE2, missing={"orl": "orl was not found; get it"})
    yale, orl = tables.table("yale"), tables.table("orl")
    assert fields(yale, "SL")[1].text == "failed"
    assert fields(yale, "CSP")[1].text == "not run"
    assert fields(orl, "SL")[1].text == "data set missing"
    (failed,) = (note for note in yale.notes if "LinAlgError: singular" in note)
    assert re.findall(r"\d+", failed) == ["2", "2", "2"]  # f, failed, runs
    assert any("orl was not found; get it" in note for note in orl.notes)


def test_runs_that_did_not_converge_are_marked():
    rows = [fake_row(*YALE, "SL", 0, ACC=50.0, status="MAX_ITER")]
    assert fields(ScoreTables(rows, TABLE2).table("yale"), "SL")[1].aside == "(1) †1"


def test_how_runs_ended_that_did_not_converge_stands_below():
    rows = table_rows(["yale"])
    for row in rows:
        if row["contender"] == "DGSL":
            row["status"] = "VANISHED" if row["repetition"] else "CONVERGED"
    notes = ScoreTables(rows, TABLE2).table("yale").notes
    ended = [note for note in notes if note.startswith("†")]
    assert len(ended) == 1
    assert ended[0].endswith(": DGSL 6.")  # two of three trials at each f


@pytest.mark.parametrize("status", [*(one.name for one in Status), "OF_LATER"])
def test_no_way_to_end_is_left_out(status):
    rows = [fake_row(*YALE, "SL", 0, ACC=50.0, status=status)]
    notes = ScoreTables(rows, TABLE2).table("yale").notes
    ended = [note for note in notes if note.startswith("†")]
    if status in Status.__members__ and Status[status].converged:
        assert not ended
    else:
        assert ended == [f"† {ENDINGS.get(status, f'Runs that ended with {status}')}: SL 1."]


def test_every_way_to_end_without_converging_has_words_of_its_own():
    assert set(ENDINGS) == {status.name for status in Status if not status.converged}
    assert len(set(ENDINGS.values())) == len(ENDINGS)


def test_the_papers_cells_are_there_without_any_row():
    tables = ScoreTables([], TABLE2)
    assert len(tables.datasets) == 9
    assert sum(len(tables.labeled(dataset)) for dataset in tables.datasets) == 27
    assert tables.methods("yale") == ["SL", "CSP", "CSCAP", "LSGR", "DGSL"]


def test_data_sets_and_settings_outside_the_paper_are_shown_too():
    rows = [scored("table2", "digits", {"labelled": 5}, "SC", 0)]
    tables = ScoreTables(rows, TABLE2)
    assert tables.datasets[-1] == "digits"
    assert fields(tables.table("digits"), "SC")[2].text == "–"


def test_the_chosen_variants_of_lsgr_are_named():
    rows = [
        fake_row(*YALE, f"LSGR-{name}", 0, ACC=score)
        for name, score in (("adj", 1.0), ("lap", 2.0))
    ]
    notes = ScoreTables(rows, TABLE2).table("yale").notes
    assert any("LSGR-lap at f = 2" in note for note in notes)


def test_interpretations_are_marked():
    table = ScoreTables([], TABLE2, interpreted={"CSCAP"}).table("yale")
    assert fields(table, "CSCAP")[0].words == "CSCAP (our interpretation)"
    assert fields(table, "CSP")[0].words == "CSP"


def test_table_4_has_all_and_unlabeled_samples_apart():
    rows = [
        fake_row(
            "table4", "yale", {"labelled": 2}, name, 0, **{"ACC": 80.0, "ACC unlabelled": 75.0}
        )
        for name in (*LABELS, "DGSL")
    ]
    for paper, expected in ((TABLE4, "80.0"), (TABLE4_UNLABELED, "75.0")):
        table = ScoreTables(rows, paper).table("yale")
        assert [row[1].text for row in table.rows] == [expected] * 6


def test_cells_won_tied_and_lost_add_up_to_the_cells():
    tables = ScoreTables(table_rows(("yale",), repetitions=8), TABLE2)
    counts = {row[0].text: row[1].text for row in comparison_table([tables], "").rows}
    assert "DGSL" not in counts
    assert all(sum(map(int, text.split(" / "))) == 3 for text in counts.values())
    assert counts["SC"] == "3 / 0 / 0"  # 25 points below


def test_near_is_one_published_deviation_below_at_most():
    expected = published(2, "yale", 2, "DGSL")
    for mean, near in (
        (expected.mean - expected.std, True),
        (expected.mean - expected.std - 0.2, False),
    ):
        found = attained([ScoreTables([fake_row(*YALE, "DGSL", 0, ACC=mean)], TABLE2)])
        assert [one.near for one in found] == [near]


def test_table_1_notes_what_differs_from_the_published_sizes():
    table = dataset_table(picture_rows(("yale", "orl")), {"umist": "umist is not there"})
    yale, orl = table.rows[:2]
    assert [field.text for field in yale[1:4]] == [field.text for field in yale[4:7]]
    assert orl[1].text == "165"
    (note,) = (note for note in table.notes if note.startswith("ORL"))
    assert re.findall(r"\d+", note) == ["165", "400", "15", "40"]
    assert not any(note.startswith("Yale") for note in table.notes)
    assert [row[1].text for row in table.rows if row[0].text == "UMIST"] == ["data set missing"]


def test_the_main_table_takes_the_smallest_f():
    rows = [fake_row("table2", "yale", {"labelled": f}, "DGSL", 0, ACC=10.0 * f) for f in (2, 3, 4)]
    table = main_table(rows)
    assert "Yale, f = 2" in table.columns
    column = table.columns.index("Yale, f = 2")
    assert fields(table, "DGSL")[column].words == "20.0 (64.8)"
    assert not any(row[0].text.startswith("LSGR-") for row in table.rows)
    assert {row[1].text for row in main_table([], missing={"orl": "get it"}).rows} == {
        "data set missing"
    }


def test_the_main_table_tells_where_there_were_fewer_trials():
    rows = table_rows(["yale"], repetitions=3)
    rows = [row for row in rows if row["contender"] != "SC" or row["repetition"] == 0]
    lines = {row[0].text: row for row in main_table(rows).rows}
    column = main_table(rows).columns.index("Yale, f = 2")
    assert lines["SC"][column].aside == "×1"
    assert "×" not in lines["DGSL"][column].aside


def test_all_lines_of_a_markdown_table_have_as_many_cells():
    table = ScoreTables(table_rows(("yale",)), TABLE2, interpreted={"CSCAP"}).table("yale")
    lines = [line for line in markdown(table).splitlines() if line.startswith("|")]
    assert {line.count("|") for line in lines} == {len(table.columns) + 1}
