"""Options that say how DATA is read, and what they mean together."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from samekind._files import InputError
from samekind._suggest import did_you_mean

STDIN = Path("-")
MOST_NAMES = 1000  # of a folder, to find what was meant


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
    int | None,
    typer.Option(
        min=2, help="Pictures are made this many pixels wide and high: 32, or 128 for hog."
    ),
]
ImageFeatures = Annotated[
    str | None,
    typer.Option(
        metavar="pixels|hog|onnx:FILE",
        help="What is compared of pictures; by default hog of those larger than 64 pixels.",
    ),
]
ImageMean = Annotated[
    str | None,
    typer.Option(metavar="R,G,B", help="Mean of colors that an ONNX model expects, 0 to 1."),
]
ImageStd = Annotated[
    str | None, typer.Option(metavar="R,G,B", help="Standard deviation of colors, the same.")
]
LabelsFromFolders = Annotated[
    bool,
    typer.Option(
        "--labels-from-folders",
        help="Folders below DATA are labels; files at the top or in unsorted/ have none.",
    ),
]
TruthFromFolders = Annotated[
    bool,
    typer.Option("--truth-from-folders", help="Folders below DATA are classes, for scores alone."),
]


def picture_options(
    size: int | None, features: str | None, mean: str | None, std: str | None
) -> dict[str, Any]:
    """The options of `read_samples` for pictures, checked.

    Examples
    --------
    >>> picture_options(None, "HOG", None, None)
    {'image_size': None, 'image_features': 'hog'}
    """
    if features is not None and not features.lower().startswith("onnx:"):
        features = features.lower()
        if features not in ("pixels", "hog"):
            raise ValueError(
                f"--image-features {features}: expected pixels, hog or onnx: and the name of a file"
            )
    options: dict[str, Any] = {"image_size": size, "image_features": features}
    for name, given in (("image_mean", mean), ("image_std", std)):
        if given is not None:
            options[name] = _colors(f"--{name.replace('_', '-')}", given)
    return options


def require_there(data: Path) -> None:
    """Refuse a file that is not there, before anything is imported that takes its time."""
    if data == STDIN or data.exists():
        return
    folder = data.parent
    there = islice(folder.iterdir(), MOST_NAMES) if folder.is_dir() else ()
    # Without their suffix, which would make any two names alike.
    names = sorted(one.stem for one in there if one.suffix.lower() == data.suffix.lower())
    remedy = did_you_mean(data.stem, names, "check the name")
    raise InputError(data, "there is no such file or folder", remedy)


def words_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Options as words of the command line, without those that were not given.

    Examples
    --------
    >>> words_of({"--id": "name", "--drop": ["b", "c"], "--text": None, "--append": True})
    ('--id', 'name', '--drop', 'b', '--drop', 'c', '--append')
    """
    words: list[str] = []
    for option, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            words += [] if one is None else [option] if one is True else [option, str(one)]
    return tuple(words)


def folders_as_labels(labels: str | None) -> str:
    """What stands for the labels in messages where folders are the labels."""
    if labels is not None:
        raise ValueError(
            f"--labels {labels} came together with --labels-from-folders; give one of the two"
        )
    return "--labels-from-folders"


def _colors(option: str, text: str) -> tuple[float, ...]:
    try:
        values = tuple(float(one) for one in text.split(","))
    except ValueError:
        values = ()
    if len(values) != 3 or (option == "--image-std" and min(values) <= 0):
        what = "three numbers above 0" if option == "--image-std" else "three numbers"
        raise ValueError(f"{option} {text}: expected {what}, such as 0.5,0.5,0.5")
    return values


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
