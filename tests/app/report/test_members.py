"""Rows of the clusters: all of them where they fit, and where the rest is where they do not."""

import re

import numpy as np

from samekind.app.report import Snapshot, render_page
from samekind.app.report.members import MOST_PICTURES, MOST_ROWS

X = np.random.default_rng(0).random((60, 3))


def listed(text):
    return sorted(int(row) for row in re.findall(r'id="row-(\d+)"', text))


def test_every_row_is_on_the_page_once(make_plain):
    pictures = np.zeros((60, 2, 2))
    for changes in ({}, {"X": X}, {"images": pictures}, {"labels": np.arange(60)}):
        if "labels" in changes:
            at = Snapshot(None, None, np.eye(60))
            changes |= {"last": at, "images": pictures}
        assert listed(render_page(make_plain(**changes))) == list(range(60))


def test_of_many_rows_a_share_is_shown_and_the_page_says_where_the_rest_is(make_plain, parse):
    n = MOST_ROWS + 600
    labels = np.repeat([0, 1, 2], [100, 500, n - 600])
    at = Snapshot(None, None, np.eye(3)[labels])
    changes = {"labels": labels, "last": at}
    text = render_page(make_plain(n=n, all_rows="labels.csv", **changes))
    assert len(listed(text)) == MOST_ROWS
    plain = parse(text).plain()
    assert "2,400 of its 3,000 rows are shown on this page; all are in labels.csv." in plain
    assert plain.count("are shown on this page") == 1
    images = np.zeros((n, 2, 2), dtype=np.uint8)
    assert len(listed(render_page(make_plain(n=n, images=images, **changes)))) == MOST_PICTURES


def test_pictures_open_their_files_and_folded_ones_load_late(make_plain, parse):
    links = [f"../pictures/{i}.png" for i in range(60)]
    page = parse(render_page(make_plain(images=np.zeros((60, 2, 2)), links=links)))
    opened = [attrs["href"] for tag, attrs in page.tags("a") if "target" in attrs]
    assert sorted(opened) == sorted(links)
    folded = [attrs for tag, attrs, path in page.elements if tag == "img" and "details" in path]
    assert folded
    assert all(attrs["loading"] == "lazy" for attrs in folded)


def test_photos_keep_their_color(make_plain):
    photos = np.full((60, 4, 4, 3), [200, 0, 0], dtype=np.uint8)
    assert render_page(make_plain(images=photos)).count("data:image/jpeg;base64,") == 60


def test_points_carry_the_names_of_their_rows(make_plain):
    text = render_page(make_plain(confidence=(np.full(60, 0.7), np.full(60, 2))))
    assert re.search(r'data-row="7"><title>row 7, cluster \d, 70\s%, or 2</title>', text)


def test_the_least_certain_rows_come_first(make_plain, parse):
    share = np.ones(60)
    share[[9, 30, 12]] = 0.6, 0.4, 0.94
    plain = parse(render_page(make_plain(X=X, confidence=(share, np.full(60, "x"))))).plain()
    review = plain[plain.index("Look at these first The rows") :]
    order = [review.index(f"row {row} ") for row in (30, 9, 12)]
    assert order == sorted(order)
    assert "3, all below 95 %" in review
    sure = parse(render_page(make_plain(confidence=(np.ones(60), np.full(60, 1))))).plain()
    assert "No row is in doubt" in sure
    assert "Look at these first" not in parse(render_page(make_plain())).plain()


def test_small_clusters_are_folded_where_there_are_many(make_plain, parse):
    labels = np.concatenate([np.repeat(np.arange(40), 3), np.arange(40, 55)])
    at = Snapshot(None, None, np.eye(55)[labels])
    images = np.zeros((135, 2, 2))
    text = render_page(make_plain(n=135, labels=labels, last=at, images=images))
    page = parse(text)
    assert page.complaints == []
    assert len(page.tags("article")) == 40
    lines = [a for tag, a, path in page.elements if tag == "tr" and "details" in path]
    folded = {attrs["id"] for attrs in lines if "id" in attrs}
    assert folded == {f"cluster-{c}" for c in range(40, 55)}


def test_tables_show_the_features_that_differ(make_plain, parse):
    labels = np.repeat([0, 1], 30)
    wide = np.random.default_rng(0).random((60, 50))
    wide[labels == 1, 17] += 40
    at = Snapshot(None, None, np.eye(2)[labels])
    content = make_plain(labels=labels, last=at, X=wide)
    text = parse(render_page(content)).plain()
    assert re.search(r"row could be in column 17 (column \d+ ){5}", text)
    for rows in (wide[:30], wide[30:]):
        assert f"in this cluster {rows[:, 17].mean():.4g}" in text
    assert f"in all rows {wide[:, 17].mean():.4g}" in text


def test_a_table_is_shown_with_the_cells_that_the_user_knows(make_plain, parse):
    labels = np.repeat([0, 1], 30)
    color = ["red"] * 29 + [None] + ["blue"] * 30
    age = [20.0] * 30 + [float("nan")] + [30] * 29
    encoded = np.column_stack([labels, 1 - labels, labels])
    at = Snapshot(None, None, np.eye(2)[labels])
    content = make_plain(
        labels=labels,
        last=at,
        X=encoded,
        feature_columns=["color", "color", "age"],
        table={"color": color, "age": age, "comment": ["<i>"] * 60},
    )
    text = parse(render_page(content)).plain()
    assert "row could be in color age in this cluster red (97 %) 20 in all rows blue (50 %)" in text
    assert "in this cluster blue 30" in text


def test_rows_of_an_unusual_true_label_are_marked(make_plain, parse):
    at = Snapshot(None, None, np.ones((10, 2)))
    content = make_plain(
        n=10,
        labels=np.zeros(10, dtype=int),
        last=at,
        images=np.zeros((10, 2, 2)),
        truth=["cat"] * 8 + ["dog", ""],
    )
    page = parse(render_page(content))
    odd = [attrs["title"] for _, attrs in page.tags("figure") if "odd" in attrs.get("class", "")]
    assert odd == ["row 8, true label dog"]
    assert "true labels: cat (8), dog (1)" in page.plain().replace("\xa0", " ")
