"""Words that the package does not use: it speaks as scikit-learn does, with American spelling."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WRITTEN = {".py", ".md", ".html", ".css", ".csv"}
MADE = {"_build", "auto_examples", "generated"}  # by make docs
FILES = [
    ROOT / "README.md",
    *(
        path
        for folder in ("src", "docs", "examples")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in WRITTEN and not MADE & set(path.parts)
    ),
]
PATTERNS = [
    r"\bour reading\b",
    r"\brooms?\b",
    r"the (house|door|print)\b",
    r"normalised",
    r"\bassign=",
    r'self-representation"',
    r"\bpenalty=",
    r"violated_by",
    r"\.closed\(",
    r"draw_(labels|pairs)",
    r"told apart",
    r"makes no use of",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_word_is_not_used(pattern):
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(pattern, line, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)
