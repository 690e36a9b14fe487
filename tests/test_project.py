"""What the project says of itself in several places is the same in all of them."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import samekind

ROOT = Path(__file__).parents[1]
ADDRESS = "https://github.com/samekind/samekind"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = [ROOT / ".github" / "ISSUE_TEMPLATE" / name for name in ("bug.yml", "idea.yml")]


@pytest.mark.parametrize(
    ("schema", "paths"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("custom.github-workflows-require-timeout", WORKFLOWS),
        ("vendor.github-issue-forms", FORMS),
        ("vendor.dependabot", [ROOT / ".github" / "dependabot.yml"]),
        ("vendor.citation-file-format", [ROOT / "CITATION.cff"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_fit_the_schemas_of_those_who_read_them(schema, paths):
    pytest.importorskip("check_jsonschema")
    assert paths
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    done = subprocess.run([*command, *paths], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_tests_run_on_every_python_that_is_named():
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    matrix = (ROOT / ".github" / "workflows" / "tests.yml").read_text()
    tested = re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.*)\]", matrix).group(1))
    assert named == tested
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_the_citation_is_of_this_version():
    version = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.M).group(1)
    assert version == samekind.__version__


def test_one_address_everywhere():
    files = [*ROOT.glob("*.*"), *(ROOT / ".github").rglob("*.*"), *(ROOT / "docs").glob("*.md")]
    text = "\n".join(path.read_text() for path in files if path.suffix in (".md", ".yml", ".cff"))
    found = set(re.findall(r"https://[\w.]*github[\w.]*/[\w-]+/samekind\b", text))
    assert found == {ADDRESS}
    assert all(url.startswith(ADDRESS) for url in PROJECT["urls"].values())
