"""A full fit behind the dialogue: in a child process of low priority, never in the way.

``python -m samekind.asking.behind FOLDER`` is the child: it reads the task from a folder that only
the two can read, and leaves the labels there.
"""

import os
import pickle
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from samekind._files import replace_file
from samekind._typing import IntArray
from samekind.asking.questions import Questions
from samekind.asking.result import agreement, fitted

NICE = 10  # steps of priority below the dialogue


@dataclass(frozen=True)
class Fit:
    """Labels of SameKind with the answers so far.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
    seen : frozenset of int
        The answers that it knew.
    status : str
        How it ended, as a sentence.
    """

    labels: IntArray
    seen: frozenset[int]
    status: str


class FitBehind:
    """Fits SameKind with the answers of a dialogue, again and again, while it goes on.

    Parameters
    ----------
    questions : Questions

    Examples
    --------
    >>> import numpy as np
    >>> X = np.repeat([[0.0], [5.0]], 10, axis=0) + np.linspace(0, 1, 20)[:, None]
    >>> with Questions(X, 2) as q, FitBehind(q) as behind:
    ...     behind.start(), behind.start(), behind.latest()  # one at a time, not ended yet
    (True, False, None)
    """

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._child: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="samekind-")
        self._seen: frozenset[int] = frozenset()
        self._latest: Fit | None = None

    def start(self) -> bool:
        """Begin a fit with all answers in force; False if one is running or nothing is new."""
        self.latest()
        seen = frozenset(answer.seq for answer in self._questions.answers())
        if self._child is not None or (self._latest is not None and self._latest.seen == seen):
            return False
        self._seen = seen
        (Path(self._folder.name) / "task").write_bytes(pickle.dumps(self._questions._task()))
        path = {"PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
        self._child = subprocess.Popen(
            [sys.executable, "-m", "samekind.asking.behind", self._folder.name, str(NICE)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | path | {"OMP_NUM_THREADS": "1"},
            creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),
        )
        return True

    def latest(self) -> Fit | None:
        """The last fit that has ended, at once; None before the first."""
        if self._child is not None and self._child.poll() is not None:
            self._collect()
        return self._latest

    def wait(self) -> Fit | None:
        """The fit that is running, when it has ended."""
        if self._child is not None:
            self._child.wait()
        return self.latest()

    def better(self) -> Fit | None:
        """The last fit, if it predicts answers that it had not seen as well as steady labels do."""
        fit, q = self.latest(), self._questions
        if fit is None:
            return None
        before = q._after([a for a in q.answers() if a.seq in fit.seen])
        unseen = [a for a in q.answers() if a.seq not in fit.seen]
        by_fit, n = agreement(fit.labels, unseen, before)
        by_steady, _ = agreement(before.labels(), unseen, before)
        return fit if n and by_fit >= by_steady else None

    def _collect(self) -> None:
        if self._child is not None and self._child.returncode == 0:  # one that failed is no fit
            labels, status = pickle.loads((Path(self._folder.name) / "fit").read_bytes())
            self._latest = Fit(labels, self._seen, status)
        self._child = None

    def close(self) -> None:
        """End the fit that is running."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self._collect()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _main(folder: str, nice: str) -> None:
    if hasattr(os, "nice"):
        os.nice(int(nice))
    model = fitted(pickle.loads((Path(folder) / "task").read_bytes()))
    if not model.status_.usable:
        sys.exit(1)
    replace_file(Path(folder) / "fit", pickle.dumps((model.labels_, str(model.status_))))


if __name__ == "__main__":
    _main(*sys.argv[1:])
