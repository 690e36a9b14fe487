"""Columns of a table: which one names the rows, which hold classes, which are X."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Literal

from samekind._suggest import did_you_mean
from samekind.app.inputs.errors import InputError

Unit = Literal["line", "row"]


OPTIONS = "--id, --truth and --labels"


@dataclass(frozen=True)
class Columns:
    """Names of the columns, or arrays, that are no part of X; None where there is none."""

    id: str | None = None
    truth: str | None = None
    labels: str | None = None

    def asked(self, path: str | PathLike[str]) -> dict[str, str]:
        """The names by their options; one name cannot serve for two of them."""
        options = {"--id": self.id, "--truth": self.truth, "--labels": self.labels}
        named = {option: name for option, name in options.items() if name is not None}
        first: dict[str, str] = {}
        for option, name in named.items():
            if first.setdefault(name, option) != option:
                reason = f"{first[name]} and {option} both name '{name}'"
                raise InputError(path, reason, "name two different ones")
        return named

    def refuse(self, path: str | PathLike[str], what: str, remedy: str) -> None:
        """Refuse names where there are no columns."""
        if named := self.asked(path):
            reason = f"{' and '.join(named)} came with the name of a column, and {what} has none"
            raise InputError(path, reason, remedy)


@dataclass(frozen=True)
class Roles:
    """Positions of the columns by what they are for."""

    id: int | None
    truth: int | None
    labels: int | None
    features: tuple[int, ...]

    @property
    def taken(self) -> list[int]:
        """Columns that are no part of X, the last first."""
        found = (self.id, self.truth, self.labels)
        return sorted((i for i in found if i is not None), reverse=True)


def assign_roles(
    path: str | PathLike[str],
    names: Sequence[str],
    columns: Columns,
    line: int | None = None,
) -> Roles:
    """Check the column names and give every column its role; `line` is the header's."""
    check_names(path, names, line)
    at = {}
    for option, wanted in columns.asked(path).items():
        if wanted not in names:
            reason = f"there is no column '{wanted}' ({option}); there are {listed(names)}"
            raise InputError(path, reason, misspelled(wanted, names, option), line=line)
        at[option] = list(names).index(wanted)
    features = tuple(i for i in range(len(names)) if i not in at.values())
    if not features:
        raise InputError(
            path,
            "no column is left for the numbers",
            f"a table needs at least one column besides those of {OPTIONS}",
            line=line,
        )
    return Roles(at.get("--id"), at.get("--truth"), at.get("--labels"), features)


def misspelled(wanted: str, names: Iterable[str], option: str) -> str:
    """What to do about a name that is not there."""
    file = ", or give a csv file with the columns row,label" if option == "--labels" else ""
    return did_you_mean(wanted, names, f"use one of these{file}")


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


def check_truth(
    path: str | PathLike[str],
    column: str,
    cells: Sequence[str | None],
    numbers: Sequence[int],
    unit: Unit,
) -> None:
    """Refuse true classes with gaps; they are most likely meant as supervision."""
    try:
        check_filled(path, column, cells, numbers, unit)
    except InputError as error:
        remedy = f"--truth needs every class; where some are unknown use --labels '{column}'"
        raise InputError(path, error.reason, remedy, error.line, error.row) from None


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
        f"correct it, or remove the column, or {name_it(column)}",
        **{unit: number},
    )


def name_it(column: str) -> str:
    """The remedy for a column that is no part of X."""
    return f"name it with --id '{column}', --truth '{column}' or --labels '{column}'"


def missing_cell(
    path: str | PathLike[str], column: str, text: str, unit: Unit, number: int
) -> InputError:
    """The error for an empty cell, or for one that holds no finite number."""
    found = f"holds {text!r}, which is no finite number" if text else "is empty"
    return InputError(
        path, f"column '{column}' {found}", "fill in a value or remove the row", **{unit: number}
    )
