"""Every command and exit code; in a process of its own what depends on one."""

import csv
import fcntl
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import fakes
from problems import blobs
from samekind import Status
from samekind._csv import unguarded
from samekind._folder import _lock_of
from samekind.app import demo
from samekind.app.cli import app, clustering
from samekind.app.results import RESULTS
from samekind.app.results_table import COLUMNS
from samekind.estimators._base.registry import METHODS

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
    (tmp_path / "classes.csv").write_text(f"row,label\ns{a},cat\ns{b},dog\ns{c},ewe\ns{d},cat\n")
    (tmp_path / "against.csv").write_text(f"a,b,kind\ns{a},s{b},same\n")
    (tmp_path / "alike.csv").write_text(f"row,label\ns{a},cat\ns{b},cat\n")
    (tmp_path / "clash.csv").write_text(
        f"a,b,kind\ns{a},s{b},must-link\ns{b},s{c},must-link\ns{c},s{a},cannot-link\n"
    )
    return tmp_path


TABLE = ("blobs.csv", "-k", 3, "--id", "name", "--truth", "kind")
NO_K = (TABLE[0], *TABLE[3:])


@pytest.fixture
def here(folder, monkeypatch):
    """The folder as the working one, and methods of every kind in the table."""
    monkeypatch.chdir(folder)
    fakes.register(monkeypatch)
    return folder


def invoke(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)), env={"COLUMNS": "100"})


@pytest.mark.usefixtures("here")
def test_cluster_writes_results_and_says_so(folder):
    done = invoke("cluster", *TABLE, "--pairs", "pairs.csv")
    assert done.exit_code == 0, done.stderr
    assert "Status of SameKind" in done.stdout
    assert "3 of 3 pairs satisfied" in done.stdout
    assert "ACC" in done.stdout
    assert sorted(os.listdir(folder / "blobs-clusters")) == sorted(RESULTS)


@pytest.mark.usefixtures("here")
def test_cluster_prints_json():
    done = invoke("cluster", *TABLE, "--labels", "labels.csv", "--out", "r", "--json")
    result = json.loads(done.stdout)
    assert sum(result["cluster_sizes"]) == 60
    assert result["labels_kept"] + result["labels_overruled"] == 3
    assert sorted(name.split()[0] for name in result["clusters"]) == ["cat", "cluster", "dog"]
    assert result["out"] == "r"
    assert result["method"] == "samekind"
    assert result["converged"]
    assert result["usable"]
    assert done.exit_code == 0
    assert done.stderr == ""


@pytest.mark.usefixtures("here")
def test_another_method_is_named_by_an_option(folder):
    options = "--method", "SC", "--pairs", "pairs.csv", "--set", "n_neighbors=5", "--out", "r"
    done = invoke("cluster", *TABLE, *options)
    assert done.exit_code == 0, done.stderr
    assert "SC: converged" in done.stdout
    assert "pairs satisfied" in done.stdout
    assert "Note: SC ignores" in done.stderr
    assert sorted(os.listdir(folder / "r")) == sorted(RESULTS)
    result = json.loads(invoke("cluster", *TABLE, *options, "--json").stdout)
    assert (result["method"], result["interpretation"]) == ("sc", False)
    assert result["clusters"] == [0, 1, 2]
    assert result["scores"][0]["method"] == "SC"
    assert result["files"] == list(RESULTS)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("more", [(), ("-k", "auto"), ("--labels", "alike.csv")])
def test_number_of_clusters_is_chosen_where_nobody_gives_it(more):
    done = invoke("cluster", *NO_K, *more, "--json", "--out", "r")
    assert done.exit_code == 0, done.stderr
    number = json.loads(done.stdout)["choice"]["n_clusters"]
    assert number["chosen"] == len(json.loads(done.stdout)["clusters"]) == 3
    assert len(number["candidates"]) == len(number["total"])
    assert all(one["sentence"] for one in number["alternatives"])


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("table", [NO_K, TABLE], ids=["without -k", "with -k"])
def test_classes_of_a_label_method_come_from_the_labels(folder, table):
    done = invoke("cluster", *table, "--method", "spreads", "--labels", "classes.csv", "--out", "r")
    assert done.exit_code == 0, done.stderr
    assert "60 samples in the classes cat (20), dog (20), ewe (20)." in done.stdout
    assert "4 of 4 given labels kept; 0 overruled." in done.stdout
    assert re.search("Spreads after 1 iteration.*converged", done.stdout)
    assert "embedding.npy" in done.stdout
    assert sorted(os.listdir(folder / "r")) == [
        "graph.npz",
        "labels.csv",
        "model.skops",
        "report.html",
    ]
    rows = (folder / "r" / "labels.csv").read_text().splitlines()
    assert {row.split(",", 1)[1] for row in rows[1:]} == {"0,cat,,", "1,dog,,", "2,ewe,,"}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["samekind", "dgsl", "csp", "s3r"])
