"""What the documentation says is so."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
import typer

import samekind
from code_blocks import PAGES
from samekind import DGSL, Status, estimators
from samekind.app.cli import app
from samekind.estimators._base.registry import METHODS

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"(?:\]\(|<img src=\")([^)#\s\"]+)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_every_option_of_every_command_is_in_the_manual():
    manual = (ROOT / "docs" / "command.md").read_text()
    command = typer.main.get_command(app)
    for name, sub in command.commands.items():
        section = manual.split(f"## samekind {name}")[1].split("\n## ")[0]
        for parameter in sub.params:
            for option in parameter.opts if parameter.param_type_name == "option" else []:
                assert f"`{option}" in section, f"{name} {option}"


def test_every_parameter_and_status_is_in_the_manual():
    manual = (ROOT / "docs" / "method.md").read_text()
    for name in inspect.signature(DGSL).parameters:
        assert f"`{name}" in manual, name
    for status in Status:
        assert f"`{status.name}`" in manual, status.name


def test_the_page_on_statuses_says_which_are_usable():
    table = (ROOT / "docs" / "status.md").read_text()
    told = {}
    for names, usable in re.findall(r"^\| ((?:`[A-Z_]+`(?:, )?)+) \| (yes|no)", table, re.M):
        told |= dict.fromkeys(re.findall(r"`(\w+)`", names), usable == "yes")
    assert told == {status.name: status.usable for status in Status}


def test_every_public_name_has_an_example():
    for name in samekind.__all__:
        value = getattr(samekind, name)
        if (inspect.isclass(value) and not issubclass(value, Exception)) or inspect.isfunction(
            value
        ):
            assert ">>>" in (value.__doc__ or ""), name


def test_every_subpackage_is_in_the_architecture():
    plan = (ROOT / "docs" / "architecture.md").read_text()
    for path in (ROOT / "src" / "samekind").iterdir():
        if path.name[0] != "_" and path.name != "py.typed":
            assert path.stem in plan, path.name


@pytest.mark.parametrize(
    "module",
    [
        "samekind",
        "samekind.constraints",
        "samekind.graph",
        "samekind.metrics",
        "samekind.app.inputs",
        "samekind.app.model",
        "samekind.model_selection",
        "samekind.inspection",
        "samekind.asking",
        "samekind.dask",
    ],
)
def test_the_reference_lists_every_public_name(module):
    page = (ROOT / "docs" / "api.md").read_text()
    section = page.split(f"## {module}\n")[1].split("\n## ")[0]
    entries = re.findall(r"^- ((?:`\w+`(?:, )?)+): \S", section, re.M)
    listed = [name for entry in entries for name in re.findall(r"`(\w+)`", entry)]
    assert sorted(listed) == sorted(import_module(module).__all__)


def test_estimators_are_public_and_nothing_else_is_in_their_package():
    found = {method.estimator.__name__ for method in METHODS.values()}
    assert set(estimators.__all__) <= found & set(samekind.__all__)
