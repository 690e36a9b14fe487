"""The page as a whole: sound structure, nothing from elsewhere, all or nothing."""

import os
import re
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind.app.report import Snapshot, render_page, write_page

NAN, INF = float("nan"), float("inf")
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
    return make_content(n=20, history=[make_record()], converged=False)


def no_iteration(make_content, make_record):
    return make_content(history=[], facts={}, parameters={}, versions={}, seconds={})


def no_learning(make_content, make_record):
    return without_history(make_content, n_must_link=3)


def no_graph(make_content, make_record):
    return of_classes(make_content, ["a", "b", "c"], graph=False, n_labels=4)


def long_class_names(make_content, make_record):
    names = ["Iris setosa", "Iris versicolor", "an endless name " * 9]
    return of_classes(
        make_content,
        names,
        n_labels=9,
        overruled=[("row 4", names[0], names[1])] * 3,
        images=np.random.default_rng(0).random((60, 6, 4)),
    )


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
        violated=[("must-link", f"{LONG}0", f"{LONG}1")],
        n_must_link=2,
        X=np.random.default_rng(0).random((60, 2)),
    )


def everything(make_content, make_record):
    return make_content(
        images=np.random.default_rng(0).random((60, 6, 4)),
        truth=[str(i % 4) for i in range(60)],
        notes=["A note."],
        scores=[{"method": "a", "ACC": 0.5}, {"method": "b", "ACC": 0.6, "ACC std": 0.1}],
        violated=[("cannot-link", f"row {i}", f"row {i + 1}") for i in range(5)],
        n_must_link=40,
        n_cannot_link=60,
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
    assert {attrs["href"][1:] for _, attrs in page.tags("a", "use")} <= set(ids)


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
    for _, attrs, _ in page.elements:
        for name in ("src", "href", "xlink:href", "srcset", "data", "action", "poster"):
            assert attrs.get(name, "#").startswith(("#", "data:"))
    assert re.findall(r"url\((?!#)[^)]*\)|@import|https?://", text) == []
    assert page.tags("script") == []


def test_names_are_shown_and_never_run(make_content, parse):
    bad = '<script>alert("x")</script>'
    content = make_content(
        title=bad,
        summary=bad,
        status=bad,
        facts={bad: bad},
        notes=[bad],
        names=[f"{bad}{i}" for i in range(60)],
        truth=[bad] * 60,
        X=np.random.default_rng(0).random((60, 2)),
        feature_names=[bad, f"{bad}_2"],
        scores=[{bad: bad, "ACC": 0.5}],
        violated=[(bad, f"{bad}0", f"{bad}1")],
        n_must_link=1,
        parameters={bad: bad},
        versions={bad: bad},
        seconds={bad: 1.0},
    )
    for images in (None, np.zeros((60, 2, 2))):
        changed = {**vars(content), "images": images}
        text = render_page(type(content)(**changed))
        assert "<script" not in text
        assert parse(text).complaints == []
        assert parse(text).plain().count(bad) > 30


def test_two_thousand_pictures_stay_below_five_megabytes(make_content):
    rng = np.random.default_rng(0)
    content = make_content(
        n=2000,
        k=40,
        images=rng.random((2000, 48, 48)),  # noise: the worst case for a PNG
        violated=[("must-link", f"row {2 * i}", f"row {2 * i + 1}") for i in range(300)],
        n_must_link=300,
    )
    assert len(render_page(content).encode()) < 5e6


def test_the_same_content_gives_the_same_bytes(rendered, make_content, make_record):
    assert render_page(everything(make_content, make_record)) == rendered(everything)


def test_the_cards_give_the_headline_figures(rendered, parse):
    text = parse(rendered(everything)).plain()
    for words in ("clusters 3", "95 of 100 pairs satisfied 95 %", "after 4 iterations converged"):
        assert words in text
    assert "1.8 s" in text
    assert "It came to rest." in text


def test_what_is_said_about_learning_needs_a_history(rendered, parse):
    learned, plain = rendered(everything), rendered(no_learning)
    assert '<section id="convergence">' in learned
    assert "convergence" not in plain
    assert "iteration" not in parse(plain).plain()


def test_a_choice_is_shown_with_its_sentence(make_content, make_choice, parse):
    choice = make_choice((7, 0.5, 0.9, True), (None, 0.0, 0.6, False))
    page = parse(render_page(make_content(choice=choice)))
    assert not page.complaints
    assert str(choice) in page.plain()
    assert ("section", {"id": "choice"}) in page.tags("section")
    assert any(attrs.get("href") == "#choice" for _, attrs in page.tags("a"))
    assert "standardized" in page.plain()
    assert 'id="choice' not in render_page(make_content())


def test_curves_without_a_value_are_left_out(make_content, make_record):
    history = [make_record(objective=NAN), make_record(objective=NAN)]
    page = render_page(make_content(history=history))
    assert 'id="objective-' not in page
    assert 'id="rho-' in page
    assert "no finite value" not in page


def test_a_run_that_is_usable_without_having_converged_says_both(make_content, parse):
    page = parse(render_page(make_content(converged=False, usable=True))).plain()
    assert "usable" in page
    assert "not converged" in page


def test_classes_are_called_classes_and_named(rendered, parse):
    text = parse(rendered(no_graph)).plain()
    for words in ("classes 3", "4 of 4 given labels kept 100 %", "Class a", "Class c"):
        assert words in text
    body = (
        rendered(no_graph).split('<section id="overview">')[1].split('<section id="settings">')[0]
    )
    assert not re.search(r"[Cc]luster", parse(body).plain())


def test_long_class_names_are_numbers_in_drawings_and_explained_beside_them(rendered, parse):
    text = rendered(long_class_names)
    plain = parse(text).plain()
    assert "0 Iris setosa 1 Iris versicolor 2 an endless name" in plain
    assert "Class Iris setosa 0 in drawings" in plain
    assert not any("Iris" in drawing for drawing in re.findall("<svg.*?</svg>", text, re.DOTALL))


def test_overruled_labels_are_listed(make_content, parse):
    overruled = [(f"row {i % 60}", "bee", "ant") for i in range(203)]
    names = ["ant", "bee", "cat"]
    text = render_page(of_classes(make_content, names, n_labels=300, overruled=overruled))
    plain = parse(text).plain()
    assert "97 of 300 given labels kept 32.3 %" in plain
    assert "203 of 300" in plain
    assert text.count("<td>bee</td><td>ant</td>") == 200
    assert "and 3 more" in plain


def test_almost_all_pairs_are_not_all_of_them(make_content, parse):
    content = make_content(violated=[("must-link", "row 1", "row 2")], n_must_link=10000)
    text = parse(render_page(content)).plain()
    assert "9,999 of 10,000 pairs satisfied 99.9 %" in text


def test_satisfied_pairs_are_said_in_a_sentence(rendered, make_content, parse):
    none = parse(rendered(names_only)).plain()
    assert "No pairs" in none
    content = make_content(n_must_link=4, n_cannot_link=8)
    assert "12 pairs (4 must-link, 8 cannot-link)" in parse(render_page(content)).plain()


def test_violated_pairs_are_listed_up_to_two_hundred(make_content, parse):
    pairs = [("cannot-link", f"row {i % 59}", f"row {i % 59 + 1}") for i in range(257)]
    images = np.random.default_rng(0).random((60, 4, 4))
    content = make_content(violated=pairs, n_cannot_link=257, images=images)
    text = render_page(content)
    body = text[text.index('<section id="pairs">') : text.index('<section id="maps">')]
    assert body.count("cannot-link</th>") == 200
    assert body.count("<img") == 400
    assert "and 57 more" in body
    assert f"cluster&nbsp;{content.labels[0]}" in body


def test_a_name_of_several_rows_has_no_picture(make_content):
    content = make_content(
        names=["twin"] * 60,
        images=np.zeros((60, 2, 2)),
        violated=[("must-link", "twin", "twin")],
        n_must_link=1,
    )
    text = render_page(content)
    body = text[text.index('<section id="pairs">') : text.index('<section id="maps">')]
    assert "twin" in body
    assert "<img" not in body


def test_small_clusters_are_folded_where_there_are_many(make_content, parse):
    labels = np.concatenate([np.repeat(np.arange(40), 3), np.arange(40, 55)])
    H = np.eye(55)[labels]
    at = Snapshot(1, csr_array((135, 135)), H)
    images = np.zeros((135, 2, 2))
    text = render_page(make_content(n=135, labels=labels, first=at, last=at, images=images))
    page = parse(text)
    assert page.complaints == []
    assert len(page.tags("article")) == 40
    folded = {a["id"] for tag, a, path in page.elements if tag == "tr" and "details" in path if a}
    assert folded == {f"cluster-{c}" for c in range(40, 55)}


def test_tables_show_the_features_that_differ(make_content, parse):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 30)
    X = rng.random((60, 50))
    X[labels == 1, 17] += 40
    H = np.eye(2)[labels]
    at = Snapshot(1, csr_array((60, 60)), H)
    content = make_content(labels=labels, first=at, last=at, X=X)
    text = parse(render_page(content)).plain()
    assert re.search(r"row column 17 (column \d+ ){5}could be in", text)
    low, high, overall = X[:30, 17].mean(), X[30:, 17].mean(), X[:, 17].mean()
    assert f"mean of the cluster {low:.4g}" in text
    assert f"mean of the cluster {high:.4g}" in text
    assert f"mean of all rows {overall:.4g}" in text


