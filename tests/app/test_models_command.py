"""The commands on a model, after the one that has written it."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from typer.testing import CliRunner

from problems import blobs
from samekind import SC
from samekind.app import results
from samekind.app.cli import app
from samekind.app.model import load_model, save_model


def invoke(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)), env={"COLUMNS": "100"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, and what SC has found in it."""
    folder = tmp_path_factory.mktemp("models")
    X, y = blobs(3, n_per_class=8, k=3, d=3, spread=1.0)
    rows = [f"s{i}," + ",".join(map(repr, row)) for i, row in enumerate(X.tolist())]
    (folder / "blobs.csv").write_text("id,a,b,c\n" + "\n".join(rows) + "\n")
    known = [int(np.flatnonzero(y == k)[0]) for k in range(3)]
    given = "".join(f"s{i},{name}\n" for i, name in zip(known, ("ant", "bee", "cat"), strict=True))
    (folder / "some.csv").write_text(f"row,label\n{given}")
    command = "cluster", folder / "blobs.csv", "--id", "id", "--labels", folder / "some.csv"
    done = invoke(*command, "--method", "sc", "--append", "--out", folder / "r")
    assert done.exit_code == 0, done.output
    return folder, done.stdout


def test_the_end_of_a_run_names_every_file_and_commands_that_work(folder):
    folder, said = folder
    files = set(os.listdir(folder / "r"))
    assert "blobs-labeled.csv" in files
    assert all(f"  {name} " in said for name in files)
    commands = [line.split() for line in said.splitlines() if "samekind " in line]
    assert [command[1] for command in commands] == ["explain", "predict"]
    done = invoke(*commands[0][1:])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"{commands[0][-1]} is in ")


def test_the_table_with_labels_has_the_lines_of_the_table(folder):
    folder, _ = folder
    before = (folder / "blobs.csv").read_text().splitlines()
    after = (folder / "r" / "blobs-labeled.csv").read_text().splitlines()
    labels = (folder / "r" / "labels.csv").read_text().splitlines()
    assert after == [f"{a},{b}" for a, b in zip(before, labels, strict=True)]


def test_explain_prints_json_or_sentences(folder):
    folder, _ = folder
    found = json.loads(invoke("explain", folder / "r" / "model.skops", "s5", "--json").stdout)
    assert (found["row"], found["notes"]) == ("s5", [])
    assert found["path"][0]["row"] == "s5"
    assert found["label"] in ("ant", "bee", "cat")
    said = invoke("explain", folder / "r" / "model.skops", "s5").stdout
    assert said.splitlines() == found["sentences"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("r/model.skops", "s99"), ["no row 's99'", "did you mean"]),
        (("r/labels.csv", "s1"), ["labels.csv", "cannot be read as a model"]),
        (("r/none", "s1"), ["there is no such file"]),
    ],
)
def test_questions_that_have_no_answer_end_with_2(folder, arguments, words):
    folder, _ = folder
    done = invoke("explain", folder / arguments[0], arguments[1])
    assert done.exit_code == 2
    assert all(word in " ".join(done.stderr.split()) for word in words), done.stderr


def test_a_folder_of_results_is_as_good_as_its_model(folder):
    folder, _ = folder
    said = invoke("explain", folder / "r", "s5").stdout
    assert said == invoke("explain", folder / "r" / "model.skops", "s5").stdout
    done = invoke("explain", folder, "s5")
    assert f"{folder / 'model.skops'}: there is no such file" in " ".join(done.stderr.split())


def test_model_and_rows_the_wrong_way_round_are_refused(folder, tmp_path):
    folder, _ = folder
    model, rows = folder / "r" / "model.skops", folder / "blobs.csv"
    done = invoke("predict", rows, model, "--out", tmp_path / "a.csv")
    assert done.exit_code == 2
    assert f"the model comes first: samekind predict {model} {rows}" in done.stderr
    done = invoke("predict", rows, model.parent, "--out", tmp_path / "a.csv")
    assert f"the model comes first: samekind predict {model.parent} {rows}" in done.stderr
    (tmp_path / "a.png").write_bytes(b"")
    done = invoke("predict", model, tmp_path / "a.png", "--out", tmp_path / "a.csv")
    assert "it is a single file, and the model was fitted to a table" in done.stderr


