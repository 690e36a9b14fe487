"""Columns of a table: which one names the rows, which hold classes, which are X."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Literal

from samekind._suggest import did_you_mean
from samekind.app.inputs.errors import InputError

Unit = Literal["line", "row"]


OPTIONS = "--id, --truth and --labels"


@dataclass(frozen=True)
class Columns:
    """Names of columns, or arrays, by what they are for; None or empty where there is none.

    ``use`` are all that become X if there are any, ``drop`` those that do not; ``text`` are
    compared by their words, of ``category`` numbers are codes.
    """

    id: str | None = None
    truth: str | None = None
    labels: str | None = None
    use: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    category: tuple[str, ...] = ()

    def asked(self, path: str | PathLike[str]) -> dict[str, str]:
        """The names that are no part of X by their options; one cannot serve for two of them."""
        options = {"--id": self.id, "--truth": self.truth, "--labels": self.labels}
        named = {option: name for option, name in options.items() if name is not None}
        first: dict[str, str] = {}
        for option, name in named.items():
            if first.setdefault(name, option) != option:
                reason = f"{first[name]} and {option} both name '{name}'"
                raise InputError(path, reason, "name two different ones")
        return named

    def among(self, names: Sequence[str]) -> "Columns":
        """With names that came in one, separated by commas, taken apart; a name may hold some.

        Examples
        --------
        >>> Columns(use=("a,b", "c, d")).among(["a", "b", "c, d"]).use
        ('a', 'b', 'c, d')
        """

        def apart(given: tuple[str, ...]) -> tuple[str, ...]:
            each = ([one] if one in names else one.split(",") for one in given)
            return tuple(
                name.strip() if name not in names else name for one in each for name in one
            )

        return replace(
            self,
            use=apart(self.use),
            drop=apart(self.drop),
            text=apart(self.text),
            category=apart(self.category),
        )

    @property
    def read_as_text(self) -> set[str]:
        """The names of columns whose cells count as they are written, also where they are numbers.

        Examples
        --------
        >>> sorted(Columns("name", category=("size",)).read_as_text)
        ['name', 'size']
        """
        named = {self.id, self.truth, self.labels} - {None}
        return {str(name) for name in named} | {*self.text, *self.category}

    def there(self, names: Sequence[str]) -> "Columns":
        """Those among names alone: new rows need not have all that earlier ones had.

        Examples
        --------
        >>> Columns("name", drop=("a", "b")).there(["b", "c"])
        Columns(id=None, truth=None, labels=None, use=(), drop=('b',), text=(), category=())
        """

        def kept(name: str | None) -> str | None:
            return name if name in names else None

        return replace(
            self,
            id=kept(self.id),
            truth=kept(self.truth),
            labels=kept(self.labels),
            drop=tuple(name for name in self.drop if name in names),
        )

    @property
    def of_tables(self) -> dict[str, tuple[str, ...]]:
        """Names of columns that only a table can have, by their options."""
        options = {
            "--columns": self.use,
            "--drop": self.drop,
            "--text": self.text,
            "--category": self.category,
        }
        return {option: names for option, names in options.items() if names}

    def refuse(self, path: str | PathLike[str], what: str, remedy: str) -> None:
        """Refuse names where there are no columns."""
        self.refuse_of_tables(path, what)
        if named := self.asked(path):
            reason = f"{' and '.join(named)} came with the name of a column, and {what} has none"
            raise InputError(path, reason, remedy)

    def refuse_of_tables(self, path: str | PathLike[str], what: str) -> None:
        """Refuse what only a table can have."""
        if named := self.of_tables:
            reason = f"{' and '.join(named)} name columns of a table, and {what} has none"
            raise InputError(path, reason, "leave it out, or save a csv, xlsx or parquet file")


def assign_roles(
    path: str | PathLike[str],
    names: Sequence[str],
    columns: Columns,
    line: int | None = None,
) -> list[str]:
    """Check the column names; the names of those that become X. `line` is the header's."""
    check_names(path, names, line)
    asked = columns.asked(path)
    wanted = [(option, name) for option, name in asked.items()]
    wanted += [(option, name) for option, all_ in columns.of_tables.items() for name in all_]
    missing = [(option, name) for option, name in wanted if name not in names]
    if missing:
        named = " and ".join(f"no column '{name}' ({option})" for option, name in missing)
        option, name = missing[0]
        reason = f"there is {named}; there are {listed(names)}"
        raise InputError(path, reason, misspelled(name, names, option), line=line)
    for option, named_twice in columns.of_tables.items():
        taken = [f"'{name}'" for name in named_twice if name in asked.values()]
        if taken and option != "--drop":
            reason = f"{option} names {', '.join(taken)}, which {OPTIONS} take out"
            raise InputError(path, reason, "name it once", line=line)
    # A text that is named decides alone, unless other columns are named too.
    use = {*columns.use, *columns.text} or set(names)
    out = {*asked.values(), *columns.drop}
    features = [name for name in names if name in use and name not in out]
    if not features:
        raise InputError(
            path,
            "no column is left for the features",
            f"a table needs at least one column besides those of {OPTIONS} and --drop",
            line=line,
        )
    return features


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
            raise missing_cell(path, column, unit, number)


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


def missing_cell(path: str | PathLike[str], column: str, unit: Unit, number: int) -> InputError:
    """The error for an empty cell."""
    remedy = "fill in a value or remove the row"
    return InputError(path, f"column '{column}' is empty", remedy, **{unit: number})
