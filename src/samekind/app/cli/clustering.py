"""Commands that cluster: cluster, demo, methods."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

import samekind
from samekind._folder import reserved
from samekind.app.cli import reading
from samekind.app.cli.common import INCOMPLETE, app, bad_input_ends, bar, console
from samekind.app.cli.interrupt import interruptible
from samekind.app.cli.many_files import (
    ColumnOptions,
    KnownOptions,
    ModelOptions,
    cluster_partitions,
)
from samekind.app.cli.outcome import outcome_as_json, scores_of, show_outcome
from samekind.app.cli.scheduling import SchedulerOption

DEFAULT = "samekind"

if TYPE_CHECKING:
    from samekind.estimators._base.registry import Method


def method_names(incomplete: str) -> list[str]:
    """Names of methods for the shell to complete, without an import of any."""
    names = (name.lower() for name in samekind.__all__ if name not in samekind._HOMES)
    return sorted(name for name in names if name.startswith(incomplete.lower()))


@app.command()
def cluster(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA",
            help="csv, tsv, xlsx, parquet, npy, npz or mat file, a folder of pictures or of .txt "
            "files, or - for csv from standard input; with --scheduler a folder of parquet or npy "
            "files.",
        ),
    ],
    clusters: Annotated[
        str | None,
        typer.Option(
            "--clusters",
            "-k",
            metavar="K|auto",
            help="Number of clusters, or auto; without it the number of names in --labels, "
            "else auto.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="One of the names that `samekind methods` lists.",
            autocompletion=method_names,
        ),
    ] = DEFAULT,
    pairs: Annotated[
        Path | None,
        typer.Option(help="csv with columns a,b,kind; kind is same or different."),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|COLUMN",
            help="Known classes: csv with columns row,label, or a column of DATA with blanks.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of results; NAME-clusters if not given.")
    ] = None,
    id_column: reading.IdColumn = None,
    truth_column: reading.TruthColumn = None,
    columns: reading.UsedColumns = None,
    drop: reading.DroppedColumns = None,
    text: reading.TextColumns = None,
    category: reading.CategoryColumns = None,
    scale: reading.ScaleOption = reading.Scale.auto,
    image_size: reading.ImageSize = None,
    image_features: reading.ImageFeatures = None,
    image_mean: reading.ImageMean = None,
    image_std: reading.ImageStd = None,
    labels_from_folders: reading.LabelsFromFolders = False,
    truth_from_folders: reading.TruthFromFolders = False,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="A parameter of the method; can be repeated."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of k-means, or of the method.")] = 0,
    scheduler: SchedulerOption = None,
    append: Annotated[
        bool,
        typer.Option("--append", help="Write the table with the columns of labels.csv, too."),
    ] = False,
    sort_into: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Copy pictures or texts into a new folder, by their clusters."
        ),
    ] = None,
    keep_model: Annotated[
        bool | None,
        typer.Option(
            "--model/--no-model", help="Write model.skops or not; by default up to 200 MB."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Cluster a file of rows or a folder of pictures.

    Example: samekind cluster flowers.csv -k 3 --truth species --pairs pairs.csv --out flowers

    Writes labels.csv, embedding.npy, graph.npz (where the method has them), model.skops and
    report.html, or nothing. A cluster that holds labels from --labels is called by their name.
    """
    if scheduler is not None:
        alone = {
            "--method": method.lower() != DEFAULT,
            "--text": text,
            "--category": category,
            "--image-size": image_size,
            "--image-features": image_features,
            "--image-mean": image_mean,
            "--image-std": image_std,
            "--labels-from-folders": labels_from_folders,
            "--truth-from-folders": truth_from_folders,
            "--append": append,
            "--sort-into": sort_into,
        }
        named = ColumnOptions(id_column, truth_column, columns or (), drop or ())
        told = KnownOptions(clusters, pairs, labels)
        how = ModelOptions(settings or (), seed, scale.value, keep_model)
        cluster_partitions(data, out, scheduler, named, told, how, alone, as_json)
        return
    with (
        bad_input_ends(),
        reserved(reading.folder_for(data, out)) as folder,
        bar(as_json) as report,
    ):
        reading.require_there(data)
        from samekind.app.choices import (
            check_options,
            clusters_of,
            known_of,
            labels_column,
            method_named,
            model_of,
            parse_clusters,
        )
        from samekind.app.inputs import read_samples
        from samekind.app.next_steps import Given
        from samekind.app.predict import inputs_of
        from samekind.app.results import check_folder, check_table, write_results
        from samekind.app.results_sorted import check_sorted
        from samekind.app.run import run

        read_by = {
            "--id": id_column,
            "--truth": truth_column,
            "--columns": columns,
            "--drop": drop,
            "--text": text,
            "--category": category,
            "--scale": None if scale == reading.Scale.auto else scale.value,
            "--image-size": image_size,
            "--image-features": image_features,
            "--image-mean": image_mean,
            "--image-std": image_std,
        }
        known_by = {
            "--labels": labels,
            "--pairs": pairs,
            "--labels-from-folders": labels_from_folders or None,
        }
        name = "DATA" if data == reading.STDIN else str(data)
        given = Given((name, *reading.words_of(read_by)), reading.words_of(known_by))
        check_folder(folder, (data, pairs, labels))
        sort = None if sort_into is None else (data, sort_into)
        if sort is not None:
            check_sorted(*sort)
        chosen = method_named(method)
        k = None if clusters is None else parse_clusters(clusters)
        if labels_from_folders:
            labels = reading.folders_as_labels(labels)
        pictures = reading.picture_options(image_size, image_features, image_mean, image_std)
        check_options(chosen, k, pairs, labels)
        model_of(chosen, k, seed, settings or [])  # options are checked before files
        samples = read_samples(
            data,
            id_column=id_column,
            truth_column=truth_column,
            labels_column=None if labels_from_folders else labels_column(labels),
            columns=columns or (),
            drop=drop or (),
            text=text or (),
            category=category or (),
            scale=scale,
            labels_from_folders=labels_from_folders,
            truth_from_folders=truth_from_folders,
            **pictures,
            on_progress=lambda done, total: report("reading", done / max(total, 1)),
        )
        if append:
            check_table(samples)
        known = known_of(samples, data, pairs, labels)
        model = model_of(chosen, clusters_of(chosen, known, k, labels), seed, settings or [])
        reading.settle_scale(model, samples, scale, settings or [])
        with interruptible(chosen, _reporter(report, model)) as on_iteration:
            outcome = run(model, samples, known, on_iteration=on_iteration)
        report("writing results", 1.0)
        scores = scores_of(samples, outcome)
        written = write_results(
            folder,
            samples,
            outcome,
            scores,
            model=keep_model,
            append=append,
            sort=sort,
            inputs=inputs_of(samples, data, id_column),
            given=given,
        )
    if as_json:
        result = outcome_as_json(outcome, written, samples, scores)
        typer.echo(json.dumps(result, indent=2))
    else:
        show_outcome(outcome, written, samples, scores, given)
    if not model.status_.usable:
        raise typer.Exit(INCOMPLETE)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder of results.")] = Path("demo"),
    trials: Annotated[
        int, typer.Option(min=1, help="Random trials, each with other pairs and labels.")
    ] = 2,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first trial.")] = 0,
    methods: Annotated[
        str, typer.Option(metavar="NAMES", help="Further methods to compare, such as csp,sl.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Compare methods on digits in three units, wine and six groups: a table and a report.

    Each with nothing known, with 20 pairs and with 5 labels per class. The report is that of
    SameKind on the labeled digits. Takes less than a minute.

    Example: samekind demo --out demo
    """
    with bad_input_ends(), reserved(out) as folder, bar(as_json) as report:
        from samekind.app.choices import method_named
        from samekind.app.demo import run_demo
        from samekind.app.results import check_folder, write_results

        check_folder(folder)
        more = [method_named(name) for name in methods.split(",") if name.strip()]
        done = run_demo(trials, seed, more, on_progress=report)
        write_results(folder, done.samples, done.outcome, done.scores)
    if as_json:
        typer.echo(json.dumps({"scores": list(done.rows), "out": str(folder)}, indent=2))
    else:
        _show_comparison(done.rows, trials)
        typer.echo(f"SameKind on the labeled digits, first trial: {done.outcome.model.status_}.")
        typer.echo(f"Report: {folder / 'report.html'}")


@app.command("methods")
def list_methods(
    name: Annotated[
        str | None,
        typer.Argument(help="A method, for its parameters.", autocompletion=method_names),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the methods, what each learns from and what it does; or the parameters of one.

    Example: samekind methods dgsl
    """
    with bad_input_ends():
        from samekind.app.choices import find_method
        from samekind.estimators._base.registry import METHODS

        shown = METHODS.values() if name is None else [find_method(name)]
    if as_json:
        rows = [_method_as_json(method, parameters=name is not None) for method in shown]
        typer.echo(json.dumps(rows if name is None else rows[0], indent=2))
        return
    if name is not None:
        _show_parameters(next(iter(shown)))
        return
    table = Table("name", "learns from", "what it does", box=None, pad_edge=False)
    for method in shown:
        table.add_row(method.name, method.supervision, _what(method))
    console().print(table)
    if any(method.interpretation for method in shown):
        typer.echo("Our interpretation: the published text leaves open what exactly is computed.")
    typer.echo("The parameters of one: samekind methods NAME")


def _what(method: "Method") -> str:
    what = method.summary + (" (our interpretation)" if method.interpretation else "")
    return what + ("" if method.clusters else " (a transformer, not for samekind cluster)")


def _method_as_json(method: "Method", *, parameters: bool) -> dict[str, object]:
    from samekind.app.parameters import parameters_of

    row: dict[str, object] = {
        "name": method.name,
        "supervision": method.supervision,
        "interpretation": method.interpretation,
        "clusters": method.clusters,
        "summary": method.summary,
    }
    if parameters:
        row["parameters"] = [asdict(one) for one in parameters_of(method)]
    return row


def _show_parameters(method: "Method") -> None:
    from samekind.app.parameters import parameters_of

    typer.echo(f"{method.title}: {_what(method)} Learns from {method.supervision}.\n")
    table = Table("parameter", "default", "what it is", box=None, pad_edge=False)
    for one in parameters_of(method):
        table.add_row(one.name, repr(one.default), f"{one.kind}. {one.summary}")
    console().print(table)
    if method.clusters:
        command = f"samekind cluster DATA --method {method.name} --set NAME=VALUE"
        typer.echo(f"\nTo set one: {command} (n_clusters by -k, random_state by --seed)")


def _reporter(report: Any, model: Any) -> Any:
    from samekind.app.run import progress

    report("fitting", 0.0)
    return lambda record: report(*progress(model, record))


def _show_comparison(rows: Sequence[Mapping[str, Any]], trials: int) -> None:
    """ACC of every method, one line for each data set and what is known of it."""
    methods = list(dict.fromkeys(row["method"] for row in rows))
    of = "1 random trial" if trials == 1 else f"means of {trials} random trials"
    table = Table(
        title=f"ACC %, {of}",
        title_justify="left",
        box=None,
        pad_edge=False,
        collapse_padding=True,
    )
    table.add_column("data")
    table.add_column("known")
    for name in methods:
        table.add_column(name, justify="right")
    cells: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        cells.setdefault((row["data"], row["known"]), {})[row["method"]] = row
    data = ""
    for (source, known), line in cells.items():
        best = max(f"{row['ACC']:.3f}" for row in line.values())
        shown = [_cell(line.get(name), best) for name in methods]
        table.add_row("" if source == data else source, known, *shown)
        data = source
    seconds = (sum(row["seconds"] for row in rows if row["method"] == name) for name in methods)
    table.add_row("seconds", "of one trial", *(f"{value:.1f}" for value in seconds))
    console().print(table)
    if any("not converged" in row for row in rows):
        typer.echo("* not converged in every trial")


def _cell(row: Mapping[str, Any] | None, best: str) -> Text:
    if row is None:
        return Text("-")
    mark = "*" if "not converged" in row else " "
    return Text(f"{100 * row['ACC']:.1f}{mark}", "bold" if f"{row['ACC']:.3f}" == best else "")