@pytest.mark.parametrize("k", [(), ("-k", 2)], ids=["without -k", "with -k"])
def test_names_of_labels_come_back_from_every_method(folder, name, k):
    lines = (folder / "blobs.csv").read_text().splitlines()
    two = [line for line in lines if line.split(",")[1] != "c"]
    (folder / "two.csv").write_text("\n".join(two) + "\n")
    given = {}
    for kind, label in (("a", "cat"), ("b", "dog")):
        rows = [line.split(",")[0] for line in two[1:] if line.split(",")[1] == kind]
        given |= dict.fromkeys(rows[:4], label)
    (folder / "some.csv").write_text(
        "row,label\n" + "".join(f"{row},{label}\n" for row, label in given.items())
    )
    options = "--id", "name", "--truth", "kind", "--labels", "some.csv", "--method", name
    done = invoke("cluster", "two.csv", *k, *options, "--out", "r", "--json")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert sorted(result["clusters"]) == ["cat", "dog"]
    assert (result["labels_kept"], result["labels_overruled"]) == (8, 0)
    with (folder / "r" / "labels.csv").open(newline="") as file:
        found = {row["row"]: row["name"] for row in csv.DictReader(file)}
    assert set(found.values()) == {"cat", "dog"}
    assert {row: found[row] for row in given} == given
    page = (folder / "r" / "report.html").read_text()
    assert all(re.search(rf"<h3>.*(Cluster|Class) {label}\b", page) for label in ("cat", "dog"))


@pytest.mark.usefixtures("here")
def test_pairs_and_labels_count_together():
    done = invoke("cluster", *TABLE, "--pairs", "pairs.csv", "--labels", "labels.csv", "--json")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert (result["labels_kept"], result["labels_overruled"]) == (3, 0)
    assert (result["pairs_satisfied"], result["pairs_violated"]) == (3, 0)
    assert {"cat", "dog"} < set(result["clusters"])


@pytest.mark.usefixtures("here")
def test_labels_may_be_a_column_of_the_data_with_blanks(folder):
    header, *rows = (folder / "blobs.csv").read_text().splitlines()
    known = ["known," + header] + [
        f"{row.split(',')[1] if i < 20 else ''},{row}" for i, row in enumerate(rows)
    ]
    (folder / "known.csv").write_text("\n".join(known) + "\n")
    columns = "known.csv", "--id", "name", "--truth", "kind", "--labels"
    done = invoke("cluster", *columns, "known")
    assert done.exit_code == 0, done.output
    assert "20 of 20 given labels kept" in done.stdout
    assert all(f"{name} (20)" in done.stdout for name in "abc")
    plain = "cluster", "blobs.csv", "--id", "name", "--labels"
    check_refusal(folder, ["column 'kind'", "every row", "--truth kind"], *plain, "kind")
    words = ["no column 'knwn' (--labels)", "did you mean 'known'?"]
    check_refusal(folder, words, "cluster", *columns, "knwn")
    missing = *plain, "no.csv", "--truth", "kind"
    check_refusal(folder, ["no.csv: there is no such file"], *missing)


@pytest.mark.usefixtures("here")
def test_json_of_a_label_method(folder):
    options = "--method", "shrugs", "--labels", "classes.csv", "--json"
    done = invoke("cluster", *NO_K, *options)
    assert done.exit_code == 3
    result = json.loads(done.stdout)
    assert (result["method"], result["interpretation"]) == ("shrugs", True)
    assert result["clusters"] == ["cat", "dog", "ewe"]
    assert result["cluster_sizes"] == [60, 0, 0]
    assert (result["labels_kept"], result["labels_overruled"]) == (2, 2)
    assert "pairs_satisfied" not in result
    assert (result["n_iter"], result["solver"]) == (None, None)
    assert result["files"] == ["labels.csv", "model.skops", "report.html"]


