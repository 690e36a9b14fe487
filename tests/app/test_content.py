"""What the report is told of a run: the number of clusters, lone rows, columns, what next."""

import html
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from typer.testing import CliRunner

from problems import blobs
from samekind import HI, SameKind, Supervision
from samekind.app.cli import app
from samekind.app.content import report_content
from samekind.app.inputs import Samples, read_samples
from samekind.app.next_steps import commands, next_steps, unused
from samekind.app.report import render_page
from samekind.app.report.shown_columns import ShownColumns
from samekind.app.run import run

FILES = ("labels.csv", "model.skops", "report.html")


@pytest.fixture(scope="module")
def guessed():
    X, y = blobs(3, n_per_class=12, k=3, d=4, spread=0.3)
    samples = Samples(X, ids=tuple(f"-{i}" for i in range(36)), source="blobs.csv")
    same, other = np.flatnonzero(y == y[0])[:2], np.flatnonzero(y != y[0])[0]
    known = Supervision.from_pairs(36, [same], [(same[0], other)])
    return samples, run(SameKind(None, random_state=0), samples, known)


def test_the_number_of_clusters_comes_with_its_curve(guessed):
    samples, outcome = guessed
    choice = report_content(samples, outcome).k_choice
    assert choice.chosen == outcome.n_clusters
    assert choice.scores[list(choice.ks).index(choice.chosen)] >= max(choice.scores) - 0.01
    assert "plainly apart" in choice.sentence


def test_rows_without_an_edge_are_isolated(guessed):
    samples, outcome = guessed
    assert len(report_content(samples, outcome).isolated) == 0
    whole, alone = outcome.model.affinity_matrix_, [4, 9]
    try:
        kept = csr_array(whole).tolil()
        kept[alone] = kept[:, alone] = 0
        kept[4, 4] = 1  # a loop joins nothing
        outcome.model.affinity_matrix_ = csr_array(kept)
        assert report_content(samples, outcome).isolated.tolist() == alone
    finally:
        outcome.model.affinity_matrix_ = whole


def test_the_next_steps_ask_for_the_least_certain_row(guessed):
    samples, outcome = guessed
    row = samples.ids[outcome.confidence[0].argmin()]
    explain, predict = commands(outcome, samples, Path("out folder"), FILES)
    assert explain == f"samekind explain 'out folder/model.skops' -- {row}"
    assert predict.startswith("samekind predict 'out folder/model.skops' NEW.csv --out ")
    steps = next_steps(outcome, samples, Path("out"), FILES)
    assert (
        f"samekind cluster DATA -k {outcome.n_clusters} --labels known.csv" in dict(steps).values()
    )
    assert len(next_steps(outcome, samples, Path("out"), ("labels.csv",))) == len(steps) - 2


def test_the_next_steps_of_a_method_on_labels_name_it(guessed):
    samples, _ = guessed
    known = Supervision.from_labels(["a"] + [None] * 34 + ["b"])
    outcome = run(HI(), samples, known)
    steps = dict(next_steps(outcome, samples, Path("out"), ("labels.csv",)))
    assert "samekind cluster DATA --method hi --labels known.csv" in steps.values()


def test_a_table_is_reported_with_its_own_columns(tmp_path):
    lines = ["name,age,city"] + [
        f"n{i},{20 + 30 * (i % 2)},{'Rome' if i % 2 else 'Oslo'}" for i in range(20)
    ]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    samples = read_samples(tmp_path / "people.csv", id_column="name")
    outcome = run(SameKind(2, random_state=0), samples, Supervision.from_pairs(20))
    content = report_content(samples, outcome)
    assert set(content.table) == {"age", "city"}
    assert sorted(set(np.asarray(content.table["age"], dtype=float))) == [20, 50]
    assert content.columns == samples.encoder.summary()
    page = render_page(content)
    assert "<td>Rome</td>" in page
    assert "<td>Oslo</td>" in page


