"""The runner: every run once, each row written as it ends, nothing lost when it is stopped."""

import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from joblib import Parallel, delayed

from samekind._suggest import nearest
from samekind.estimators._base.registry import METHODS
from samekind.paper.datasets import DatasetError, find
from samekind.paper.datasets.table import RECORDS
from samekind.paper.experiments.protocol import EXPERIMENTS
from samekind.paper.experiments.rows import (
    KEY,
    Row,
    append_row,
    key_of,
    mend,
    pack,
    read_missing,
    read_rows,
    write_missing,
)
from samekind.paper.experiments.runs import Run
from samekind.paper.experiments.tasks import ended_from_outside, perform

if TYPE_CHECKING:
    from distributed import Client


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
    found_failed: int  # how many of them say why their run failed
    left_out: int  # runs of slow methods whose hours were used up
    missing: dict[str, str]  # data sets that were not found or refused, and what to do
    notes: tuple[str, ...]


def reproduce(
    names: Sequence[str],
    folder: str | os.PathLike[str],
    *,
    datasets: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    repetitions: int | None = None,
    n_jobs: int = 1,
    client: "Client | None" = None,
    retry: bool = False,
    on_row: Callable[[Progress], object] | None = None,
) -> Ended:
    """Make the rows of some experiments that a folder does not hold yet.

    Parameters
    ----------
    names : sequence of str
        Experiments; ``EXPERIMENTS`` names them.
    folder : path
        Holds the rows, one for each run; new ones are packed into rows.jsonl.xz at the end.
    datasets, methods : sequence of str, optional
        Only these.
    repetitions : int, optional
        Largest number of random trials; by default the protocol's.
    n_jobs : int
        Runs side by side, each with one thread.
    client : distributed.Client, optional
        Runs are done by the workers of its scheduler, and ``n_jobs`` does not count.
    retry : bool
        Whether to run again what has failed.
    on_row : callable, optional
        Called with a Progress after each run.
    """
    wanted = _wanted(names, datasets, methods, repetitions)
    before = read_rows(folder)
    mend(folder)
    rows = {key_of(row, KEY): row for row in before.rows if not (retry and "failed" in row)}
    found = [rows[run.key] for run in wanted if run.key in rows]
    asked = {run.dataset for run in wanted}
    missing = _missing(asked)
    known_missing = {name: why for name, why in read_missing(folder).items() if name not in asked}
    waiting = [run for run in wanted if run.key not in rows and run.dataset not in missing]
    budget = _Budget(rows.values())
    made = n_failed = 0
    allowed = (run for run in waiting if budget.allows(run))
    for row in performed(allowed, n_jobs) if client is None else _by(client, allowed):
        append_row(folder, row)
        budget.spend(row)
        made, n_failed = made + 1, n_failed + ("failed" in row)
        if on_row is not None:
            on_row(Progress(made, len(waiting) - budget.left_out, row))
    pack(folder)
    if made or found:
        write_missing(folder, known_missing | missing)
    return Ended(
        made=made,
        failed=n_failed,
        found=len(found),
        found_failed=sum("failed" in row for row in found),
        left_out=budget.left_out,
        missing=missing,
        notes=(*before.notes, *_fewer(names, repetitions)),
    )


def _by(client: "Client", runs: Iterable[Run]) -> Iterator[Row]:
    from samekind.paper.experiments.on_dask import performed_by  # extra dask

    return performed_by(client, runs, perform)


def performed(
    runs: Iterable[Run], n_jobs: int, perform: Callable[[Run], Row] = perform
) -> Iterator[Row]:
    """The rows of some runs as they end.

    A process that dies, for want of memory as a rule, takes those beside it along. The runs under
    way are then run again one by one, and the one whose process dies again is a failed row.
    """
    under_way: dict[str, Run] = {}
    runs = iter(runs)

    def tasks() -> Iterator[Any]:
        for run in runs:
            under_way[run.key] = run
            yield delayed(_watched)(perform, run, os.getpid())

    while True:
        workers = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        try:
            for row in workers(tasks()):
                del under_way[key_of(row, KEY)]
                yield row
            return
        except BrokenExecutor:
            for key in list(under_way):
                yield _alone(under_way.pop(key), perform)


def _alone(run: Run, perform: Callable[[Run], Row]) -> Row:
    """In a process of its own, which may die."""
    try:
        row: Row = Parallel(n_jobs=2)([delayed(_watched)(perform, run, os.getpid())])[0]
    except BrokenExecutor:
        return ended_from_outside(run)
    return row


def _watched(perform: Callable[[Run], Row], run: Run, parent: int) -> Row:
    """Perform a run in a process that does not outlive the one that asked for it."""
    if os.getpid() != parent:
        _end_with(parent)
    return perform(run)


@cache
def _end_with(parent: int) -> None:
    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _fewer(names: Sequence[str], repetitions: int | None) -> Iterator[str]:
    for name in names:
        most = EXPERIMENTS[name].repetitions
        if repetitions is not None and repetitions > most:
            yield f"{name} has {most} repetitions, {repetitions} were asked for"


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
) -> list[Run]:
    for name in names:
        known(name, EXPERIMENTS, "experiment")
    chosen = {EXPERIMENTS[name].name: EXPERIMENTS[name] for name in names}.values()
    for dataset in datasets or ():
        known(dataset, RECORDS, "data set")
    for method in methods or ():
        known(method, [name for name, one in METHODS.items() if one.clusters], "method")
    # What none of these experiments has joins all of them; what one has is left to that one.
    has_data = {dataset for one in chosen for dataset in one.datasets}
    has_method = {contender.method for one in chosen for contender in one.contenders}
    new_data = [name for name in datasets or () if name not in has_data]
    new_methods = [name for name in methods or () if name not in has_method]
    runs = [
        run
        for one in chosen
        for run in one.joined_by(new_data, new_methods).runs(datasets, methods, repetitions)
    ]
    if not runs:
        raise ValueError(
            f"{', '.join(names)}: no run of these data sets and methods; there are the data sets "
            f"{', '.join(sorted(has_data))} and the methods {', '.join(sorted(has_method - {''}))}"
        )
    return runs


def known(name: str, names: Iterable[str], what: str) -> None:
    """Refuse a name that is not there, with those that are, nearest first.

    Examples
    --------
    >>> known("Tabel2", ["table2", "complexity"], "experiment")
    Traceback (most recent call last):
        ...
    ValueError: no experiment is called 'Tabel2'; there are table2, complexity
    """
    names = list(names)
    if name not in names:
        raise ValueError(
            f"no {what} is called {name!r}; there are {', '.join(nearest(name, names))}"
        )


def _missing(datasets: Iterable[str]) -> dict[str, str]:
    """Data sets that are not there, or not what they should be, and why."""
    missing = {}
    for name in sorted(datasets):
        try:
            found = find(name)
            if not found.is_certain:
                found.read()
        except DatasetError as error:
            missing[name] = str(error)
    return missing
