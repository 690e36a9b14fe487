"""The page in a real browser: one answer each, whatever the person or another page does."""

import http.server
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from samekind.app.ask.dialogue import Dialogue
from samekind.app.inputs import Samples
from samekind.asking import Questions

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")
playwright.expect.set_options(timeout=30_000)  # five seconds are not enough beside other tests
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")

EVIL = '<img src=x onerror="document.title=1">\u202e</script><script>document.title=2</script>'


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A dialogue about rows with hostile names, on a page."""
    from samekind.app.ask.server import PageServer

    rng = np.random.default_rng(0)
    X = np.repeat(np.eye(3) * 9, 20, axis=0) + rng.normal(size=(60, 3))
    names = tuple(f"{EVIL}{i}" for i in range(60))
    samples = Samples(X, ids=names, feature_names=(f"{EVIL}a", "b", "c"), source=EVIL)
    journal = tmp_path_factory.mktemp("ask") / "x.ask"
    with Questions(samples, 3, journal) as questions:
        server = PageServer(Dialogue(samples, questions), lambda: {"folder": "f", "files": []})
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        yield server, journal
        server.stop()
        thread.join(20)


@pytest.fixture
def page(browser, served):
    server, _ = served
    context = browser.new_context()
    page = context.new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.goto(server.guard.link())
    page.locator("#beside button").first.wait_for()
    page.locator("#wall .cluster").first.wait_for()
    yield page
    assert page.problems == []
    context.close()


def lines(served):
    return served[1].read_text().splitlines()


def n_answers(page):
    return int(page.locator("#numbers dd").first.inner_text())


def press(page, key, change):
    expected = n_answers(page) + change
    page.keyboard.press(key)
    playwright.expect(page.locator("#numbers dd").first).to_have_text(str(expected))


def test_keys_answer_and_undo(page, served):
    before = len(lines(served))
    first = page.locator("#sample .name").inner_text()
    press(page, "1", +1)
    press(page, "0", +1)
    press(page, "z", -1)
    press(page, "z", -1)
    assert page.locator("#sample .name").inner_text() == first
    assert len(lines(served)) == before + 4


def test_a_double_click_is_one_answer(page, served):
    before = n_answers(page)
    page.locator("#none").dblclick()
    playwright.expect(page.locator("#numbers dd").first).not_to_have_text(str(before))
    page.wait_for_timeout(300)
    assert n_answers(page) <= before + 2
    asked = [line for line in lines(served) if '"verb":"answer"' in line.replace(" ", "")]
    asks = [re.search(r'"ask": ?"([^"]+)"', line).group(1) for line in asked]
    assert len(asks) == len(set(asks))


def test_a_second_tab_is_brought_up_to_date(page, served):
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("#beside button").first.wait_for()
    press(page, "0", +1)
    expected = n_answers(page)
    other.keyboard.press("1")
    playwright.expect(other.locator("#message")).to_contain_text("up to date")
    assert n_answers(other) == expected
    other.close()


def test_the_back_button_and_a_lost_reply_repeat_nothing(page, served):
    expected = n_answers(page) + 1
    replies = []

    def lose(route):
        reply = route.fetch()  # the server has it, the page does not hear of it
        route.abort()
        replies.append(reply)

    page.route("**/say/answer", lose, times=1)
    page.keyboard.press("0")
    playwright.expect(page.locator("#numbers dd").first).to_have_text(str(expected))
    for _ in range(250):  # the page may have asked the server again before the reply was lost
        if replies:
            break
        page.wait_for_timeout(20)
    assert len(replies) == 1
    page.goto("about:blank")
    page.go_back()
    playwright.expect(page.locator("#numbers dd").first).to_have_text(str(expected))


def test_names_show_as_text(page):
    assert EVIL in page.locator("#sample .name").text_content()
    assert page.locator("#view-ask img").count() == 0
    assert page.title() == "samekind ask"
    page.locator("#wall button").first.click()
    page.locator("#group-rows .thing").first.wait_for()
    page.locator("#group-name").fill(EVIL)
    page.get_by_text("Name it").click()
    playwright.expect(page.locator("#group-title")).to_contain_text("<img")
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.locator("#doubts").wait_for()
    assert page.locator("#view-doubts img").count() == 0
    assert page.title() == "samekind ask"


def test_a_view_that_comes_late_does_not_replace_the_one_asked_for_since(page):
    slow = []
    page.route("**/wall", lambda route: slow.append(route))
    page.locator("#wall button").first.click()
    page.wait_for_timeout(200)
    page.keyboard.press("d")
    page.locator("#view-doubts").wait_for()
    for route in slow:
        route.continue_()
    page.wait_for_timeout(300)
    assert page.locator("#view-doubts").is_visible()
    assert not page.locator("#view-group").is_visible()


def test_other_pages_cannot_answer_or_frame(browser, page, served):
    home = page.url.rstrip("/")
    before = lines(served)
    html = f"""<form id="f" method="post" enctype="text/plain" action="{home}/say/finish"></form>
    <iframe src="{home}/"></iframe><script>
    fetch("{home}/say/finish", {{method: "POST", mode: "no-cors", credentials: "include",
      headers: {{"content-type": "text/plain"}}, body: "{{}}"}}).catch(() => 0);
    const told = (what) => () => document.title = what;
    fetch("{home}/state", {{credentials: "include"}}).then(told("read"), told("kept"));
    </script>"""

    class Attack(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_):
            pass

    attack = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Attack)
    threading.Thread(target=attack.serve_forever, daemon=True).start()
    evil = page.context.new_page()  # with the person's cookie
    evil.goto(f"http://127.0.0.1:{attack.server_port}/")
    playwright.expect(evil).to_have_title("kept")
    frame = evil.frames[1]
    assert "Questions" not in frame.content()
    evil.locator("#f").evaluate("form => form.submit()")
    evil.wait_for_timeout(300)
    evil.close()
    attack.shutdown()
    assert lines(served) == before
    assert served[0].written is None


def test_a_newcomer_sorts_a_folder_with_keys_alone(browser, tmp_path):
    from PIL import Image

    rng = np.random.default_rng(0)
    pile = tmp_path / "pile"
    pile.mkdir()
    for i in range(24):
        color = np.array([(220, 30, 30), (30, 200, 40)][i % 2]) * (1 - 0.4 * (i % 2))
        pixels = np.clip(color + rng.integers(-20, 20, size=(16, 16, 3)), 0, 255)
        Image.fromarray(pixels.astype(np.uint8)).save(pile / f"{i:02d}-{i % 2}.png")
    before = {path.name: path.read_bytes() for path in pile.iterdir()}
    command = [sys.executable, "-m", "samekind", "ask", "pile", "-k", "2", "--no-browser"]
    started = subprocess.Popen(
        [*command, "--sort-into", "sorted"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        link = next(line for line in started.stdout if line.startswith("Open ")).split()[1]
        page = browser.new_context().new_page()
        page.goto(link)
        page.locator("#beside button").first.wait_for()
        for _ in range(6):
            kind = page.locator("#sample .name").inner_text()[3]
            beside = [name[3] for name in page.locator("#beside .name").all_inner_texts()]
            press(page, str(beside.index(kind) + 1) if kind in beside else "0", +1)
        page.keyboard.press("f")
        page.locator("#view-end").wait_for(timeout=60_000)
        assert started.wait(60) == 0
    finally:
        started.kill()
        started.stdout.close()
        started.stdin.close()
    assert {path.name: path.read_bytes() for path in pile.iterdir()} == before
    folders = [sorted(Path(one).iterdir()) for one in (tmp_path / "sorted").iterdir()]
    assert sorted(len(one) for one in folders) == [12, 12]
    assert all(len({path.stem[3] for path in one}) == 1 for one in folders)
