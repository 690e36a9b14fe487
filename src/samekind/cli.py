"""The command: each subcommand parses, calls one function and prints one result."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

try:
    import typer
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Table
except ImportError as error:  # pragma: no cover - the library alone has no command
    sys.exit(f'the samekind command needs an extra ({error.name}): pip install "samekind[app]"')

from samekind._version import __version__

if TYPE_CHECKING:
    from samekind.constraints import PairConstraints
    from samekind.estimators import DGSL
    from samekind.inputs import Samples
    from samekind.jobs import Outcome
    from samekind.solver import State

BAD_INPUT = 2
NOT_CONVERGED = 3

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Sort things by kind, from a few pairs marked 'same' or 'different'.",
    epilog="Exit codes: 0 done; 2 input or options that cannot be used, nothing written; "
    "3 done and written, but the method did not converge.",
)


def main() -> None:
    """Entry point of the command ``samekind``."""
    app()


def _version(value: bool) -> None:
    if value:
        typer.echo(f"samekind {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options before the subcommand."""


@app.command()
def cluster(
    data: Annotated[
        Path, typer.Argument(help="csv, parquet, npy, npz or mat file, or a folder of pictures.")
    ],
    clusters: Annotated[int, typer.Option("--clusters", "-k", help="Number of clusters.")],
    pairs: Annotated[
        Path | None,
        typer.Option(help="csv with columns a,b,kind; kind is must-link or cannot-link."),
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="csv with columns row,label; blank is unknown.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of results; NAME-clusters if not given.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", metavar="COLUMN", help="Column that names the rows.")
    ] = None,
    label_column: Annotated[
        str | None,
        typer.Option("--label", metavar="COLUMN", help="True classes, used for scores alone."),
    ] = None,
    image_size: Annotated[
        int, typer.Option(min=2, help="Pictures are made this many pixels wide and high.")
    ] = 32,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of DGSL; can be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of k-means.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Cluster a file of rows or a folder of pictures.

    Example: samekind cluster flowers.csv -k 3 --label species --pairs pairs.csv --out flowers

    Writes labels.csv, embedding.npy, graph.npz and report.html, or nothing.
    """
    with _bad_input_ends():
        from samekind.inputs import read_samples
        from samekind.jobs import check_folder, run, write_results

        folder = check_folder(out or Path(f"{data.resolve().stem}-clusters"))
        model = _model(clusters, seed, settings or [])
        with _bar(as_json) as tell:
            samples = read_samples(
                data,
                id_column=id_column,
                label_column=label_column,
                image_size=image_size,
                on_progress=lambda done, total: tell("reading", done / max(total, 1)),
            )
            known = _pairs(samples, pairs, labels)
            outcome = run(model, samples, known, on_iteration=_teller(tell, model))
        scores = _scores(samples, outcome)
        write_results(folder, samples, outcome, scores)
        _show_outcome(outcome, folder, scores, samples, as_json)
    if not model.status_.converged:
        raise typer.Exit(NOT_CONVERGED)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder of results.")] = Path("demo"),
    draws: Annotated[int, typer.Option(min=1, help="Draws of labelled samples.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first draw.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Cluster scikit-learn's digits, five labelled samples per class, by three methods.

    Example: samekind demo --out demo
    """
    with _bad_input_ends():
        from samekind.demo import LABELLED_PER_CLASS, run_demo
        from samekind.jobs import check_folder, write_results

        folder = check_folder(out)
        with _bar(as_json) as tell:
            done = run_demo(draws, seed, on_progress=tell)
        write_results(folder, done.samples, done.outcome, done.scores)
        if as_json:
            typer.echo(json.dumps({"scores": list(done.scores), "out": str(folder)}, indent=2))
        else:
            n = done.samples.X.shape[0]
            _show_scores(
                done.scores,
                f"{n} digits, {LABELLED_PER_CLASS} labelled per class, mean of {draws} draws",
            )
            typer.echo(f"DGSL, first draw: {done.outcome.model.status_}.")
            typer.echo(f"Report: {folder / 'report.html'}")


@contextmanager
def _bad_input_ends() -> Iterator[None]:
    """End with one sentence and exit code 2 where input or options cannot be used."""
    try:
        yield
    except (ValueError, MemoryError, OSError) as error:
        typer.echo(f"samekind: {error}", err=True)
        raise typer.Exit(BAD_INPUT) from None


