"""The command ask: questions to a person, on a page in the browser or in the terminal."""

import sys
import threading
from pathlib import Path
from typing import Annotated, Any

import typer

from samekind._folder import reserved
from samekind.app.cli import reading
from samekind.app.cli.common import app, bad_input_ends, bar

DEMO = Path("ask-demo")


@app.command()
def ask(
    data: Annotated[
        Path | None,
        typer.Argument(
            metavar="DATA", help="A folder of pictures or .txt files, or a table, as for cluster."
        ),
    ] = None,
    clusters: Annotated[
        int | None,
        typer.Option("--clusters", "-k", min=1, help="Number of kinds, if you know it."),
    ] = None,
    pairs: Annotated[
        Path | None, typer.Option(help="Pairs that are known already: csv with a,b,kind.")
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(metavar="FILE|COLUMN", help="Labels that are known already, as for cluster."),
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(help="File that keeps the answers; NAME.ask if not given. Goes on there."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of results; NAME-clusters if not given.")
    ] = None,
    sort_into: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="At the end, copy pictures or texts by their kinds."),
    ] = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Ask here instead of on a page.")
    ] = False,
    row: Annotated[int, typer.Option(min=1, max=6, help="Most samples beside one.")] = 6,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    id_column: reading.IdColumn = None,
    columns: reading.UsedColumns = None,
    drop: reading.DroppedColumns = None,
    text: reading.TextColumns = None,
    category: reading.CategoryColumns = None,
    scale: reading.ScaleOption = reading.Scale.auto,
    image_size: reading.ImageSize = None,
    image_features: reading.ImageFeatures = None,
    image_mean: reading.ImageMean = None,
    image_std: reading.ImageStd = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first clusters.")] = 0,
    demo: Annotated[
        bool, typer.Option("--demo", help="Ask about handwritten digits, in the folder ask-demo.")
    ] = False,
) -> None:
    """Ask which things are the same kind, and sort the others accordingly.

    Example: samekind ask photos/ --sort-into sorted

    One thing is shown beside a few others; keys 1 to 6, 0 for none, u unsure, z undo. Every
    answer is on the disk at once: stop whenever you like, and go on with the same command.
    """
    with bad_input_ends():
        if data is not None:
            reading.require_there(data)
        from samekind.app.ask.finish import PAIRS, write_answers
        from samekind.app.choices import known_of, labels_column
        from samekind.app.inputs import read_samples
        from samekind.app.predict import inputs_of
        from samekind.app.results import check_folder
        from samekind.app.results_sorted import check_sorted

        if (data is None) != demo:
            raise ValueError("name a folder or a file to ask about, or give --demo for an example")
        if demo:
            from samekind.app.ask.demo import digits_in

            data, out = digits_in(DEMO), out or DEMO / "clusters"
            journal = journal or DEMO / "digits.ask"
        assert data is not None
        if not terminal:
            import starlette  # noqa: F401 - said before the data is read
            import uvicorn  # noqa: F401
        folder = reading.folder_for(data, out)
        check_folder(folder, (data, pairs, labels), (PAIRS,))
        sort = None if sort_into is None else (data, sort_into)
        if sort is not None:
            check_sorted(*sort)
        if data == reading.STDIN:
            raise ValueError("the answers come from standard input, so DATA has to be a file")
        with bar(False) as report:
            samples = read_samples(
                data,
                id_column=id_column,
                labels_column=labels_column(labels),
                columns=columns or (),
                drop=drop or (),
                text=text or (),
                category=category or (),
                scale=scale,
                **reading.picture_options(image_size, image_features, image_mean, image_std),
                on_progress=lambda done, total: report("reading", done / max(total, 1)),
            )
            known = known_of(samples, data, pairs, labels)
            report("comparing all samples", None)
            from samekind.app.ask.behind import FitBehind
            from samekind.app.ask.dialogue import Dialogue
            from samekind.asking import Questions

            path = journal or Path(f"{data.resolve().stem}.ask")
            questions = Questions(samples, clusters, path, row=row, random_state=seed)
        for note in (*samples.notes, *questions.notes):
            typer.echo(f"Note: {note}", err=True)
        if known.constraints.must_link.size or known.constraints.cannot_link.size:
            questions.add(known.constraints if known.y is None else _few(known.constraints))
            _name_groups(questions, known)
        if n := len(questions.answers()):
            typer.echo(f"{path}: goes on after {n} answers.")
        dialogue = Dialogue(samples, questions, FitBehind())

        def finish() -> dict[str, Any]:
            inputs = inputs_of(samples, data, id_column)
            with reserved(folder):
                return write_answers(dialogue, folder, sort=sort, inputs=inputs)

        try:
            done = (
                _in_terminal(dialogue, finish)
                if terminal
                else _on_page(dialogue, finish, port, browser)
            )
        finally:
            dialogue.close()
    _show_end(done, path)


def _few(constraints: Any) -> Any:
    """Pairs from which all these follow: labels mean one of every two rows, and all are replayed.

    Examples
    --------
    >>> from samekind import PairConstraints
    >>> _few(PairConstraints.from_labels([0, 0, 0, 1, 1, -1]))
    PairConstraints(n_samples=6, must_link=3 pairs, cannot_link=1 pair)
    """
    import numpy as np

    group_of = constraints.group_of
    first = np.unique(group_of, return_index=True)[1][group_of]
    rows = np.arange(len(first))
    must = np.column_stack([first, rows])[first != rows]
    cannot = np.unique(np.sort(first[constraints.cannot_link], axis=1), axis=0)
    return type(constraints)(len(first), must, cannot)


def _name_groups(questions: Any, known: Any) -> None:
    """Call groups by the labels that were given, unless a person has named them."""
    labels, groups = questions.labels(), {one.number: one for one in questions.clusters()}
    for number, name in enumerate(known.names):
        row = known.y.tolist().index(number)
        group = groups[int(labels[row])]
        if not group.name:
            questions.name(group.number, str(name))


def _in_terminal(dialogue: Any, finish: Any) -> dict[str, Any] | None:
    from samekind.app.ask.terminal import talk

    return finish() if talk(dialogue, input, typer.echo) else None


def _on_page(dialogue: Any, finish: Any, port: int, browser: bool) -> dict[str, Any] | None:
    import webbrowser

    from samekind.app.ask.server import PageServer

    server = PageServer(dialogue, finish, port)
    link = server.guard.link()
    typer.echo(f"Open {link}")
    typer.echo("Enter makes a fresh link; Ctrl-C ends, and every answer is kept.")
    if browser:
        webbrowser.open(link)

    def fresh_links() -> None:
        for _ in sys.stdin:
            typer.echo(f"Open {server.guard.link()}")

    threading.Thread(target=fresh_links, daemon=True).start()
    try:
        server.run()
    except KeyboardInterrupt:
        typer.echo("Ended; every answer is kept.")
    return server.written


def _show_end(done: dict[str, Any] | None, journal: Path) -> None:
    if done is None:
        typer.echo(f"The answers are in {journal}; the same command goes on.")
        return
    for note in done["notes"]:
        typer.echo(f"Note: {note}", err=True)
    typer.echo(f"{done['why'][:1].upper()}{done['why'][1:]}.")
    typer.echo(f"Written to {done['folder']}: {', '.join(done['files'])}")
    if done["sorted_into"]:
        typer.echo(f"Sorted into {done['sorted_into']}; the originals are as they were.")
