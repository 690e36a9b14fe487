"""Lines that a method writes while it runs, where ``verbose`` asks for them."""

import sys
from collections.abc import Callable
from typing import Any


def say(estimator: Any, sentence: str) -> None:
    """Write a line to standard output, if the estimator is verbose.

    Examples
    --------
    >>> from samekind import DGSL
    >>> say(DGSL(verbose=1), "converged")
    [DGSL] converged
    >>> say(DGSL(), "converged")
    """
    if getattr(estimator, "verbose", 0):
        sys.stdout.write(f"[{type(estimator).__name__}] {sentence}\n")


def saying(
    estimator: Any, callback: Callable[[Any], object] | None
) -> Callable[[Any], object] | None:
    """The callback, after a line about the iteration, if the estimator is verbose."""
    if not getattr(estimator, "verbose", 0):
        return callback

    def tell(state: Any) -> None:
        change = max(state.record.change_A, state.record.change_Z)
        say(estimator, f"iteration {state.iteration}, change {change:.2g}")
        if callback is not None:
            callback(state)

    return tell
