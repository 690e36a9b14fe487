"""Help, names of parameters, and what a slip of the pen is answered with."""

import inspect
import json

import pytest
from typer.testing import CliRunner

from samekind.app.cli import app
from samekind.app.parameters import parameters_of
from samekind.estimators._base.registry import METHODS


def invoke(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "100"})


@pytest.mark.parametrize("command", [(), ("cluster",), ("datasets",), ("datasets", "get")])
def test_help_has_a_short_option(command):
    short, long = invoke(*command, "-h"), invoke(*command, "--help")
    assert short.exit_code == long.exit_code == 0
    assert short.stdout == long.stdout
    assert "Usage" in short.stdout


@pytest.mark.parametrize("name", METHODS)
def test_every_parameter_of_every_method_is_explained_in_one_sentence(name):
    method = METHODS[name]
    found = parameters_of(method)
    signature = inspect.signature(method.estimator).parameters
    assert [one.name for one in found] == list(signature)
    for one in found:
        assert one.default == signature[one.name].default
        assert one.kind
        assert one.summary.endswith(".")


def test_the_parameters_of_a_method_are_printed():
    text, known = (
        invoke("methods", "DGSL").stdout,
        json.loads(invoke("methods", "dgsl", "--json").stdout),
    )
    for name, parameter in inspect.signature(METHODS["dgsl"].estimator).parameters.items():
        assert name in text
        assert repr(parameter.default) in text
    assert {one["name"]: one["default"] for one in known["parameters"]}["coupling"] == 100.0
    wrong = invoke("methods", "dgls")
    assert wrong.exit_code == 2
    assert "dgsl" in wrong.stderr


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("standardise=1", "did you mean 'standardize'?"),
        ("n_clusters=3", "n_clusters is set by -k"),
        ("max_iter", "expected NAME=VALUE"),
        ("zzz=1", "the names are max_iter"),
    ],
)
def test_a_setting_that_is_not_known_names_what_was_meant(setting, words):
    done = invoke("cluster", "no.csv", "-k", "2", "--set", setting)
    assert done.exit_code == 2
    assert words in done.stderr
    assert "samekind methods samekind" in done.stderr
