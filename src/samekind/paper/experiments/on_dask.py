"""Runs on the workers of a Dask scheduler.

Futures of Dask itself, and not joblib's backend for it: where a task ends its workers, Dask raises
KilledWorker, which that backend does not pass on, so that it would wait for ever.
"""

# mypy: allow-untyped-calls

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from distributed import CancelledError, Client, Future, as_completed
from distributed.scheduler import KilledWorker, NoValidWorkerError, NoWorkerError

from samekind.paper.experiments.rows import Row
from samekind.paper.experiments.runs import Run
from samekind.paper.experiments.tasks import ended_from_outside

AHEAD = 2  # runs for each worker that are handed over: one under way, one to come


def performed_by(
    client: Client, runs: Iterable[Run], perform: Callable[[Run], Row]
) -> Iterator[Row]:
    """The rows of some runs as they end.

    The runs of a worker that dies go to another one. Dask gives up a run, guilty or not, that was
    with several workers as they died; it is then run alone, and is a failed row if that ends its
    worker once more.
    """
    workers = client.ncores()
    if several := [name for name, threads in workers.items() if threads > 1]:
        raise ValueError(
            f"{len(several)} of {len(workers)} workers have more than one thread, such as "
            f"{several[0]}; a run measures its process: start them by `dask worker --nthreads 1`"
        )
    runs, given_up = iter(runs), list[Run]()
    under_way: dict[Any, Run] = {}

    def start(run: Run) -> Future[Row]:
        future = client.submit(perform, run, pure=False)
        under_way[future.key] = run
        return future

    ended = as_completed([start(run) for run in islice(runs, AHEAD * len(workers))])
    for future in ended:
        run = under_way.pop(future.key)
        row = _row(future)
        if row is None:
            given_up.append(run)
        else:
            yield row
        ended.update([start(run) for run in islice(runs, 1)])
    for run in given_up:
        yield _row(start(run)) or ended_from_outside(run)


def _row(future: Future[Row]) -> Row | None:
    """The row of a run, None where Dask gave it up."""
    try:
        row: Row = future.result()
    except KilledWorker:
        return None
    except (CancelledError, NoValidWorkerError, NoWorkerError) as error:
        raise ConnectionError(
            f"the scheduler, or all of its workers, were lost ({error}); rows that ended are kept, "
            "and the same command goes on from there"
        ) from None
    return row
