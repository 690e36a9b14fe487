"""The checker of the site finds what it is there to find."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "docs" / "_extensions")]
check_site = pytest.importorskip("check_site")
pages = pytest.importorskip("pages")

PAGE = """<html><head><link rel="stylesheet" href="a.css"></head>
<body><h1 id="top-of-it">A</h1><a href="b.html#there">b</a><a href="https://example.org">far</a>
{}</body></html>"""


def site(folder, more="", style="body { color: red }"):
    (folder / "a.css").write_text(style)
    (folder / "a.html").write_text(PAGE.format(more))
    (folder / "b.html").write_text('<h2 id="there">B</h2><a href="a.html">a</a>')
    return list(check_site.problems(folder))


def test_a_sound_site_has_no_problems(tmp_path):
    assert site(tmp_path) == []


@pytest.mark.parametrize(
    ("planted", "told"),
    [
        ('<a href="c.html">c</a>', "a.html: c.html leads nowhere"),
        ('<a href="../b.html">c</a>', "a.html: ../b.html leads nowhere"),
        ('<a href="b.html#here">b</a>', "a.html: b.html#here: there is no such heading"),
        ('<a href="#here">b</a>', "a.html: #here: there is no such heading"),
        ('<img src="c.png">', "a.html: c.png leads nowhere"),
        ('<script src="https://cdn.org/x.js"></script>', "a.html: loads https://cdn.org/x.js"),
        ('<script src="//cdn.org/x.js"></script>', "a.html: loads //cdn.org/x.js"),
        ('<link rel="preconnect" href="https://fonts.org">', "a.html: loads https://fonts.org"),
        ('<p style="background: url(//x.org/y.png)">', "a.html: loads //x.org/y.png"),
        ("<style>@import 'https://x.org/y'</style>", "a.html: a style loads https://x.org/y"),
    ],
)
def test_a_planted_fault_is_found(tmp_path, planted, told):
    assert site(tmp_path, planted) == [told]


def test_a_font_from_elsewhere_is_found(tmp_path):
    style = "@font-face { src: url('https://fonts.org/x.woff2') }"
    assert site(tmp_path, style=style) == ["a.css: loads https://fonts.org/x.woff2"]


def test_a_name_without_a_page_is_found(tmp_path):
    (tmp_path / "api.html").write_text('<a href="generated/samekind.DGSL.html">DGSL</a>')
    names = {"samekind": ["DGSL", "CSP"]}
    assert list(check_site.missing_names(tmp_path, names)) == ["api.html: no page of samekind.CSP"]


def test_an_example_that_has_not_run_is_found(tmp_path):
    (tmp_path / "plot_a.py").touch()
    (tmp_path / "auto_examples").mkdir()
    page = tmp_path / "auto_examples" / "plot_a.html"
    (told,) = check_site.examples_without_output(tmp_path, tmp_path)
    assert told == "plot_a.py: its page shows no output, or no picture"
    page.write_text('<div class="sphx-glr-script-out"></div><img class="sphx-glr-single-img">')
    assert not list(check_site.examples_without_output(tmp_path, tmp_path))


def test_links_out_of_the_pages_lead_to_the_repository():
    text = pages.page_text(ROOT / "docs" / "changelog.md")
    assert "](scale.md)" in text
    assert "](docs/" not in text
    text = pages.page_text(ROOT / "docs" / "choose.md")
    assert "](auto_examples/plot_n_clusters.rst)" in text
    assert "[](status.md" in pages.page_text(ROOT / "docs" / "own_data.md")
    text = pages.page_text(ROOT / "docs" / "performance.md")
    assert "](contributing.md)" in text
    assert pages.LINK.sub("", "```\n[a](../LICENSE)\n```") != pages.outside_code(
        "```\n[a](../LICENSE)\n```", lambda part: pages.LINK.sub("", part)
    )


@pytest.mark.parametrize("page", pages.ROOT_PAGES)
def test_every_page_of_the_top_folder_says_where_its_text_is(page):
    assert f"(../{pages.ROOT_PAGES[page]})" in (ROOT / "docs" / f"{page}.md").read_text()
