"""The option --scheduler: work for many processes, or many machines."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

SchedulerOption = Annotated[
    str | None,
    typer.Option(
        metavar="local|ADDRESS",
        help="Dask workers: processes on this machine, or those of the scheduler at ADDRESS.",
    ),
]


@contextmanager
def workers_of(scheduler: str | None, n_workers: int | None = None) -> Iterator[Any]:
    """A client of the scheduler that was named; None where none was.

    Examples
    --------
    >>> with workers_of(None) as client:
    ...     print(client)
    None
    """
    if scheduler is None:
        yield None
        return
    from samekind.dask._scheduler import connected

    with connected(scheduler, n_workers) as client:
        yield client
