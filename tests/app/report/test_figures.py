"""Drawings: what is in them, that they are clean, and that odd numbers do no harm."""

import re

import matplotlib
import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind.app.report import Snapshot
from samekind.app.report.choice_figure import choice_figure
from samekind.app.report.figures import curve_figure, size_figure
from samekind.app.report.heatmaps import distance_map, weight_map
from samekind.app.report.scatter import MOST_POINTS, embedding_figure
from samekind.app.report.svg import marker_outline

NAN, INF = float("nan"), float("inf")


def groups(svg, prefix):
    return re.findall(rf'id="({prefix}[^"]*)"', svg)


def markers_in(svg, group, end="</g>\n   </g>"):
    body = svg[svg.index(f'id="{group}"') :]
    return len(re.findall("<use", body[: body.index(end)]))


def test_drawings_leave_colors_and_fonts_to_the_page():
    svg = size_figure(np.arange(5))
    assert "var(--k4)" in svg
    assert "currentColor" in svg
    assert not re.search(r"#0[12]fe", svg)  # no placeholder is left
    assert "http" not in svg
    assert "<style" not in svg
    assert "<metadata" not in svg


def test_every_id_and_reference_carries_the_name_of_its_drawing():
    svg = curve_figure({"A": [1.0, 2.0]}, name="one", what="value")
    ids = re.findall(r'\bid="([^"]*)"', svg)
    used = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', svg)
    assert all(name.startswith("one-") for name in ids)
    assert {a or b for a, b in used} <= set(ids)


def test_settings_of_the_user_do_not_reach_the_drawing():
    before = size_figure(np.arange(3))
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": "x"}):
        assert size_figure(np.arange(3)) == before


def test_drawing_leaves_the_settings_alone():
    before = dict(matplotlib.rcParams)
    size_figure(np.arange(3))
    assert dict(matplotlib.rcParams) == before


def test_every_row_is_a_point_of_its_cluster():
    labels = np.repeat([0, 1, 2], [4, 7, 2])
    svg = embedding_figure(np.eye(3)[labels], labels)
    assert [markers_in(svg, f"embedding-of-{c}", "</g>") for c in range(3)] == [4, 7, 2]
    assert len(groups(svg, "embedding-number-")) == 3


def test_of_very_many_rows_a_share_is_drawn():
    n = MOST_POINTS + 700
    labels = np.arange(n) % 2
    svg = embedding_figure(np.eye(2)[labels], labels)
    assert sum(markers_in(svg, f"embedding-of-{c}", "</g>") for c in range(2)) == MOST_POINTS


def test_numbers_that_would_collide_are_left_out():
    labels = np.arange(12) % 4
    svg = embedding_figure(np.ones((12, 4)), labels)  # all in one place
    assert len(groups(svg, "embedding-number-")) == 1


@pytest.mark.parametrize("k", [1, 10, 40])
def test_there_is_a_bar_for_every_cluster(k):
    svg = size_figure(np.arange(2 * k) % k)
    assert f"{k} clusters" in svg
    assert len(set(re.findall(r"fill: var\(--k(\d+)\)", svg))) == k


def test_infinite_values_are_triangles():
    finite = curve_figure({"rho": [1.0, 2.0, 3.0]}, name="c", what="rho")
    some = curve_figure({"rho": [1.0, INF, INF]}, name="c", what="rho")
    assert some.count("<use") == finite.count("<use")  # two points less, two triangles more
    assert "no finite value" not in some
    assert "no finite value" in curve_figure({"rho": [INF, NAN]}, name="c", what="rho")


def test_a_logarithmic_scale_survives_zeros():
    svg = curve_figure({"A": [0.1, 0.0], "Z": [0.0, NAN]}, name="c", what="change", log=True)
    assert "no finite value" not in svg
    only = curve_figure({"A": [0.0, 0.0]}, name="c", what="change", log=True)
    assert "no finite value" in only


def test_a_wide_range_gets_one_tick_per_decade():
    svg = curve_figure({"A": [1.0, 1e-3, 1e-6]}, name="c", what="change", log=True)
    for tick in (">1<", ">0.01<", ">0.0001<"):
        assert tick in svg
    assert ">0.05<" not in svg


@pytest.mark.parametrize("history", [[], [5.0]])
def test_short_histories_are_drawn(history):
    svg = curve_figure({"A": history}, name="c", what="objective", from_zero=True)
    assert f"over {len(history)} iterations" in svg


def test_the_tolerance_is_named():
    svg = curve_figure({"A": [1.0, 0.1]}, name="c", what="change", line=("tolerance 0.2", 0.2))
    assert "tolerance 0.2" in svg


def test_maps_mark_boundaries_and_number_clusters():
    labels = np.array([1, 0, 2, 1, 0, 2])
    at = Snapshot(3, csr_array((6, 6)), np.eye(3)[labels])
    for svg in (weight_map(at, labels, name="m"), distance_map(at, labels, name="m")):
        assert "iteration 3" in svg
        assert re.search(r'class="bounds"[^>]*d="M120.0 0V360M0 120.0H360M240.0', svg)
        assert re.findall(r'text-anchor="end">(\d)<', svg) == ["0", "1", "2"]


def test_numbers_of_thin_clusters_keep_their_distance():
    labels = np.arange(100)
    at = Snapshot(1, csr_array((100, 100)), np.ones((100, 1)))
    svg = weight_map(at, labels, name="m")
    places = np.array([float(y) for y in re.findall(r'<text x="-6" y="([\d.]+)"', svg)])
    assert np.diff(places).min() >= 19
    assert len(places) > 10


def test_the_number_of_a_thin_last_cluster_stays_inside():
    labels = np.repeat([0, 1], [99, 1])
    at = Snapshot(1, csr_array((100, 100)), np.ones((100, 1)))
    svg = weight_map(at, labels, name="m")
    assert max(float(x) for x in re.findall(r'<text x="([\d.]+)"', svg)) <= 350


def test_marker_outlines_fill_their_box():
    for shape in "os^DvPX<>d":
        numbers = [float(x) for x in re.findall(r"-?[\d.]+", marker_outline(shape))]
        assert max(map(abs, numbers)) <= 0.71
        assert max(numbers) - min(numbers) >= 0.9


def test_candidates_stand_in_order_and_the_kept_ones_on_a_band(make_choice):
    choice = make_choice((7, 0.5, 0.4, False), (None, 0.0, 0.6, False), ("graph", 1.0, 0.9, True))
    svg = choice_figure(choice)
    names = ["given graph alone", "representation alone", "7 neighbors, 50 %"]
    assert sorted(names, key=svg.index) == names
    assert groups(svg, "choice-kept")
    assert groups(svg, "choice-chance")
    assert [markers_in(svg, f"choice-by-{name}") for name in ("pairs", "modularity", "total")] == [
        3,
        3,
        3,
    ]


def test_without_pairs_there_is_no_score_by_them(make_choice):
    svg = choice_figure(make_choice((7, 1.0, NAN, True), (15, 1.0, NAN, True), n_tested=0))
    assert not groups(svg, "choice-by-pairs")
    assert not groups(svg, "choice-chance")
    assert not groups(svg, "choice-by-total")  # nothing but modularity
    assert groups(svg, "choice-by-modularity")
