"""The most memory that a piece of work takes beyond what was in use before."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


@dataclass
class Peak:
    """Megabytes, None where the system does not tell."""

    megabytes: float | None = None


@contextmanager
def peak_memory() -> Iterator[Peak]:
    """Measure the peak of what happens inside, on Linux; elsewhere the answer is None.

    Examples
    --------
    >>> import numpy as np
    >>> with peak_memory() as peak:
    ...     _ = np.ones((6000, 1000)).sum()
    >>> peak.megabytes is None or peak.megabytes > 16
    True
    """
    peak = Peak()
    try:
        _give_back()
        _RESET.write_text("5")  # the kernel's word for: forget the highest size so far
        before = _kilobytes("VmRSS")
    except OSError:
        before = None
    yield peak
    if before is not None:
        after = _kilobytes("VmHWM")
        peak.megabytes = None if after is None else max(after - before, 0) / 1000


def _give_back() -> None:
    """Return what earlier work has freed, else the next piece of work takes it unseen."""
    gc.collect()
    with suppress(AttributeError):  # a C library without it
        ctypes.CDLL(None).malloc_trim(0)


def _kilobytes(name: str) -> int | None:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    return None
