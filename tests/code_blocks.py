"""The blocks of code in markdown pages, and running them."""

import re
import shlex
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
CODE, OTHER = {"python", "bash"}, {"text", "csv"}
BLOCK = re.compile(
    r"^( *)(?:<!-- (run|not run): ([^>]+) -->\n\1)?```([^\n]*)\n(.*?)^\1```$", re.S | re.M
)


@dataclass(frozen=True)
class Block:
    """A block of a page."""

    page: Path
    line: int
    language: str
    code: str
    mark: str  # "", "run" or "not run"
    why: str  # the test that runs it, or the reason

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """All blocks of a page but the directives of the site."""
    text = page.read_text()
    return [
        Block(page, text[: m.start()].count("\n") + 1, m[4], m[5], m[2] or "", m[3] or "")
        for m in BLOCK.finditer(text)
        if not m[4].startswith("{")
    ]


def commands_of(block: Block) -> list[list[str]]:
    """The arguments of every ``samekind`` in a block of commands."""
    lines = (line.strip() for line in block.code.splitlines())
    found = (re.match(r"(?:.*\| *)?(?:\S*/)?samekind (.*)", line) for line in lines)
    return [shlex.split(one[1], comments=True) for one in found if one]


def run_page(page: Path, folder: Path) -> list[str]:
    """What each block of Python printed; all blocks that are not marked, in one namespace."""
    printed, names = [], {"__name__": page.stem}
    with chdir(folder):
        for block in blocks_of(page):
            if block.language == "python" and not block.mark:
                with redirect_stdout(StringIO()) as out:
                    exec(compile(block.code, str(block), "exec"), names)
                printed.append(out.getvalue())
    return printed
