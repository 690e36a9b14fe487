"""Commands on a model: predict, explain."""

import json
import shlex
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from samekind.app.cli.common import app, bad_input_ends, bar
from samekind.app.cli.reading import STDIN, require_there

MODEL_NAME = "model.skops"
ModelFile = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL", help="model.skops, as samekind cluster writes it, or the folder it is in."
    ),
]


@app.command()
def predict(
    model: ModelFile,
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", help="New rows: a file or folder like the one of the model."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="csv file; NAME-labels.csv if not given.")
    ] = None,
    id_column: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="Column that names the rows, if another."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Write over the file if it is there.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Find the clusters of new rows, with a model of earlier ones.

    Example: samekind predict flowers/model.skops new.csv --out new-labels.csv

    Columns are found by their names. Writes the columns of labels.csv, or nothing.
    """
    with bad_input_ends():
        require_there(data)
        from samekind.app.predict import check_new, predict, write_prediction

        if _is_model(data) and not _is_model(model):
            raise ValueError(
                f"{data} came as the new rows; the model comes first: "
                + shlex.join(["samekind", "predict", str(data), str(model)])
            )
        name = "stdin" if data == STDIN else data.resolve().stem
        path = out or Path(f"{name}-labels.csv")
        check_new(path, overwrite=overwrite)
        with bar(as_json) as report, _noted(as_json) as notes:
            saved = _load(model)
            found = predict(
                saved,
                data,
                id_column=id_column,
                on_progress=lambda done, total: report("reading", done / max(total, 1)),
            )
            notes += found.notes
        write_prediction(path, found, overwrite=overwrite)
        if as_json:
            result: dict[str, Any] = {
                "model": str(model),
                "source": found.samples.source,
                "n_rows": len(found.labels),
                "cluster_sizes": found.sizes,
                "notes": notes,
                "out": str(path),
            }
            typer.echo(json.dumps(result, indent=2))
        else:
            sizes = ", ".join(f"{name} ({size})" for name, size in found.sizes.items())
            groups = "clusters" if found.names is None else "the clusters"
            typer.echo(f"{_rows(len(found.labels))} in {groups} {sizes}.")
            typer.echo(f"Labels: {path}")


@app.command()
def explain(
    model: ModelFile,
    row: Annotated[
        str, typer.Argument(metavar="ROW", help="A row that the model has seen: its id or number.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Say why a row is in its cluster: neighbors, nearest pairs, the way to a given label.

    Example: samekind explain flowers/model.skops iris-12
    """
    with bad_input_ends():
        from samekind.app.explain import explain

        with _noted(as_json) as notes:
            saved = _load(model)
        found = explain(saved, saved.row_named(row))
        if as_json:
            result = asdict(found) | {"sentences": found.sentences, "notes": notes}
            typer.echo(json.dumps(result, indent=2))
        else:
            for sentence in found.sentences:
                typer.echo(sentence)


def _load(path: Path) -> Any:
    from samekind.app.model import load_model

    return load_model(path / MODEL_NAME if path.is_dir() else path)


def _is_model(path: Path) -> bool:
    return path.suffix == Path(MODEL_NAME).suffix or (path / MODEL_NAME).is_file()


@contextmanager
def _noted(silent: bool) -> Iterator[list[str]]:
    """A list of notes, with what was warned of; printed at the end unless they are for JSON."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield notes
    notes += [str(warning.message) for warning in caught]
    for note in () if silent else notes:
        typer.echo(f"Note: {note}", err=True)


def _rows(n: int) -> str:
    return "1 row" if n == 1 else f"{n} rows"
