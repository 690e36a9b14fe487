"""How much a file of a data set may stand for: a few bytes can unpack to any number."""

import bz2
import gzip
from pathlib import Path

from samekind._memory import human

LARGEST = 10**9  # bytes, twice those of the largest data set


def refuse_larger(n_bytes: int, how: str) -> None:
    """Refuse what stands for more.

    Examples
    --------
    >>> refuse_larger(2_000_000_000, "it unpacks to")
    Traceback (most recent call last):
        ...
    ValueError: it unpacks to 2.0 GB, and none of the data sets has more than 1.0 GB
    """
    if n_bytes > LARGEST:
        raise ValueError(
            f"{how} {human(n_bytes)}, and none of the data sets has more than {human(LARGEST)}"
        )


def unpacked(path: Path) -> bytes:
    """The content of a file, which may be packed by gzip or bzip2."""
    with path.open("rb") as file:
        start = file.read(3)
    opened = gzip.open if start[:2] == b"\x1f\x8b" else bz2.open if start == b"BZh" else open
    with opened(path, "rb") as content:
        raw: bytes = content.read(LARGEST + 1)
    refuse_larger(len(raw), "it unpacks to at least")
    return raw
