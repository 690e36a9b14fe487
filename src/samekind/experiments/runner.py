"""The runner: every run once, each row written as it ends, nothing lost when it is stopped."""

import difflib
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from joblib import Parallel, delayed

from samekind.datasets import DatasetError, available, find
from samekind.estimators import METHODS
from samekind.experiments.protocol import EXPERIMENTS
from samekind.experiments.rows import Row, append_row, key_of, mend, read_rows
from samekind.experiments.runs import KEY, Run
from samekind.experiments.tasks import perform


@dataclass(frozen=True)
class Progress:
    """How far it is."""

    done: int
    total: int
    row: Row


@dataclass(frozen=True)
class Ended:
    """What a call of ``reproduce`` did."""

    made: int
    failed: int
    found: int  # rows that were there already
    left_out: int  # runs of slow methods whose hours were used up
    missing: dict[str, str]  # data sets that were not found, and how to get them
    notes: tuple[str, ...]


def reproduce(
    names: Sequence[str],
    folder: str | os.PathLike[str],
    *,
    datasets: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    repetitions: int | None = None,
    n_jobs: int = 1,
    on_row: Callable[[Progress], object] | None = None,
) -> Ended:
    """Make the rows of some experiments that a folder does not hold yet.

    Parameters
    ----------
    names : sequence of str
        Experiments; ``EXPERIMENTS`` names them.
    folder : path
        Holds rows.jsonl, one line for each run.
    datasets, methods : sequence of str, optional
        Only these.
    repetitions : int, optional
        At most so many draws; by default what the protocol says.
    n_jobs : int
        Runs side by side, each with one thread.
    on_row : callable, optional
        Called with a Progress after each run.
    """
    wanted = list(_wanted(names, datasets, methods, repetitions))
    mend(folder)
    before = read_rows(folder)
    rows = {key_of(row, KEY): row for row in before.rows}
    missing = _missing({run.dataset for run in wanted})
    lacking = [run for run in wanted if run.key not in rows]
    waiting = [run for run in lacking if run.dataset not in missing]
    budget = _Budget(rows.values())
    made = failed = 0
    tasks = (delayed(perform)(run) for run in waiting if budget.allows(run))
    workers = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    for row in workers(tasks):
        append_row(folder, row)
        budget.spend(row)
        made, failed = made + 1, failed + ("failed" in row)
        if on_row is not None:
            on_row(Progress(made, len(waiting) - budget.left_out, row))
    found = len(wanted) - len(lacking)
    return Ended(made, failed, found, budget.left_out, missing, before.notes)


class _Budget:
    """Hours that the slow methods have taken so far, by experiment."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.left_out = 0
        self._seconds: dict[tuple[str, str], float] = defaultdict(float)
        for row in rows:
            self.spend(row)

    def spend(self, row: Row) -> None:
        self._seconds[row["experiment"], row["contender"]] += row.get("seconds", 0.0)

    def allows(self, run: Run) -> bool:
        if run.max_hours is None:
            return True
        allowed = self._seconds[run.experiment, run.contender] < 3600 * run.max_hours
        self.left_out += not allowed
        return allowed


def _wanted(
    names: Sequence[str],
    datasets: Sequence[str] | None,
    methods: Sequence[str] | None,
    repetitions: int | None,
) -> Iterator[Run]:
    for name in names:
        known(name, EXPERIMENTS, "experiment")
    chosen = {EXPERIMENTS[name].name: EXPERIMENTS[name] for name in names}.values()
    for dataset in datasets or ():
        known(dataset, [one.name for one in available()], "data set")
    for method in methods or ():
        known(method, [name for name, one in METHODS.items() if one.clusters], "method")
    # What none of these experiments has joins all of them; what one has is left to that one.
    has_data = {dataset for one in chosen for dataset in one.datasets}
    has_method = {contender.method for one in chosen for contender in one.contenders}
    new_data = [name for name in datasets or () if name not in has_data]
    new_methods = [name for name in methods or () if name not in has_method]
    for one in chosen:
        yield from one.joined_by(new_data, new_methods).runs(datasets, methods, repetitions)


def known(name: str, names: Iterable[str], what: str) -> None:
    """Refuse a name that is not there, with those that are, nearest first.

    Examples
    --------
    >>> known("tabel2", ["table2", "complexity"], "experiment")
    Traceback (most recent call last):
        ...
    ValueError: no experiment is called 'tabel2'; there are table2, complexity
    """
    names = list(names)
    if name not in names:
        near = difflib.get_close_matches(name, names, n=len(names), cutoff=0.0)
        raise ValueError(f"no {what} is called {name!r}; there are {', '.join(near)}")


def _missing(datasets: Iterable[str]) -> dict[str, str]:
    missing = {}
    for name in sorted(datasets):
        try:
            find(name)
        except DatasetError as error:
            missing[name] = str(error)
    return missing