@contextmanager
def _bar(silent: bool) -> Iterator[Any]:
    """A progress bar on standard error; the function it gives takes a text and a share."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    hidden = silent or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("starting", total=1.0)
        yield lambda text, share: progress.update(task, description=text, completed=share)


def _teller(tell: Any, model: "DGSL") -> Any:
    def on_iteration(state: "State") -> None:
        change = max(state.record.change_A, state.record.change_Z)
        text = f"iteration {state.iteration}, change {change:.3f} (stops below {model.tol:g})"
        tell(text, state.iteration / model.max_iter)

    return on_iteration


def _model(clusters: int, seed: int, settings: Sequence[str]) -> "DGSL":
    from samekind.estimators import DGSL

    model = DGSL(clusters, random_state=seed)
    free = sorted(set(model.get_params()) - {"n_clusters", "random_state"})
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or name not in free:
            raise ValueError(
                f"--set {setting}: expected NAME=VALUE with one of the names {', '.join(free)} "
                "(the number of clusters is -k, the seed --seed)"
            )
        model.set_params(**{name: _value(text)})
    return model


def _value(text: str) -> object:
    """A number where the text is one, else the text; the estimator checks the range."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _pairs(samples: "Samples", pairs: Path | None, labels: Path | None) -> "PairConstraints":
    from samekind.constraints import PairConstraints
    from samekind.inputs import read_labels

    n = samples.X.shape[0]
    if pairs is not None and labels is not None:
        raise ValueError("--pairs came together with --labels; give one of the two")
    if pairs is not None:
        return PairConstraints.from_csv(pairs, n, ids=samples.ids)
    if labels is not None:
        return PairConstraints.from_labels(read_labels(labels, samples).y)
    return PairConstraints(n)


def _scores(samples: "Samples", outcome: "Outcome") -> list[dict[str, object]] | None:
    from samekind.jobs import score

    if samples.labels is None:
        return None
    seconds = outcome.seconds["fit"]
    truth = [str(label) for label in samples.labels]
    return [{"method": "DGSL", **score(outcome.model.labels_, truth), "seconds": seconds}]


def _show_outcome(
    outcome: "Outcome",
    folder: Path,
    scores: list[dict[str, object]] | None,
    samples: "Samples",
    as_json: bool,
) -> None:
    model, report = outcome.model, outcome.model.constraint_report_
    sizes = [int((model.labels_ == label).sum()) for label in range(model.n_clusters)]
    if as_json:
        result = {
            "status": model.status_.name,
            "converged": model.status_.converged,
            "n_iter": model.n_iter_,
            "solver": model.solver_,
            "cluster_sizes": sizes,
            "pairs_satisfied": report.satisfied,
            "pairs_violated": report.violated,
            "scores": scores,
            "warnings": list(outcome.warnings),
            "seconds": dict(outcome.seconds),
            "out": str(folder),
        }
        typer.echo(json.dumps(result, indent=2))
        return
    if scores:
        _show_scores(scores, samples.source)
    for note in (*samples.notes, *outcome.warnings):
        typer.echo(f"Note: {note}", err=True)
    typer.echo(f"{sum(sizes)} samples in clusters of {', '.join(map(str, sizes))}.")
    typer.echo(f"Pairs: {report}")
    rounds = "1 iteration" if model.n_iter_ == 1 else f"{model.n_iter_} iterations"
    typer.echo(f"Status after {rounds} of the {model.solver_} solver: {model.status_}.")
    typer.echo(f"Report: {folder / 'report.html'}")


def _show_scores(scores: Sequence[Mapping[str, Any]], title: str) -> None:
    table = Table(title=title, title_justify="left")
    table.add_column("method")
    for name in ("ACC %", "NMI %", "seconds"):
        table.add_column(name, justify="right")
    for row in scores:
        accuracy = f"{100 * row['ACC']:.1f}"
        if row.get("ACC std"):
            accuracy += f" ± {100 * row['ACC std']:.1f}"
        table.add_row(row["method"], accuracy, f"{100 * row['NMI']:.1f}", f"{row['seconds']:.2f}")
    Console().print(table)
