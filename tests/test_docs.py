"""What the documentation says is so."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
import sklearn
import typer

import samekind
from samekind import DGSL, Status, estimators
from samekind.app.cli import app
from samekind.estimators._base.registry import METHODS

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@pytest.mark.no_cover
def test_the_example_of_the_readme_runs(capsys):
    example = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)
    assert len(example.strip().splitlines()) <= 12
    exec(example, {})
    accuracy, told = capsys.readouterr().out.splitlines()
    stated = float(re.search(r"# (0\.\d\d)", example).group(1))
    assert float(accuracy) == pytest.approx(stated, abs=0.02)
    assert told.startswith("converged | ")


def test_the_examples_of_samekind_run(capsys):
    page = (ROOT / "docs" / "samekind.md").read_text()
    number, worked = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(number, {})
    chosen, *others = capsys.readouterr().out.splitlines()
    assert chosen == "5 True"
    assert len(others) == 2
    exec(worked, {})
    accuracy, choice, end = capsys.readouterr().out.splitlines()
    assert float(accuracy) > 0.9
    assert "standardized" in choice
    assert end.startswith("True 3 of 3 pairs")


def test_the_example_of_model_selection_runs(capsys):
    page = (ROOT / "docs" / "model_selection.md").read_text()
    with sklearn.config_context():  # the example changes the configuration
        exec(re.search(r"```python\n(.*?)```", page, re.S).group(1), {})
    kept, best = capsys.readouterr().out.splitlines()
    assert float(kept.split()[2]) > 0.7
    assert best.startswith("{'sl__n_clusters': 3}")
    assert "of 80 pairs satisfied" in best


def test_the_example_of_tables_runs(capsys):
    page = (ROOT / "docs" / "data.md").read_text()
    for example in re.findall(r"```python\n(.*?)```", page, re.S):
        exec(example, {})
    *sentences, label, pairs = capsys.readouterr().out.splitlines()
    assert len(sentences) == 3
    assert label in ("[0]", "[1]")
    assert "2 of 2 pairs satisfied" in pairs


def test_the_example_of_models_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "models.md").read_text()
    exec(re.search(r"```python\n(.*?)```", page, re.S).group(1), {})
    same, first, *_, last = capsys.readouterr().out.splitlines()
    assert same == "True"
    assert first.startswith("row 7 is in cluster ")
    assert last.startswith("The way to the nearest given label, ")


def test_the_example_of_asking_runs(capsys):
    page = (ROOT / "docs" / "asking.md").read_text()
    exec(re.search(r"```python\n(.*?)```", page, re.S).group(1), {})
    progress, result = capsys.readouterr().out.splitlines()
    assert progress.startswith("29 answers, 4 groups")
    assert result.split(" | ")[0] in ("fit", "steady")


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
