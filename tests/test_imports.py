"""Imports follow the table of docs/architecture.md, and the core needs no extra."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import samekind

ROOT = Path(samekind.__file__).parent
DOCS = Path(__file__).parents[1] / "docs"
EVERYWHERE = {"_typing", "_version"}


def table():
    """For each subpackage what it may import: of samekind, and of libraries.

    An entry is a name and the modules that it is restricted to, none for no restriction.
    """
    section = (DOCS / "architecture.md").read_text().split("may import\n")[1]
    rows = re.findall(r"^\| `([\w.]+)` \|(.*)\|(.*)\|$", section, re.M)
    return {name: (entries(ours), entries(libraries)) for name, ours, libraries in rows}


def entries(cell):
    found = re.findall(r"([\w.]+)(?: \(([^)]*)\))?", cell)
    return {name: set(modules.split(", ")) if modules else set() for name, modules in found}


MAY_IMPORT = table()


def files():
    return sorted(ROOT.rglob("*.py"))


def subpackage_of(parts):
    """Two levels below app and paper, one elsewhere."""
    if parts[0] in ("app", "paper") and len(parts) > 1 and parts[1] != "__init__":
        return ".".join(parts[:2])
    return parts[0]


def owner(path):
    return subpackage_of([part.removesuffix(".py") for part in path.relative_to(ROOT).parts])


def imports_of(path):
    """Everything imported, as package, subpackage of samekind, and the modules below it."""
    for node in ast.walk(ast.parse(path.read_text())):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports from samekind, not relative ones"
            modules = [node.module]
            if node.module in ("samekind", "samekind.app", "samekind.paper"):
                modules = [f"{node.module}.{alias.name}" for alias in node.names]
        for module in modules:
            package, *parts = module.split(".")
            part = subpackage_of(parts or ["__init__"])
            yield package, part, parts[len(part.split(".")) :]


def test_every_subpackage_is_in_the_table():
    assert {owner(path) for path in files()} == set(MAY_IMPORT)


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_subpackage_imports_only_what_it_may(path):
    subpackage = owner(path)
    ours, libraries = MAY_IMPORT[subpackage]
    for package, part, below in imports_of(path):
        if package == "samekind" and part not in EVERYWHERE | {subpackage}:
            assert part in ours, f"{subpackage} imports samekind.{part}"
            assert not ours[part] or (below and below[0] in ours[part]), (part, below)
        elif package not in sys.stdlib_module_names | {"samekind"}:
            assert package in libraries, f"{subpackage} imports {package}"
            allowed = libraries[package]
            assert not allowed or path.stem in allowed, f"{path.name} imports {package}"


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_in_the_library_prints_or_touches_global_randomness(path):
    names = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
    }
    assert "seed" not in names
    assert "print" not in names or owner(path) in ("app.cli", "paper.cli")


EXTRAS = "typer rich matplotlib jinja2 PIL pyarrow pooch pandas polars"


def test_importing_samekind_needs_the_core_alone():
    """Every public name is there in an interpreter without extras, app and paper stay out."""
    code = f"""
import sys
sys.modules.update(dict.fromkeys({EXTRAS!r}.split()))  # importing these fails
import samekind, samekind.metrics, samekind.graph, samekind.constraints, samekind.estimators
[getattr(samekind, name) for name in samekind.__all__]
print(*(name for name in sys.modules if name.startswith(("samekind.app", "samekind.paper"))))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
