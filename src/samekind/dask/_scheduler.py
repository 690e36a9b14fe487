"""The scheduler that a command is told to use: its own, on this machine, or one that runs."""

# mypy: allow-untyped-calls

import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import dask.config
from dask.system import CPU_COUNT
from distributed import Client, LocalCluster

from samekind._version import __version__

LOCAL = "local"
PATIENCE = 20  # seconds for a scheduler to answer
SETTINGS = {  # of a scheduler that is ours
    # Workers that a task may end before it is given up.
    "distributed.scheduler.allowed-failures": 2,
    # A worker that died has so long to start again; the usual 15 s are short on a busy machine.
    "distributed.deploy.lost-worker-timeout": "2 minutes",
    # If all workers have ended and none can be started, tasks fail, and nobody waits for ever.
    "distributed.scheduler.no-workers-timeout": "5 minutes",
}


def check_scheduler(scheduler: str) -> str:
    """What ``--scheduler`` may be: ``local``, or an address with its port.

    Examples
    --------
    >>> check_scheduler("tcp://10.0.0.7:8786")
    'tcp://10.0.0.7:8786'
    >>> check_scheduler("lokal")
    Traceback (most recent call last):
        ...
    ValueError: --scheduler lokal: expected local, or the address of a Dask scheduler such as
    tcp://10.0.0.7:8786
    """
    if scheduler != LOCAL and not re.fullmatch(r"([a-z]+://)?[^\s:/]+:\d+|inproc://\S+", scheduler):
        raise ValueError(
            f"--scheduler {scheduler}: expected local, or the address of a Dask scheduler such as "
            "tcp://10.0.0.7:8786"
        )
    return scheduler


@contextmanager
def connected(scheduler: str, n_workers: int | None = None) -> Iterator[Client]:
    """A client of a scheduler with workers, for as long as it is needed.

    Parameters
    ----------
    scheduler : str
        ``"local"``: workers on this machine, each a process with one thread, which end with this
        one. Else the address of a scheduler.
    n_workers : int, optional
        How many workers of ``"local"``; by default one for each core.

    Raises
    ------
    ValueError
        If it is no address.
    OSError
        If nothing answers there, or there are no workers.
    """
    check_scheduler(scheduler)
    with ExitStack() as stack:
        if scheduler == LOCAL:
            stack.enter_context(dask.config.set(SETTINGS))
            client = stack.enter_context(Client(stack.enter_context(_workers_here(n_workers))))
        else:
            client = stack.enter_context(_client_of(scheduler))
        yield client


def _workers_here(n_workers: int | None) -> LocalCluster:
    return LocalCluster(
        n_workers=n_workers or CPU_COUNT,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


def _client_of(address: str) -> Client:
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise OSError(
            f"--scheduler {address}: no Dask scheduler answers there ({error}); start one by `dask "
            "scheduler`, or use --scheduler local"
        ) from None
    try:
        _check_workers(client, address)
    except OSError:
        client.close()
        raise
    return client


def _check_workers(client: Client, address: str) -> None:
    """Refuse workers without this package: tasks that they cannot read would end them silently."""

    def version() -> str:  # inside, so that it is sent as it is and not by its name
        import samekind.dask
        from samekind._version import __version__

        assert samekind.dask
        return __version__

    if not client.ncores():
        raise OSError(
            f"--scheduler {address}: it has no workers; start some by `dask worker {address}`"
        )
    try:
        found = set(client.run(version).values())
    except ImportError as error:
        raise OSError(
            f"--scheduler {address}: its workers cannot import samekind.dask ({error}); install "
            f"samekind[dask] {__version__} there"
        ) from None
    if found != {__version__}:
        raise OSError(
            f"--scheduler {address}: its workers have samekind {', '.join(sorted(found))}, and "
            f"this is {__version__}; install the same version there"
        )
