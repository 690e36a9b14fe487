"""A full fit behind the dialogue: in a process of its own, so that no question waits for it."""

import multiprocessing
import os
import pickle
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from samekind.asking import Answer, Questions, Result

FEWEST, EVERY = 20, 10  # answers before the first fit, and between two


class FitBehind:
    """Starts fits as answers come, and keeps the last one that has ended."""

    def __init__(self) -> None:
        self._process: Any = None
        self._thread: threading.Thread | None = None
        self._stopped = False
        self.of = 0  # answers that the result knows of
        self.result: Result | None = None
        self._answers: tuple[Answer, ...] = ()

    def consider(self, questions: Questions) -> None:
        """Start a fit if there are enough new answers and none runs."""
        answers = questions.answers()
        n = len(answers)
        running = self._thread is not None and self._thread.is_alive()
        if running or n < FEWEST or n - self.of < EVERY:
            return
        # As bytes by now: the next question changes what they are made of.
        work = pickle.dumps(questions.deferred_result())
        # In a thread, as a process is handed its data only once it has started.
        self._thread = threading.Thread(target=self._fit, args=(answers, work), daemon=True)
        self._thread.start()

    def sentence(self) -> str:
        """What the last fit found, for the page."""
        if self.result is None:
            return ""
        taken = "A full fit is used" if self.result.by == "fit" else "No fit is used so far"
        return f"{taken}: {self.result.why}."

    def current(self, questions: Questions) -> Result | None:
        """The result if it is that of the answers in force."""
        return self.result if self._answers == questions.answers() else None

    def stop(self) -> None:
        """End what runs."""
        self._stopped = True
        if self._process is not None:
            with suppress(AttributeError, ValueError):  # it is only about to start, or has ended
                self._process.terminate()

    def _fit(self, answers: tuple[Answer, ...], work: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_in_process, args=(sender, work), daemon=True)
        with suppress(EOFError, OSError):  # it died: the next answers start another
            self._process.start()
            sender.close()
            if self._stopped:
                self._process.terminate()
            self.result, self.of, self._answers = receiver.recv(), len(answers), answers
        with suppress(AssertionError):  # it never started
            self._process.join()


def _in_process(sender: Connection, work: bytes) -> None:
    from threadpoolctl import threadpool_limits

    with suppress(OSError, AttributeError):
        os.nice(10)
    with threadpool_limits(limits=1):
        sender.send(pickle.loads(work)())
