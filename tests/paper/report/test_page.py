"""The page and its files: whole, repeatable, honest about what is not there."""

import html
import random
import re

import pytest

from fake_rows import all_rows, fake_row, table_rows
from samekind.paper.experiments.rows import FILE, append_row, read_rows
from samekind.paper.report import write_report
from samekind.paper.report.provenance import seeds_in_words

ONE = ("yale",)


@pytest.fixture(scope="module")
def rows():
    return all_rows(ONE)


@pytest.fixture(scope="module")
def written(rows, tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    return out, write_report(rows, out)


def page_of(rows, out, **more):
    write_report(rows, out, **more)
    return (out / "report.html").read_text()


def test_every_file_that_is_named_is_there_and_no_other(written):
    out, files = written
    assert sorted(files) == sorted(path for path in out.rglob("*") if path.is_file())
    assert {"report.html", "tables.md", "figure-samples.svg", "complexity.svg"} <= {
        path.name for path in files
    }
    assert len(files) == 2 + 11  # seven figures, and one for each of the four parameters


@pytest.mark.no_cover
def test_the_same_rows_give_the_same_bytes_in_any_order(rows, written, tmp_path):
    out, files = written
    write_report(random.Random(0).sample(rows, len(rows)), tmp_path)
    for path in files:
        assert (tmp_path / path.relative_to(out)).read_bytes() == path.read_bytes()


def test_the_page_takes_nothing_from_elsewhere(written):
    page = (written[0] / "report.html").read_text()
    places = re.findall(r'(?:src|href|action)="([^"]*)"|url\(([^)]*)\)', page)
    assert all(one.startswith(("#", "data:")) for pair in places for one in pair if one)
    assert "<script" not in page
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= set(ids)


def test_a_torn_line_is_reported_on_the_page(tmp_path):
    for row in table_rows(ONE, 1):
        append_row(tmp_path, row)
    with (tmp_path / FILE).open("a") as file:
        file.write('{"experiment": "tab')
    read = read_rows(tmp_path)
    page = page_of(read.rows, tmp_path / "out", notes=read.notes)
    assert read.notes[0] in html.unescape(page)


def test_what_comes_from_outside_is_escaped(tmp_path):
    nasty = "<script>alert(1)</script>"
    rows = [
        fake_row("table2", "yale", {"labelled": 2}, nasty, 0, ACC=1.0, machine=nasty),
        fake_row("table2", "yale", {"labelled": 2}, "SL", 0, failed=nasty),
        fake_row("figure-classes", nasty, {"class_share": 0.2}, nasty, 0, ACC=1.0, NMI=1.0),
    ]
    page = page_of(rows, tmp_path, notes=[nasty], missing={"orl": nasty}, interpreted={nasty})
    assert "<script" not in page
    assert "<script" not in (tmp_path / "tables.md").read_text()
    assert "<script" not in (tmp_path / "figures" / "figure-classes.svg").read_text()


def test_what_is_missing_is_named_with_its_reason(tmp_path):
    rows = [
        *table_rows(ONE, 1),
        fake_row("table4", "yale", {"labelled": 2}, "S3R", 0, failed="MemoryError: too large"),
    ]
    page = page_of(rows, tmp_path, missing={"orl": "orl was not found; get it by hand"})
    missing = page[page.index('<section id="missing">') : page.index('<section id="environment">')]
    assert "orl was not found; get it by hand" in missing
    assert re.search(r"<li>complexity: ", missing)
    assert re.search(r"table4: 1 .*S3R .*Yale.*MemoryError: too large", missing)
    assert re.search(r"table2.*data set missing.*SL 3\b", missing)


def test_rows_of_older_parameters_are_left_out_and_counted(tmp_path):
    place = ("table2", "yale", {"labelled": 2}, "DGSL")
    rows = [
        fake_row(*place, at, parameters={"feedback": tau}, ACC=50.0, ended=f"2026-01-0{day}")
        for day, tau in ((1, 0.1), (2, 0.2))
        for at in range(3)
    ]
    assert re.search(r"<li>table2: 3 rows of DGSL", page_of(rows, tmp_path))


def test_points_of_a_search_are_not_called_left_out(tmp_path):
    rows = [
        fake_row(name, "yale", {"labelled": 2}, "SL", 0, parameters={"sparsity": value}, ACC=50.0)
        for name in ("search-graph", "mine")
        for value in (0.5, 1.0)
    ]
    assert not re.search(r"<li>\S+: \d+ rows of", page_of(rows, tmp_path))


def test_a_figure_of_which_all_runs_failed_says_so(tmp_path):
    rows = [fake_row("figure-samples", name, {}, "", failed="too dark") for name in ("yale", "orl")]
    page = page_of(rows, tmp_path)
    section = page.split('<section id="figure-samples">')[1].split("</section>")[0]
    assert re.search(r"2 of 2 .*too dark", section)


def test_the_numbers_of_a_figure_and_its_points_won_stand_below_it(written):
    text = (written[0] / "tables.md").read_text()
    section = text.split("## Growing numbers of random pairs")[1].split("\n## ")[0]
    assert "| SL | " in section
    assert re.search(r"^\| method \| ACC.*: 0\.25 \|.*NMI.*: 2 \|$", section, re.MULTILINE)


def test_versions_machines_and_origins_are_told(written):
    page = (written[0] / "report.html").read_text()
    assert "numpy 2, samekind 0; a machine" in page
    assert "made up" in page


def test_trials_with_several_seeds_are_counted():
    rows = table_rows(ONE, 1)
    assert re.findall(r"\d+", seeds_in_words(rows)) == ["3"]  # one trial for each f
    rows[0]["seed"] += 1
    assert re.findall(r"\d+", seeds_in_words(rows)) == ["3", "1"]


def test_without_rows_the_page_says_that_nothing_was_run(tmp_path):
    page = page_of([], tmp_path)
    sections = page.split("<section ")[1:]
    assert sum("<svg" not in one and "Not run" in one for one in sections) == 8


def test_a_row_that_is_none_is_refused_with_its_number(tmp_path):
    with pytest.raises(ValueError, match=r"row 2 lacks experiment, .*repetition"):
        write_report([fake_row("table2", "yale", {}, "SL"), {"ACC": 1.0}], tmp_path)


def test_no_half_written_file_stays(rows, tmp_path, monkeypatch):
    (tmp_path / "report.html").write_text("the old one")

    def full(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr("samekind._files.os.replace", full)
    with pytest.raises(OSError, match="full"):
        write_report(table_rows(ONE, 1), tmp_path)
    assert (tmp_path / "report.html").read_text() == "the old one"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / "report.html"]


def test_an_experiment_of_ones_own_is_shown(tmp_path):
    row = fake_row("mine & yours", "digits", {"labelled": 5}, "SL", ACC=61.25)
    page = page_of([row], tmp_path)
    assert "mine &amp; yours" in page
    assert "61.2" in page
