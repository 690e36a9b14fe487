"""Look through the built site: broken links, what is loaded from elsewhere, missing pages.

python tools/check_site.py docs/_build/html [--examples examples]

With --examples, every script of that folder has to have run and to show what it printed or drew.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
STYLES = re.compile(r"""(?:url\(|@import\s+)['"]?((?:https?:)?//[^'")\s]+)""")


class Page(HTMLParser):
    """The anchors of a page, what it links to, and what a browser loads for it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what matters."""
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and not {"canonical", "author", "license"} & set(
            found.get("rel", "").split()
        ):
            self.loads.append(found.get("href", ""))
        if tag in LOADED and LOADED[tag] in found:
            self.loads.append(found[LOADED[tag]])
        self.loads += STYLES.findall(found.get("style", ""))


def problems(site: Path) -> Iterator[str]:
    """Broken links, and what would be loaded from elsewhere."""
    files = (path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts)
    pages = {path: Page(path) for path in files}
    if not pages:
        yield f"{site}: no pages"
    for path, page in pages.items():
        name = path.relative_to(site)
        for link in (*page.links, *page.loads):
            yield from (f"{name}: {reason}" for reason in _broken(site, path, link, pages))
        for link in page.loads:
            if urlsplit(link).netloc:
                yield f"{name}: loads {link}"
        for link in STYLES.findall("".join(re.findall(r"<style.*?</style>", page.text, re.S))):
            yield f"{name}: a style loads {link}"
    for path in sorted(site.rglob("*.css")):
        for link in STYLES.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site)}: loads {link}"


def _broken(site: Path, path: Path, link: str, pages: dict[Path, Page]) -> Iterator[str]:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return
    target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
    if not target.is_relative_to(site) or not target.is_file():
        yield f"{link} leads nowhere"
    elif parts.fragment and target in pages:
        anchor = unquote(parts.fragment)
        if anchor not in pages[target].ids and anchor != "top":
            yield f"{link}: there is no such heading"


def missing_names(site: Path, names: dict[str, list[str]]) -> Iterator[str]:
    """Public names, by module, without a page that api.html links to."""
    linked = Page(site / "api.html").links
    for module, found in names.items():
        for name in found:
            if f"generated/{module}.{name}.html" not in linked:
                yield f"api.html: no page of {module}.{name}"


def examples_without_output(site: Path, examples: Path) -> Iterator[str]:
    """Scripts that have no page, or whose page shows nothing that they printed or drew."""
    scripts = sorted(examples.glob("plot_*.py"))
    if not scripts:
        yield f"{examples}: no examples"
    for script in scripts:
        page = site / "auto_examples" / f"{script.stem}.html"
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        if "sphx-glr-script-out" not in text or "sphx-glr-single-img" not in text:
            yield f"{script.name}: its page shows no output, or no picture"


def main() -> int:
    """Print every problem; the exit code says whether there is one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("--examples", type=Path)
    asked = parser.parse_args()
    site = asked.site.resolve()
    sys.path.insert(0, str(Path(__file__).parents[1] / "docs" / "_extensions"))
    from reference import public_names

    found = [*problems(site), *missing_names(site, public_names())]
    if asked.examples:
        found += examples_without_output(site, asked.examples)
    sys.stdout.write("".join(f"{line}\n" for line in found))
    sys.stdout.write(f"{site}: {len(found) or 'no'} problems\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
