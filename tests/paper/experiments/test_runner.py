import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from samekind import PairConstraints
from samekind.estimators._spectral_learning import SL
from samekind.metrics import clustering_accuracy
from samekind.paper.datasets import load
from samekind.paper.experiments import read_rows, reproduce
from samekind.paper.experiments.protocol import Contender
from samekind.paper.experiments.rows import FILE, read_missing
from samekind.paper.experiments.runner import performed
from samekind.paper.experiments.runs import Run
from samekind.paper.experiments.supervision import sample_supervision
from samekind.paper.experiments.tasks import _loaded, perform

CHANGING = ("seconds", "peak_mb", "ended")


def plain(folder):
    """Rows without what changes from one time to the next, in an order of their own."""
    rows = [
        {name: value for name, value in row.items() if name not in CHANGING}
        for row in read_rows(folder).rows
    ]
    return sorted(rows, key=str)


def test_every_run_is_made_once(tiny, tmp_path):
    seen = []
    first = reproduce(["tiny"], tmp_path, repetitions=2, on_row=seen.append)
    assert (first.made, first.failed, first.found) == (4, 0, 0)
    assert [(one.done, one.total) for one in seen] == [(i, 4) for i in (1, 2, 3, 4)]
    again = reproduce(["tiny"], tmp_path, repetitions=3)
    assert (again.made, again.found) == (2, 4)
    rows = read_rows(tmp_path).rows
    assert len(rows) == 6
    assert all(50 < row["ACC"] <= 100 and row["seconds"] > 0 for row in rows)


def test_one_worker_and_two_give_the_same_rows(tiny, tmp_path):
    for jobs in (1, 2):
        reproduce(["tiny"], tmp_path / str(jobs), repetitions=2, n_jobs=jobs)
    assert plain(tmp_path / "1") == plain(tmp_path / "2")


def test_only_what_was_asked_for_is_run(tiny, tmp_path):
    reproduce(["tiny"], tmp_path, repetitions=1, methods=["sl"], datasets=["digits"])
    assert {row["method"] for row in read_rows(tmp_path).rows} == {"sl"}


def test_all_methods_see_the_same_pairs():
    seeds = {
        Run(experiment, "digits", "cluster", {"labelled": 5}, label, label, {}, 3).seed
        for experiment in ("table2", "table4")
        for label in ("sl", "dgsl")
    }
    assert len(seeds) == 1
    others = [
        Run("table2", "digits", "cluster", {"labelled": 5}, "sl", "sl", {}, 4).seed,
        Run("table2", "digits", "cluster", {"labelled": 6}, "sl", "sl", {}, 3).seed,
        Run("table2", "yale", "cluster", {"labelled": 5}, "sl", "sl", {}, 3).seed,
    ]
    assert len({*seeds, *others}) == 4


@pytest.mark.parametrize(
    ("names", "more", "message"),
    [
        (["tabel2"], {}, "no experiment is called 'tabel2'; there are table2, "),
        (["table2"], {"datasets": ["jale"]}, "'jale'; there are yale, "),
        (["table2"], {"methods": ["cps"]}, "'cps'; there are csp, "),
    ],
)
def test_unknown_names_are_refused_with_the_nearest_first(tmp_path, names, more, message):
    with pytest.raises(ValueError, match=message):
        reproduce(names, tmp_path, **more)


def test_a_failed_run_is_a_row_with_its_reason():
    run = Run("tiny", "digits", "cluster", {"labelled": 5}, "SL", "sl", {"n_neighbors": 0})
    assert "n_neighbors" in perform(run)["failed"]


