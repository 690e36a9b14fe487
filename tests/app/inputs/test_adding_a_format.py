"""The recipe of docs/extend_format.md, followed to the letter on a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import samekind

PAGE = Path(__file__).parents[3] / "docs" / "extend_format.md"


def test_the_format_is_read_and_its_tests_pass(tmp_path):
    pytest.importorskip("pandas")
    recipe = PAGE.read_text().split("## In the command")[1]
    reader, line, tests = (
        textwrap.dedent("   " + code.lstrip())
        for code in re.findall(r"```python\n(.*?)```", recipe, re.S)
    )
    package = tmp_path / "samekind"
    shutil.copytree(Path(samekind.__file__).parent, package)
    inputs = package / "app" / "inputs"
    (inputs / "json_lines.py").write_text(reader)
    (tmp_path / "test_json_lines.py").write_text(tests)
    text = (inputs / "read.py").read_text()
    for before, more in (
        ("_TABLES: dict[str, _Reader] = {\n", "    " + line),
        ("import InputError\n", "from samekind.app.inputs.json_lines import read_json_lines\n"),
    ):
        assert text.count(before) == 1
        text = text.replace(before, before + more)
    (inputs / "read.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_json_lines.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "4 passed" in done.stdout, done.stdout + done.stderr
