"""The page as a whole: sound structure, nothing from elsewhere, all or nothing."""

import base64
import hashlib
import os
import re
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind._kernels.status import Status
from samekind.app.report import KChoice, Snapshot, render_page, write_page
from samekind.app.report.verdicts import VERDICTS

NAN, INF = float("nan"), float("inf")
PAIRS = np.column_stack([np.arange(59), np.arange(1, 60)])
LONG = "an-extremely-long-row-name-" * 20


def one_cluster(make_content, make_record):
    return make_content(n=30, k=1, X=np.random.default_rng(0).random((30, 4)))


def many_clusters(make_content, make_record):
    return make_content(n=200, k=40, images=np.random.default_rng(0).random((200, 5, 5)))


def many_features(make_content, make_record):
    return make_content(
        X=np.random.default_rng(0).random((60, 300)),
        feature_names=[f"feature_{i}_of_many" for i in range(300)],
        truth=["a"] * 50 + [""] * 10,
    )


def names_only(make_content, make_record):
    return make_content(truth=[str(i % 5) for i in range(60)])


def zero_rows_and_an_empty_graph(make_content, make_record):
    H = np.eye(3)[np.arange(60) % 3]
    H[:7] = 0
    empty = csr_array((60, 60))
    return make_content(first=Snapshot(1, empty, H), last=Snapshot(2, empty, np.zeros((60, 3))))


def an_unbounded_ratio(make_content, make_record):
    history = [make_record(rho=1.0), make_record(rho=INF), make_record(rho=NAN, objective=NAN)]
    return make_content(history=history, parameters={})


def a_steep_ratio(make_content, make_record):
    return make_content(history=[make_record(rho=10.0**i) for i in range(5)])


def a_single_iteration(make_content, make_record):
    return make_content(n=20, history=[make_record()], status=Status.MAX_ITER)


def no_iteration(make_content, make_record):
    return make_content(history=[], facts={}, parameters={}, versions={}, seconds={})


def no_learning(make_content, make_record):
    return without_history(make_content, must_link=PAIRS[:3])


def no_graph(make_content, make_record):
    return of_classes(make_content, ["a", "b", "c"], graph=False, known=given(4))


def long_class_names(make_content, make_record):
    names = ["Iris setosa", "Iris versicolor", "an endless name " * 9]
    return of_classes(
        make_content,
        names,
        known=given(9, names[0]),
        overruled=np.arange(3),
        images=np.random.default_rng(0).random((60, 6, 4)),
    )


def given(count, label="a"):
    return [label] * count + [""] * (60 - count)


def without_history(make_content, **changes):
    """A page of a method that learns no graph."""
    made = make_content()
    last = Snapshot(None, made.last.Z, made.last.H)
    return make_content(**{"first": None, "history": (), "n_iter": None, "last": last} | changes)


def of_classes(make_content, names, graph=True, **changes):
    """A page of a method that learns from labels."""
    made = make_content()
    shares = np.abs(made.last.H) / np.abs(made.last.H).sum(axis=1, keepdims=True)
    last = Snapshot(None, made.last.Z if graph else None, shares)
    labels = np.asarray(names)[made.labels]
    return without_history(make_content, last=last, labels=labels, classes=True, **changes)


def long_names(make_content, make_record):
    return make_content(
        names=[f"{LONG}{i}" for i in range(60)],
        must_link=PAIRS[:2],
        X=np.random.default_rng(0).random((60, 2)),
    )


def everything(make_content, make_record):
    return make_content(
        images=np.random.default_rng(0).random((60, 6, 4)),
        truth=[str(i % 4) for i in range(60)],
        notes=["A note."],
        scores=[{"method": "a", "ACC": 0.5}, {"method": "b", "ACC": 0.6, "ACC std": 0.1}],
        cannot_link=PAIRS[:40],
        links=[f"../pictures/{i}.png" for i in range(60)],
        confidence=(np.linspace(0.3, 1, 60), np.full(60, 1)),
        isolated=np.array([3, 7]),
        columns=["age: kept as it is", "city: one column for each of 4 values"],
        skipped=["broken.png: not a picture"],
        next_steps=[("Label new rows:", "samekind predict model.skops new.csv")],
        k_choice=KChoice([2, 3, 4], [0.4, 0.9, 0.8], 3, [(4, "cluster 1 splits")], "A guess."),
    )


