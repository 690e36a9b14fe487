"""The markdown of the repository as pages of the site.

The files are written for a code host. On the way to the site

- what stands in a comment ``<!-- site: ... -->`` becomes part of the page, such as a toctree, in
  place of what a code host shows after a comment ``<!-- host -->`` before it,
- a page that is named in ROOT_PAGES has the text of a file elsewhere in the repository,
- links to files that have no page lead to the repository, and pictures are taken from there,
- a link whose text is the name of a page has its title instead.
"""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://github.com/samekind/samekind"
ROOT_PAGES = {
    "changelog": "CHANGELOG.md",
    "contributing": "CONTRIBUTING.md",
    "security": "SECURITY.md",
    "governance": "GOVERNANCE.md",
    "conduct": "CODE_OF_CONDUCT.md",
    "releasing": "RELEASING.md",
    "tables": "results/tables.md",
}
PAGES = {source: f"docs/{page}.md" for page, source in ROOT_PAGES.items()}
PAGES |= {"README.md": "docs/index.md", "examples": "docs/auto_examples/index.rst"}
PAGES |= {
    f"examples/{path.name}": f"docs/auto_examples/{path.stem}.rst"
    for path in (ROOT / "examples").glob("plot_*.py")
}
SITE = re.compile(r"(?:<!-- host -->\n(?:(?!<!--).)*)?<!-- site:\n(.*?)\n-->", re.S)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.S | re.M)
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(|^\[[^\]]+\]: )([^)\s]+)", re.M)


def page_text(path: Path) -> str:
    """The text of a page of docs/ as the site has it."""
    source = ROOT_PAGES.get(path.stem) if path.parent == ROOT / "docs" else None
    text = ((ROOT / source) if source else path).read_text()
    text = SITE.sub(lambda found: found.group(1), text)
    home = posixpath.dirname(source) if source else path.parent.relative_to(ROOT).as_posix()
    return outside_code(text, lambda part: LINK.sub(lambda link: _link(link, home), part))


def outside_code(text, change):
    """Change what stands outside of fences."""
    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[end : fence.start()]), fence.group()]
        end = fence.end()
    return "".join([*parts, change(text[end:])])


def _link(link: re.Match[str], home: str) -> str:
    """A link of a file in this folder, as it leads from docs/ to a page or to the repository."""
    before, target = link.groups()
    name, _, anchor = target.partition("#")
    if not name or re.match(r"\w+:", name):
        return link.group()
    place = posixpath.normpath(posixpath.join(home, name))
    if place != "README.md" or not anchor:  # the first page of the site has no sections of it
        place = PAGES.get(place, place)
    anchor = f"#{anchor}" if anchor else ""
    text = before.removeprefix("[").removesuffix("](")
    if place.startswith("docs/") and posixpath.basename(text) == posixpath.basename(name):
        before = "[]("
    if place.startswith("docs/") or before.startswith("!"):
        return before + posixpath.relpath(place, "docs") + anchor
    if (ROOT / place).exists():
        kind = "tree" if (ROOT / place).is_dir() else "blob"
        return f"{before}{REPOSITORY}/{kind}/main/{place}{anchor}"
    return link.group()  # broken: the build says so


def _read(app, docname, source):
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".md" and path.parent == ROOT / "docs":
        source[0] = page_text(path)
        if docname in ROOT_PAGES:
            app.env.note_dependency(ROOT / ROOT_PAGES[docname])


def setup(app):
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
