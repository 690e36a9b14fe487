"""Pairs and labels that were given: those not respected first, none cut off in silence."""

import re

import numpy as np

from samekind.app.report import render_page


def section(text, name):
    return re.search(rf'<section id="{name}">.*?</section>', text, re.DOTALL)[0]


def test_almost_all_pairs_are_not_all_of_them(make_plain, parse):
    labels = np.arange(60) % 3
    pairs = np.tile([[0, 3], [1, 4]], (5000, 1))
    pairs[7] = 0, 1
    text = parse(render_page(make_plain(labels=labels, must_link=pairs))).plain()
    assert "9,999 of 10,000 pairs satisfied 99.9 %" in text
    assert "200 of 10,000 pairs are shown" in text


def test_satisfied_pairs_are_said_in_a_sentence(make_plain, parse):
    none = render_page(make_plain())
    assert 'id="pairs"' not in none
    assert "pairs or labels given none" in parse(none).plain()
    labels = np.arange(60) % 3
    pairs = np.tile([0, 3], (8, 1))
    content = make_plain(labels=labels, must_link=pairs[:4], cannot_link=pairs + np.array([0, 1]))
    text = parse(render_page(content)).plain()
    assert "All 12 pairs (4 must-link, 8 cannot-link) are satisfied." in text
    assert "Satisfied pairs (12)" in text


def test_violated_pairs_come_first(make_plain, parse):
    labels = np.arange(60) % 3
    content = make_plain(
        labels=labels,
        must_link=np.array([[0, 3], [0, 1]]),
        cannot_link=np.array([[0, 2], [2, 5]]),
        images=np.random.default_rng(0).random((60, 4, 4)),
    )
    text = section(render_page(content), "pairs")
    plain = parse(text).plain()
    assert "2 of 4 pairs (2 must-link, 2 cannot-link) are violated" in plain
    order = [
        "must- link row 0 in cluster 0 row 1 in cluster 1",
        "cannot- link row 2 in cluster 2 row 5 in cluster 2",
        "must- link row 0 in cluster 0 row 3 in cluster 0",
        "cannot- link row 0 in cluster 0 row 2 in cluster 2",
    ]
    assert sorted(order, key=plain.index) == order
    assert text.count("<img") == 8


def test_given_labels_are_listed_the_overruled_ones_first(make_plain, parse):
    content = make_plain(
        labels=np.array(["ant", "bee", "cat"])[np.arange(60) % 3],
        known=["bee"] * 30 + [""] * 30,
        overruled=np.flatnonzero(np.arange(30) % 3 != 1),
    )
    text = render_page(content)
    assert "10 of 30 given labels kept 33.3 %" in parse(text).plain()
    plain = parse(section(text, "labels")).plain()
    assert "20 of 30 given labels are overruled" in plain
    assert plain.index("bee row 29 in cluster cat") < plain.index("bee row 1 in cluster bee")


def test_pairs_and_labels_together_have_a_section_each(make_plain):
    text = render_page(make_plain(must_link=np.array([[0, 1]]), known=["a"] + [""] * 59))
    assert section(text, "pairs")
    assert section(text, "labels")