@pytest.mark.usefixtures("here")
def test_an_interpretation_is_marked_with_the_result():
    done = invoke("cluster", *TABLE, "--method", "guesses", "--pairs", "pairs.csv")
    assert done.exit_code == 0, done.stderr
    assert re.search(r"Guesses \(our interpretation\).*converged", done.stdout)
    assert "Guesses (our interpretation)" in done.stdout.split("Status")[0]  # the table of scores
    assert "Guesses is our interpretation" in done.stderr


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.clusters])
def test_every_method_in_the_table_can_be_named(folder, name):
    done = invoke(
        "cluster", *TABLE, "--method", name, "--labels", "classes.csv", "--out", "r", "--json"
    )
    assert done.exit_code in (0, 3), done.stderr
    result = json.loads(done.stdout)
    assert result["method"] == name
    assert sum(result["cluster_sizes"]) == 60
    assert sorted(os.listdir(folder / "r")) == sorted(result["files"])


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*TABLE, "--method", "spraeds"), ["'spraeds'", "nearest name first: spreads,", "dgsl"]),
        ((*TABLE, "--method", "turns"), ["Turns is a transformer"]),
        ((*NO_K, "--method", "spreads"), ["no --labels came", "row,label"]),
        ((*NO_K, "--method", "spreads", "--pairs", "pairs.csv"), ["--pairs came", "--labels"]),
        ((*NO_K, "--method", "guesses"), ["Guesses", "--clusters, -k"]),
        ((*NO_K, "--method", "spreads", "--labels", "alike.csv"), ["every label is 'cat'"]),
        (
            ("blobs.csv", "-k", 4, *NO_K[1:], "--method", "spreads", "--labels", "classes.csv"),
            ["-k is 4", "3 classes (cat, dog, ewe)", "leave -k out"],
        ),
        ((*TABLE, "--method", "sc", "--set", "feedback=1"), ["feedback=1", "affinity"]),
        (
            (*NO_K, "--method", "spreads", "--labels", "classes.csv", "--set", "tol=low"),
            ["'tol'", "Got 'low'"],
        ),
    ],
)
def test_options_that_do_not_fit_the_method_end_with_2(folder, arguments, words):
    check_refusal(folder, words, "cluster", *arguments)


def check_refusal(folder, words, *arguments):
    before = sorted(os.listdir(folder))
    done = invoke(*arguments)
    assert done.exit_code == 2, done.output
    for word in words:
        assert word in " ".join(done.stderr.split()), done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(os.listdir(folder)) == before


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("arguments", [("cluster", *TABLE), ("demo",)])
def test_a_second_writer_of_a_folder_is_refused(folder, arguments):
    lock = _lock_of((folder / "out").resolve(), "")
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        check_refusal(folder, ["out", "another"], *arguments, "--out", folder / "out")


