"""Columns of a table: which one names the rows, which holds the classes, which are X."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike
from typing import Literal

from samekind.app.inputs.errors import InputError

Unit = Literal["line", "row"]


@dataclass(frozen=True)
class Roles:
    """Positions of the columns by what they are for."""

    id: int | None
    label: int | None
    features: tuple[int, ...]


def assign_roles(
    path: str | PathLike[str],
    names: Sequence[str],
    id_column: str | None,
    label_column: str | None,
    line: int | None = None,
) -> Roles:
    """Check the column names and give every column its role; `line` is the header's."""
    check_names(path, names, line)
    if id_column is not None and id_column == label_column:
        raise InputError(
            path, f"--id and --label both name column '{id_column}'", "name two columns"
        )
    id_at = _find(path, names, id_column, "--id", line)
    label_at = _find(path, names, label_column, "--label", line)
    features = tuple(i for i in range(len(names)) if i not in (id_at, label_at))
    if not features:
        raise InputError(
            path,
            "no column is left for the numbers",
            "a table needs at least one column besides those of --id and --label",
            line=line,
        )
    return Roles(id_at, label_at, features)


def check_names(path: str | PathLike[str], names: Sequence[str], line: int | None) -> None:
    """Refuse columns without a name, or with the same one."""
    first: dict[str, int] = {}
    for position, name in enumerate(names, 1):
        if not name:
            raise InputError(
                path,
                f"column {position} has no name",
                "name it, or remove it if it only counts the rows (pandas: index=False)",
                line=line,
            )
        if first.setdefault(name, position) != position:
            raise InputError(
                path,
                f"columns {first[name]} and {position} are both named '{name}'",
                "give each column a name of its own",
                line=line,
            )


def closest(wanted: str, names: Sequence[str], otherwise: str = "use one of these") -> str:
    """A remedy for a misspelt name."""
    near = get_close_matches(wanted, names, n=1)
    return f"did you mean '{near[0]}'?" if near else otherwise


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names in quotes, the first few of many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + more


def check_filled(
    path: str | PathLike[str],
    column: str,
    cells: Sequence[str | None],
    numbers: Sequence[int],
    unit: Unit,
) -> None:
    """Refuse the first blank cell; `numbers` are the lines or rows of the cells."""
    for number, cell in zip(numbers, cells, strict=True):
        if cell is None or not cell.strip():
            raise missing_cell(path, column, "", unit, number)


def check_unique(
    path: str | PathLike[str],
    column: str,
    ids: Sequence[str],
    numbers: Sequence[int],
    unit: Unit,
) -> None:
    """Refuse the first id that stands for two rows."""
    first: dict[str, int] = {}
    for number, name in zip(numbers, ids, strict=True):
        if name in first:
            raise InputError(
                path,
                f"the id '{name}' in column '{column}' was used before, in {unit} {first[name]}",
                "give every row an id of its own",
                **{unit: number},
            )
        first[name] = number


def text_cell(
    path: str | PathLike[str], column: str, text: str, unit: Unit, number: int
) -> InputError:
    """The error for text where a number should be."""
    found = text if len(text) <= 40 else text[:37] + "..."
    return InputError(
        path,
        f"column '{column}' holds the text {found!r}, expected a number",
        f"correct it, or remove the column, or name it with --id '{column}' or --label '{column}'",
        **{unit: number},
    )


def missing_cell(
    path: str | PathLike[str], column: str, text: str, unit: Unit, number: int
) -> InputError:
    """The error for an empty cell, or for one that holds no finite number."""
    found = f"holds {text!r}, which is no finite number" if text else "is empty"
    return InputError(
        path, f"column '{column}' {found}", "fill in a value or remove the row", **{unit: number}
    )


def _find(
    path: str | PathLike[str],
    names: Sequence[str],
    wanted: str | None,
    option: str,
    line: int | None,
) -> int | None:
    if wanted is None:
        return None
    if wanted not in names:
        reason = f"there is no column '{wanted}' ({option}); there are {listed(names)}"
        raise InputError(path, reason, closest(wanted, names), line=line)
    return list(names).index(wanted)
