"""Figures: what is drawn is what the rows say, and the files stand alone."""

import base64
import math
import re
import struct
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path

import numpy as np
import pytest

import samekind.app.report
from fake_rows import (
    cora_rows,
    curve_rows,
    fake_row,
    inside_rows,
    picture_rows,
    sensitivity_rows,
    time_rows,
)
from samekind.paper.report import canvas
from samekind.paper.report.complexity import complexity_figure, complexity_table, growths
from samekind.paper.report.convergence import convergence_figure
from samekind.paper.report.curves import (
    CLASSES,
    CONSTRAINTS,
    sensitivity_figures,
    setting_figure,
)
from samekind.paper.report.hypergraph import chosen, hypergraph_figure, hypergraph_table
from samekind.paper.report.pictures import matrices_figure, samples_figure

ONE = ("yale",)


@pytest.fixture(scope="module")
def drawings():
    curves = curve_rows(ONE)
    return [
        setting_figure(curves, "figure-constraints", CONSTRAINTS),
        setting_figure(curves, "figure-classes", CLASSES),
        *sensitivity_figures(sensitivity_rows(ONE), "figure-sensitivity"),
        convergence_figure(inside_rows(ONE)),
        complexity_figure(time_rows()),
        hypergraph_figure(cora_rows()),
        matrices_figure(inside_rows(ONE)),
        samples_figure(picture_rows()),
    ]


def texts(svg):
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_files_are_sound_and_need_nothing_else(drawings):
    for drawing in drawings:
        root = ET.fromstring(drawing.file)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(" not in drawing.file
        assert "currentColor" not in drawing.file
        places = re.findall(r'(?:href="|url\()([^")]+)', drawing.file)
        assert all(place.startswith(("#", "data:")) for place in places)


def test_ids_are_unique_on_the_page(drawings):
    ids = [name for drawing in drawings for name in re.findall(r'\bid="([^"]*)"', drawing.svg)]
    assert len(ids) == len(set(ids))


def test_colors_of_files_are_those_of_the_light_page():
    style = (Path(samekind.app.report.__file__).parent / "templates" / "style.css").read_text()
    light = dict(re.findall(r"--(\w+): (#\w+);", style[: style.index("@media")]))
    assert {name: light[name] for name in canvas.LIGHT} == canvas.LIGHT
    assert light["text"] == canvas.TEXT


def test_lsgr_is_one_line_and_every_method_is_named(drawings):
    shown = texts(drawings[0].svg)
    assert [name for name in ("SL", "CSP", "CSCAP", "LSGR", "DGSL") if shown.count(name) != 1] == []
    assert not any(text.startswith("LSGR-") for text in shown)
    assert {"Yale: ACC, %", "Yale: NMI, %"} <= set(shown)


def test_each_parameter_has_its_figure(drawings):
    names = [drawing.name for drawing in drawings if "sensitivity" in drawing.name]
    expected = ("feedback", "sparsity", "local_ratio", "must_link_weight")
    assert names == [f"figure-sensitivity-{name}" for name in expected]


def test_nothing_run_is_no_figure():
    assert setting_figure([], "figure-classes", CLASSES) is None
    assert sensitivity_figures([], "figure-sensitivity") == []
    assert convergence_figure([]) is complexity_figure([]) is hypergraph_figure([]) is None
    assert samples_figure([]) is matrices_figure([]) is None


def test_a_method_that_failed_throughout_leaves_a_figure_whole():
    setting = {"must_links_per_sample": 1.0}
    rows = [fake_row("figure-constraints", "yale", setting, "SL", 0, failed="no")]
    rows += [fake_row("figure-constraints", "yale", setting, "DGSL", 0, ACC=80.0, NMI=80.0)]
    assert "DGSL" in texts(setting_figure(rows, "figure-constraints", CONSTRAINTS).svg)
    alone = setting_figure(rows[:1], "figure-constraints", CONSTRAINTS)
    assert texts(alone.svg).count("not run") == 2


def test_fitted_exponents_are_those_the_times_were_made_with():
    found = {growth.method: growth.exponent for growth in growths(time_rows())}
    assert found["SL"] == pytest.approx(1.5)
    assert found["DCSSC"] == pytest.approx(2.7)


def test_the_papers_orders_stand_beside_the_exponents():
    orders = {row[0].text: row[-1].text for row in complexity_table(time_rows()).rows}
    assert orders["LSGR-lap"] == "n³"
    assert orders["DCSSC"] == "T (d n² + n³)"
    assert orders["E2CP"] == "–"  # not in the paper


def test_the_grid_point_is_chosen_on_validation_nodes_alone():
    rows = cora_rows()
    for row in rows:
        if row["setting"] == {"gamma2": 10.0}:
            row["ACC test"] = 99.0  # tempting, and none of our business
    for one in chosen(rows):
        assert one.point["gamma2"] == 1.0
        assert one.point["feedback"] == 0.02
    table = hypergraph_table(rows)
    assert all(row[-1].text == "feedback={0.01, 0.02}, gamma2={0.1, 1, 10}" for row in table.rows)
    assert [row[0].text for row in table.rows].count("LSGR") == 1


def test_a_rising_objective_is_reported():
    rows = inside_rows(ONE)
    caption = convergence_figure(rows).caption
    plain = next(row for row in rows if row["contender"] == "Algorithm 2")
    plain["objective"][10] += 50
    risen = convergence_figure(rows).caption
    assert "1 in these runs" in risen
    assert risen != caption


def test_panels_that_stay_empty_are_left_out():
    svg = convergence_figure(inside_rows(ONE)).svg
    assert svg.count(">iteration</text>") == 3  # one column of three


def test_an_unbounded_ratio_leaves_the_figure_whole():
    rows = inside_rows(ONE)
    for row in rows:
        if row["experiment"] == "convergence":
            row["rho"] = [math.inf] * 30
    assert "Yale: rho" in texts(convergence_figure(rows).svg)


def test_pictures_stand_as_they_are_in_the_rows():
    uri = re.search(r'href="data:image/png;base64,([^"]+)"', samples_figure(picture_rows(ONE)).svg)
    png = base64.b64decode(uri[1])
    width, height = struct.unpack(">2I", png[16:24])
    (length,) = struct.unpack(">I", png[33:37])
    lines = np.frombuffer(zlib.decompress(png[41 : 41 + length]), dtype=np.uint8)
    gray = lines.reshape(height, width + 1)[:, 1:]
    np.testing.assert_array_equal(gray, picture_rows(ONE)[-1]["pictures"][0])
    assert gray[0, 0] > gray[-1, -1]  # the bright corner is the upper left one
