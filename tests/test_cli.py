"""Every command and exit code, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from problems import blobs
from samekind.cli import app
from samekind.jobs import RESULTS

HERE = Path(sys.executable).parent / "samekind"


def samekind(*arguments, cwd):
    return subprocess.run(
        [HERE, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1"},
    )


@pytest.fixture
def folder(tmp_path):
    """A table with ids and true classes, and pairs by id."""
    X, y = blobs(3, n_per_class=20, k=3, d=6, spread=1.0)
    lines = ["name,kind," + ",".join(f"f{j}" for j in range(6))]
    for i, (row, label) in enumerate(zip(X, y, strict=True)):
        lines.append(f"s{i},{'abc'[label]}," + ",".join(map(repr, row.tolist())))
    (tmp_path / "blobs.csv").write_text("\n".join(lines) + "\n")
    a, b, c = (int(np.flatnonzero(y == k)[0]) for k in range(3))
    d = int(np.flatnonzero(y == 0)[1])
    (tmp_path / "pairs.csv").write_text(
        f"a,b,kind\ns{a},s{b},cannot-link\ns{b},s{c},cannot-link\ns{a},s{d},must-link\n"
    )
    (tmp_path / "labels.csv").write_text(f"row,label\ns{a},cat\ns{b},dog\ns{c},\ns{d},cat\n")
    (tmp_path / "clash.csv").write_text(
        f"a,b,kind\ns{a},s{b},must-link\ns{b},s{c},must-link\ns{c},s{a},cannot-link\n"
    )
    return tmp_path


TABLE = ("blobs.csv", "-k", 3, "--id", "name", "--label", "kind")


def test_cluster_writes_results_and_says_so(folder):
    done = samekind("cluster", *TABLE, "--pairs", "pairs.csv", "--set", "sparsity=0.5", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "3 of 3 pairs satisfied" in done.stdout
    assert "ACC" in done.stdout
    assert sorted(os.listdir(folder / "blobs-clusters")) == sorted(RESULTS)


def test_cluster_prints_json(folder):
    done = samekind("cluster", *TABLE, "--labels", "labels.csv", "--out", "r", "--json", cwd=folder)
    result = json.loads(done.stdout)
    assert sum(result["cluster_sizes"]) == 60
    assert result["pairs_satisfied"] + result["pairs_violated"] == 3
    assert result["out"] == "r"
    assert result["converged"]
    assert done.returncode == 0
    assert done.stderr == ""


def test_the_same_seed_gives_the_same_files(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for out in ("one", "two"):
        options = "--pairs", "pairs.csv", "--seed", "5", "--out", out
        CliRunner().invoke(app, ["cluster", *map(str, TABLE), *options])
    assert (folder / "one/labels.csv").read_bytes() == (folder / "two/labels.csv").read_bytes()


def test_work_that_did_not_converge_ends_with_3_and_is_written(folder):
    done = samekind("cluster", *TABLE, "--set", "max_iter=1", "--set", "tol=0", cwd=folder)
    assert done.returncode == 3
    assert "raise max_iter" in done.stdout
    assert (folder / "blobs-clusters" / "report.html").exists()


def test_a_folder_of_pictures(folder, monkeypatch):
    monkeypatch.chdir(folder)
    rng = np.random.default_rng(0)
    (folder / "pictures").mkdir()
    for i in range(24):
        pixels = np.full((9, 12), 40 + 160 * (i % 2)) + rng.integers(0, 40, (9, 12))
        Image.fromarray(pixels.astype(np.uint8)).save(folder / "pictures" / f"{i:02}.png")
    done = CliRunner().invoke(app, ["cluster", "pictures", "-k", "2", "--image-size", "8"])
    assert done.exit_code in (0, 3), done.stderr
    assert "8 x 8" in done.stderr
    assert "8 x 8 pixels" in (folder / "pictures-clusters" / "report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*TABLE, "--pairs", "clash.csv"), ["clash.csv: line 4", " = ", "withdraw one of them"]),
        (("no.csv", "-k", 3), ["no.csv", "check the name"]),
        (("blobs.csv", "-k", 3), ["'name'", "--id"]),
        ((*TABLE[:-1], "knd"), ["'knd'", "kind"]),
        ((*TABLE, "--pairs", "labels.csv"), ["labels.csv: line 1", "a,b,kind"]),
        ((*TABLE, "--pairs", "pairs.csv", "--labels", "labels.csv"), ["one of the two"]),
        ((*TABLE, "--set", "speed=9"), ["speed=9", "NAME=VALUE", "feedback"]),
        ((*TABLE, "--set", "feedback"), ["NAME=VALUE"]),
        ((*TABLE, "--set", "feedback=high"), ["'feedback'", "Got 'high'"]),
        ((*TABLE, "--set", "memory_limit=10"), ["60 samples needs about 2.5 MB", "10.0 bytes"]),
        (("blobs.csv", "-k", 61, *TABLE[3:]), ["n_samples=60 should be >= n_clusters=61"]),
        (("blobs.csv", "-k", 0, *TABLE[3:]), ["'n_clusters'", "Got 0"]),
        ((*TABLE, "--out", "pairs.csv"), ["pairs.csv is a file; name a folder"]),
        ((*TABLE, "--out", "pairs.csv/below"), ["pairs.csv is a file; name a folder"]),
        ((*TABLE, "--seed", "-1"), ["--seed"]),
        (("blobs.csv",), ["--clusters"]),
        ((*TABLE, "--image-size", "0"), ["--image-size"]),
    ],
)
def test_input_that_cannot_be_used_ends_with_2_and_writes_nothing(
    folder, arguments, words, monkeypatch
):
    monkeypatch.chdir(folder)
    before = sorted(os.listdir(folder))
    done = CliRunner().invoke(app, ["cluster", *map(str, arguments)], env={"COLUMNS": "100"})
    assert done.exit_code == 2
    for word in words:
        assert word in " ".join(done.stderr.split()), done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(os.listdir(folder)) == before


def test_contradictory_pairs_end_the_process_with_2(folder):
    done = samekind("cluster", *TABLE, "--pairs", "clash.csv", cwd=folder)
    assert done.returncode == 2
    assert "withdraw one of them" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "blobs-clusters").exists()


def test_demo_shows_three_methods_and_writes_its_report(tmp_path):
    done = samekind("demo", "--draws", 1, "--out", "d", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    scores = {row["method"]: row for row in json.loads(done.stdout)["scores"]}
    assert list(scores) == ["k-means", "spectral clustering", "DGSL"]
    assert scores["DGSL"]["ACC"] > scores["k-means"]["ACC"] + 0.08
    assert scores["DGSL"]["ACC"] > scores["spectral clustering"]["ACC"] + 0.08
    assert (tmp_path / "d" / "report.html").stat().st_size < 5e6


def test_version_and_help(tmp_path):
    assert samekind("--version", cwd=tmp_path).stdout.startswith("samekind 0.")
    for command in ("cluster", "demo"):
        text = CliRunner().invoke(app, [command, "--help"]).stdout
        assert f"Example: samekind {command}" in text
    assert "Usage" in CliRunner().invoke(app, []).output
