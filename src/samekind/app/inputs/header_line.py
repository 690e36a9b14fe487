"""The line with the names of the columns: what may stand above it, and whether it is one."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from samekind.app.inputs.columns import listed
from samekind.app.inputs.errors import InputError

Record = tuple[int, Sequence[Any]]  # a line or row of the file, with its number


def first_names(records: Iterator[Record], unit: str) -> tuple[Record, tuple[str, ...]]:
    """The first record that is no title, and what to say of those above it.

    A title stands in the first of three cells or more, with nothing beside it.

    Examples
    --------
    >>> first_names(iter([(1, ["Sales", "", ""]), (2, ["a", "b", "c"])]), "line")
    ((2, ['a', 'b', 'c']), ("Above the names of the columns, line 1 was left out: 'Sales'.",))
    """
    above = 0
    titles: list[str] = []
    for number, cells in records:
        filled = [str(cell).strip() for cell in cells if _is_filled(cell)]
        if len(cells) < 3 or len(filled) > 1 or (filled and not _is_filled(cells[0])):
            break
        above, titles = above or number, titles + filled
    if not above:
        return (number, cells), ()
    places = (
        f"{unit} {above} was" if number - above == 1 else f"{unit}s {above} to {number - 1} were"
    )
    what = f": {listed(titles, 3)}" if titles else ""
    return (number, cells), (f"Above the names of the columns, {places} left out{what}.",)


def check_header(path: Path, line: int, names: Sequence[str]) -> tuple[str, ...]:
    """Refuse a first line that is a row; a note where it may be one.

    Examples
    --------
    >>> check_header(Path("a.csv"), 1, ["name", "2023", "2024", "2025"])
    ()
    >>> check_header(Path("a.csv"), 1, ["ann", "1.5"])[0][:60]
    "The first line was taken for names of columns, such as '1.5'"
    """
    numbers = [name for name in names if is_number(name)]
    remedy = "put a header line before it, such as " + ",".join(_example_names(len(names)))
    if len(numbers) == len(names):
        reason = "the first line holds only numbers, expected the names of the columns"
        raise InputError(path, reason, remedy, line=line)
    if len(set(numbers)) < len(numbers):
        reason = "the first line holds a number twice, expected the names of the columns"
        raise InputError(path, reason, remedy, line=line)
    broken = [name for name in numbers if not name.isdecimal()]
    if not broken:  # whole numbers may be years or questions
        return ()
    said = f"The first line was taken for names of columns, such as '{broken[0]}'"
    return (f"{said}; if it is a row, {remedy}.",)


def is_number(text: str) -> bool:
    """Whether a text is a number, also with a decimal comma."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _is_filled(cell: Any) -> bool:
    return cell is not None and bool(str(cell).strip())


def _example_names(n: int) -> list[str]:
    return [f"x{i + 1}" for i in range(n)] if n <= 3 else ["x1", "x2", "...", f"x{n}"]
