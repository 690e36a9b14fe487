"""The commands around the paper, end to end on the digits."""

import fcntl
import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from samekind import SL, _folder
from samekind.app.cli import app
from samekind.paper.experiments import protocol, read_rows
from samekind.paper.experiments.protocol import Contender, Experiment
from samekind.paper.experiments.rows import ARCHIVE, FILE, append_row


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def counts(told):
    """New runs, how many of them failed, and runs found, from the first line."""
    return [int(number) for number in re.findall(r"\d+", told.stdout.splitlines()[0])]


CONTENDERS = tuple(Contender(name.upper(), name) for name in ("sl", "sc"))
TINY = Experiment("tiny", "Tiny", ("digits",), CONTENDERS, lambda _: ({"labelled": 5},))


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(protocol.EXPERIMENTS, "tiny", TINY)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two methods, two repetitions, the digits, run once for all tests."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(protocol.EXPERIMENTS, "tiny", TINY)
        first = run("reproduce", "tiny", "--repeats", 2, "--out", folder)
        second = run("reproduce", "tiny", "--repeats", 2, "--out", folder, "--json")
    return folder, first, second


def test_reproduce_runs_once_and_writes_a_page(results):
    folder, first, second = results
    assert first.exit_code == 0, first.output
    assert counts(first) == [4, 0, 0]
    told = json.loads(second.stdout)
    assert (told["made"], told["found"]) == (0, 4)
    assert len(read_rows(folder).rows) == 4
    assert (folder / "report.html").read_text().startswith("<!doctype html>")


def test_the_page_opens_without_an_error(results, tmp_path):
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--enable-logging"]
    options += ["--disable-background-networking", "--virtual-time-budget=2000", "--dump-dom"]
    options += [f"--user-data-dir={tmp_path}", f"file://{results[0] / 'report.html'}"]
    page = subprocess.run([chromium, *options], capture_output=True, text=True, timeout=120)
    assert "The paper, reproduced" in page.stdout
    assert "CONSOLE" not in page.stderr


@pytest.fixture
def torn(results, tmp_path):
    """The same rows in a plain file, the last one cut off."""
    for row in read_rows(results[0]).rows:
        append_row(tmp_path, row)
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-30])


@pytest.mark.usefixtures("torn")
def test_a_torn_line_is_reported_and_the_rest_is_used_and_packed(tmp_path):
    told = run("report", tmp_path)
    assert told.exit_code == 0
    assert "torn" in (tmp_path / "report.html").read_text()
    assert "torn" in told.stderr
    assert not (tmp_path / FILE).exists()
    assert len(read_rows(tmp_path).rows) == 3