def test_the_same_seed_gives_the_same_files(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for out in ("one", "two"):
        options = "--pairs", "pairs.csv", "--seed", "5", "--out", out
        CliRunner().invoke(app, ["cluster", *map(str, TABLE), *options])
    assert (folder / "one/labels.csv").read_bytes() == (folder / "two/labels.csv").read_bytes()


@pytest.mark.usefixtures("here")
def test_labels_that_should_not_be_used_end_with_3_and_are_written(folder):
    settings = "--method", "dgsl", "--set", "max_iter=1", "--set", "tol=0"
    done = invoke("cluster", *TABLE, *settings)
    assert done.exit_code == 3
    assert "raise max_iter" in done.stdout
    assert (folder / "blobs-clusters" / "report.html").exists()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "known", [(), ("--pairs", "pairs.csv"), ("--labels", "classes.csv")], ids=lambda one: one[:1]
)
def test_the_choice_and_how_sure_the_labels_are_come_with_the_result(folder, known):
    done = invoke("cluster", *TABLE, *known, "--out", "r", "--json")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout, parse_constant=pytest.fail)  # neither nan nor infinite
    choice = result["choice"]
    assert (choice["n_tested"] > 0) == bool(known)
    assert all((one["by_pairs"] is None) != bool(known) for one in choice["candidates"])
    assert choice["sentence"].startswith(f"{sum(one['kept'] for one in choice['candidates'])} of")
    with (folder / "r" / "labels.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS)
    names = {str(name) for name in result["clusters"]}
    assert all(1 / 3 <= float(row["confidence"]) <= 1 for row in rows)
    shown = [row["name"] or row["cluster"] for row in rows]
    assert set(shown) == names
    assert all(
        row["runner_up"] in names - {own} | {""} for row, own in zip(rows, shown, strict=True)
    )
    if "--labels" in known:
        given = {line.split(",")[0] for line in (folder / "classes.csv").read_text().splitlines()}
        sure = {row["row"]: (row["confidence"], row["runner_up"]) for row in rows}
        assert {sure[row] for row in given - {"row"}} == {("1.0000", "")}


@pytest.mark.usefixtures("here")
def test_labels_from_the_first_graph_are_usable_and_a_note_says_so(folder):
    done = invoke("cluster", *TABLE, "--set", "max_iter=1", "--out", "r")
    assert done.exit_code == 0, done.output
    assert "FIRST_GRAPH, usable" in done.stdout
    assert f"Note: SameKind: {Status.FIRST_GRAPH}" in done.stderr
    page = (folder / "r" / "report.html").read_text()
    assert page.count(str(Status.FIRST_GRAPH)) == 1


@pytest.mark.usefixtures("here")
def test_a_parameter_that_is_true_or_false_can_be_set():
    settings = "--set", "standardize=true", "--out", "r", "--json"
    result = json.loads(invoke("cluster", *TABLE, *settings).stdout)
    assert (result["choice"]["standardized"], result["choice"]["standardized_by"]) == (
        True,
        "parameter",
    )


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
        (
            (*TABLE, "--pairs", "clash.csv"),
            ["clash.csv: line 4", " = ", "remove one of these constraints"],
        ),
        (("no.csv", "-k", 3), ["no.csv", "check the name"]),
        ((*TABLE, "--columns", "nmae"), ["no column 'nmae' (--columns)"]),
        ((*TABLE, "--scale", "some"), ["--scale"]),
        ((*TABLE, "--image-features", "cnn"), ["--image-features cnn", "pixels, hog or onnx:"]),
        ((*TABLE, "--image-mean", "1,2"), ["--image-mean 1,2", "three numbers"]),
        ((*TABLE, "--image-std", "1,0,1"), ["--image-std 1,0,1", "three numbers above 0"]),
        ((*TABLE, "--labels-from-folders"), ["--labels-from-folders", "no folder"]),
        ((*TABLE[:-1], "knd"), ["'knd'", "kind"]),
        ((*TABLE, "--pairs", "labels.csv"), ["labels.csv: line 1", "a,b,kind"]),
        (
            (*TABLE, "--pairs", "against.csv", "--labels", "labels.csv"),
            ["against.csv contradicts labels.csv", "marked different"],
        ),
        ((*TABLE, "--set", "speed=9"), ["speed=9", "NAME=VALUE", "standardize"]),
        ((*TABLE, "--set", "max_iter"), ["NAME=VALUE"]),
        ((*TABLE, "--set", "max_iter=high"), ["'max_iter'", "Got 'high'"]),
        ((*TABLE, "--set", "memory_limit=10"), ["60 samples needs about", "10.0 bytes"]),
        (("blobs.csv", "-k", 61, *TABLE[3:]), ["n_samples=60 should be >= n_clusters=61"]),
        ((*TABLE, "--out", "pairs.csv"), ["pairs.csv is a file; name a folder"]),
        ((*TABLE, "--out", "pairs.csv/below"), ["pairs.csv is a file; name a folder"]),
        ((*TABLE, "--seed", "-1"), ["--seed"]),
        ((*NO_K, "-k", "many"), ["-k many", "auto"]),
        ((*NO_K, "-k", "0"), ["-k 0", "1 or more"]),
        ((*TABLE, "--labels", "pairs.csv"), ["pairs.csv: it holds pairs", "--pairs"]),
        (
            (*NO_K, "--method", "sc", "--labels", "alike.csv"),
            ["every label is 'cat'", "--clusters, -k"],
        ),
        ((*NO_K, "--method", "sc", "-k", "auto"), ["--clusters, -k", "samekind"]),
        ((*TABLE, "--image-size", "0"), ["--image-size"]),
    ],
)
def test_input_that_cannot_be_used_ends_with_2_and_writes_nothing(
    folder, arguments, words, monkeypatch
):
    monkeypatch.chdir(folder)
    check_refusal(folder, words, "cluster", *arguments)


