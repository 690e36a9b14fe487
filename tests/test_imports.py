"""The architecture: what each subpackage may import; docs/architecture.md explains the table."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import samekind

ROOT = Path(samekind.__file__).parent
NUMERIC = {"numpy", "scipy"}
EVERYWHERE = {"_typing", "_version"}  # names for arrays, and the version
CORE = {"constraints", "graph", "metrics", "estimators", "_kernels", "_solver", "_memory"}
APP = {
    f"app.{part}" for part in ("choices", "content", "demo", "inputs", "report", "results", "run")
}

# subpackage: (subpackages of ours, libraries beyond the standard one)
MAY_IMPORT = {
    "__init__": ({"constraints", "estimators", "_kernels"}, set()),
    "_version": (set(), set()),
    "_typing": (set(), {"numpy"}),
    "_memory": (set(), set()),
    "_files": (set(), set()),
    "constraints": ({"_files"}, NUMERIC),
    "graph": (set(), NUMERIC | {"sklearn"}),
    "_kernels": ({"graph"}, NUMERIC | {"sklearn"}),
    "_solver": ({"graph", "_kernels"}, NUMERIC),
    "estimators": (
        {"constraints", "graph", "_kernels", "_solver", "_memory"},
        NUMERIC | {"sklearn", "threadpoolctl"},
    ),
    "metrics": ({"constraints"}, NUMERIC | {"sklearn"}),
    "app": (set(), set()),
    "app.inputs": ({"constraints"}, NUMERIC | {"pyarrow", "PIL"}),
    "app.report": (
        {"_files", "_kernels"},
        NUMERIC | {"matplotlib", "jinja2", "markupsafe"},
    ),
    "app.choices": ({"constraints", "estimators", "app.inputs"}, set()),
    "app.run": (
        {"constraints", "estimators", "metrics", "_solver", "app.inputs", "app.report"},
        NUMERIC,
    ),
    "app.content": ({"app.inputs", "app.report", "app.run"}, NUMERIC | {"sklearn"}),
    "app.results": ({"app.content", "app.inputs", "app.report", "app.run"}, NUMERIC),
    "app.demo": ({"constraints", "estimators"} | APP, {"numpy", "sklearn"}),
    "app.cli": ({"estimators", "paper.cli"} | APP, {"typer", "rich"}),
    "paper": (set(), set()),
    "paper.datasets": ({"app.inputs"}, NUMERIC | {"sklearn", "pooch"}),
    "paper.experiments": (
        CORE | {"_files", "paper.datasets"},
        NUMERIC | {"sklearn", "threadpoolctl", "joblib"},
    ),
    "paper.report": (
        {"_files", "_kernels", "app.report", "paper.experiments"},
        NUMERIC | {"matplotlib", "jinja2", "markupsafe"},
    ),
    "paper.cli": (
        {
            "estimators",
            "app.choices",
            "app.cli",
            "paper.datasets",
            "paper.experiments",
            "paper.report",
        },
        {"typer", "rich"},
    ),
}
# Within these subpackages only the named files may use the library.
NARROW = {
    ("graph", "sklearn"): {"knn.py", "neighbors.py"},
    ("_kernels", "sklearn"): {"assign.py"},
    ("app.inputs", "pyarrow"): {"parquet_table.py"},
    ("app.inputs", "PIL"): {"pictures.py"},
    ("paper.datasets", "sklearn"): {"download.py", "libsvm.py", "digits.py"},
    ("paper.datasets", "pooch"): {"download.py"},
}
# Of another subpackage these modules may be used, and no others.
MODULES = {
    ("app.report", "_kernels"): {"shrink", "status"},  # unit rows; what counts as converged
    ("paper.report", "_kernels"): {"shrink", "status"},
    ("paper.report", "paper.experiments"): {"published", "rows"},  # numbers, not what made them
    ("paper.datasets", "app.inputs"): {"errors", "matlab"},
    ("paper.cli", "app.cli"): {"common"},
}


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
    """Everything imported, as package, subpackage of ours, and what lies below."""
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
    ours, theirs = MAY_IMPORT[subpackage]
    for package, part, inner in imports_of(path):
        if package == "samekind":
            assert part in ours | EVERYWHERE | {subpackage}, f"{subpackage} imports samekind.{part}"
            assert set(inner) <= MODULES.get((subpackage, part), set(inner)), inner
        elif package not in sys.stdlib_module_names:
            assert package in theirs, f"{subpackage} imports {package}"
            allowed = NARROW.get((subpackage, package))
            assert allowed is None or path.name in allowed, f"{path.name} imports {package}"


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
