"""cluster --scheduler: rows in many files, by the workers of a Dask scheduler."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from samekind._folder import reserved
from samekind.app.cli import reading
from samekind.app.cli.common import INCOMPLETE, bad_input_ends, bar
from samekind.app.cli.outcome import given_as_json
from samekind.app.cli.scheduling import workers_of

if TYPE_CHECKING:
    from samekind.app.partitioned import PartitionedResult, Rows
    from samekind.app.run import Outcome
    from samekind.dask import SameKind


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns are what."""

    id: str | None
    truth: str | None
    use: Sequence[str]
    drop: Sequence[str]


@dataclass(frozen=True)
class KnownOptions:
    """What is known."""

    clusters: str | None
    pairs: Path | None
    labels: str | None


@dataclass(frozen=True)
class ModelOptions:
    """How it is fitted and kept."""

    settings: Sequence[str]
    seed: int
    scale: str
    keep: bool | None


def cluster_partitions(
    data: Path,
    out: Path | None,
    scheduler: str,
    columns: ColumnOptions,
    known: KnownOptions,
    options: ModelOptions,
    alone: Mapping[str, object],
    as_json: bool,
) -> None:
    """Cluster the rows of many files; ``alone``: options that work without a scheduler alone."""
    with (
        bad_input_ends(),
        reserved(reading.folder_for(data, out)) as folder,
        bar(as_json) as report,
    ):
        if given := [name for name, value in alone.items() if value]:
            raise ValueError(
                f"{', '.join(given)} came together with --scheduler, which fits SameKind to "
                "numbers in parquet or npy files; leave one of them out"
            )
        from samekind.app.choices import labels_column, parse_clusters
        from samekind.app.inputs.columns import Columns
        from samekind.app.partitioned import (
            check_folder,
            fit,
            known_of,
            model_of,
            open_rows,
            write_results,
        )
        from samekind.dask._scheduler import check_scheduler

        check_scheduler(scheduler)
        check_folder(folder, data)
        k = None if known.clusters is None else parse_clusters(known.clusters)
        model_of(k, options.seed, options.scale, options.settings)  # checked before files
        named = Columns(
            columns.id,
            columns.truth,
            labels_column(known.labels),
            tuple(columns.use),
            tuple(columns.drop),
        )
        rows = open_rows(data, named)
        report("starting workers")
        with workers_of(scheduler):
            model = model_of(k, options.seed, options.scale, options.settings)
            told = known_of(rows, known.pairs, known.labels, model.n_landmarks, report)
            if k is None and told.n_classes > 1:
                model.set_params(n_clusters=told.n_classes)
            outcome = fit(model, rows, told, report)
            result = write_results(
                folder, rows, model, outcome, keep_model=options.keep, on_progress=report
            )
    if as_json:
        typer.echo(json.dumps(_as_json(rows, model, outcome, result), indent=2))
    else:
        _show(rows, model, outcome, result)
    if not model.status_.usable:
        raise typer.Exit(INCOMPLETE)


def _as_json(
    rows: "Rows", model: "SameKind", outcome: "Outcome", result: "PartitionedResult"
) -> dict[str, Any]:
    from samekind._version import versions
    from samekind.app.partitioned import commands
    from samekind.app.run import plain

    status, coverage = model.status_, model.coverage_
    return {
        "source": rows.path.name,
        "n_samples": rows.n_rows,
        "n_features": rows.n_features,
        "n_partitions": len(rows.parts),
        "method": outcome.method.name,
        "parameters": plain(model.get_params()),
        "status": status.name,
        "status_sentence": str(status),
        "converged": status.converged,
        "usable": status.usable,
        "n_clusters": len(outcome.clusters),
        "clusters": list(outcome.clusters),
        "cluster_sizes": result.sizes,
        "mean_confidence": result.mean_confidence,
        "coverage": {
            "sentence": str(coverage),
            "n_landmarks": coverage.n_landmarks,
            "n_cells": coverage.n_cells,
            "n_far": coverage.n_far,
            "far_rows": coverage.far_rows[:100].tolist(),
        },
        **given_as_json(outcome, result.samples),
        "choice": outcome.choice,
        "scores": result.scores,
        "notes": [*outcome.notes, *result.notes],
        "seconds": dict(outcome.seconds),
        "versions": versions(),
        "out": str(result.folder),
        "files": list(result.files),
        "next": commands(result.folder, result.files, rows),
    }


def _show(rows: "Rows", model: "SameKind", outcome: "Outcome", result: "PartitionedResult") -> None:
    from samekind.app.partitioned import PURPOSES, commands

    for note in outcome.notes:
        typer.echo(f"Note: {note}", err=True)
    if result.scores is not None:
        shares = ", ".join(f"{name} {100 * one:.1f} %" for name, one in result.scores.items())
        typer.echo(f"Scores of {rows.path.name}: {shares}.")
    named = zip(outcome.clusters, result.sizes, strict=True)
    sizes = ", ".join(str(n) if outcome.names is None else f"{name} ({n})" for name, n in named)
    of = "of " if outcome.names is None else ""
    typer.echo(f"{rows.n_rows} rows in clusters {of}{sizes}.")
    typer.echo(f"{model.coverage_}.")
    typer.echo(str(outcome.report))
    typer.echo(f"Choice: {model.choice_}")
    typer.echo(f"Status of the landmarks: {model.status_}.")
    typer.echo(f"Written to {result.folder}:")
    width = max(map(len, result.files))
    for name in result.files:
        typer.echo(f"  {name:{width}}  {PURPOSES[name]}")
    for note in result.notes:
        typer.echo(note)
    typer.echo(f"Next: open {result.folder / 'report.html'} in a browser")
    for command in commands(result.folder, result.files, rows):
        typer.echo(f"      {command}")