def test_a_missing_data_set_is_said_and_the_others_run(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("SAMEKIND_DATA", str(tmp_path / "nothing"))
    monkeypatch.setenv("SAMEKIND_CACHE", str(tmp_path / "nothing"))
    object.__setattr__(tiny, "datasets", ("yale", "digits"))
    ended = reproduce(["tiny"], tmp_path, repetitions=1)
    assert (ended.made, ended.found) == (2, 0)
    assert "yale" in ended.missing["yale"]
    assert {row["dataset"] for row in read_rows(tmp_path).rows} == {"digits"}


def test_a_data_set_that_is_refused_leaves_no_rows_behind(tiny, tmp_path, monkeypatch):
    """It would stay refused for ever, also when the file has been repaired."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "yale.npz").write_bytes(b"half")
    monkeypatch.setenv("SAMEKIND_DATA", str(tmp_path / "data"))
    object.__setattr__(tiny, "datasets", ("yale", "digits"))
    ended = reproduce(["tiny"], tmp_path, repetitions=1, datasets=["yale", "digits"])
    assert (ended.made, ended.failed) == (2, 0)
    assert "cannot be read as a npz file" in ended.missing["yale"]
    assert read_missing(tmp_path) == ended.missing
    reproduce(["tiny"], tmp_path, repetitions=1, datasets=["digits"])
    assert read_missing(tmp_path) == ended.missing  # nobody has asked for yale since


def test_a_process_that_dies_is_a_failed_row_and_the_others_run():
    """The one that dies stands between two that do not."""
    runs = [Run("tiny", "digits", "cluster", {}, name, "sl") for name in ("a", "deadly", "b", "c")]

    def perform(run):
        if run.contender == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        return run.row()

    rows = {row["contender"]: row for row in performed(runs, 2, perform)}
    assert rows.keys() == {"a", "deadly", "b", "c"}
    assert [name for name, row in rows.items() if "failed" in row] == ["deadly"]
    assert "its process was ended from outside" in rows["deadly"]["failed"]


def test_a_budget_stops_slow_methods_but_not_before_the_least(tiny, tmp_path):
    slow = Contender("SL", "sl", max_hours=1e-9, at_least=2)
    object.__setattr__(tiny, "contenders", (slow,))
    ended = reproduce(["tiny"], tmp_path, repetitions=5)
    assert (ended.made, ended.left_out) == (2, 3)


def test_scores_are_those_of_the_metrics():
    run = Run("tiny", "digits", "cluster", {"labelled": 5}, "SL", "sl")
    row, data = perform(run), load("digits")
    known = sample_supervision(run.setting, data.y, run.seed).y
    model = SL(10, random_state=run.seed % 2**31)
    labels = model.fit(data.X, constraints=PairConstraints.from_labels(known)).labels_
    assert row["ACC"] == pytest.approx(100 * clustering_accuracy(data.y, labels))
    assert row["violated"] == model.constraint_report_.violated
    # All are right or wrong by one matching, so that the labeled ones can be taken out.
    n, n_known = len(data.y), int((known >= 0).sum())
    right_known = row["ACC"] * n - row["ACC unlabelled"] * (n - n_known)
    assert 0 <= right_known <= 100 * n_known + 1e-6


SCRIPT = """
import sys
from samekind.paper.experiments import protocol, reproduce
from samekind.paper.experiments.protocol import Contender, Experiment
names = ("sl", "sc")
contenders = tuple(Contender(name.upper(), name) for name in names)
protocol.EXPERIMENTS["tiny"] = Experiment(
    "tiny", "Tiny", ("digits",), contenders, lambda _: ({"labelled": 5, "n": 150},), task="seconds"
)
reproduce(["tiny"], sys.argv[1], repetitions=2, n_jobs=int(sys.argv[2]))
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_and_resumed_it_gives_the_same_rows(tiny, tmp_path, jobs):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    reproduce(["tiny"], whole, repetitions=2)
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(cut), str(jobs)], start_new_session=True
    )
    rows = cut / FILE
    deadline = time.monotonic() + 60
    while not (rows.exists() and rows.stat().st_size) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kept = len(read_rows(cut).rows)
    assert 1 <= kept <= 4
    ended = reproduce(["tiny"], cut, repetitions=2)
    assert ended.made == 4 - kept
    assert plain(cut) == plain(whole)


def test_peak_memory_is_that_of_the_run_alone(monkeypatch):
    run = Run("tiny", "digits", "seconds", {"labelled": 5, "n": 150}, "SL", "sl")
    first = perform(run)["peak_mb"]
    if first is None:
        pytest.skip("this system does not tell")

    def heavy(name):
        assert np.ones((100, 1 << 17)).sum() > 0  # 100 MB on the way
        return load(name)

    _loaded.cache_clear()
    monkeypatch.setattr("samekind.paper.experiments.tasks.load", heavy)
    assert perform(run)["peak_mb"] < first + 50
    ballast = np.ones((100, 1 << 17))  # 100 MB that are not the run's
    assert perform(run)["peak_mb"] < first + 50
    assert ballast.sum() > 0


SLEEPERS = """
import os, sys, time
from pathlib import Path
from samekind.paper.experiments.runner import performed
from samekind.paper.experiments.runs import Run

def perform(run, folder=sys.argv[1]):
    Path(folder, str(os.getpid())).touch()
    time.sleep(60)
    return run.row()

runs = [Run("tiny", "digits", "cluster", {}, name, "sl") for name in "ab"]
list(performed(runs, 2, perform))
"""


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def waits_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    with subprocess.Popen([sys.executable, "-c", SLEEPERS, str(tmp_path)]) as process:
        assert waits_for(lambda: len(os.listdir(tmp_path)) == 2)
        process.kill()
    workers = [int(name) for name in os.listdir(tmp_path)]
    assert process.pid not in workers
    assert waits_for(lambda: not any(map(alive, workers)), seconds=10)