def test_a_second_report_is_refused_until_the_first_has_ended(results, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(results[0], out)
    before = (out / "report.html").read_bytes()
    with _folder._lock_of(out, "").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        told = run("report", out)
    assert told.exit_code == 2
    assert "another samekind is at work on this folder; wait until it has ended" in told.stderr
    assert (out / "report.html").read_bytes() == before
    assert run("report", out).exit_code == 0


@pytest.mark.usefixtures("tiny")
def test_a_second_reproduce_is_refused_while_a_report_may_be_made(results, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(results[0], out)
    rows = read_rows(out).rows
    with _folder._lock_of(out, "reproduce-").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        told = run("reproduce", "tiny", "--repeats", 3, "--out", out)
        assert run("report", out).exit_code == 0
    assert told.exit_code == 2
    assert "another samekind is at work on this folder" in told.stderr
    assert read_rows(out).rows == rows


@pytest.mark.usefixtures("torn")
def test_reproduce_reports_a_torn_line_too_and_repeats_its_run(tmp_path, tiny):
    told = run("reproduce", "tiny", "--repeats", 2, "--out", tmp_path)
    assert counts(told) == [1, 0, 3]
    assert "torn" in told.stderr
    assert "torn" in (tmp_path / "report.html").read_text()


def test_failed_runs_are_reported_every_time_and_rerun_when_asked(tmp_path, tiny, monkeypatch):
    words = ("reproduce", "tiny", "--repeats", 1, "--out", tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(SL, "fit", lambda *_, **__: 1 / 0)
        told = run(*words)
        assert (told.exit_code, counts(told)) == (3, [2, 1, 0])
    told = run(*words)
    assert (told.exit_code, counts(told)) == (3, [0, 0, 2])
    assert "1 had failed; add --retry" in told.stdout
    told = run(*words, "--retry")
    assert (told.exit_code, counts(told)) == (0, [1, 0, 1])
    assert "ZeroDivisionError" not in (tmp_path / "report.html").read_text()


def test_more_repetitions_than_there_are_are_noted(results, tiny, tmp_path):
    shutil.copy(results[0] / ARCHIVE, tmp_path)
    one = replace(TINY, repetitions=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(protocol.EXPERIMENTS, "tiny", one)
        told = run("reproduce", "tiny", "--repeats", 3, "--out", tmp_path)
    assert "tiny has 2 repetitions, 3 were asked for" in told.stderr


def test_data_sets_and_methods_that_leave_nothing_are_met_with_those_there_are(tmp_path):
    told = run("reproduce", "table1", "--methods", "dgsl", "--out", tmp_path)
    assert told.exit_code == 2
    assert "table1: no run of these data sets and methods; there are the data sets" in told.stderr


def test_the_readme_gets_its_table(results, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("# Title\n<!-- results: begin -->\nwhat was there\n<!-- results: end -->\n")
    assert run("report", results[0], "--readme", readme).exit_code == 0
    assert "what was there" not in readme.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["reproduce", "tabel2"], "there are table2"),
        (["reproduce", "table2", "--datasets", "jale"], "there are yale"),
        (["report", "nowhere"], "holds no rows"),
        (["datasets", "get", "jale"], "yale"),
    ],
)
def test_what_cannot_be_used_ends_with_one_sentence(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    told = run(*words)
    assert told.exit_code == 2
    assert message in told.output
    assert not list(tmp_path.iterdir())


def test_names_are_listed():
    assert "figure-hypergraph" in run("reproduce").output
    listed = json.loads(run("datasets", "--json").stdout)
    assert {"digits", "yale", "cora"} <= {line["name"] for line in listed}
    assert "digits" in run("datasets").output


@pytest.fixture
def without_data(tmp_path, monkeypatch):
    """Neither a folder of data sets nor a cache."""
    for name in ("SAMEKIND_DATA", "SAMEKIND_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / "nothing"))


def test_without_any_data_set_it_says_how_to_get_one(without_data, tmp_path):
    told = run("reproduce", "table2", "--datasets", "yale", "--out", tmp_path / "out")
    assert told.exit_code == 2
    assert "'yale' is not there; looked for" in told.output
    assert not (tmp_path / "out").exists()


def test_a_page_names_the_data_sets_that_were_missing(without_data, tmp_path, monkeypatch):
    settings = ({"labelled": 5},)
    one = Experiment("table2", "", ("yale", "digits"), (Contender("SC", "sc"),), lambda _: settings)
    monkeypatch.setitem(protocol.EXPERIMENTS, "tiny", one)
    told = run("reproduce", "tiny", "--repeats", 1, "--out", tmp_path)
    assert told.exit_code == 0
    assert "yale: " in told.stderr
    page = tmp_path / "report.html"
    assert "is not there; looked for yale.npz" in page.read_text()
    page.unlink()
    assert run("report", tmp_path).exit_code == 0  # from the folder alone
    assert "is not there; looked for yale.npz" in page.read_text()


def test_the_listing_says_what_is_wrong_in_words_and_in_json(without_data, tmp_path):
    (tmp_path / "nothing").mkdir()
    (tmp_path / "nothing" / "orl.npz").write_bytes(b"half")
    listed = {line["name"]: line for line in json.loads(run("datasets", "--json").stdout)}
    assert "it cannot be read as a npz file" in listed["orl"]["problem"]
    assert listed["yale"]["problem"] is None
    shown = run("datasets").stdout.splitlines()
    told = next(line for line in shown if line.startswith("orl: "))
    assert told == f"orl: {listed['orl']['problem']}"  # whole, so that it can be copied
