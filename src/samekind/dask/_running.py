"""Tasks of partitions, run by whatever scheduler Dask has: in order, with progress and retries."""

# mypy: allow-untyped-calls

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import dask.config
from dask.base import compute, get_scheduler
from dask.callbacks import Callback
from dask.delayed import delayed
from distributed import CancelledError, Client, as_completed
from distributed.scheduler import KilledWorker, NoValidWorkerError, NoWorkerError

OnProgress = Callable[[str, float], object]  # what is done, and the share of it
RETRIES = 3  # of a task that fails, on a cluster; a worker that dies costs none
TOGETHER = 8  # results that are merged at a time


def quiet(what: str, share: float) -> None:
    """No progress."""


def run(tasks: Sequence[Any], what: str, on_progress: OnProgress) -> list[Any]:
    """The results of delayed tasks, in their order.

    Examples
    --------
    >>> seen = []
    >>> run([delayed(abs)(-2)], "looking", lambda what, share: seen.append((what, share)))
    [2]
    >>> seen[-1]
    ('looking', 1.0)
    """
    on_progress(what, 0.0)
    client = getattr(get_scheduler(), "__self__", None)
    if isinstance(client, Client):
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"}):
            futures = client.compute(list(tasks), retries=RETRIES)
        for done, _ in enumerate(as_completed(futures), 1):
            on_progress(what, done / len(futures))
        return _gathered(client, futures, what)
    with _counted(what, on_progress):
        return list(compute(*tasks))


def _gathered(client: Client, futures: Sequence[Any], what: str) -> list[Any]:
    try:
        return list(client.gather(futures))
    except KilledWorker as error:
        raise MemoryError(
            f"{what}: {error.allowed_failures + 1} workers ended one after the other on the same "
            "partition, most likely for want of memory; make smaller partitions, or give the "
            "workers more memory"
        ) from None
    except (CancelledError, NoValidWorkerError, NoWorkerError) as error:
        raise ConnectionError(
            f"{what}: the scheduler, or all of its workers, were lost ({error}); try again"
        ) from None


@contextmanager
def _counted(what: str, on_progress: OnProgress) -> Iterator[None]:
    def after(key: Any, result: Any, graph: Any, state: Any, worker: Any) -> None:
        waiting = sum(len(state[name]) for name in ("ready", "waiting", "running"))
        done = len(state["finished"])
        on_progress(what, done / max(done + waiting, 1))

    with Callback(posttask=after):
        yield


def merged(tasks: Sequence[Any], merge: Callable[[list[Any]], Any]) -> Any:
    """One task that merges the results of many, a few at a time, so that none holds them all.

    Examples
    --------
    >>> merged([delayed(abs)(-n) for n in range(20)], sum).compute()
    190
    """
    tasks = list(tasks)
    while len(tasks) > 1:
        parts = [tasks[at : at + TOGETHER] for at in range(0, len(tasks), TOGETHER)]
        tasks = [delayed(merge, pure=True)(part) for part in parts]
    return tasks[0]
