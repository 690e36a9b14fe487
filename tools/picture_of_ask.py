"""Make docs/images/ask.png: the page of `samekind ask` after 35 answers about digits, in Chromium.

python tools/picture_of_ask.py [FILE]
"""

import shutil
import sys
import tempfile
import threading
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_digits

from samekind.app.ask.dialogue import Dialogue
from samekind.app.ask.server import PageServer
from samekind.app.inputs import read_samples
from samekind.asking import Questions

NAMES = ("zeros", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines")
N_PICTURES, N_ANSWERS, WIDTH, HEIGHT = 500, 35, 1280, 1084


def main(file: Path) -> None:
    """Answer as somebody does who can read, and take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        samples = read_samples(_pictures(Path(folder, "digits")))
        kinds = load_digits().target[:N_PICTURES]  # files are read by name, in this order
        with Questions(samples, 10, Path(folder, "digits.ask")) as questions:
            while len(questions.answers()) < N_ANSWERS:
                ask = questions.next()
                questions.answer(ask.id, **ask.reply(kinds))
            for cluster in questions.clusters():
                questions.name(cluster.number, NAMES[kinds[cluster.known[0]]])
            server = PageServer(Dialogue(samples, questions), lambda: {"folder": "", "files": []})
            thread = threading.Thread(target=server.run, daemon=True)
            thread.start()
            _take(server.guard.link(), file)
            server.stop()
            thread.join(20)


def _pictures(folder: Path) -> Path:
    """Digits as files, enlarged smoothly."""
    folder.mkdir()
    for i, digit in enumerate(load_digits().images[:N_PICTURES]):
        small = Image.fromarray((255 - 15.9375 * digit).astype("uint8"))
        small.resize((96, 96), Image.Resampling.BICUBIC).save(folder / f"{i:03}.png")
    return folder


def _take(link: str, file: Path) -> None:
    with sync_playwright() as started:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(link)
        page.locator("#beside button").first.wait_for()
        page.locator("#wall .cluster").first.wait_for()
        page.wait_for_load_state("networkidle")  # the pictures have come
        page.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    images = Path(__file__).parents[1] / "docs" / "images"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else images / "ask.png")
