"""Ctrl-C: the first asks a fit to end with what it has, the second ends the command."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from samekind.estimators._base.registry import Method


@contextmanager
def interruptible(
    method: "Method", report: Callable[[Any], object]
) -> Iterator[Callable[[Any], object]]:
    """A callback for fit, which ends it after a Ctrl-C; only for methods that iterate.

    Of the others Ctrl-C ends the command at once, as it does before and after the fit.
    """
    if not method.interruptible or threading.current_thread() is not threading.main_thread():
        yield report
        return
    asked = False

    def ask(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        typer.echo(
            "samekind: ending after this iteration, results will be written; Ctrl-C again to "
            "quit without",
            err=True,
        )

    def watched(record: Any) -> None:
        report(record)
        if asked:
            raise StopIteration

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield watched
    finally:
        signal.signal(signal.SIGINT, before)
