"""A full fit behind the dialogue: in a process of its own, so that no question waits for it."""

import multiprocessing
import os
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from samekind.asking import Questions, Result

FEWEST, EVERY = 20, 10  # answers before the first fit, and between two


class FitBehind:
    """Starts fits as answers come, and keeps the last one that has ended."""

    def __init__(self) -> None:
        self._process: Any = None
        self._receiver: Connection | None = None
        self._running_of = self.of = 0  # answers that a fit knows of
        self.result: Result | None = None

    def consider(self, questions: Questions) -> None:
        """Start a fit if there are enough new answers and none runs."""
        self._collect()
        n = len(questions.answers())
        if self._process is not None or n < FEWEST or n - self.of < EVERY:
            return
        context = multiprocessing.get_context("spawn")
        self._receiver, sender = context.Pipe(duplex=False)
        work = questions.deferred_result()
        self._process = context.Process(target=_fit, args=(sender, work), daemon=True)
        self._running_of = n
        self._process.start()
        sender.close()

    def sentence(self) -> str:
        """What the last fit found, for the page."""
        self._collect()
        if self.result is None:
            return ""
        taken = "A full fit is used" if self.result.by == "fit" else "No fit is used so far"
        return f"{taken}: {self.result.why}."

    def current(self, questions: Questions) -> Result | None:
        """The result if it knows of all answers."""
        self._collect()
        return self.result if self.of == len(questions.answers()) and self.result else None

    def stop(self) -> None:
        """End what runs."""
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._process = None

    def _collect(self) -> None:
        if self._process is None or self._receiver is None:
            return
        if self._receiver.poll():
            with suppress(EOFError):  # it died: the next answers start another
                self.result, self.of = self._receiver.recv(), self._running_of
            self.stop()
        elif not self._process.is_alive():
            self.stop()


def _fit(sender: Connection, work: Any) -> None:
    from threadpoolctl import threadpool_limits

    with suppress(OSError, AttributeError):
        os.nice(10)
    with threadpool_limits(limits=1):
        sender.send(work())
