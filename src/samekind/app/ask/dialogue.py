"""The dialogue behind page and terminal: questions, what is shown of them, and the verbs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from samekind.app.ask.behind import FitBehind
from samekind.app.ask.things import Things
from samekind.app.inputs import Samples
from samekind.asking import Questions, StaleAsk

ON_THE_WALL = 12  # rows of a cluster on the wall
INSIDE = 120  # when looked into
DOUBTS = 20


class Dialogue:
    """One person's dialogue; calls come from several threads, one at a time.

    Parameters
    ----------
    samples : Samples
    questions : Questions
        Of the same samples.
    behind : FitBehind, optional
        Fits while the person answers.
    """

    def __init__(
        self, samples: Samples, questions: Questions, behind: FitBehind | None = None
    ) -> None:
        self.things, self.questions, self.behind = Things(samples), questions, behind
        self._lock = threading.RLock()

    @contextmanager
    def alone(self) -> Iterator[Questions]:
        """The questions, while nobody else uses them."""
        with self._lock:
            yield self.questions

    def state(self) -> dict[str, Any]:
        """The current question and the progress."""
        with self.alone() as q:
            ask, progress, last = q.next(), q.progress(), self._last()
            return {
                "kind": self.things.kind,
                "source": self.things.samples.source,
                "notes": list(q.notes),
                "ask": None
                if ask is None
                else {
                    "id": ask.id,
                    "why": ask.why,
                    "sample": self.things.shown(ask.sample),
                    "beside": [self.things.shown(row) for row in ask.beside],
                },
                "progress": {
                    "answers": progress.n_answers,
                    "unsure": progress.n_unsure,
                    "groups": progress.n_groups,
                    "clusters": progress.n_clusters,
                    "placed": progress.n_placed,
                    "settled": progress.n_settled,
                    "changed": progress.changed,
                    "sentence": str(progress),
                },
                "last": None if last is None else last.seq,
                "fit": self._fit(),
            }

    def wall(self) -> dict[str, Any]:
        """The clusters, each with the rows nearest to its heart."""
        with self.alone() as q:
            return {
                "clusters": [
                    {
                        "number": one.number,
                        "name": one.name,
                        "size": len(one.rows),
                        "known": len(one.known),
                        "rows": [self.things.shown(int(row)) for row in one.rows[:ON_THE_WALL]],
                    }
                    for one in q.clusters()
                ]
            }

    def inside(self, number: int) -> dict[str, Any]:
        """The rows of one cluster, known ones first."""
        with self.alone() as q:
            found = {one.number: one for one in q.clusters()}
            if number not in found:
                raise StaleAsk(f"there is no group {number} any more; look again")
            one = found[number]
            return {
                "number": number,
                "name": one.name,
                "size": len(one.rows),
                "known": [int(row) for row in one.known],
                "rows": [self.things.shown(int(row)) for row in one.rows[:INSIDE]],
            }

    def doubts(self) -> list[dict[str, Any]]:
        """The answers to look at again, the most surprising first."""
        with self.alone() as q:
            return [
                {
                    "seq": one.seq,
                    "said": one.said,
                    "surprise": round(one.surprise, 2),
                    "sample": self.things.shown(one.sample),
                    "beside": [self.things.shown(row) for row in one.again],
                    "rather": one.rather,
                }
                for one in q.doubts(DOUBTS)
            ]

    def answer(self, ask_id: str, same: int | None) -> None:
        """The same kind as one of those beside it, or as none."""
        with self.alone() as q:
            if same is None:
                q.answer(ask_id, none=True)
            else:
                q.answer(ask_id, same=same)
            self._fit_on()

    def unsure(self, ask_id: str) -> None:
        """Put the question aside."""
        with self.alone() as q:
            q.unsure(ask_id)

    def undo(self, seq: int) -> None:
        """Take the last answer back; ``seq`` says which one the person saw as the last."""
        with self.alone() as q:
            last = self._last()
            if last is None or last.seq != seq:
                raise StaleAsk("another answer is the last one by now; look again")
            q.withdraw(seq)

    def merge(self, number: int, other: int) -> None:
        """Say that two groups are one kind."""
        with self.alone() as q:
            found = {one.number: one for one in q.clusters()}
            if number not in found or other not in found or number == other:
                raise StaleAsk("these are not two groups any more; look again")
            q.pure([int(found[number].rows[0]), int(found[other].rows[0])])

    def close(self) -> None:
        """Free the journal, end what runs behind."""
        if self.behind is not None:
            self.behind.stop()
        self.questions.close()

    def _last(self) -> Any:
        answers = [one for one in self.questions.answers() if one.verb != "given"]
        return answers[-1] if answers else None

    def _fit_on(self) -> None:
        if self.behind is not None:
            self.behind.consider(self.questions)

    def _fit(self) -> str:
        return "" if self.behind is None else self.behind.sentence()