@pytest.mark.parametrize(
    ("dates", "typical", "cell"),
    [
        (["05.03.2024", "09.03.2024", "28.02.2010", "01.03.2010"], "2024-03-05", "2024-03-09"),
        (["2024-03-05 07:30", "", "2010-02-28 00:00", "2010-03-01 09:00"], "2024-03-05", ""),
    ],
)
def test_dates_have_a_typical_one(tmp_path, dates, typical, cell):
    (tmp_path / "t.csv").write_text(
        "\n".join(["a,day", *(f"{i},{d}" for i, d in enumerate(dates))])
    )
    samples = read_samples(tmp_path / "t.csv")
    outcome = run(SameKind(2, random_state=0), samples, Supervision.from_pairs(4))
    shown = ShownColumns(report_content(samples, outcome))
    assert shown.typical("day", np.array([0, 1])) == typical
    assert shown.typical("day", np.array([2, 3])) == "2010-02-28"
    assert shown.cell("day", 1) == cell


@pytest.mark.parametrize("in_a_folder", [True, False])
def test_clusters_of_texts_have_telling_words(tmp_path, in_a_folder):
    about = ["no paper in the printer", "the bank took my money"]
    texts = [f"{about[i % 2]} on day {i}" for i in range(30)]
    for i, text in enumerate(texts):
        (tmp_path / f"{i:02}.txt").write_text(text)
    (tmp_path / "t.csv").write_text("\n".join(["text", *texts]))
    samples = read_samples(tmp_path if in_a_folder else tmp_path / "t.csv")
    outcome = run(SameKind(2, random_state=0), samples, Supervision.from_pairs(30))
    content = report_content(samples, outcome)
    shown = ShownColumns(content)
    assert shown.typical("text", np.arange(0, 30, 2)) == "in, no, paper, printer"
    assert shown.typical("text", np.arange(1, 30, 2)) == "bank, money, my, took"
    assert shown.typical("text", np.arange(30)) == "30 different"
    page = render_page(content)
    assert "in, no, paper, printer" in page
    assert "column 0" not in page


def test_texts_and_labels_that_were_not_used_are_next(tmp_path):
    colors = "red", "blue"
    rows = [
        f"{i % 2 + i / 99},{'ab'[i % 2] if i < 8 else ''},one {colors[i % 2]} row of number {i}"
        for i in range(30)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["x,kind,message", *rows]))
    samples = read_samples(tmp_path / "t.csv")
    outcome = run(SameKind(2, random_state=0), samples, Supervision.from_pairs(30))
    (texts, by_text), (labels, by_label) = unused(outcome, samples)
    assert "'message'" in texts
    assert by_text == "samekind cluster DATA --text message"
    assert "'kind', filled in 27% of the rows" in labels
    assert by_label == "samekind cluster DATA --labels kind"
    assert (texts, by_text) in next_steps(outcome, samples, Path("out"), FILES)
    given = read_samples(tmp_path / "t.csv", labels_column="kind", text=["message"])
    known = run(SameKind(2, random_state=0), given, Supervision.from_labels(given.known))
    assert unused(known, given) == []


def test_the_next_commands_read_the_data_in_the_same_way(tmp_path):
    rows = [f"n{i},{i % 2 + i / 99},{'ab'[i % 2]}" for i in range(30)]
    (tmp_path / "my t.csv").write_text("\n".join(["name,x,kind", *rows]))
    command = ["cluster", str(tmp_path / "my t.csv"), "-k", "2", "--id", "name", "--out"]
    command += [str(tmp_path / "out")]
    assert CliRunner().invoke(app, [*command, "--truth", "kind"]).exit_code == 0
    page = html.unescape((tmp_path / "out" / "report.html").read_text())
    read = f"'{tmp_path / 'my t.csv'}' --id name"
    assert f"samekind cluster {read} --truth kind -k 2 --labels known.csv<" in page
    assert f"samekind ask {read} --drop kind<" in page
    (tmp_path / "my t.csv").write_text("\n".join(["name,x,kind", *rows[:9], "z,0,", "y,1,"]))
    assert CliRunner().invoke(app, [*command, "--labels", "kind"]).exit_code == 0
    page = html.unescape((tmp_path / "out" / "report.html").read_text())
    assert f"samekind cluster {read} -k 2 --labels kind<" in page
    assert "samekind ask" not in page