CASES = [
    one_cluster,
    many_clusters,
    many_features,
    names_only,
    zero_rows_and_an_empty_graph,
    an_unbounded_ratio,
    a_steep_ratio,
    a_single_iteration,
    no_iteration,
    no_learning,
    no_graph,
    long_class_names,
    long_names,
    everything,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
@pytest.mark.filterwarnings("error")
def test_the_page_is_sound(rendered, parse, case):
    text = rendered(case)
    page = parse(text)
    assert page.complaints == []
    assert page.tags("html")[0][1]["lang"] == "en"
    check_references(page)
    check_headings(page)
    check_what_is_read_aloud(page)
    assert not re.search(r'(d|x|y)="[^"]*\b(nan|inf)\b', text)


def check_references(page):
    ids = [attrs["id"] for _, attrs, _ in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    used = {attrs["href"] for _, attrs in page.tags("a", "use")}
    assert {address[1:] for address in used if address.startswith("#")} <= set(ids)


def check_headings(page):
    levels = [int(tag[1]) for tag, _ in page.tags("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert max(np.diff(levels)) <= 1  # no level is skipped on the way down


def check_what_is_read_aloud(page):
    for _, attrs in page.tags("svg"):
        assert attrs.get("aria-label") or attrs.get("aria-hidden") == "true"
    assert all("alt" in attrs for _, attrs in page.tags("img"))
    assert all(attrs["scope"] in ("col", "row", "rowgroup") for _, attrs in page.tags("th"))
    heads = [tag for tag, _ in page.tags("table", "th")]
    assert not any(a == b == "table" for a, b in pairwise([*heads, "table"]))  # each has a th


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_nothing_is_loaded_from_elsewhere(rendered, parse, case):
    text = rendered(case)
    page = parse(text)
    for tag, attrs, _ in page.elements:
        for name in ("src", "href", "xlink:href", "srcset", "data", "action", "poster"):
            allowed = ("#", "data:", "../pictures/") if tag == "a" else ("#", "data:")
            assert attrs.get(name, "#").startswith(allowed)
    assert re.findall(r"url\((?!#)[^)]*\)|@import|https?://", text) == []
    assert page.tags("script") == [("script", {})]  # its own, inline


def test_the_page_allows_its_own_script_and_no_other(rendered):
    text = rendered(names_only)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy.replace("&#39;", "'")
    assert policy.startswith("default-src 'none'")


BAD = '<script>alert("x")</script><img src=x onerror=alert(1)>'


def test_names_are_shown_and_never_run(make_plain, parse):
    every = [f"{BAD}{i}" for i in range(60)]
    changes = {
        "title": BAD,
        "summary": BAD,
        "labels": np.array([f"{BAD}{i % 3}" for i in range(60)]),
        "names": every,
        "facts": {BAD: BAD},
        "notes": [BAD],
        "columns": [BAD],
        "skipped": [BAD],
        "next_steps": [(BAD, BAD)],
        "all_rows": BAD,
        "truth": [BAD] * 60,
        "known": given(9, BAD),
        "overruled": np.arange(3),
        "isolated": np.arange(3),
        "confidence": (np.linspace(0, 1, 60), np.array([BAD] * 60)),
        "k_choice": KChoice([2, 3], [0.1, 0.2], 3, [(2, BAD)], BAD),
        "X": np.random.default_rng(0).random((60, 2)),
        "feature_names": [BAD, f"{BAD}_2"],
        "links": [f'pictures/"><b>{i}' for i in range(59)] + ["javascript:alert(1)"],
        "scores": [{BAD: BAD, "ACC": 0.5}],
        "must_link": PAIRS,
        "parameters": {BAD: BAD},
        "versions": {BAD: BAD},
        "seconds": {BAD: 1.0},
    }
    pictures = {"images": np.zeros((60, 2, 2))}
    table = {"table": {BAD: every, "b": [BAD] * 60}, "feature_columns": [BAD, "b"]}
    for other in ({}, pictures, table, {"X": None, "feature_names": None}):
        page = parse(render_page(make_plain(**changes | other)))
        assert len(page.tags("script")) == 1
        assert not any("onerror" in attrs for _, attrs, _ in page.elements)
        assert not any(
            attrs.get("href", "").startswith("javascript") for _, attrs in page.tags("a")
        )
        assert page.complaints == []
        assert page.plain().replace(" ", "").count(BAD.replace(" ", "")) > 30


def test_two_thousand_pictures_stay_below_five_megabytes(make_plain):
    rng = np.random.default_rng(0)
    content = make_plain(
        n=2000,
        k=40,
        images=rng.random((2000, 48, 48)),  # noise: the worst case for a PNG
        must_link=np.arange(600).reshape(300, 2),
    )
    assert len(render_page(content).encode()) < 5e6


def test_the_same_content_gives_the_same_bytes(rendered, make_content, make_record):
    assert render_page(everything(make_content, make_record)) == rendered(everything)


def test_the_cards_give_the_headline_figures(rendered, make_content, parse):
    text = parse(rendered(everything)).plain()
    satisfied = sum(a != b for a, b in make_content().labels[PAIRS[:40]])
    for words in ("clusters 3", f"{satisfied} of 40 pairs satisfied", "the labels usable"):
        assert words in text
    assert "1.8 s" in text


def test_what_is_said_about_learning_needs_a_history(rendered, parse):
    learned, plain = rendered(everything), rendered(no_learning)
    assert 'id="convergence"' in learned
    assert 'id="convergence"' not in plain
    assert "iteration" not in parse(plain).plain()


@pytest.mark.parametrize("status", Status)
def test_every_status_is_said_in_plain_words_with_a_remedy(make_plain, parse, status):
    page = parse(render_page(make_plain(n=12, status=status)))
    text = page.plain()
    assert ("do not use" in text) is not status.usable
    assert ("the labels usable" in text) is status.usable
    assert str(status) in text  # in full, for experts
    verdict = VERDICTS[status]
    assert verdict.headline in text
    assert verdict.remedies or status is Status.CONVERGED


def test_rows_that_stand_alone_are_named(make_plain, parse):
    text = parse(render_page(make_plain(isolated=np.array([4, 9])))).plain()
    assert re.search(r"2 rows stand alone\. .*: row 4 , row 9 \.", text)
    many = parse(render_page(make_plain(isolated=np.arange(40)))).plain()
    assert "row 11 and 28 more" in many
    assert "stand alone" not in parse(render_page(make_plain())).plain()


def test_a_choice_is_shown_with_its_sentence(make_plain, make_choice, parse):
    choice = make_choice((7, 0.5, 0.9, True), (None, 0.0, 0.6, False))
    page = parse(render_page(make_plain(choice=choice)))
    assert not page.complaints
    assert str(choice) in page.plain()
    assert ("section", {"id": "choice"}) in page.tags("section")
    assert any(attrs.get("href") == "#choice" for _, attrs in page.tags("a"))
    assert "standardized" in page.plain()
    assert 'id="choice' not in render_page(make_plain())


def test_principal_components_are_named_among_the_features(make_plain, make_choice, parse):
    choice = make_choice((7, 0.5, 0.9, True), n_components=6)
    text = parse(render_page(make_plain(choice=choice))).plain()
    assert "standardized, 6 principal components" in text


def test_learned_distances_are_named_with_their_scores(make_plain, make_choice, parse):
    learned = {"metric_learned": True, "metric_by_pairs": (0.61, 0.9)}
    choice = make_choice((7, 0.5, 0.9, True), **learned, of_rows=True)
    text = parse(render_page(make_plain(choice=choice))).plain()
    assert (
        "what varies within a kind counts less (held-out pairs: 0.61 plain, 0.90 learned)" in text
    )
    assert "Graph of the labels not used" in text


def test_a_choice_without_scores_is_a_sentence_alone(make_plain, make_choice, parse):
    choice = make_choice((7, 1.0, NAN, True), (15, 1.0, NAN, True))
    for one in choice.candidates:
        one.by_modularity = NAN
    text = render_page(make_plain(choice=choice))
    assert str(choice) in parse(text).plain()
    assert 'id="choice-' not in text


def test_the_number_of_clusters_is_shown_with_its_alternatives(make_plain, parse):
    sentences = [(5, "cluster 2 splits in two"), (3, "clusters 0 and 1 merge")]
    choice = KChoice(range(2, 9), np.linspace(0, 1, 7), 4, sentences, "Without pairs, a guess.")
    text = render_page(make_plain(k_choice=choice))
    plain = parse(text).plain()
    assert "5 clusters Cluster 2 splits in two 3 clusters Clusters 0 and 1 merge" in plain
    assert "Without pairs, a guess." in plain
    assert {"k-chosen-4", "k-next-5", "k-next-3"} <= set(re.findall(r'id="(k-\w+-\d)"', text))
    with pytest.raises(ValueError, match="chosen is 9"):
        KChoice([2, 3], [0.1, 0.2], 9)


def test_columns_what_was_left_out_and_the_next_commands_are_listed(rendered, parse):
    text = parse(rendered(everything)).plain()
    assert "city: one column for each of 4 values" in text
    assert "broken. png: not a picture" in text
    assert "Label new rows: samekind predict model.skops new.csv" in text


def test_curves_without_a_value_are_left_out(make_content, make_record):
    history = [make_record(objective=NAN), make_record(objective=NAN)]
    page = render_page(make_content(history=history))
    assert 'id="objective-' not in page
    assert 'id="rho-' in page
    assert "no finite value" not in page


def test_classes_are_called_classes_and_named(rendered, parse):
    text = parse(rendered(no_graph)).plain()
    for words in ("classes 3", "4 of 4 given labels kept 100 %", "Class a", "Class c"):
        assert words in text
    body = rendered(no_graph).split('<section id="overview">')[1].split('<section id="labels">')[0]
    assert not re.search(r"[Cc]luster", parse(body).plain())


def test_long_class_names_are_numbers_in_drawings_and_explained_beside_them(rendered, parse):
    text = rendered(long_class_names)
    plain = parse(text).plain()
    assert "0 Iris setosa 1 Iris versicolor 2 an endless name" in plain
    assert "Class Iris setosa 0 in drawings" in plain
    drawings = re.findall("<svg.*?</svg>", re.sub("<title>.*?</title>", "", text), re.DOTALL)
    assert not any("Iris" in drawing for drawing in drawings)


def test_zero_rows_are_mentioned(rendered, parse):
    text = parse(rendered(zero_rows_and_an_empty_graph)).plain()
    assert "60 rows have" in text


def test_infinite_ratios_are_explained(rendered, parse):
    text = parse(rendered(an_unbounded_ratio)).plain()
    assert "1 of 3 iterations" in text


def test_writing_leaves_the_page_and_nothing_else(make_plain, tmp_path):
    content = make_plain(names=["caf\udce9"] + ["row"] * 59)  # a byte that is no text
    write_page(content, tmp_path / "report.html")
    assert os.listdir(tmp_path) == ["report.html"]
    assert (tmp_path / "report.html").read_bytes().startswith(b"<!doctype html>\n")


def test_a_page_that_cannot_be_made_leaves_no_file(make_content, make_record, tmp_path):
    broken = make_content(history=[make_record(rho="not a number")])
    with pytest.raises(ValueError, match="not a number"):
        write_page(broken, tmp_path / "report.html")
    assert os.listdir(tmp_path) == []
