"""Work on blocks of rows, on as many threads as a fit was given.

``on_threads`` says how many for all that happens inside; work on rows that do not depend on each
other goes through ``each``, whatever calls it. Blocks do not depend on the number of threads, and
what they return is used in their order: no bit of a result depends on it.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from joblib import effective_n_jobs

BLOCK_ROWS = 8192

Part = TypeVar("Part")
Result = TypeVar("Result")

Threads = tuple[int, ThreadPoolExecutor | None]  # how many, and what runs them

_threads: ContextVar[Threads] = ContextVar("_threads", default=(1, None))


@contextmanager
def on_threads(n_jobs: int | None) -> Iterator[int]:
    """Let ``each`` use this many threads inside; None and -1 as in scikit-learn.

    Examples
    --------
    >>> with on_threads(2) as n_threads:
    ...     n_threads, each(abs, [-1, 2, -3])
    (2, [1, 2, 3])
    """
    count = effective_n_jobs(n_jobs)
    pool = ThreadPoolExecutor(count) if count > 1 else None
    token = _threads.set((count, pool))
    try:
        yield count
    finally:
        _threads.reset(token)
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def each(work: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
    """What ``work`` returns for each part, in their order.

    Threads do not see the pool: work inside of work is done where it is.

    Examples
    --------
    >>> each(len, ["a", "bc"])
    [1, 2]
    """
    _, pool = _threads.get()
    return list(map(work, parts) if pool is None else pool.map(work, parts))


def n_threads() -> int:
    """Threads that ``each`` may use here.

    Examples
    --------
    >>> n_threads()
    1
    """
    return _threads.get()[0]


def row_blocks(n_rows: int, step: int | None = None) -> list[slice]:
    """All rows, in blocks.

    Examples
    --------
    >>> row_blocks(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = BLOCK_ROWS if step is None else step
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]
