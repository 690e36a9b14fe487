"""Signatures of the estimators, as readers, checkers and documentation tools see them."""

import ast
import inspect
import re
from pathlib import Path

import pytest
from mypy import api

import samekind
from samekind import DGSL, HI
from samekind.estimators._base.registry import METHODS

ESTIMATORS = [method.estimator for method in METHODS.values()]


def explained(cls):
    """Name of each parameter in the docstring, with the line that names it and the text."""
    section = re.search(r"^Parameters\n-+\n(.*?)\n\n\w", inspect.getdoc(cls), re.M | re.S).group(1)
    found = re.findall(r"^(\w+) : (.*)\n((?:    .*\n?)+)", section, re.M)
    return {name: (kind, text) for name, kind, text in found}


RIGHT = [
    "DGSL(3, feedback=0.1)",
    "DGSL(n_clusters=3, random_state=0)",
    "HI(smoothness=0.5)",
]
WRONG = {
    "DGSL(3, feedbak=0.1)": 'Unexpected keyword argument "feedbak"',
    "DGSL(3, 7)": "positional",
    "DGSL(max_iter='9')": '"max_iter"',
    "HI(smothness=0.5)": 'Unexpected keyword argument "smothness"',
    "from samekind import KMeans": 'has no attribute "KMeans"',
}


def test_a_type_checker_refuses_wrong_parameters_and_accepts_right_ones(tmp_path, monkeypatch):
    monkeypatch.setenv("MYPYPATH", str(Path(samekind.__file__).parents[1]))
    snippet = tmp_path / "snippet.py"
    snippet.write_text("\n".join(["from samekind import DGSL, HI", *RIGHT, *WRONG]))
    options = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]
    said, errors, _ = api.run([*options, f"--cache-dir={tmp_path}", str(snippet)])
    assert not errors
    found = dict(re.findall(r"snippet\.py:(\d+): error: (.*)", said))
    expected = {str(2 + len(RIGHT) + i): words for i, words in enumerate(WRONG.values())}
    assert found.keys() == expected.keys(), said
    for line, words in expected.items():
        assert words in found[line]


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_init_is_written_out(cls):
    """Every parameter has a name, a type and a default, and is assigned; nothing else is done."""
    assert "__init__" in vars(cls)
    source = inspect.getsource(cls.__init__)
    body = ast.parse(inspect.cleandoc(source)).body[0].body
    parameters = inspect.signature(cls).parameters
    assert [ast.unparse(line) for line in body] == [f"self.{name} = {name}" for name in parameters]
    for index, one in enumerate(parameters.values()):
        assert one.annotation is not one.empty
        assert one.default is not one.empty
        assert index == 0 or one.kind is one.KEYWORD_ONLY


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_every_parameter_is_explained_with_its_default(cls):
    parameters = inspect.signature(cls).parameters
    entries = explained(cls)
    assert set(entries) == set(parameters)
    for name, (kind, text) in entries.items():
        default = re.search(r"default=(.*)$", kind).group(1)
        assert ast.literal_eval(default) == parameters[name].default, name
        assert text.strip()


@pytest.mark.parametrize("cls", [DGSL, HI])
def test_help_shows_every_parameter(cls, capsys):
    help(cls)
    shown = capsys.readouterr().out
    for name, (kind, text) in explained(cls).items():
        assert f"{name} : {kind}" in shown
        assert text.split("\n")[0].strip() in shown


def test_sphinx_shows_every_parameter(tmp_path):
    reason = "sphinx is not installed; pip install 'samekind[dev]'"
    build = pytest.importorskip("sphinx.cmd.build", reason=reason)
    (tmp_path / "conf.py").write_text(
        "extensions = ['sphinx.ext.autodoc', 'sphinx.ext.napoleon']\nautodoc_typehints = 'none'\n"
    )
    (tmp_path / "index.rst").write_text("API\n===\n\n.. autoclass:: samekind.DGSL\n")
    assert build.main(["-q", "-b", "text", str(tmp_path), str(tmp_path / "out")]) == 0
    shown = " ".join((tmp_path / "out" / "index.txt").read_text().split())
    for name, (_, text) in explained(DGSL).items():
        assert f"{name}=" in shown  # the signature
        assert f"**{name}**" in shown  # the list of parameters
        assert text.split("\n")[0].split("``")[0].strip().split("-")[0] in shown
