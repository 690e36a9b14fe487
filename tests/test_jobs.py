import csv
import os

import numpy as np
import pytest
from scipy.sparse import csr_array, load_npz

from problems import blobs
from samekind import DGSL, PairConstraints, jobs
from samekind.inputs import Samples
from samekind.jobs import RESULTS, check_folder, report_content, run, write_results


@pytest.fixture(scope="module")
def case():
    X, y = blobs(3, n_per_class=20, k=3, d=16, spread=1.0)
    samples = Samples(X / 2, ids=tuple(f"s{i}" for i in range(60)), labels=y, source="blobs.csv")
    pairs = PairConstraints(60, cannot_link=[(0, 1)])
    return samples, run(DGSL(3, random_state=0), samples, pairs)


def test_it_watches_the_first_and_the_last_iteration(case):
    _, outcome = case
    assert outcome.first.iteration == 1
    assert outcome.last.iteration == outcome.model.n_iter_
    np.testing.assert_array_equal(outcome.last.H, outcome.model.embedding_)
    assert abs(outcome.last.Z - outcome.model.representation_).max() == 0


def test_warnings_are_collected_not_shown(recwarn):
    samples = Samples(np.random.default_rng(0).random((20, 3)) / 100, source="small")
    outcome = run(DGSL(3), samples, PairConstraints(20))
    assert any("vanished" in told for told in outcome.warnings)
    assert not recwarn


def test_the_folder_holds_what_the_model_found(case, tmp_path):
    samples, outcome = case
    folder = write_results(tmp_path / "deep" / "out", samples, outcome)
    assert sorted(os.listdir(folder)) == sorted(RESULTS)
    with (folder / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["row"] for row in rows] == list(samples.ids)
    assert [int(row["label"]) for row in rows] == outcome.model.labels_.tolist()
    np.testing.assert_array_equal(np.load(folder / "embedding.npy"), outcome.model.embedding_)
    assert abs(load_npz(folder / "graph.npz") - outcome.model.affinity_matrix_).max() == 0
    assert os.listdir(tmp_path / "deep") == ["out"]


def test_other_files_in_the_folder_are_left_alone(case, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "labels.csv").write_text("old")
    write_results(tmp_path, *case)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "labels.csv").read_text().startswith("row,label")


@pytest.mark.parametrize("broken", ["write_page", "save_npz"])
def test_a_failure_leaves_nothing_behind(case, tmp_path, monkeypatch, broken):
    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(jobs, broken, fail)
    with pytest.raises(OSError, match="disk full"):
        write_results(tmp_path / "out", *case)
    assert os.listdir(tmp_path) == []


def test_a_file_in_place_of_the_folder_is_refused(case, tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(NotADirectoryError, match="name a folder"):
        write_results(tmp_path / "out", *case)
    assert (tmp_path / "out").read_text() == "a file"


def test_the_report_names_violated_pairs(case):
    samples, _ = case
    # Three samples marked different from each other in two clusters: one pair has to give.
    pairs = PairConstraints(60, cannot_link=[(0, 1), (1, 2), (0, 2)])
    outcome = run(DGSL(2, random_state=0), samples, pairs)
    content = report_content(samples, outcome)
    violated = outcome.model.constraint_report_.violated_cannot_link
    assert content.violated == [("cannot-link", f"s{a}", f"s{b}") for a, b in violated]
    assert len(content.violated) >= 1
    assert any("s0, s1, s2 are all marked different" in note for note in content.notes)


def test_sparse_samples_can_be_reported(tmp_path):
    X = csr_array(np.random.default_rng(0).poisson(1.0, (30, 6)).astype(float))
    samples = Samples(X, source="counts.npz")
    outcome = run(DGSL(2, random_state=0), samples, PairConstraints(30))
    write_results(tmp_path, samples, outcome)
    assert "counts.npz" in (tmp_path / "report.html").read_text()


def test_a_wide_sparse_matrix_is_not_made_dense(monkeypatch):
    X = csr_array(np.random.default_rng(0).poisson(1.0, (30, 6)).astype(float))
    samples = Samples(X, source="counts.npz")
    outcome = run(DGSL(2, random_state=0), samples, PairConstraints(30))
    monkeypatch.setattr(jobs, "LARGEST_TABLE", 100)
    assert report_content(samples, outcome).X is None


@pytest.mark.parametrize("name", RESULTS)
def test_a_folder_in_place_of_a_result_is_refused_before_anything_is_replaced(case, tmp_path, name):
    for result in RESULTS:
        (tmp_path / result).mkdir() if result == name else (tmp_path / result).write_text("old")
    with pytest.raises(IsADirectoryError, match=f"{name} is a folder"):
        write_results(tmp_path, *case)
    assert all((tmp_path / r).read_text() == "old" for r in RESULTS if r != name)


def test_a_folder_below_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="file is a file; name a folder"):
        check_folder(tmp_path / "file" / "below")
