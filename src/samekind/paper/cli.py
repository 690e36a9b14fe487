"""Commands around the paper: reproduce, report, datasets."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from samekind._folder import reserved
from samekind.app.cli.common import INCOMPLETE, app, bad_input_ends, bar, console
from samekind.app.cli.scheduling import SchedulerOption, workers_of

if TYPE_CHECKING:
    from samekind.paper.experiments import Ended, RowsRead
    from samekind.paper.experiments.rows import Row

datasets_app = typer.Typer(
    invoke_without_command=True, help="List the data sets of the paper, or get one."
)
app.add_typer(datasets_app, name="datasets")
Names = Annotated[str | None, typer.Option(metavar="NAMES", help="Only these, with commas.")]


@app.command()
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="Experiments, such as table2; none: a list of them.")
    ] = None,
    datasets: Names = None,
    methods: Names = None,
    repeats: Annotated[
        int | None,
        typer.Option(min=1, help="Random trials per cell; by default the paper's number."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Runs side by side; 1, or as many as cores of --scheduler local."),
    ] = None,
    scheduler: SchedulerOption = None,
    retry: Annotated[bool, typer.Option("--retry", help="Run again what has failed.")] = False,
    out: Annotated[Path, typer.Option(help="Folder of rows and report.")] = Path("results"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Run the paper's experiments; what is in the folder already is not run again.

    Example: samekind reproduce table2 --datasets yale --repeats 3 --jobs 2

    Each run is a row, written as it ends; stop and start again as you like.
    """
    with bad_input_ends():
        from samekind.paper.experiments import EXPERIMENTS, Progress
        from samekind.paper.experiments import reproduce as run

    if not names:
        table = Table("name", "what it shows", box=None, pad_edge=False)
        for name, experiment in EXPERIMENTS.items():
            table.add_row(name, experiment.title)
        console().print(table)
        return
    with (
        bad_input_ends(),
        reserved(out, task="reproduce-"),  # a report in between is no obstacle
        workers_of(scheduler, jobs) as client,
        bar(as_json, time_left=True) as tell,
    ):

        def on_row(at: Progress) -> None:
            words = f"{at.row['dataset']}, {at.row['contender']}: {at.done} of {at.total}"
            tell(words, at.done / at.total)

        ended = run(
            names,
            out,
            datasets=_listed(datasets),
            methods=_listed(methods),
            repetitions=repeats,
            n_jobs=jobs or 1,
            client=client,
            retry=retry,
            on_row=on_row,
        )
        if not ended.made + ended.found:
            raise ValueError(" ".join(["nothing could be run.", *ended.missing.values()]))
        page = _write_report(out, _read(out).rows, ended.notes)
    _show_ended(ended, page, as_json)
    if ended.failed + ended.found_failed:
        raise typer.Exit(INCOMPLETE)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="Folder with rows.")] = Path("results"),
    readme: Annotated[
        Path | None, typer.Option(help="A file whose table of results is to be renewed.")
    ] = None,
) -> None:
    """Make tables, figures and one page from rows alone, and pack the rows.

    Example: samekind report results
    """
    with bad_input_ends(), reserved(folder), bar(silent=False) as tell:
        tell("tables and figures")
        from samekind.paper.experiments import pack

        read = _read(folder)
        pack(folder)
        page = _write_report(folder, read.rows, read.notes)
        for note in read.notes:
            typer.echo(f"Note: {note}", err=True)
        if readme is not None:
            from samekind.paper.report import fill_readme

            fill_readme(readme, read.rows, _interpreted())
    typer.echo(f"Report: {page}")


@datasets_app.callback()
def list_datasets(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the data sets: where each was found, or how to get it.

    Example: samekind datasets
    """
    if context.invoked_subcommand is not None:
        return
    from samekind.paper.datasets import available

    lines = available()
    if as_json:
        typer.echo(json.dumps([asdict(line) for line in lines], indent=2))
        return
    table = Table("name", "samples", "features", "classes", box=None)
    table.add_column("where", overflow="fold")
    for line in lines:
        sizes = (str(line.n_samples), str(line.n_features), str(line.n_classes))
        where = "not usable, see below" if line.problem else line.where or "not there, see below"
        table.add_row(line.name, *sizes, where)
    console().print(table)
    for line in lines:
        if words := line.problem or line.how:
            typer.echo(f"\n{line.name}: {words}")  # in one line: addresses are there to be copied


@datasets_app.command("get")
def get_dataset(name: Annotated[str, typer.Argument(help="Name of a data set.")]) -> None:
    """Download a data set, check what came, and keep it in the cache.

    Example: samekind datasets get usps
    """
    with bad_input_ends():
        with bar(silent=False) as tell:
            tell(f"getting {name}")
            from samekind.paper.datasets import get

            where = get(name)
        typer.echo(f"{name}: {where}")


def _listed(names: str | None) -> list[str] | None:
    return None if names is None else [name.strip() for name in names.split(",") if name.strip()]


def _read(folder: Path) -> "RowsRead":
    from samekind.paper.experiments import read_rows

    read = read_rows(folder)
    if not read.rows:
        raise ValueError(
            f"{folder} holds no rows; run samekind reproduce first, or name its folder"
        )
    return read


def _write_report(folder: Path, rows: "Sequence[Row]", notes: Sequence[str]) -> Path:
    from samekind.paper.experiments import read_missing
    from samekind.paper.report import write_report

    missing = read_missing(folder)
    written = write_report(rows, folder, notes=notes, missing=missing, interpreted=_interpreted())
    return written[-1]


def _interpreted() -> set[str]:
    """Contenders whose published text leaves open what they compute."""
    from samekind.estimators._base.registry import METHODS

    return {one.estimator.__name__ for one in METHODS.values() if one.interpretation}


def _show_ended(ended: "Ended", page: Path, as_json: bool) -> None:
    if as_json:
        result = {
            "made": ended.made,
            "failed": ended.failed,
            "found": ended.found,
            "found_failed": ended.found_failed,
            "left_out": ended.left_out,
            "missing": ended.missing,
            "notes": list(ended.notes),
            "report": str(page),
        }
        typer.echo(json.dumps(result, indent=2))
        return
    for note in ended.notes:
        typer.echo(f"Note: {note}", err=True)
    for name, how in ended.missing.items():
        typer.echo(f"Data set left out, {name}: {how}", err=True)
    typer.echo(f"Runs: {ended.made} new, {ended.failed} of them failed; {ended.found} found.")
    if ended.found_failed:
        typer.echo(f"Of those found, {ended.found_failed} had failed; add --retry to rerun them.")
    if ended.left_out:
        typer.echo(f"Runs left out because their methods used up max_hours: {ended.left_out}.")
    typer.echo(f"Report: {page}")
