"""The recipe of docs/extend_method.md, followed to the letter."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import samekind

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "extend_method.md"
# Another process, in which the folder counts as one of samekind.estimators before it is read.
PLUGIN = """
from pathlib import Path
import samekind.estimators
samekind.estimators.__path__.append(str(Path(__file__).parent / "methods"))
"""


@pytest.fixture
def run(tmp_path):
    """Python with the method of the recipe beside the others."""
    recipe = PAGE.read_text()
    (tmp_path / "methods").mkdir()
    files = tmp_path / "methods" / "_nearest_mean.py", tmp_path / "test_nearest_mean.py"
    for file, code in zip(files, re.findall(r"```python\n(.*?)```", recipe, re.S), strict=True):
        file.write_text(textwrap.dedent("   " + code.lstrip()))
    (tmp_path / "added.py").write_text(PLUGIN)
    package = Path(samekind.__file__).parents[1]
    path = os.pathsep.join([str(tmp_path), str(package), os.environ.get("PYTHONPATH", "")])

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=TESTS.parent,
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


FOUND = """
from samekind.app.choices import method_named, model_of
from samekind.estimators._base.registry import METHODS

def test_nearestmean_is_found_by_name():
    method = method_named("NearestMean")
    assert METHODS["nearestmean"] == method
    assert (method.title, method.supervision) == ("NearestMean", "labels")
    model = model_of(method, None, 0, ["sharpness=2"])
    assert model.fit([[0.0], [1.0], [9.0]], [0, -1, 1]).labels_.tolist() == [0, 0, 1]
"""


def test_the_method_is_found_by_name_and_passes_doctest_and_contract(run, tmp_path):
    (tmp_path / "test_found.py").write_text(FOUND)
    own = ["test_found.py", "test_nearest_mean.py", "methods/_nearest_mean.py"]
    suites = ["test_method_contract.py", "test_signatures.py", "test_units.py"]
    files = [tmp_path / name for name in own] + [TESTS / "estimators" / name for name in suites]
    options = ["-c", TESTS.parent / "pyproject.toml", "-p", "added", "-p", "no:cacheprovider"]
    told = run(
        "-m",
        "pytest",
        *map(str, options),
        "-v",
        "-k",
        "nearestmean or nearest_mean",
        *map(str, files),
    )
    assert int(re.search(r"(\d+) passed", told).group(1)) > 50
    assert re.search(r"::test_labels_are_those_of_the_nearest_centroid PASSED", told)
    assert re.search(r"::test_nearestmean_is_found_by_name PASSED", told)
    assert re.search(r"::\S*_nearest_mean.NearestMean PASSED", told)
