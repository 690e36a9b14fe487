"""Options that say how DATA is read, and what they mean together."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

STDIN = Path("-")


class Scale(StrEnum):
    """How the columns of a table are scaled."""

    auto = "auto"
    none = "none"
    standard = "standard"


_Names = list[str] | None

IdColumn = Annotated[
    str | None, typer.Option("--id", metavar="COLUMN", help="Column that names the rows.")
]
TruthColumn = Annotated[
    str | None,
    typer.Option("--truth", metavar="COLUMN", help="True classes, used for scores alone."),
]
UsedColumns = Annotated[
    _Names,
    typer.Option(
        "--columns", metavar="NAMES", help="Only these columns of a table, with commas between."
    ),
]
DroppedColumns = Annotated[
    _Names, typer.Option("--drop", metavar="NAMES", help="Columns of a table to leave out.")
]
TextColumns = Annotated[
    _Names,
    typer.Option(
        "--text",
        metavar="NAMES",
        help="Columns to compare by their words; others count only if --columns names them.",
    ),
]
CategoryColumns = Annotated[
    _Names, typer.Option("--category", metavar="NAMES", help="Columns whose numbers are codes.")
]
ScaleOption = Annotated[
    Scale,
    typer.Option(
        help="standard: every column counts the same; auto: so if a table holds more than "
        "numbers, else as the method chooses."
    ),
]
ImageSize = Annotated[
    int, typer.Option(min=2, help="Pictures are made this many pixels wide and high.")
]


def folder_for(data: Path, out: Path | None) -> Path:
    """The folder of results: as given, else after the data."""
    if out is not None:
        return out
    return Path(f"{'stdin' if data == STDIN else data.resolve().stem}-clusters")


def settle_scale(model: Any, samples: Any, scale: Scale, settings: Sequence[str]) -> None:
    """Leave to the method what reading did not decide.

    Raises
    ------
    ValueError
        If neither can scale: arrays are read as they are.
    """
    scaled = samples.encoder is not None and samples.encoder.standardized_
    if scale == Scale.auto and not scaled:
        return
    if "standardize" in model.get_params():
        if not any(setting.startswith("standardize=") for setting in settings):
            model.set_params(standardize=scale == Scale.standard and not scaled)
    elif scale == Scale.standard and not scaled:
        raise ValueError(
            f"--scale standard: arrays and pictures are read as they are, and "
            f"{type(model).__name__} does not scale; use --method samekind or a table"
        )
