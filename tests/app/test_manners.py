"""Help, names of parameters, and what a slip of the pen is answered with."""

import inspect
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from problems import blobs
from samekind.app import run
from samekind.app.cli import app, common, main
from samekind.app.cli.interrupt import interruptible
from samekind.app.parameters import parameters_of
from samekind.estimators._base.registry import METHODS


def invoke(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "100"})


@pytest.mark.parametrize("command", [(), ("cluster",), ("datasets",), ("datasets", "get")])
def test_help_has_a_short_option(command):
    short, long = invoke(*command, "-h"), invoke(*command, "--help")
    assert short.exit_code == long.exit_code == 0
    assert short.stdout == long.stdout
    assert "Usage" in short.stdout


@pytest.mark.parametrize("name", METHODS)
def test_every_parameter_of_every_method_is_explained_in_one_sentence(name):
    method = METHODS[name]
    found = parameters_of(method)
    signature = inspect.signature(method.estimator).parameters
    assert [one.name for one in found] == list(signature)
    for one in found:
        assert one.default == signature[one.name].default
        assert one.kind
        assert one.summary.endswith(".")


def test_the_parameters_of_a_method_are_printed():
    text, known = (
        invoke("methods", "DGSL").stdout,
        json.loads(invoke("methods", "dgsl", "--json").stdout),
    )
    for name, parameter in inspect.signature(METHODS["dgsl"].estimator).parameters.items():
        assert name in text
        assert repr(parameter.default) in text
    assert {one["name"]: one["default"] for one in known["parameters"]}["coupling"] == 100.0
    wrong = invoke("methods", "dgls")
    assert wrong.exit_code == 2
    assert "dgsl" in wrong.stderr


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("standardise=1", "did you mean 'standardize'?"),
        ("n_clusters=3", "n_clusters is set by -k"),
        ("max_iter", "expected NAME=VALUE"),
        ("zzz=1", "the names are max_iter"),
    ],
)
def test_a_setting_that_is_not_known_names_what_was_meant(setting, words, tmp_path):
    (tmp_path / "x.csv").write_text("not read")
    done = invoke("cluster", str(tmp_path / "x.csv"), "-k", "2", "--set", setting)
    assert done.exit_code == 2
    assert words in done.stderr
    assert "samekind methods samekind" in done.stderr


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """A table, and how the fit is to be interrupted: by as many Ctrl-C as asked for."""
    monkeypatch.chdir(tmp_path)
    X, _ = blobs(3, n_per_class=15, k=3, d=6, spread=2.0)
    np.savetxt("rows.csv", X, delimiter=",", header="a,b,c,d,e,f", comments="")

    def pressed(times):
        def progress(model, record):
            for _ in range(times if record.iteration == 2 else 0):
                signal.raise_signal(signal.SIGINT)
            return "", 0.0

        monkeypatch.setattr(run, "progress", progress)

    return pressed


LONG = "cluster", "rows.csv", "-k", "3", "--method", "dgsl", "--set", "tol=1e-9", "--out", "out"


@pytest.mark.parametrize("method", ["dgsl", "nnlrs"])
def test_one_interrupt_keeps_the_last_iteration(rows, method):
    rows(1)
    before = signal.getsignal(signal.SIGINT)
    Path("known.csv").write_text("row,label\n0,a\n1,b\n2,c\n")
    done = invoke(*LONG, "--labels", "known.csv", "--method", method)
    assert done.exit_code == 3, done.output
    assert "after 2 iterations" in done.stdout
    assert "results will be written" in done.stderr
    assert Path("out", "labels.csv").exists()
    assert signal.getsignal(signal.SIGINT) is before


def test_two_interrupts_write_nothing(rows):
    rows(2)
    before = sorted(os.listdir())
    done = invoke(*LONG)
    assert done.exit_code == 130, done.output
    assert sorted(os.listdir()) == before


def test_a_method_that_does_not_iterate_is_interrupted_at_once():
    before = signal.getsignal(signal.SIGINT)
    with interruptible(METHODS["sc"], print) as callback:
        assert callback is print
        assert signal.getsignal(signal.SIGINT) is before


def test_progress_is_shown_in_a_terminal_alone(rows, monkeypatch, capsys):
    rows(0)
    assert invoke(*LONG, "--set", "max_iter=2").stderr == ""
    monkeypatch.setenv("TTY_COMPATIBLE", "1")  # rich takes standard error for a terminal
    with common.bar(silent=False) as report:
        report("reading")
        report("fitting", 0.5)
    assert "fitting" in capsys.readouterr().err
    with common.bar(silent=True) as report:
        report("fitting", 0.5)
    assert capsys.readouterr().err == ""


def test_a_file_in_place_of_a_command_is_answered_with_what_was_meant(tmp_path, monkeypatch, capfd):
    (tmp_path / "a b.csv").write_text("a\n1\n2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["samekind", "a b.csv", "-k", "2"])
    for stream in ("stdout", "stderr"):  # main puts its own in their place
        monkeypatch.setattr(f"sys.{stream}", getattr(sys, f"__{stream}__"))
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "did you mean: samekind cluster 'a b.csv' -k 2" in capfd.readouterr().err


def test_a_file_that_is_not_there_is_refused_at_once_with_what_was_meant(tmp_path):
    (tmp_path / "customers.csv").write_text("a\n1\n2\n")
    missing = str(tmp_path / "custmers.csv")
    for command in (["cluster", missing], ["ask", missing], ["predict", "model.skops", missing]):
        done = invoke(*command)
        assert done.exit_code == 2
        said = " ".join(done.stderr.split())
        assert "there is no such file or folder; did you mean 'customers'?" in said
    assert not (tmp_path / "custmers-clusters").exists()
    code = (
        "import sys\nfrom samekind.app.cli import app\n"
        "try:\n    app()\nexcept SystemExit:\n    print('sklearn' in sys.modules)"
    )
    command = [sys.executable, "-c", code, "cluster", missing]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "False\n"
