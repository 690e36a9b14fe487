"""samekind cluster --scheduler, on the workers of a cluster in this process."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import samekind.app.partitioned.results as results
from samekind.app.cli import app
from samekind.app.model import load_model
from samekind.metrics import clustering_accuracy

N = 1500


@pytest.fixture
def folder(tmp_path, monkeypatch, groups):
    """The same rows as parquet files, with 2 before 10, and as npy files."""
    monkeypatch.chdir(tmp_path)
    X, y = groups[0][:N, :8].astype(np.float32), groups[1][:N] % 5
    some = np.where(np.arange(N) < 40, [f"kind {label}" for label in y], None)
    frame = pd.DataFrame(X, columns=list("abcdefgh")).assign(id=[f"r{i}" for i in range(N)], kind=y)
    frame = frame.assign(some=some)
    (tmp_path / "tables").mkdir()
    (tmp_path / "arrays").mkdir()
    for number, start in ((2, 0), (10, 600), (11, 1200)):
        part = frame[start : min(start + 600, N)]
        part.to_parquet(tmp_path / "tables" / f"part.{number}.parquet", row_group_size=200)
        np.save(tmp_path / "arrays" / f"{number}.npy", X[start : start + 600])
    return tmp_path


@pytest.fixture
def run(cluster):
    def invoke(*words, out="out"):
        words = ("cluster", *words, "--scheduler", cluster.scheduler_address, "--out", out)
        return CliRunner().invoke(app, [*words, "--set", "n_landmarks=200"])

    return invoke


def labels_in(folder):
    """As whoever gets the results reads them."""
    return pd.read_parquet(folder / "out" / "labels")


def test_a_parquet_dataset_is_labeled_file_by_file(folder, run, groups):
    done = run("tables", "--id", "id", "--truth", "kind", "--labels", "some", "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    labels = labels_in(folder)
    assert list(labels.columns) == ["row", "cluster", "name", "confidence", "runner_up", "far"]
    assert list(labels["row"]) == [f"r{i}" for i in range(N)]
    y = groups[1][:N] % 5
    accuracy = clustering_accuracy(y, labels["cluster"])
    assert accuracy > 0.9
    assert said["scores"]["ACC"] == pytest.approx(accuracy)
    assert said["cluster_sizes"] == np.bincount(labels["cluster"]).tolist()
    assert (labels["name"] == [f"kind {label}" for label in y]).mean() > 0.9
    assert said["n_clusters"] == 5  # as many as there are names
    assert said["coverage"]["n_far"] == labels["far"].sum()
    assert said["mean_confidence"] == pytest.approx(labels["confidence"].mean(), rel=1e-5)
    assert sorted(os.listdir(folder / "out")) == ["labels", "model.skops", "report.html"]
    model = load_model(folder / "out" / "model.skops")
    row = model.ids.index("r0")
    assert model.names[model.estimator.labels_[row]] == labels["name"][0]
    page = (folder / "out" / "report.html").read_text()
    assert f"SameKind put {N:,} rows into 5 clusters" in page
    assert "by their nearest among 200 landmarks" in page
    # The model takes a file of the same table.
    new = ("predict", "out/model.skops", "tables/part.2.parquet", "--out", "new.csv", "--json")
    predicted = CliRunner().invoke(app, new)
    assert predicted.exit_code == 0, predicted.output
    found = pd.read_csv(folder / "new.csv")
    assert (found["name"] == labels["name"][:600]).mean() > 0.99


def test_npy_files_give_the_same_labels_as_tables(folder, run):
    options = ("-k", "5", "--pairs", "pairs.csv")
    (folder / "pairs.csv").write_text("a,b,kind\n3,1300,different\n")
    assert run("arrays", *options).exit_code == 0
    arrays = labels_in(folder)
    assert list(arrays["row"]) == list(range(N))
    assert arrays["name"].isna().all()
    (folder / "pairs.csv").write_text("a,b,kind\nr3,r1300,different\n")
    assert run("tables", *options, "--columns", "a,b,c,d,e,f,g,h", "--id", "id").exit_code == 0
    tables = labels_in(folder)
    for name in ("cluster", "confidence", "far"):
        np.testing.assert_array_equal(arrays[name], tables[name])


def test_labels_from_a_file_name_rows_by_number_or_id(folder, run, groups):
    y = groups[1][:N] % 5
    for name, more in (("{}", ()), ("r{}", ("--id", "id"))):
        lines = [f"{name.format(i)},kind {y[i]}" for i in range(100, 140)]
        (folder / "known.csv").write_text("\n".join(["row,label", *lines]))
        done = run(
            "tables",
            "--drop",
            "kind,some" + ("" if more else ",id"),
            "--labels",
            "known.csv",
            *more,
        )
        assert done.exit_code == 0, done.output
        assert "40 of 40 given labels kept" in done.stdout
        assert labels_in(folder)["name"][100] == f"kind {y[100]}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("arrays", "--append"), "--append came together with --scheduler"),
        (("arrays", "--method", "dgsl"), "--method came together with --scheduler"),
        (("arrays", "--set", "landmarks=3"), "did you mean 'n_landmarks'?"),
        (("arrays", "--id", "name"), "--id came with the name of a column, and a npy file"),
        (("tables",), "these are not: 'id', 'some'; .*--drop id,some"),
        (("tables", "--id", "nane"), "there is no column 'nane' (--id)"),
        (("tables", "--drop", "id,some", "--labels", "kind"), "a label in every row, or in none"),
        (("nothing",), "there is no such file or folder"),
        ((".",), "the folder holds parquet and npy files"),
        (("mixed",), "1.npy: it has 3 features, and 0.npy has 4"),
        (("blank", "--drop", "id,some"), "row 700 of X (partition 1) holds NaN"),
        (("half",), "it seems damaged or half-written"),
        (("arrays", "--pairs", "far.csv"), "far.csv: line 2: '1500' is not a valid row number"),
    ],
)
def test_what_cannot_be_used_is_said_and_nothing_is_written(folder, run, words, said):
    (folder / "mixed").mkdir()
    for number, width in enumerate((4, 3)):
        np.save(folder / "mixed" / f"{number}.npy", np.ones((5, width)))
    (folder / "half").mkdir()
    (folder / "half" / "0.parquet").write_bytes(b"PAR1 and no more")
    (folder / "blank").mkdir()
    frame = pd.concat(map(pd.read_parquet, sorted((folder / "tables").iterdir())))
    frame.iloc[700, 1] = np.nan
    frame[:600].to_parquet(folder / "blank" / "0.parquet")
    frame[600:].to_parquet(folder / "blank" / "1.parquet")
    (folder / "far.csv").write_text("a,b,kind\n1500,2,same\n")
    before = sorted(os.listdir(folder))
    done = run(*words)
    assert done.exit_code == 2
    text = " ".join(done.stderr.split())
    first, _, last = said.partition(" .*")
    assert first in text
    assert last in text
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("address", ["lokal", "127.0.0.1:1"])
def test_a_scheduler_that_is_not_there_is_said(folder, monkeypatch, address):
    monkeypatch.setattr("samekind.dask._scheduler.PATIENCE", 0.5)
    done = CliRunner().invoke(app, ["cluster", "arrays", "--scheduler", address, "--out", "out"])
    assert done.exit_code == 2
    assert f"--scheduler {address}: " in " ".join(done.stderr.split())
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ModuleNotFoundError("No module named 'samekind'"), "cannot import samekind.dask"),
        ({"a": "0.0.1"}, "have samekind 0.0.1, and this is"),
    ],
)
def test_workers_without_this_version_are_said(folder, run, monkeypatch, answer, said):
    def asked(client, function):
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr("samekind.dask._scheduler.Client.run", asked)
    done = run("arrays")
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())


def test_a_folder_of_parquet_files_without_a_scheduler_names_the_option(folder):
    done = CliRunner().invoke(app, ["cluster", "tables"])
    assert done.exit_code == 2
    assert "add --scheduler local" in " ".join(done.stderr.split())


def test_old_results_stay_until_all_new_ones_are_there(folder, run, monkeypatch):
    assert run("arrays", "-k", "5").exit_code == 0
    first = labels_in(folder)
    (folder / "out" / "mine.txt").write_text("mine")

    def fails(*_):
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(results, "write_page", fails)
        assert run("arrays", "-k", "3").exit_code == 2
    assert labels_in(folder).equals(first)
    os.remove(folder / "arrays" / "11.npy")
    assert run("arrays", "-k", "3").exit_code == 0
    assert len(labels_in(folder)) == 1200  # no part of the longer run is left
    assert (folder / "out" / "mine.txt").read_text() == "mine"
    assert [name for name in os.listdir(folder) if "samekind" in name] == []
    done = run("out/labels", "-k", "3")
    assert done.exit_code == 2
    assert "results would replace it" in done.stderr