def test_the_demo_compares_methods_wherever_they_can_run(here, monkeypatch):
    monkeypatch.setattr(demo, "N_DIGITS", 80)
    monkeypatch.setattr(demo, "GROUP_SIZE", 12)
    done = invoke("demo", "--trials", 1, "--out", "d", "--json", "--methods", "spreads, samekind")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["scores"]
    where = {(row["data"], row["known"]) for row in rows}
    assert len(where) == 15
    found = {}
    for row in rows:
        found.setdefault(row["method"], {})[row["data"], row["known"]] = row["ACC"]
    only_labels = {name for name, scores in found.items() if len(scores) < 15}
    assert only_labels == {"LabelSpreading", "Spreads"}
    assert {known for name in only_labels for _, known in found[name]} == {"5 labels/class"}
    ours = found.pop("SameKind")
    units = [score for (data, _), score in ours.items() if data in ("digits", "digits / 16")]
    assert units[:3] == units[3:]  # a power of two: nothing is rounded
    for name in set(found) - only_labels:
        assert np.mean(list(ours.values())) > np.mean(list(found[name].values())), name
    page = (here / "d" / "report.html").read_text()
    assert all(name in page for name in ("SameKind", "k-means", "Spreads"))


def test_the_table_of_the_demo_has_one_line_for_what_is_known(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    row = {"data": "wine", "known": "nothing", "method": "SC", "ACC": 0.8, "seconds": 1.5}
    lost = row | {"method": "DGSL", "ACC": 0.3, "not converged": "1 of 2"}
    labels = row | {"known": "5 labels/class", "method": "Spreads", "ACC": 0.9}
    clustering._show_comparison([row, lost, labels], trials=2)
    title, head, *lines, note = capsys.readouterr().out.splitlines()
    assert "2 random trials" in title
    assert head.split() == ["data", "known", "SC", "DGSL", "Spreads"]
    assert [line.split() for line in lines[:2]] == [
        ["wine", "nothing", "80.0", "30.0*", "-"],
        ["5", "labels/class", "-", "-", "90.0"],
    ]
    assert lines[2].split()[-3:] == ["1.5", "1.5", "1.5"]
    assert note.startswith("*")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("names", "word"),
    [("sc,gsl", "'gsl'; the methods, the nearest name first: dgsl"), ("turns", "is a transformer")],
)
def test_a_demo_of_what_is_no_method_ends_with_2(folder, names, word):
    check_refusal(folder, [word], "demo", "--methods", names)


@pytest.mark.usefixtures("here")
def test_methods_lists_all_with_what_they_learn_from():
    text = invoke("methods").stdout
    rows = json.loads(invoke("methods", "--json").stdout)
    assert [row["name"] for row in rows] == list(METHODS)
    for row in rows:
        line = next(line for line in text.splitlines() if line.startswith(f"{row['name']} "))
        assert line.split()[1] == row["supervision"]
        assert row["summary"].endswith(".")
    marked = " ".join(text.split())
    assert "under another name. (our interpretation)" in marked
    assert "on the local graph. shrugs" in marked  # not marked
    assert "A transformer. (a transformer" in marked


