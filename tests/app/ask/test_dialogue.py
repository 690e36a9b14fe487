"""From questions to files: the terminal, the endings, and what is shown of a sample."""

import csv
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from samekind.app.ask import behind, demo
from samekind.app.ask.behind import FitBehind
from samekind.app.ask.dialogue import Dialogue
from samekind.app.ask.finish import write_answers
from samekind.app.ask.terminal import talk
from samekind.app.ask.things import LONGEST_TEXT, SIDE, Things
from samekind.app.inputs import Samples, read_samples
from samekind.asking import Questions, Result

N = 10


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Three kinds of pictures, one of them in a folder below."""
    folder = tmp_path_factory.mktemp("pile")
    rng = np.random.default_rng(0)
    for kind, color in enumerate([(220, 30, 30), (30, 200, 40), (40, 60, 230)]):
        for i in range(N):
            noise = rng.integers(-20, 20, size=(24, 24, 3))
            pixels = np.clip(np.array(color) * (1 - kind * 0.3) + noise, 0, 255).astype(np.uint8)
            below = folder / ("deep" if kind == 2 else ".")
            below.mkdir(exist_ok=True)
            Image.fromarray(pixels).save(below / f"k{kind}-{i:02d}.png")
    return folder


@pytest.fixture
def dialogue(pictures, tmp_path):
    samples = read_samples(pictures)
    with Questions(samples, 3, tmp_path / "pile.ask") as questions:
        yield Dialogue(samples, questions)


def kind_of(name):
    return name.rpartition("/")[2][1]


def right_key(ask):
    kinds = [kind_of(thing["name"]) for thing in ask["beside"]]
    kind = kind_of(ask["sample"]["name"])
    return str(kinds.index(kind) + 1) if kind in kinds else "0"


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def answer_all(dialogue, most=1000):
    said = []

    def read(_):
        ask = dialogue.state()["ask"]
        if len(said) >= most:
            return "f"
        said.append(right_key(ask))
        return said[-1]

    assert talk(dialogue, read, lambda line: None)
    return len(said)


def test_the_terminal_leads_to_sorted_copies(dialogue, pictures, tmp_path):
    before = {path: path.read_bytes() for path in pictures.rglob("*.png")}
    answer_all(dialogue)
    red = next(i for i, name in enumerate(dialogue.questions.ids) if kind_of(name) == "0")
    number = int(dialogue.questions.labels()[red])
    with dialogue.alone() as q:
        q.name(number, "red ones")
    done = write_answers(dialogue, tmp_path / "out", sort=(pictures, tmp_path / "sorted"))
    assert {"labels.csv", "pairs.csv"} <= set(done["files"])
    table = rows(tmp_path / "out" / "labels.csv")
    assert {row["name"] for row in table if kind_of(row["row"]) == "0"} == {"red ones"}
    copies = list((tmp_path / "sorted").rglob("*.png"))
    assert len(copies) == 3 * N
    assert {kind_of(path.name) for path in (tmp_path / "sorted" / "red ones").iterdir()} == {"0"}
    assert {path: path.read_bytes() for path in pictures.rglob("*.png")} == before


def test_groups_of_one_name_stay_two(dialogue, tmp_path):
    answer_all(dialogue, most=4)
    with dialogue.alone() as q:
        known = [one.number for one in q.clusters() if one.known]
        for number in known[:2]:
            q.name(number, "same")
    write_answers(dialogue, tmp_path / "out")
    names = {row["name"] for row in rows(tmp_path / "out" / "labels.csv")}
    assert len(names) == 3


def test_few_answers_end_with_the_steady_labels(dialogue, tmp_path):
    answer_all(dialogue, most=3)
    done = write_answers(dialogue, tmp_path / "out")
    assert done["by"] == "steady"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["labels.csv", "pairs.csv"]
    assert len(rows(tmp_path / "out" / "labels.csv")) == 3 * N


def test_the_terminal_undoes_helps_and_goes_on(dialogue, pictures):
    keys, shown = iter(["9", "?", "u", "z", "z", "d", "0", "q"]), []
    assert talk(dialogue, lambda _: next(keys), shown.append) is False
    assert sum("1 to 6" in line for line in shown) == 3
    assert any("nothing to undo" in line for line in shown)
    assert dialogue.state()["progress"]["answers"] == 1


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_the_end_of_the_input_leaves_the_dialogue(dialogue, end):
    def read(_):
        raise end

    assert talk(dialogue, read, lambda line: None) is False


def test_control_characters_do_not_reach_the_terminal():
    X = np.repeat(np.eye(2) * 9, 5, axis=0) + np.arange(10)[:, None] / 10
    samples = Samples(X, ids=tuple(f"\x1b[2J{i}" for i in range(10)), source="x")
    keys, shown = iter("1dq"), []
    with Questions(samples, 2) as questions:
        talk(Dialogue(samples, questions), lambda _: next(keys), shown.append)
    assert any(line.startswith("answer 1") for line in shown)
    assert not any("\x1b" in line for line in shown)


def test_a_fit_runs_behind(dialogue, monkeypatch):
    monkeypatch.setattr(behind, "FEWEST", 6)
    dialogue.behind = FitBehind()
    answer_all(dialogue, most=10)
    dialogue.behind._thread.join(120)
    assert dialogue.behind.result is not None
    assert dialogue.behind.of >= 6
    assert dialogue.state()["fit"]
    dialogue.behind.stop()


def test_a_fit_of_other_answers_is_not_taken(dialogue, monkeypatch):
    dialogue.behind, q = FitBehind(), dialogue.questions
    answer_all(dialogue, most=4)
    result = Result(q.labels(), "steady", "", None, q.constraints())
    monkeypatch.setattr(behind, "FEWEST", 4)
    monkeypatch.setattr(behind, "EVERY", 1)
    begun = []
    monkeypatch.setattr(FitBehind, "_fit", lambda self, answers, work: begun.append(work))
    dialogue.behind.consider(q)
    dialogue.behind._thread.join()
    dialogue.behind.result, dialogue.behind._answers = result, q.answers()
    assert dialogue.behind.current(q) is result
    dialogue.undo(q.answers()[-1].seq)
    dialogue.unsure(q.next().id)
    assert len(q.answers()) == 4
    assert dialogue.behind.current(q) is None
    assert len(pickle.loads(begun[0]).args[1].answers) == 4  # as they were then


def test_blank_and_nested_cells_are_shown(tmp_path):
    frame = pd.DataFrame({"a": [1, None, 3], "b": ["x", None, "y"], "c": [[1, 2], [3], None]})
    frame.to_parquet(tmp_path / "a.parquet")
    things = Things(read_samples(tmp_path / "a.parquet", drop=["c"]))
    assert [things.shown(row)["cells"][1][1] for row in range(3)] == ["x", "", "y"]
    assert things.shown(1)["cells"][0][1] == ""


def test_columns_that_count_are_shown_first(tmp_path):
    lines = [f"t{i},{i},{('no paper', 'no money')[i % 2]}" for i in range(4)]
    (tmp_path / "a.csv").write_text("\n".join(["ticket,hour,message", *lines]))
    things = Things(read_samples(tmp_path / "a.csv", text=["message"]))
    assert things.shown(1)["cells"] == [["message", "no money"], ["ticket", "t1"], ["hour", "1"]]


def test_a_text_that_is_gone_does_not_end_the_dialogue(tmp_path):
    for i in range(4):
        text = f"{'alpha beta' if i % 2 else 'gamma delta'} {i}"
        (tmp_path / f"{i}.txt").write_text(text, encoding="utf-8-sig")
    things = Things(read_samples(tmp_path))
    assert things.shown(1)["text"] == "alpha beta 1"
    (tmp_path / "1.txt").unlink()
    assert "cannot be read any more" in things.shown(1)["text"]


def test_pictures_are_made_anew_and_bounded(tmp_path):
    Image.effect_noise((900, 300), 50).save(tmp_path / "a.png")
    Image.new("L", (40, 40), 9).save(tmp_path / "b.png")
    things = Things(read_samples(tmp_path))
    data = things.picture(0)
    (tmp_path / "copy.png").write_bytes(data)
    with Image.open(tmp_path / "copy.png") as image:
        assert image.format == "PNG"
        assert max(image.size) <= SIDE
    (tmp_path / "b.png").unlink()
    (tmp_path / "b.png").symlink_to("/etc/hostname")  # changed behind our back
    assert things.picture(1).startswith(b"\x89PNG")


def test_long_texts_are_cut(tmp_path):
    for i in range(4):
        (tmp_path / f"{i}.txt").write_text(f"{'alpha beta' if i % 2 else 'gamma delta'} " * 3_000)
    things = Things(read_samples(tmp_path))
    assert things.kind == "text"
    assert len(things.shown(0)["text"]) <= LONGEST_TEXT + 2


def test_what_is_shown_is_plain(dialogue):
    shown = [dialogue.state(), dialogue.wall(), dialogue.doubts(), dialogue.inside(0)]
    assert json.loads(json.dumps(shown)) == shown


def test_the_digits_of_the_demo_are_all_there_or_none(tmp_path, monkeypatch):
    monkeypatch.setattr(demo, "N_PICTURES", 5)
    with monkeypatch.context() as broken:
        broken.setattr(Image.Image, "save", lambda *_: (_ for _ in ()).throw(OSError("full")))
        with pytest.raises(OSError, match="full"):
            demo.digits_in(tmp_path / "new" / "folder")
    assert len(list(demo.digits_in(tmp_path / "new" / "folder").iterdir())) == 5
