import csv
import os
import re

import numpy as np
import pytest
from scipy.sparse import csr_array, load_npz

import fakes
from problems import blobs
from samekind import CSP, DGSL, SC, PairConstraints, Supervision
from samekind._kernels.admm import AdmmIteration
from samekind.app import content, results
from samekind.app.content import report_content
from samekind.app.inputs import Samples
from samekind.app.report import render_page
from samekind.app.results import RESULTS, write_results
from samekind.app.run import progress, run


@pytest.fixture(scope="module")
def case():
    X, y = blobs(3, n_per_class=20, k=3, d=16, spread=1.0)
    samples = Samples(X / 2, ids=tuple(f"s{i}" for i in range(60)), truth=y, source="blobs.csv")
    pairs = PairConstraints(60, cannot_link=[(0, 1)])
    return samples, run(DGSL(3, random_state=0), samples, Supervision(pairs))


@pytest.fixture
def labeled(case, monkeypatch):
    """The same samples, of which three in each class have a label."""
    fakes.register(monkeypatch)
    samples, _ = case
    labels = np.full(60, "", dtype=object)
    for c, name in enumerate(("ant", "bee", "cat")):
        labels[np.flatnonzero(samples.truth == c)[:3]] = name
    return samples, Supervision.from_labels(labels)


def test_the_report_shows_the_first_and_the_last_iteration(case):
    samples, outcome = case
    made = report_content(samples, outcome)
    assert made.first.iteration == 1
    assert made.last.iteration == outcome.model.n_iter_ == made.n_iter == len(made.history)
    np.testing.assert_array_equal(made.last.H, outcome.model.embedding_)
    assert abs(made.last.Z - outcome.model.representation_).max() == 0


def test_a_method_that_learns_no_graph_shows_the_one_it_used(case):
    samples, _ = case
    pairs = PairConstraints(60, cannot_link=[(0, 1)])
    outcome = run(SC(3, random_state=0), samples, Supervision(pairs))
    made = report_content(samples, outcome)
    assert made.first is None
    assert made.n_iter is None
    assert not made.history
    np.testing.assert_array_equal(made.last.H, outcome.model.embedding_)
    assert abs(made.last.Z - outcome.model.affinity_matrix_).max() == 0
    assert any("cannot-links" in note for note in made.notes)


