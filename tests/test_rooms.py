"""The architecture, as a table of what each room may import; docs/architecture.md explains it."""

import ast
import sys
from pathlib import Path

import pytest

import samekind

ROOT = Path(samekind.__file__).parent
NUMERIC = {"numpy", "scipy"}
EVERYWHERE = {"typing", "_version"}  # our own names for arrays, and the version

# room: (rooms of ours, libraries beyond the standard one)
ROOMS = {
    "__init__": ({"constraints", "estimators", "kernels"}, set()),
    "_version": (set(), set()),
    "typing": (set(), {"numpy"}),
    "memory": (set(), set()),
    "files": (set(), set()),
    "constraints": (set(), NUMERIC),
    "graph": (set(), NUMERIC | {"sklearn"}),
    "kernels": ({"graph"}, NUMERIC | {"sklearn"}),
    "solver": ({"graph", "kernels"}, NUMERIC),
    "estimators": (
        {"constraints", "graph", "kernels", "solver", "memory"},
        NUMERIC | {"sklearn", "threadpoolctl"},
    ),
    "metrics": ({"constraints"}, NUMERIC | {"sklearn"}),
    "inputs": (set(), NUMERIC | {"pyarrow", "PIL"}),
    "datasets": ({"inputs"}, NUMERIC | {"sklearn", "pooch"}),
    "experiments": (
        {"constraints", "datasets", "estimators", "files", "graph", "metrics"},
        NUMERIC | {"sklearn", "threadpoolctl", "joblib"},
    ),
    "report": (
        {"experiments", "files", "kernels"},
        NUMERIC | {"matplotlib", "jinja2", "markupsafe"},
    ),
    "choices": ({"constraints", "estimators", "inputs"}, set()),
    "jobs": (
        {"constraints", "estimators", "inputs", "metrics", "report", "solver"},
        NUMERIC | {"sklearn"},
    ),
    "demo": ({"choices", "constraints", "estimators", "inputs", "jobs"}, {"numpy", "sklearn"}),
    "cli": (
        {"choices", "datasets", "demo", "estimators", "experiments", "inputs", "jobs", "report"},
        {"typer", "rich"},
    ),
}
# Within these rooms only the named files may use the library.
NARROW = {
    ("graph", "sklearn"): {"knn.py", "neighbours.py"},
    ("kernels", "sklearn"): {"assign.py"},
    ("inputs", "pyarrow"): {"parquet_table.py"},
    ("inputs", "PIL"): {"pictures.py"},
    ("datasets", "sklearn"): {"download.py", "libsvm.py", "digits.py"},
    ("datasets", "pooch"): {"download.py"},
}
# Of another room these files may be used, and no others.
DOORS = {
    ("report", "kernels"): {"shrink", "status"},  # rows at unit length; what counts as converged
    ("report", "experiments"): {"published", "rows"},  # numbers, not what made them
    ("datasets", "inputs"): {"errors", "matlab"},
}


def files():
    return sorted(ROOT.rglob("*.py"))


def room_of(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports_of(path):
    """Everything imported, as package, room of ours, and what lies below."""
    for node in ast.walk(ast.parse(path.read_text())):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports from samekind, not relative ones"
            modules = [node.module]
            if node.module == "samekind":
                modules = [f"samekind.{alias.name}" for alias in node.names]
        for module in modules:
            parts = module.split(".")
            yield parts[0], (parts[1] if len(parts) > 1 else "__init__"), parts[2:]


def test_every_room_is_in_the_table():
    assert {room_of(path) for path in files()} == set(ROOMS)


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_touches_only_what_it_may(path):
    room = room_of(path)
    ours, theirs = ROOMS[room]
    for package, part, inner in imports_of(path):
        if package == "samekind":
            assert part in ours | EVERYWHERE | {room}, f"{room} imports samekind.{part}"
            assert set(inner) <= DOORS.get((room, part), set(inner)), f"{room}: {part}.{inner}"
        elif package not in sys.stdlib_module_names:
            assert package in theirs, f"{room} imports {package}"
            allowed = NARROW.get((room, package))
            assert allowed is None or path.name in allowed, f"{path.name} imports {package}"


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_in_the_library_prints_or_touches_global_randomness(path):
    names = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
    }
    assert "seed" not in names
    assert "print" not in names or room_of(path) == "cli"


def test_the_core_needs_no_extra():
    """What ``import samekind`` reaches uses numpy, scipy and scikit-learn alone."""
    reached, waiting = set(), {"__init__", "metrics"}
    while waiting:
        room = waiting.pop()
        reached.add(room)
        waiting |= ROOMS[room][0] - reached
    libraries = set().union(*(ROOMS[room][1] for room in reached))
    assert libraries <= {"numpy", "scipy", "sklearn", "threadpoolctl"}
