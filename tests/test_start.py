"""The command starts without what it does not need yet, and so does the package."""

import json
import os
import subprocess
import sys
from time import perf_counter

import samekind
from samekind.app.cli.clustering import method_names
from samekind.estimators._base.registry import METHODS

LATER = "numpy scipy sklearn matplotlib pandas pyarrow PIL jinja2 skrub skops joblib threadpoolctl"


def python(*arguments, **more):
    options = {"capture_output": True, "text": True, "check": True} | more
    return subprocess.run([sys.executable, *arguments], **options)


def test_the_help_imports_nothing_that_computes():
    code = """
import json, sys
from samekind.app.cli import app
try:
    app(["--help"])
except SystemExit:
    sys.stderr.write(json.dumps(sorted({name.split(".")[0] for name in sys.modules})))
"""
    imported = json.loads(python("-c", code).stderr)
    assert "typer" in imported
    assert not set(imported) & set(LATER.split())


def test_the_help_takes_at_most_three_times_as_long_as_importing_numpy_and_scipy():
    """As a ratio of two commands in turn; the shortest of several is the least disturbed."""
    commands = ["-c", "import numpy, scipy"], ["-m", "samekind", "--help"]
    seconds = ([], [])
    for _ in range(3):
        for command, took in zip(commands, seconds, strict=True):
            began = perf_counter()
            python(*command)
            took.append(perf_counter() - began)
    assert min(seconds[1]) <= 3 * min(seconds[0])


def test_names_are_imported_when_they_are_asked_for():
    code = f"""
import sys, samekind
assert not set({LATER!r}.split()) & set(sys.modules)
assert set(samekind.__all__) | {{"metrics", "graph"}} <= set(dir(samekind))
assert samekind.PairConstraints(2).n_samples == 2
assert "sklearn" not in sys.modules
from samekind import *
assert DGSL is samekind.DGSL is samekind.estimators.DGSL
assert samekind.metrics.clustering_accuracy([0, 1], [1, 0]) == 1
assert all(name in globals() for name in samekind.__all__)
assert not hasattr(samekind, "KMeans")
assert samekind.inspection.EmbeddingDisplay and "matplotlib" not in sys.modules
"""
    python("-c", code)


def test_the_shell_completes_commands_options_and_methods():
    def completed(*words):
        shell = {
            "_SAMEKIND_COMPLETE": "complete_bash",
            "COMP_WORDS": " ".join(("samekind", *words)),
            "COMP_CWORD": str(len(words)),
        }
        code = "import sys; from samekind.app.cli import main; sys.argv[0] = 'samekind'; main()"
        done = python("-c", code, env=os.environ | shell, check=False)
        return done.stdout.split()

    assert completed("cl") == ["cluster"]
    assert completed("cluster", "--meth") == ["--method"]
    assert method_names("") == sorted(METHODS)
    assert method_names("DG") == ["dgsl"]


def test_short_options_and_the_module_are_the_command():
    assert python("-m", "samekind", "-V").stdout == f"samekind {samekind.__version__}\n"
