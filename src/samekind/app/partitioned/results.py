"""Results of rows in many files: labels written by the workers, and all of it shown at once."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from samekind._folder import replace_together
from samekind.app import results
from samekind.app.content import report_content
from samekind.app.inputs import Samples
from samekind.app.model.file import write_state
from samekind.app.next_steps import MODEL
from samekind.app.partitioned.known import names_of
from samekind.app.partitioned.labels import Labeled, write_part
from samekind.app.partitioned.rows import Rows
from samekind.app.predict import encoder_of_numbers
from samekind.app.report import ReportContent, write_page
from samekind.app.run import Outcome, score_of_counts
from samekind.dask import SameKind
from samekind.dask._running import OnProgress

LABELS, REPORT = "labels", "report.html"
PURPOSES = {
    f"{LABELS}/": "the cluster of each row, parquet files in the order of the rows",
    MODEL: "what was learned of the landmarks, for new rows and for questions",
    REPORT: "the landmarks in pictures and words, for a browser",
}


@dataclass(frozen=True)
class PartitionedResult:
    """What was written, and what came out over all rows."""

    folder: Path
    files: tuple[str, ...]
    samples: Samples  # the landmarks
    sizes: list[int]
    mean_confidence: float
    scores: dict[str, float] | None
    notes: tuple[str, ...]


def check_folder(folder: Path, data: Path) -> None:
    """Refuse a folder where labels would replace what is read, before the work."""
    results.check_folder(folder, (data,))
    parts = folder / LABELS
    if parts.exists() and not parts.is_dir():
        raise FileExistsError(f"{parts} is a file, and a folder of results; move it away")
    if data.resolve().is_relative_to(parts.resolve()):
        raise FileExistsError(f"{data} is read, and results would replace it; name another --out")


def write_results(
    folder: Path,
    rows: Rows,
    model: SameKind,
    outcome: Outcome,
    *,
    keep_model: bool | None,
    on_progress: OnProgress,
) -> PartitionedResult:
    """Have workers label and write all rows, add model and report, and show all of it or nothing.

    Workers write into a hidden folder beside the one of the results, so they have to see the same
    file system. What a killed run leaves there is removed by the next one.

    Parameters
    ----------
    folder : Path
    rows : Rows
    model : samekind.dask.SameKind
        Fitted to the rows.
    outcome : Outcome
        Of the landmarks.
    keep_model : bool, optional
        Whether to write the model of the landmarks; by default if it is not too large.
    on_progress : callable
    """
    samples = _landmarks(rows, model, on_progress)
    state, notes = results.model_state(samples, outcome, keep_model, _inputs(rows))
    files = [name for name in PURPOSES if state or name != MODEL]
    old = [f"{LABELS}/{path.name}" for path in (folder / LABELS).glob("part-*.parquet")]
    found = list[Labeled]()

    def fill(new: Path) -> None:
        parts = new / LABELS
        parts.mkdir()
        columns = rows.column(rows.columns.id), rows.column(rows.columns.truth)
        to = str(parts.absolute())
        found.extend(
            model.map_partitions(write_part, *columns, to, outcome.names, on_progress=on_progress)
        )
        for path in parts.glob(".*"):  # of workers that have died
            path.unlink()
        on_progress("writing the report", 1.0)
        if state is not None:
            with (new / MODEL).open("wb") as file:
                write_state(file, state)
        content = report_content(samples, outcome, None, _steps(folder, files, rows))
        write_page(_of_landmarks(content, rows, outcome, Labeled.sum(found)), new / REPORT)

    replace_together(folder, {*results.RESULTS, *old}, fill)
    whole = Labeled.sum(found)
    return PartitionedResult(
        folder,
        tuple(files),
        samples,
        whole.sizes.tolist(),
        whole.confidence / rows.n_rows,
        score_of_counts(whole.truth) if whole.truth else None,
        tuple(notes),
    )


def _landmarks(rows: Rows, model: SameKind, on_progress: OnProgress) -> Samples:
    """The landmarks as samples, named by their ids or row numbers."""
    return Samples(
        model._fit_landmarks.rows,
        ids=names_of(rows, model.landmarks_, on_progress),
        feature_names=rows.names,
        source=rows.path.name,
        notes=(
            f"{model.coverage_}.",
            f"This page shows the landmarks alone; the clusters of all rows are in {LABELS}/.",
        ),
    )


def _of_landmarks(
    content: ReportContent, rows: Rows, outcome: Outcome, all_rows: Labeled
) -> ReportContent:
    """The page, with what is said of all rows in its first sentences."""
    sizes = all_rows.sizes
    return replace(
        content,
        title=f"{rows.path.name} in {len(sizes)} clusters: the landmarks",
        summary=(
            f"SameKind put {rows.n_rows:,} rows into {len(sizes)} clusters of {sizes.min():,} to "
            f"{sizes.max():,}, by their nearest among {len(outcome.model.labels_):,} landmarks, "
            f"which this page shows. {outcome.report}"
        ),
        all_rows=f"{LABELS}/",
    )


def _inputs(rows: Rows) -> dict[str, Any]:
    """How new rows are read as these were."""
    if rows.names is None:
        return {"kind": "an array", "encoder": None, "options": {}}
    drop = [name for name in rows.others if name != rows.columns.id]
    options = {"id_column": rows.columns.id, "drop": drop}
    return {"kind": "a table", "encoder": encoder_of_numbers(rows.names), "options": options}


def _steps(folder: Path, files: Sequence[str], rows: Rows) -> list[tuple[str, str]]:
    read = f"pandas.read_parquet({str(folder / LABELS)!r})"
    steps = [(f"Use the labels of all rows: {read} in Python has them.", "")]
    steps += [
        ("Label a file of new rows in the same way:", one) for one in commands(folder, files, rows)
    ]
    return steps


def commands(folder: Path, files: Sequence[str], rows: Rows) -> list[str]:
    """What can be done with the model."""
    if MODEL not in files:
        return []
    new = f"NEW{rows.parts[0].path.suffix}"
    return [
        shlex.join(["samekind", "predict", str(folder / MODEL), new, "--out", "NEW-labels.csv"])
    ]
