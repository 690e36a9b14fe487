"""What the command says of a run: in words, or as JSON."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from samekind.app.cli.common import console

if TYPE_CHECKING:
    from samekind.app.inputs import Samples
    from samekind.app.next_steps import Given
    from samekind.app.results import Written
    from samekind.app.run import Outcome

Scores = Sequence[Mapping[str, Any]] | None


def scores_of(samples: "Samples", outcome: "Outcome") -> list[dict[str, object]] | None:
    """ACC and NMI, where the truth is known."""
    from samekind.app.run import score

    if samples.truth is None:
        return None
    truth = [str(label) for label in samples.truth]
    found, seconds = score(outcome.model.labels_, truth), outcome.seconds["fit"]
    return [{"method": outcome.method.title, **found, "seconds": seconds}]


def outcome_as_json(
    outcome: "Outcome",
    written: "Written",
    samples: "Samples",
    scores: Scores,
) -> dict[str, object]:
    """Every figure of a run, in plain values."""
    from samekind._version import versions
    from samekind.app.next_steps import commands

    model, method = outcome.model, outcome.method
    n, d = samples.X.shape
    return {
        "source": samples.source,
        "n_samples": n,
        "n_features": d,
        "columns": [] if samples.encoder is None else list(samples.encoder.describe()),
        "skipped": list(samples.skipped),
        "method": method.name,
        "interpretation": method.interpretation,
        "parameters": outcome.parameters,
        "status": model.status_.name,
        "status_sentence": str(model.status_),
        "converged": model.status_.converged,
        "usable": model.status_.usable,
        "n_iter": getattr(model, "n_iter_", None),
        "solver": getattr(model, "solver_", None),
        "n_clusters": len(outcome.clusters),
        "clusters": list(outcome.clusters),
        "cluster_sizes": outcome.sizes,
        "mean_confidence": _mean_confidence(outcome),
        **given_as_json(outcome, samples),
        "choice": outcome.choice,
        "scores": scores,
        "notes": list(dict.fromkeys((*samples.notes, *outcome.notes, *written.notes))),
        "warnings": list(outcome.warnings),
        "seconds": dict(outcome.seconds),
        "versions": versions(),
        "out": str(written.folder),
        "files": list(written.files),
        "sorted_into": None if written.sorted_into is None else str(written.sorted_into),
        "next": commands(outcome, samples, written.folder, written.files),
    }


def _mean_confidence(outcome: "Outcome") -> float | None:
    return None if outcome.confidence is None else float(outcome.confidence[0].mean())


def given_as_json(outcome: "Outcome", samples: "Samples") -> dict[str, object]:
    """Which pairs or labels were not respected, by the names of the rows."""
    report, found = outcome.report, {}
    if outcome.known.y is not None:
        found = {
            "labels_kept": report.n_labels - len(report.overruled),
            "labels_overruled": len(report.overruled),
            "n_labels": report.n_labels,
            "overruled": [samples.name_of(row) for row in report.overruled.tolist()],
        }
        if not report.n_must_link + report.n_cannot_link:
            return found

    def named(pairs: Any) -> list[list[str]]:
        return [[samples.name_of(a), samples.name_of(b)] for a, b in pairs.tolist()]

    violated = len(report.violated_must_link) + len(report.violated_cannot_link)
    return found | {
        "pairs_satisfied": report.n_must_link + report.n_cannot_link - violated,
        "pairs_violated": violated,
        "n_must_link": report.n_must_link,
        "n_cannot_link": report.n_cannot_link,
        "violated_must_link": named(report.violated_must_link),
        "violated_cannot_link": named(report.violated_cannot_link),
    }


def show_outcome(
    outcome: "Outcome",
    written: "Written",
    samples: "Samples",
    scores: Scores,
    given: "Given",
) -> None:
    """What came out, where it is, and what comes next; notes go to standard error."""
    from samekind.app.next_steps import commands, unused

    for note in dict.fromkeys((*samples.notes, *outcome.notes)):
        typer.echo(f"Note: {note}", err=True)
    if scores:
        _show_scores(scores, samples.source)
    model, method = outcome.model, outcome.method
    sizes = ", ".join(map(str, outcome.sizes))
    if outcome.known.y is not None:
        named = zip(outcome.clusters, outcome.sizes, strict=True)
        sizes = ", ".join(f"{name} ({size})" for name, size in named)
    groups = "the classes" if method.takes_labels else "clusters"
    of = "" if outcome.known.y is not None else "of "
    typer.echo(f"{sum(outcome.sizes)} samples in {groups} {of}{sizes}.")
    typer.echo(str(outcome.report))
    if outcome.choice is not None:
        typer.echo(f"Choice: {outcome.choice['sentence']}")
    status = model.status_
    noted = status.usable and not status.converged  # the sentence is among the notes
    ended = f"{status.name}, usable (see the note)" if noted else str(status)
    typer.echo(f"Status of {method.title}{_rounds(model)}: {ended}.")
    _show_files(written)
    typer.echo(f"Next: open {written.folder / 'report.html'} in a browser")
    for command in commands(outcome, samples, written.folder, written.files):
        typer.echo(f"      {command}")
    for sentence, command in unused(outcome, samples, given):
        typer.echo(f"{sentence}\n      {command}")


def _show_files(written: "Written") -> None:
    from samekind.app.results import PURPOSES

    typer.echo(f"Written to {written.folder}:")
    width = max(map(len, written.files))
    for name in written.files:
        purpose = PURPOSES.get(name, "the table, with the columns of labels.csv")
        typer.echo(f"  {name:{width}}  {purpose}")
    if written.sorted_into is not None:
        typer.echo(f"The files were copied to {written.sorted_into}, one folder for each cluster.")
    for note in written.notes:
        typer.echo(note)


def _rounds(model: Any) -> str:
    """How many iterations of which solver, if the model says so."""
    if not hasattr(model, "n_iter_"):
        return ""
    rounds = " after 1 iteration" if model.n_iter_ == 1 else f" after {model.n_iter_} iterations"
    return rounds + (f" of the {model.solver_} solver" if hasattr(model, "solver_") else "")


def _show_scores(scores: Sequence[Mapping[str, Any]], title: str) -> None:
    table = Table(title=title, title_justify="left")
    table.add_column("method")
    for name in ("ACC %", "NMI %", "seconds"):
        table.add_column(name, justify="right")
    for row in scores:
        shares = (f"{100 * row[name]:.1f}" for name in ("ACC", "NMI"))
        table.add_row(row["method"], *shares, f"{row['seconds']:.2f}")
    console().print(table)
