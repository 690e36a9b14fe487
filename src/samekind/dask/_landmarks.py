"""The choice of landmarks: rows from everywhere, and all rows of which something is known."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from samekind._selection.scaling import few_features_decide, scaling_of
from samekind._typing import FloatArray, IntArray
from samekind.dask._cells import KEPT, ROWS_PER_CELL, Cells, Survey, cells_of, merge, survey
from samekind.dask._coverage import Coverage
from samekind.dask._partitions import Partitions
from samekind.dask._running import TOGETHER, OnProgress, merged, run

GROUPS = 64  # of partitions, whose summaries come here: steps of the progress


@dataclass(frozen=True)
class Landmarks:
    """The landmarks by their row numbers, their rows, and the cells that they come from."""

    numbers: IntArray
    rows: FloatArray
    coverage: Coverage
    cells: Cells | None = None  # None where all rows are landmarks


def choose_landmarks(
    parts: Partitions,
    known: IntArray,
    n_landmarks: int,
    *,
    n_rounds: int,
    standardize: bool | str,
    seed: int,
    on_progress: OnProgress,
    say: Callable[[str], None],
) -> Landmarks:
    """Landmarks that cover the rows; ``known`` are row numbers that are among them in any case."""
    n = parts.n_rows
    if n <= n_landmarks:
        rows = parts.take(np.arange(n), "reading", on_progress, all_parts=True)
        return Landmarks(np.arange(n), rows, Coverage(n, n, 1, 0, 0, np.empty(0, dtype=np.int64)))
    sampled = np.random.default_rng(seed).choice(n, n_landmarks, replace=False)
    looked_at = np.union1d(sampled, known)
    rows = parts.take(looked_at, "reading", on_progress, all_parts=True)
    n_cells = max(1, n_landmarks // ROWS_PER_CELL)
    alike = standardize is True or (standardize == "auto" and few_features_decide(rows))
    cells = cells_of(rows, scaling_of(rows, standardize=alike), n_cells, seed)
    cells = cells.with_rows(rows[np.isin(looked_at, known)], n_cells)
    say(f"{cells.n_cells} cells")
    found = _survey(parts, cells, seed, n_landmarks, on_progress)
    before = found.n_far
    for _ in range(1, n_rounds):
        if found.n_far:
            far = parts.take(np.sort(found.far_row), "reading far rows", on_progress)
            cells = cells.with_groups(far, n_cells, seed)
            found = _survey(parts, cells, seed, n_landmarks, on_progress)
    numbers = found.chosen(n_landmarks, known)
    coverage = Coverage(n, len(numbers), cells.n_cells, found.n_far, before, found.far_row)
    say(str(coverage))
    rows = parts.take(numbers, "reading landmarks", on_progress)
    return Landmarks(numbers, rows, coverage, cells)


def _survey(
    parts: Partitions, cells: Cells, seed: int, most: int, on_progress: OnProgress
) -> Survey:
    """All partitions; summaries are merged by the workers before a few come here."""
    per_cell = KEPT * max(1, most // cells.n_cells)
    together = partial(merge, per_cell=per_cell, most_far=most)
    tasks = parts.tasks(survey, cells, seed, per_cell, most)
    size = max(TOGETHER, -(-len(tasks) // GROUPS))
    groups = [merged(tasks[at : at + size], together) for at in range(0, len(tasks), size)]
    return together(run(groups, "choosing landmarks", on_progress))