NEW = "c,id,b,comment,a\n0.5,x1,0.25,hello,-1\n,x2,7,=1+1,2\n"


def test_new_rows_get_the_columns_of_labels_and_what_is_different_is_noted(folder, tmp_path):
    folder, _ = folder
    (tmp_path / "new.csv").write_text(NEW)
    command = "predict", folder / "r" / "model.skops", tmp_path / "new.csv", "--out"
    done = invoke(*command, tmp_path / "labels.csv")
    assert done.exit_code == 0, done.output
    assert all(word in done.stderr for word in ("'comment' is new", "another order", "is blank"))
    header, *rows = (tmp_path / "labels.csv").read_text().splitlines()
    assert header == "row,cluster,name,confidence,runner_up"
    assert [row.split(",")[0] for row in rows] == ["x1", "x2"]
    assert all(row.split(",")[2] in ("ant", "bee", "cat") for row in rows)
    assert f"Labels: {tmp_path / 'labels.csv'}" in done.stdout
    result = json.loads(invoke(*command, tmp_path / "b.csv", "--json").stdout)
    assert sum(result["cluster_sizes"].values()) == result["n_rows"] == 2
    assert len(result["notes"]) == 3


def test_rows_of_the_model_get_their_own_clusters(folder, tmp_path):
    folder, _ = folder
    out = tmp_path / "labels.csv"
    done = invoke("predict", folder / "r" / "model.skops", folder / "blobs.csv", "--out", out)
    assert done.exit_code == 0, done.output
    assert not done.stderr
    assert out.read_text() == (folder / "r" / "labels.csv").read_text()


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        ("id,b\n1,2\n", (), ["columns 'a', 'c'", "missing"]),
        ("a,b,c\nx,2,y\n", (), ["2 columns cannot be used", "column 'a'", "column 'c'"]),
        ("a,b,c\n", (), ["no rows"]),
        ("a,b,c\n1,2,3\n", ("--id", "nme"), ["no column 'nme' (--id)"]),
        ("a,b,c\n1,2,3\n", ("--out", "there.csv"), ["there.csv is there already", "--overwrite"]),
        ("a,b,c\n1,2,3\n", ("--out", "no/there.csv"), ["no folder no"]),
    ],
)
def test_new_rows_that_do_not_fit_are_refused_and_nothing_is_written(
    folder, tmp_path, monkeypatch, content, options, words
):
    folder, _ = folder
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.csv").write_text(content)
    (tmp_path / "there.csv").write_text("mine")
    done = invoke("predict", folder / "r" / "model.skops", "new.csv", *options)
    assert done.exit_code == 2, done.output
    assert all(word in " ".join(done.stderr.split()) for word in words), done.stderr
    assert sorted(os.listdir(tmp_path)) == ["new.csv", "there.csv"]
    assert (tmp_path / "there.csv").read_text() == "mine"


def test_a_file_is_written_over_if_asked_for(folder, tmp_path, monkeypatch):
    folder, _ = folder
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.csv").write_text("a,b,c\n1,2,3\n")
    (tmp_path / "new-labels.csv").write_text("mine")
    done = invoke("predict", folder / "r" / "model.skops", "new.csv", "--overwrite")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "new-labels.csv").read_text().startswith("row,cluster")


def test_a_large_model_is_written_only_if_asked_for(folder, tmp_path, monkeypatch):
    folder, _ = folder
    monkeypatch.setattr(results, "LARGEST_MODEL", 100)
    command = "cluster", folder / "blobs.csv", "--id", "id", "-k", 3, "--method", "sc", "--out"
    done = invoke(*command, tmp_path / "a")
    assert "model.skops was not written" in done.stdout
    assert "--model writes it" in done.stdout
    assert "samekind predict" not in done.stdout
    assert not (tmp_path / "a" / "model.skops").exists()
    invoke(*command, tmp_path / "b", "--model")
    assert load_model(tmp_path / "b" / "model.skops").source == "blobs.csv"
    invoke(*command, tmp_path / "b", "--no-model")
    assert not (tmp_path / "b" / "model.skops").exists()


