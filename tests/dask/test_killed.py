"""Workers that are killed: time is lost, no result."""

import os
import signal
from types import SimpleNamespace

import dask.array as da
import numpy as np
import pytest
from dask.config import set as configured
from distributed import Client
from distributed.scheduler import KilledWorker

from samekind.dask import SameKind
from samekind.dask._scheduler import connected
from samekind.paper.experiments import protocol, read_rows, reproduce
from samekind.paper.experiments.on_dask import performed_by
from samekind.paper.experiments.protocol import Contender, Experiment
from samekind.paper.experiments.runs import Run

CHANGING = ("seconds", "peak_mb", "ended")


def rows_of(folder):
    rows = read_rows(folder).rows
    plain = ({name: row[name] for name in row if name not in CHANGING} for row in rows)
    return sorted(plain, key=str)


def test_a_killed_worker_costs_time_alone(groups, tmp_path, monkeypatch):
    """In a process of its own: the paper's experiments, and a fit that begins as it dies."""
    X = da.from_array(groups[0][:600], chunks=(300, 16))
    model = SameKind(5, n_landmarks=100, random_state=0)
    expected, found = model.fit(X).labels_.compute(), []
    settings = lambda _: ({"labelled": 5, "n": 150},)  # noqa: E731
    tiny = Experiment("tiny", "", ("digits",), (Contender("SL", "sl"),), settings, task="seconds")
    monkeypatch.setitem(protocol.EXPERIMENTS, "tiny", tiny)
    reproduce(["tiny"], tmp_path / "here", repetitions=2)
    with configured(scheduler=None), connected("local", 1) as client:
        before = client.run(os.getpid)

        def kill_and_fit(progress):
            if progress.done == 1:
                os.kill(*before.values(), signal.SIGKILL)
                found.append(model.fit(X).labels_.compute())

        ended = reproduce(
            ["tiny"], tmp_path / "there", repetitions=2, client=client, on_row=kill_and_fit
        )
        assert client.run(os.getpid) != before
    np.testing.assert_array_equal(found[0], expected)
    assert (ended.made, ended.failed) == (2, 0)
    assert rows_of(tmp_path / "there") == rows_of(tmp_path / "here")


def test_a_run_that_dask_gives_up_is_run_alone_and_then_is_a_failed_row(cluster, tmp_path):
    runs = [
        Run("tiny", "digits", "cluster", {}, name, "sl")
        for name in ("a", "deadly", "b", "beside it", "c", "d", "e")
    ]

    def perform(run):
        seen = tmp_path / run.contender
        if run.contender == "deadly" or (run.contender == "beside it" and not seen.exists()):
            seen.touch()
            raise KilledWorker("task", SimpleNamespace(address="tcp://a:1"), 3)
        return run.row()

    with Client(cluster) as client:
        rows = {row["contender"]: row for row in performed_by(client, runs, perform)}
    assert rows.keys() == {run.contender for run in runs}
    assert [name for name, row in rows.items() if "failed" in row] == ["deadly"]
    assert "its process was ended from outside" in rows["deadly"]["failed"]


def test_workers_with_several_threads_are_refused_for_the_experiments(cluster, monkeypatch):
    with Client(cluster) as client:
        monkeypatch.setattr(client, "ncores", lambda: {"tcp://a:1": 1, "tcp://b:1": 4})
        with pytest.raises(ValueError, match=r"1 of 2 .* tcp://b:1.*--nthreads 1"):
            list(performed_by(client, [], print))
