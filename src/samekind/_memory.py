"""How much memory is left, on this machine, in this container, for this process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_CGROUP = Path("/sys/fs/cgroup")
_MEMINFO = Path("/proc/meminfo")
_STATM = Path("/proc/self/statm")


def available_memory(cgroup: Path = _CGROUP, meminfo: Path = _MEMINFO) -> int | None:
    """Bytes that can still be used: the least of what machine, container and process have left.

    None where the system does not say.

    Examples
    --------
    >>> left = available_memory()
    >>> left is None or left > 0
    True
    """
    answers = (_machine(meminfo), _container(cgroup), _process())
    known = [left for left in answers if left is not None]
    return min(known) if known else None


def require_memory(needed: int, limit: float | None, what: str, advice: str = "") -> None:
    """Refuse work that needs more than ``limit`` bytes (default: what is left).

    ``advice`` follows "try again" in the message.

    Examples
    --------
    >>> require_memory(8_000_000, 1e6, "a 1000 x 1000 matrix")
    Traceback (most recent call last):
        ...
    MemoryError: a 1000 x 1000 matrix needs about 8.0 MB, but the limit
    is 1.0 MB; use fewer samples, free memory, or raise memory_limit (bytes)
    """
    left = available_memory() if limit is None else limit
    if left is not None and needed > left:
        limit_is = "only" if limit is None else "but the limit is"
        tail = " are left" if limit is None else ""
        try_again = f"try again{advice}, " if advice else ""
        raise MemoryError(
            f"{what} needs about {human(needed)}, {limit_is} {human(left)}{tail}; "
            f"{try_again}use fewer samples, free memory, or raise memory_limit (bytes)"
        )


@contextmanager
def at_most(n_bytes: int) -> Iterator[None]:
    """Let this process take so many bytes more, and no more; where the system can.

    What asks for more inside gets a MemoryError.

    Examples
    --------
    >>> with at_most(10**9):
    ...     small = bytes(1000)
    """
    used = _taken()
    if resource is None or used is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([used + n_bytes, *limits]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _machine(meminfo: Path) -> int | None:
    try:
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:  # elsewhere than on Linux: all there is, if not what is left
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _container(cgroup: Path) -> int | None:
    names = [
        ("memory.max", "memory.current", "memory.stat"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
    ]
    for limit, used, stat in names:
        try:
            left = int((cgroup / limit).read_text()) - int((cgroup / used).read_text())
        except (OSError, ValueError):  # no such file, or "max"
            continue
        return max(left + _given_back(cgroup / stat), 0)
    return None


def _process() -> int | None:
    """What ``ulimit -v`` leaves, where it is set."""
    if resource is None:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    return max(limit - (_taken() or 0), 0)


def _taken() -> int | None:
    """Addresses that this process has taken, in bytes; None where the system does not say."""
    try:
        return int(_STATM.read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def _given_back(stat: Path) -> int:
    """Bytes of files kept in memory for speed alone, which count as used."""
    try:
        words = dict(line.split() for line in stat.read_text().splitlines())
        return int(words["inactive_file"])
    except (OSError, ValueError, KeyError):
        return 0


def human(n_bytes: float) -> str:
    """Bytes in a unit for people.

    Examples
    --------
    >>> human(2_500_000)
    '2.5 MB'
    """
    for unit in ("bytes", "kB", "MB", "GB"):
        if n_bytes < 1000:
            return f"{n_bytes:.1f} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.1f} TB"