def test_labels_go_in_and_classes_come_out_by_name(labeled, tmp_path):
    samples, known = labeled
    seen = []
    outcome = run(fakes.Spreads(), samples, known, on_iteration=seen.append)
    assert [record.iteration for record in seen] == [1]
    assert outcome.clusters == ("ant", "bee", "cat")
    assert [outcome.labels[i] for i in range(60) if known.y[i] == 1] == ["bee"] * 3
    made = report_content(samples, outcome)
    assert made.title == "blobs.csv in 3 classes"
    assert (made.n_labels, len(made.overruled)) == (9, 0)
    assert made.n_iter == 1
    np.testing.assert_array_equal(made.last.H, outcome.model.label_distributions_)
    write_results(tmp_path, samples, outcome)
    with (tmp_path / "labels.csv").open(newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == outcome.labels.tolist()


@pytest.mark.parametrize("model", [DGSL(3, random_state=0), CSP(3, random_state=0), SC(3)])
def test_clusters_of_a_method_that_takes_pairs_have_the_names_of_their_labels(labeled, model):
    samples, known = labeled
    outcome = run(model, samples, known)
    named = [outcome.labels[i] == known.names[c] for i, c in enumerate(known.y) if c >= 0]
    assert all(named)
    assert sorted(outcome.clusters) == ["ant", "bee", "cat"]
    made = report_content(samples, outcome)
    assert made.title == "blobs.csv in 3 clusters"
    assert (made.n_labels, len(made.overruled), made.n_pairs) == (9, 0, 0)
    page = render_page(made)
    assert all(f"Cluster {name}" in page for name in known.names)


def test_a_cluster_without_a_label_has_a_number_and_one_with_two_names_says_so(labeled):
    samples, known = labeled
    ants = Supervision.from_labels([known.names[c] if c == 0 else None for c in known.y])
    names = run(SC(3, random_state=0), samples, ants).clusters
    assert sorted(name.split()[0] for name in names) == ["ant", "cluster", "cluster"]
    outcome = run(SC(2, random_state=0), samples, known)
    assert sum("+" in name for name in outcome.clusters) == 1
    assert len(report_content(samples, outcome).overruled) == 3


def test_overruled_labels_and_unreached_samples_are_named(labeled):
    samples, known = labeled
    outcome = run(fakes.Shrugs(), samples, known)
    made = report_content(samples, outcome)
    assert made.n_labels == 9
    assert made.overruled.tolist() == [i for i, c in enumerate(known.y) if c > 0]
    assert not made.status.converged
    assert made.last.Z is None
    assert any("2 of 60" in note for note in made.notes)
    assert outcome.sizes == [60, 0, 0]


def test_an_interpretation_is_marked_wherever_results_are_shown(labeled):
    samples, known = labeled
    made = report_content(samples, run(fakes.Shrugs(), samples, known))
    assert made.summary.startswith("Shrugs (our interpretation)")
    assert made.facts["Method"] == "Shrugs (our interpretation)"
    assert any("our interpretation" in note for note in made.notes)


def test_what_the_method_has_not_is_not_written_and_no_old_file_remains(labeled, case, tmp_path):
    samples, known = labeled
    write_results(tmp_path, *case)
    outcome = run(fakes.Shrugs(), samples, known)
    written = write_results(tmp_path, samples, outcome)
    assert sorted(os.listdir(tmp_path)) == ["labels.csv", "model.skops", "report.html"]
    assert written.files == ("labels.csv", "model.skops", "report.html")
    assert written.notes == ("Not written, as Shrugs has none: embedding.npy, graph.npz.",)
    outcome = run(fakes.Spreads(), samples, known)
    write_results(tmp_path, samples, outcome)
    assert sorted(os.listdir(tmp_path)) == ["graph.npz", "labels.csv", "model.skops", "report.html"]


def test_progress_says_what_a_record_knows():
    model = DGSL(max_iter=20, tol=0.01)
    step = AdmmIteration(5, primal=0.001, dual=0.25, mu=1.0)
    assert progress(model, step) == ("iteration 5, residual 0.25 (stops below 0.01)", 0.25)
    epoch = type("Epoch", (), {"iteration": 40, "loss": 0.5})()
    assert progress(model, epoch) == ("iteration 40, loss 0.5", 1.0)
    bare = type("Bare", (), {"iteration": 3})()
    assert progress(SC(), bare) == ("iteration 3", 0.0)


def test_progress_of_dgsl_is_its_change(case):
    samples, _ = case
    model, said = DGSL(3, random_state=0), []
    run(
        model,
        samples,
        Supervision.from_pairs(60),
        on_iteration=lambda s: said.append(progress(model, s)),
    )
    assert said[0][0].startswith("iteration 1, change ")
    assert said[-1][1] == model.n_iter_ / model.max_iter


def test_warnings_are_collected_not_shown(recwarn):
    samples = Samples(np.random.default_rng(0).random((20, 3)) / 100, source="small")
    outcome = run(DGSL(3), samples, Supervision.from_pairs(20))
    assert any("vanished" in told for told in outcome.warnings)
    assert not recwarn


def test_the_folder_holds_what_the_model_found(case, tmp_path):
    samples, outcome = case
    folder = write_results(tmp_path / "deep" / "out", samples, outcome).folder
    assert sorted(os.listdir(folder)) == sorted(RESULTS)
    with (folder / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["row"] for row in rows] == list(samples.ids)
    assert {row["name"] + row["confidence"] + row["runner_up"] for row in rows} == {""}  # of DGSL
    assert [int(row["cluster"]) for row in rows] == outcome.model.labels_.tolist()
    np.testing.assert_array_equal(np.load(folder / "embedding.npy"), outcome.model.embedding_)
    assert abs(load_npz(folder / "graph.npz") - outcome.model.affinity_matrix_).max() == 0
    assert os.listdir(tmp_path / "deep") == ["out"]


def test_other_files_in_the_folder_are_left_alone(case, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "labels.csv").write_text("old")
    write_results(tmp_path, *case)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "labels.csv").read_text().startswith("row,cluster,name,")


@pytest.mark.parametrize("broken", ["write_page", "save_npz"])
def test_a_failure_leaves_nothing_behind(case, tmp_path, monkeypatch, broken):
    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(results, broken, fail)
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
    outcome = run(DGSL(2, random_state=0), samples, Supervision(pairs))
    made = report_content(samples, outcome)
    (a, b), *_ = outcome.model.constraint_report_.violated_cannot_link
    page = " ".join(re.sub(r"<[^>]*>", " ", render_page(made)).split())
    assert re.search(rf"Violated pair row row cannot- link s{a} in cluster \d s{b} in", page)
    assert any("s0, s1, s2" in note for note in made.notes)


def test_sparse_samples_can_be_reported(tmp_path):
    X = csr_array(np.random.default_rng(0).poisson(1.0, (30, 6)).astype(float))
    samples = Samples(X, source="counts.npz")
    outcome = run(DGSL(2, random_state=0), samples, Supervision.from_pairs(30))
    write_results(tmp_path, samples, outcome)
    assert "counts.npz" in (tmp_path / "report.html").read_text()


def test_a_wide_sparse_matrix_is_not_made_dense(monkeypatch):
    X = csr_array(np.random.default_rng(0).poisson(1.0, (30, 6)).astype(float))
    samples = Samples(X, source="counts.npz")
    outcome = run(DGSL(2, random_state=0), samples, Supervision.from_pairs(30))
    monkeypatch.setattr(content, "LARGEST_TABLE", 100)
    assert report_content(samples, outcome).X is None


@pytest.mark.parametrize("name", RESULTS)
def test_a_folder_in_place_of_a_result_is_refused_before_anything_is_replaced(case, tmp_path, name):
    for result in RESULTS:
        (tmp_path / result).mkdir() if result == name else (tmp_path / result).write_text("old")
    with pytest.raises(IsADirectoryError, match=f"{name} is a folder"):
        write_results(tmp_path, *case)
    assert all((tmp_path / r).read_text() == "old" for r in RESULTS if r != name)
