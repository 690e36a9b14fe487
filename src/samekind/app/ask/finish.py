"""The end of a dialogue: labels, pairs, report, model and sorted folders."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from samekind._folder import replace_together, reserved
from samekind.app.ask.dialogue import Dialogue
from samekind.app.results import RESULTS, write_results
from samekind.app.results_sorted import copy_sorted
from samekind.app.results_table import label_columns, write_csv
from samekind.app.run import Outcome
from samekind.asking import Questions, Result
from samekind.constraints import Supervision

PAIRS = "pairs.csv"


def write_answers(
    dialogue: Dialogue,
    folder: Path,
    *,
    sort: tuple[Path, Path] | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write all that follows from the answers, and say what was written.

    The fit of SameKind with its report and model where it predicts answers as well as the steady
    labels do; else the steady labels.
    """
    samples = dialogue.things.samples
    with dialogue.alone() as q:
        behind = dialogue.behind
        result = (behind.current(q) if behind is not None else None) or q.result()
        known = _known(q)
    if result.model is not None:
        outcome = Outcome(result.model, known, None, (), {})
        pairs = {PAIRS: partial(result.constraints.to_csv, ids=samples.ids)}
        written = write_results(folder, samples, outcome, sort=sort, inputs=inputs, more=pairs)
        names, notes = list(written.files), list(written.notes)
    else:
        names, notes = _write_steady(dialogue, folder, result, known, sort), []
    return {
        "folder": str(folder),
        "files": names,
        "why": result.why,
        "by": result.by,
        "notes": notes,
        "sorted_into": None if sort is None else str(sort[1]),
    }


def _known(q: Questions) -> Supervision:
    """Every sample whose group is known, called by the name of its group."""
    names: list[object] = [None] * len(q.ids)
    taken: set[str] = set()
    for cluster in sorted(q.clusters(), key=lambda one: not one.name):  # given names come first
        name = cluster.name or f"group {cluster.number}"
        name = name if name not in taken else f"{name} ({cluster.number})"
        taken.add(name)
        # A cluster that no answer has reached yet keeps its name by its first row.
        for row in cluster.known or (cluster.rows[:1] if cluster.name else ()):
            names[row] = name
    if all(name is None for name in names):
        return Supervision.from_pairs(len(q.ids))
    return Supervision.from_labels(names)


def _write_steady(
    dialogue: Dialogue,
    folder: Path,
    result: Result,
    known: Supervision,
    sort: tuple[Path, Path] | None,
) -> list[str]:
    """labels.csv, and the sorted folders if wanted, without a model."""
    samples, labels = dialogue.things.samples, result.labels
    k = int(labels.max()) + 1
    names = None if known.y is None else tuple(known.cluster_names(labels, k))
    columns = label_columns(samples.ids or range(len(labels)), labels, names, None)

    def fill(new: Path) -> None:
        with (new / "labels.csv").open("w", newline="", encoding="utf-8") as table:
            write_csv(table, columns)
        result.constraints.to_csv(new / PAIRS, ids=samples.ids)

    def replace() -> None:
        # Files of an earlier end with a fit would contradict these labels.
        replace_together(folder, {*RESULTS, PAIRS}, fill)

    with reserved(folder):
        if sort is None:
            replace()
        else:
            called: Any = labels.tolist() if names is None else np.array(names)[labels].tolist()
            copy_sorted(*sort, samples.ids or (), called, then=replace)
    return ["labels.csv", PAIRS]
