"""The page in a browser: nothing is cut, nothing scrolls sideways, the search finds."""

import shutil
from html import escape

import numpy as np
import pytest

from samekind.app.report import KChoice, render_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SIZES = [(390, "light"), (1280, "dark"), (1920, "light")]

# Words on two lines, texts outside of their drawing or hidden by their box.
CUT = """() => {
  const cut = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest("script, title, use, code")) {
      continue;
    }
    for (const word of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      const drawing = parent.closest("svg");
      const [box, frame] = [range.getBoundingClientRect(), drawing?.getBoundingClientRect()];
      const outside = drawing && (box.left < frame.left - 1 || box.right > frame.right + 1);
      if (lines.size > 1 || outside) {
        cut.push(word[0]);
      }
    }
    if (getComputedStyle(parent).overflow === "hidden" && parent.scrollWidth > parent.clientWidth) {
      cut.push(node.data);
    }
  }
  return cut;
}"""


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def table_page(make_plain):
    return render_page(table(make_plain))


def table(make_plain):
    names = [f"customer_{i:04d}" for i in range(60)]
    comments = ["ordered twice & <b>called</b>", "Donaudampfschiffahrtsgesellschaft", ""] * 20
    return make_plain(
        names=names,
        X=np.random.default_rng(0).random((60, 3)),
        table={
            "monthly_income": np.arange(60) * 1234.5,
            "comment": comments,
            "city": ["Rome"] * 60,
        },
        feature_columns=["monthly_income", "comment", "city"],
        confidence=(np.linspace(0.4, 1, 60), np.full(60, "1")),
        must_link=np.column_stack([np.arange(30), np.arange(30, 60)]),
        isolated=np.array([3]),
        all_rows="labels.csv",
        columns=["Column 'comment': text, TF-IDF of 40 words in 3 directions."],
        next_steps=[("Label new rows:", "samekind predict customers-clusters/model.skops NEW.csv")],
        k_choice=KChoice(range(2, 30), np.sin(np.arange(28)), 3, [(4, "cluster 1 splits")]),
    )


def pictures(make_plain):
    names = [f"holiday/2024-07/IMG_20240719_{i:06d}.jpeg" for i in range(60)]
    labels = np.array(["dogs", "photographs of cats", "everything else"])[np.arange(60) % 3]
    return make_plain(
        names=names,
        labels=labels,
        images=np.random.default_rng(0).integers(256, size=(60, 9, 9, 3), dtype=np.uint8),
        links=[f"../{name}" for name in names],
        confidence=(np.linspace(0.4, 1, 60), np.roll(labels, 1)),
        known=list(labels[:9]) + [""] * 51,
        skipped=["holiday/broken_picture_of_the_beach.jpeg: it is not a picture of a known kind"],
    )


def thirty_clusters(make_plain):
    return make_plain(n=90, k=30, X=np.random.default_rng(0).random((90, 5)))


@pytest.mark.parametrize("case", [table, pictures, thirty_clusters], ids=lambda case: case.__name__)
def test_nothing_is_cut_and_nothing_scrolls_sideways(browser, make_plain, case):
    text = render_page(case(make_plain))
    page, said = browser.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_content(text)
    for width, scheme in SIZES:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT) == []
    assert said == []
    page.close()


def test_the_search_finds_rows_and_gives_all_back(browser, table_page):
    from playwright.sync_api import expect

    page = browser.new_page()
    page.set_content(table_page)
    page.fill("#find", "CUSTOMER_0042")
    expect(page.locator("#found")).to_have_text("1 of 60 rows on this page")
    assert page.locator("#clusters tr[data-row]:visible").count() == 1
    assert page.locator("#clusters article:visible").count() == 1
    assert page.locator("#plot .hit").count() == 1
    page.fill("#find", "")
    expect(page.locator("#found")).to_have_text("")
    assert page.locator("#clusters article:visible").count() == 3
    assert page.locator("#clusters details[open]").count() == 0
    page.dispatch_event("#plot [data-row='7']", "click")
    assert "customer_0007" in page.inner_text("#picked")
    page.close()


def test_links_work_in_the_frame_of_a_notebook(browser, table_page):
    from playwright.sync_api import expect

    page = browser.new_page()
    frame = f'<iframe srcdoc="{escape(table_page)}" sandbox="allow-scripts">'
    page.set_content(frame)
    inside = page.frame_locator("iframe")
    inside.locator("#plot [data-row='7']").dispatch_event("click")
    inside.locator("#picked a").click()
    expect(inside.locator("#row-7")).to_be_in_viewport()
    assert page.frames[1].url == "about:srcdoc"
    page.close()


def test_without_scripts_every_row_is_there(browser, table_page):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(table_page)
    assert page.locator("#search").is_hidden()
    page.locator("#clusters summary").first.click()
    assert page.locator("#clusters tr[data-row]:visible").count() > 20
    context.close()
