"""Callbacks, which see every iteration and can end the run."""

from collections.abc import Callable
from typing import Any


def ended_by(callback: Callable[[Any], object] | None, record: Any) -> bool:
    """Call it, if there is one; whether it raises StopIteration.

    Examples
    --------
    >>> def enough(record):
    ...     if record > 2:
    ...         raise StopIteration
    >>> ended_by(enough, 2), ended_by(enough, 3), ended_by(None, 3)
    (False, True, False)
    """
    try:
        if callback is not None:
            callback(record)
    except StopIteration:
        return True
    return False