def test_pictures_are_sorted_and_originals_stay(tmp_path):
    rng = np.random.default_rng(0)
    originals = {}
    for i in range(12):
        path = tmp_path / "photos" / f"day {i % 3}" / f"{i // 3}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        pixels = np.full((6, 6), 40 + 160 * (i % 2)) + rng.integers(0, 40, (6, 6))
        Image.fromarray(pixels.astype(np.uint8)).save(path)
        originals[path] = path.read_bytes()
    command = "cluster", tmp_path / "photos", "-k", 2, "--method", "sc", "--sort-into"
    done = invoke(*command, tmp_path / "sorted", "--out", tmp_path / "r", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["sorted_into"] == str(tmp_path / "sorted")
    assert {path: path.read_bytes() for path in originals} == originals
    copies = [path.read_bytes() for path in (tmp_path / "sorted").rglob("*.png")]
    assert sorted(copies) == sorted(originals.values())
    assert sorted(os.listdir(tmp_path / "sorted")) == ["cluster 0", "cluster 1"]
    out = tmp_path / "again.csv"
    done = invoke("predict", tmp_path / "r" / "model.skops", tmp_path / "photos", "--out", out)
    assert done.exit_code == 0, done.output
    assert out.read_text() == (tmp_path / "r" / "labels.csv").read_text()
    before = sorted(os.listdir(tmp_path))
    for place in (tmp_path / "sorted", tmp_path / "photos" / "sorted"):
        again = invoke(*command, place, "--out", tmp_path / "another")
        assert again.exit_code == 2
        assert "--sort-into" in again.stderr
        assert sorted(os.listdir(tmp_path)) == before


def test_a_table_is_needed_to_append_to(tmp_path):
    np.save(tmp_path / "x.npy", np.random.default_rng(0).normal(size=(20, 3)))
    done = invoke("cluster", tmp_path / "x.npy", "-k", 2, "--append", "--out", tmp_path / "r")
    assert done.exit_code == 2
    assert "--append needs a table" in done.stderr
    assert os.listdir(tmp_path) == ["x.npy"]


def test_rows_of_another_kind_are_refused(folder, tmp_path):
    folder, _ = folder
    np.save(tmp_path / "x.npy", np.zeros((4, 3)))
    done = invoke("predict", folder / "r" / "model.skops", tmp_path / "x.npy")
    assert done.exit_code == 2
    assert "it is an array, and the model was fitted to a table, blobs.csv" in done.stderr


def test_a_model_of_python_takes_a_table_with_the_names_of_its_frame(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X, _ = blobs(3, n_per_class=8, k=3, d=3, spread=1.0)
    frame = pd.DataFrame(X, columns=list("abc"))
    model = SC(3, random_state=0).fit(frame)
    save_model(model, "frame.skops")
    frame[["c", "a", "b"]].to_csv("new.csv", index=False)
    assert invoke("predict", "frame.skops", "new.csv").exit_code == 0
    rows = (tmp_path / "new-labels.csv").read_text().splitlines()[1:]
    assert [int(row.split(",")[1]) for row in rows] == model.labels_.tolist()
    save_model(SC(3, random_state=0).fit(X), "array.skops")
    np.save("new.npy", X)
    assert invoke("predict", "array.skops", "new.npy", "--out", "b.csv").exit_code == 0
    assert (tmp_path / "b.csv").read_text() == (tmp_path / "new-labels.csv").read_text()
    done = invoke("predict", "array.skops", "new.csv", "--out", "c.csv")
    assert (done.exit_code, "fitted to an array" in " ".join(done.stderr.split())) == (2, True)


def test_copies_may_be_sorted_into_the_folder_of_results(tmp_path):
    rng = np.random.default_rng(0)
    (tmp_path / "p").mkdir()
    for i in range(8):
        pixels = np.full((4, 4), 40 + 160 * (i % 2)) + rng.integers(0, 40, (4, 4))
        Image.fromarray(pixels.astype(np.uint8)).save(tmp_path / "p" / f"{i}.png")
    command = "cluster", tmp_path / "p", "-k", 2, "--method", "sc", "--out", tmp_path / "r"
    assert invoke(*command).exit_code == 0
    done = invoke(*command, "--sort-into", tmp_path / "r" / "sorted")
    assert done.exit_code == 0, done.output
    assert len(list((tmp_path / "r" / "sorted").rglob("*.png"))) == 8
    assert sorted(os.listdir(tmp_path)) == ["p", "r"]
    assert sorted(os.listdir(tmp_path / "r")) == sorted([*results.RESULTS, "sorted"])