def test_version_and_help(tmp_path):
    assert samekind("--version", cwd=tmp_path).stdout.startswith("samekind 0.")
    for command in ("cluster", "predict", "explain", "demo", "methods"):
        text = CliRunner().invoke(app, [command, "--help"]).stdout
        assert f"Example: samekind {command}" in text
    assert "Usage" in CliRunner().invoke(app, []).output


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("package", "extra", "command"),
    [
        ("jinja2", "app", ("cluster", *TABLE)),
        ("skops", "app", ("cluster", *TABLE)),
        ("joblib", "paper", ("reproduce", "table2", "--out", "r")),
    ],
)
def test_a_missing_extra_is_one_sentence_with_what_installs_it(
    folder, package, extra, command, monkeypatch
):
    for name in [
        one for one in sys.modules if one.startswith(("samekind.app.r", "samekind.paper"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    check_refusal(folder, [f"package {package}", f'pip install ".[{extra}]"'], *command)


# A command that prints as the others do, and imports nothing that computes.
PRINTS = """
from samekind.app.cli import app, main
from samekind.app.cli.common import bad_input_ends, bar, console

@app.command()
def prints(refused: bool = False):
    with bad_input_ends():
        if refused:
            raise ValueError("not this")
        open("written", "w").close()
        with bar(silent=False) as report:
            report("half", 0.5)
        console().print("many words " * 2000)

main()
"""


def in_shell(command, cwd):
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"samekind": str(HERE), "python": sys.executable, "prints": PRINTS},
    )


FULL = "samekind: done, but the output could not be printed (No space left"


@pytest.mark.parametrize(
    ("to", "code", "said"),
    [
        ("| true", 0, ""),
        ("2>&1 | true", 0, ""),
        ("> /dev/full", 3, FULL),
        ("> /dev/full 2> /dev/full", 3, ""),
        (">&- 2>&-", 0, ""),
    ],
)
def test_output_that_nobody_takes_is_no_bad_input(tmp_path, to, code, said):
    done = in_shell(f'$python -c "$prints" prints {to}', tmp_path)
    assert done.returncode == code
    assert done.stderr.startswith(said) if said else not done.stderr
    assert os.listdir(tmp_path) == ["written"]


def test_results_are_written_where_nobody_takes_the_output(folder):
    """SC is quick."""
    command = "$samekind cluster blobs.csv -k 3 --method sc --id name --truth kind"
    done = in_shell(f"{command} > /dev/full", folder)
    assert done.returncode == 3
    assert done.stderr.startswith(FULL)
    assert sorted(os.listdir(folder / "blobs-clusters")) == sorted(RESULTS)


def test_a_refusal_ends_the_process_with_2(tmp_path):
    done = in_shell('$python -c "$prints" prints --refused', tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "samekind: not this\n")
    assert os.listdir(tmp_path) == []


def test_a_file_whose_name_is_not_text_is_clustered(folder):
    name = os.fsdecode(b"bl\xffbs.csv")
    (folder / "blobs.csv").rename(folder / name)
    done = samekind("cluster", name, *TABLE[1:], "--method", "sc", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "bl\\udcffbs-clusters" in done.stdout.replace("\n", "")
    assert sorted(os.listdir(folder / os.fsdecode(b"bl\xffbs-clusters"))) == sorted(RESULTS)


@pytest.mark.usefixtures("here")
def test_names_in_results_are_no_formulas_and_are_read_back(folder):
    text = (folder / "blobs.csv").read_text().replace("\ns", "\n@s")
    (folder / "formulas.csv").write_text(text)
    (folder / "some.csv").write_text("row,label\n@s1,=cat\n@s2,+dog\n@s3,-ewe\n")
    command = "cluster", "formulas.csv", "--id", "name", "--truth", "kind", "--method", "sc"
    done = invoke(*command, "--labels", "some.csv", "--out", "r")
    assert done.exit_code == 0, done.output
    text = (folder / "r" / "labels.csv").read_text()
    assert "\n'@s1," in text
    assert not re.search(r"(^|,)[=+@-]", text, re.MULTILINE)
    with (folder / "r" / "labels.csv").open(newline="") as file:
        rows = [{key: unguarded(cell) for key, cell in row.items()} for row in csv.DictReader(file)]
    assert [row["row"] for row in rows] == [f"@s{i}" for i in range(60)]
    assert any(row["name"].startswith("=cat") for row in rows)


@pytest.mark.usefixtures("here")
def test_a_file_name_is_not_read_as_markup(folder):
    (folder / "blobs.csv").rename(folder / "[red]:cat:[nothing].csv")
    done = invoke("cluster", "[red]:cat:[nothing].csv", *TABLE[1:], "--method", "sc", "--out", "r")
    assert done.exit_code == 0, done.output
    assert "[red]:cat:[nothing].csv" in done.stdout
