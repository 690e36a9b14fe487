"""The command ask: what it prints at the end, and how a second one on the same journal ends."""

import numpy as np
import pytest
from typer.testing import CliRunner

from samekind.app.cli import app
from samekind.app.cli.asking import _few, _show_end
from samekind.asking import Questions
from samekind.constraints import PairConstraints


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = np.repeat([0.0, 9.0], 8) + np.linspace(0, 1, 16)
    (tmp_path / "x.csv").write_text("a\n" + "\n".join(map(str, X)) + "\n")
    return tmp_path / "x.csv"


def test_a_journal_in_use_ends_with_one_sentence(table):
    ask = ["ask", str(table), "-k", "2", "--terminal"]
    first = CliRunner().invoke(app, ask, input="q\n")
    assert first.exit_code == 0, first.output
    assert "the same command goes on" in first.output
    X = np.loadtxt(table, skiprows=1)[:, None]
    with Questions(X, 2, table.with_suffix(".ask")):
        second = CliRunner().invoke(app, ask, input="q\n")
    assert second.exit_code == 2
    assert "another samekind is writing this journal" in second.output
    assert isinstance(second.exception, SystemExit)


@pytest.mark.parametrize("command", ["ask", "cluster"])
def test_what_is_read_is_not_replaced_by_a_result(table, command):
    data = table.rename(table.with_name("labels.csv"))
    before = data.read_bytes()
    end = ["--terminal"] if command == "ask" else []
    done = CliRunner().invoke(app, [command, data.name, "-k", "2", "--out", ".", *end], input="f\n")
    assert done.exit_code == 2
    assert "would replace it" in done.output
    assert data.read_bytes() == before


def test_given_pairs_are_not_replaced_by_those_of_a_dialogue(table):
    pairs = table.with_name("pairs.csv")
    pairs.write_text("a,b,kind\n0,1,same\n")
    ask = ["ask", "x.csv", "-k", "2", "--pairs", "pairs.csv", "--out", ".", "--terminal"]
    done = CliRunner().invoke(app, ask, input="f\n")
    assert done.exit_code == 2
    assert pairs.read_text() == "a,b,kind\n0,1,same\n"


def test_few_pairs_say_what_labels_say():
    labels = np.random.default_rng(0).integers(-1, 4, size=60)
    every = PairConstraints.from_labels(labels)
    few = _few(every)
    assert len(few.must_link) + len(few.cannot_link) < 60
    for kind in ("must_link", "cannot_link"):
        closed, expected = getattr(few.closure(), kind), getattr(every.closure(), kind)
        assert set(map(tuple, closed.tolist())) == set(map(tuple, expected.tolist()))


def test_the_end_is_told_in_full(capsys, tmp_path):
    done = {"why": "the fit ended so: SameKind stopped", "notes": ["no model: too large"]}
    rest = {"folder": "out", "files": ["labels.csv"], "sorted_into": None}
    _show_end(done | rest, tmp_path / "x.ask")
    said = capsys.readouterr()
    assert said.out.startswith("The fit ended so: SameKind stopped.\n")
    assert "no model: too large" in said.err


def test_groups_are_called_by_given_labels_until_they_are_named(table):
    table.with_name("some.csv").write_text("row,label\n0,small\n1,small\n15,large\n")
    ask = ["ask", "x.csv", "-k", "2", "--labels", "some.csv", "--terminal"]
    done = CliRunner().invoke(app, ask, input="f\n")
    assert done.exit_code == 0, done.output
    rows = (table.parent / "x-clusters" / "labels.csv").read_text().splitlines()[1:]
    assert [row.split(",")[2] for row in rows] == ["small"] * 8 + ["large"] * 8
    X = np.loadtxt(table, skiprows=1)[:, None]
    with Questions(X, 2, table.with_suffix(".ask")) as questions:
        questions.name(int(questions.labels()[0]), "tiny")
    assert CliRunner().invoke(app, ask, input="q\n").exit_code == 0
    with Questions(X, 2, table.with_suffix(".ask")) as questions:
        assert {one.name for one in questions.clusters()} == {"tiny", "large"}
