"""What to say of columns: what became of them, what is wrong with them, what is new."""

import warnings
from collections.abc import Sequence
from os import PathLike

from samekind.app.inputs.columns import listed
from samekind.app.inputs.encoded_column import EncodedColumn
from samekind.app.inputs.errors import InputError


def check_columns(
    names: Sequence[str], columns: Sequence[EncodedColumn], source: str | PathLike[str]
) -> None:
    """Refuse new rows that lack columns; warn of new columns, and of another order."""
    needed = [column.name for column in columns if column.features]
    missing = [name for name in needed if name not in names]
    if missing:
        which = "column" if len(missing) == 1 else "columns"
        raise InputError(
            source,
            f"the {which} {listed(missing)} of the rows before {_are(missing)} missing",
            "add them; cells may be blank",
        )
    known = [column.name for column in columns]
    if extra := [name for name in names if name not in known]:
        warnings.warn(f"{source}: {listed(extra)} {_are(extra)} new and not used", stacklevel=3)
    if [name for name in names if name in needed] != needed:
        warnings.warn(
            f"{source}: the columns stand in another order than before; they were found by "
            "their names",
            stacklevel=3,
        )


def grouped(columns: Sequence[EncodedColumn]) -> tuple[str, ...]:
    """One sentence for each column, or for more than three that became the same."""
    alike: dict[str, list[str]] = {}
    for column in columns:
        alike.setdefault(column.sentence, []).append(column.name)
    said = []
    for sentence, names in alike.items():
        together = [names] if len(names) > 3 else [[name] for name in names]
        for some in together:
            what = "Column" if len(some) == 1 else "Columns"
            said.append(f"{what} {listed(some)}: {sentence}.")
    return tuple(said)


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def unusable(source: str | PathLike[str], problems: dict[str, str], remedy: str) -> InputError:
    """All columns that cannot be used, in one message."""
    each = [f"column '{name}' {what}" for name, what in problems.items()]
    count = f"{len(each)} columns cannot be used: " if len(each) > 1 else ""
    return InputError(source, count + "; ".join(each), remedy)
