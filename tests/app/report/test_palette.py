"""Colors that can be distinguished, on light and on dark pages, also by the color-blind."""

import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest

from samekind.app.report.palette import MARKERS, PAIRS, color_slot, marker

STYLE = files("samekind.app.report").joinpath("templates/style.css").read_text(encoding="utf-8")

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
PROTANOPIA = [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]
DEUTERANOPIA = [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]


def linear(color):
    value = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(a, b):
    light, dark = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b))[::-1]
    return (light + 0.05) / (dark + 0.05)


def oklab(rgb):
    to_cones = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
    to_lab = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
    return np.array(to_lab) @ np.cbrt(np.array(to_cones) @ np.clip(rgb, 0, 1))


def themes():
    """Variables of the light and the dark theme, as the style sheet gives them."""
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, flags=re.DOTALL)[:2]
    return [dict(re.findall(r"--(\w+): (#\w+);", block)) for block in (light, dark)]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_color_stands_out_from_its_page(theme):
    page = themes()[theme]["card"]
    assert min(contrast(pair[theme], page) for pair in PAIRS) >= 3


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_can_be_read(theme):
    colors = themes()[theme]
    for text in ("text", "soft", "accent", "good", "fair", "bad"):
        for page in ("card", "page"):
            assert contrast(colors[text], colors[page]) >= 4.5, (text, page)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_the_first_ten_remain_apart_for_the_color_blind(theme):
    for sight in (np.eye(3), PROTANOPIA, DEUTERANOPIA):
        seen = [oklab(np.array(sight) @ linear(pair[theme])) for pair in PAIRS[:10]]
        assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 0.06


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_all_forty_differ_clearly(theme):
    seen = [oklab(linear(pair[theme])) for pair in PAIRS]
    assert len(seen) == 40
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 0.03


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colors_that_come_close_have_different_shapes_also_for_the_color_blind(theme):
    for sight in (np.eye(3), PROTANOPIA, DEUTERANOPIA):
        seen = [oklab(np.array(sight) @ linear(pair[theme])) for pair in PAIRS]
        alike = [
            np.linalg.norm(seen[a] - seen[b])
            for a, b in combinations(range(40), 2)
            if marker(a) == marker(b)
        ]
        assert min(alike) > 0.05


def test_four_hundred_clusters_have_a_color_and_a_shape_of_their_own():
    assert len(set(MARKERS)) == 10
    assert len({(color_slot(c), marker(c)) for c in range(400)}) == 400