def test_rows_of_an_unusual_true_label_are_marked(make_content, parse):
    labels = np.zeros(10, dtype=int)
    at = Snapshot(1, csr_array((10, 10)), np.ones((10, 2)))
    content = make_content(
        n=10,
        labels=labels,
        first=at,
        last=at,
        images=np.zeros((10, 2, 2)),
        truth=["cat"] * 8 + ["dog", ""],
    )
    page = parse(render_page(content))
    odd = [attrs["title"] for _, attrs in page.tags("figure") if "odd" in attrs.get("class", "")]
    assert odd == ["row 8, true label dog"]
    assert "true labels: cat (8), dog (1)" in page.plain().replace("\xa0", " ")


def test_zero_rows_are_mentioned(rendered, parse):
    text = parse(rendered(zero_rows_and_an_empty_graph)).plain()
    assert "60 rows have" in text


def test_infinite_ratios_are_explained(rendered, parse):
    text = parse(rendered(an_unbounded_ratio)).plain()
    assert "1 of 3 iterations" in text


def test_writing_leaves_the_page_and_nothing_else(make_content, tmp_path):
    content = make_content(names=["caf\udce9"] + ["row"] * 59)  # a byte that is no text
    write_page(content, tmp_path / "report.html")
    assert os.listdir(tmp_path) == ["report.html"]
    assert (tmp_path / "report.html").read_bytes().startswith(b"<!doctype html>\n")


def test_a_page_that_cannot_be_made_leaves_no_file(make_content, make_record, tmp_path):
    broken = make_content(history=[make_record(rho="not a number")])
    with pytest.raises(ValueError, match="not a number"):
        write_page(broken, tmp_path / "report.html")
    assert os.listdir(tmp_path) == []


def test_a_page_that_cannot_be_moved_leaves_the_old_one(make_content, tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("old")

    def refuse(source, target):
        raise OSError("disk is full")

    monkeypatch.setattr("samekind.app.report.page.os.replace", refuse)
    with pytest.raises(OSError, match="disk is full"):
        write_page(make_content(), path)
    assert os.listdir(tmp_path) == ["report.html"]
    assert path.read_text() == "old"
