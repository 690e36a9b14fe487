"""Questions: a dialogue with a person about what is the same kind, with control at the caller."""

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Self

import numpy as np

from samekind._typing import IntArray
from samekind.asking.answers import Answer, History, replay
from samekind.asking.checks import belonging, checked_samples, place_in, whole
from samekind.asking.disputes import constraints_of
from samekind.asking.doubts import Doubt, ranked_doubts
from samekind.asking.ground import ground_of
from samekind.asking.journal import Journal, Line
from samekind.asking.records import LATELY, Ask, Cluster, Progress
from samekind.asking.result import Result, result_of
from samekind.asking.situation import Situation
from samekind.asking.strategy import Question, hearts_and_borders
from samekind.constraints import PairConstraints
from samekind.metrics import clustering_accuracy

METHOD = "hearts and borders"
Strategy = Callable[[Situation], Question | None]


class StaleAsk(ValueError):
    """The question is not the current one, or was answered otherwise: call ``next`` again."""


class Questions:
    """Ask a person which samples are the same kind, and keep every answer.

    Control stays with the caller: ``next`` gives a question, ``answer`` takes what the person says.
    Both the next question and the labels are functions of the data, the seed and the journal
    alone, so a dialogue goes on where it was, and an answer that is withdrawn leaves no trace.

    Parameters
    ----------
    samples : array-like, sparse array or frame of shape (n_samples, n_features), or named samples
        The rows; or an object with ``X`` and ``ids``, such as the samples of a file.
    n_clusters : int or None, default=None
        k; None begins with a guess and grows with the groups that are found.
    journal : path or None, default=None
        The file that keeps the answers: made, or gone on with. None keeps them in memory.
    row : int, default=6
        How many samples are shown beside one, at most.
    random_state : int, default=0
        The seed of the first clusters.
    strategy : callable, optional
        Chooses the questions: called with a ``Situation``, it returns a ``Question``, or None when
        nothing is left. The journal keeps its name. By default hearts and borders.

    Attributes
    ----------
    ids : tuple of str
        Names of the rows, row numbers where they have none.
    notes : tuple of str
        What the person should know of the journal: a line that had to be removed.

    Raises
    ------
    InputError
        If the journal is damaged, or belongs to other data or settings.
    JournalInUse
        If somebody else is writing it.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.repeat([[0.0], [5.0], [9.0]], 10, axis=0) + np.linspace(0, 1, 30)[:, None]
    >>> kinds = np.repeat(["low", "middle", "high"], 10)
    >>> with Questions(X, n_clusters=3) as q:
    ...     while (ask := q.next()) and len(q.answers()) < 5:
    ...         seq = q.answer(ask.id, **ask.reply(kinds))  # a person would look and say
    ...     labels = q.labels()
    >>> [len(set(labels[start : start + 10])) for start in (0, 10, 20)]
    [1, 1, 1]
    """

    def __init__(
        self,
        samples: Any,
        n_clusters: int | None = None,
        journal: str | os.PathLike[str] | None = None,
        *,
        row: int = 6,
        random_state: int = 0,
        strategy: Strategy | None = None,
    ) -> None:
        self._k = whole(n_clusters, "n_clusters", 1) if n_clusters is not None else None
        self.row, self._seed = whole(row, "row", 1), whole(random_state, "random_state", 0)
        self._X, self.ids = checked_samples(samples)
        n = len(self.ids)
        if self._k is not None and self._k > n:
            raise ValueError(f"n_samples={n} should be >= n_clusters={self._k}")
        self._row_of = {one: row for row, one in enumerate(self.ids)}
        self._strategy, method = _checked_strategy(strategy)
        settings = {"k": self._k, "row": self.row, "method": method, "seed": self._seed}
        header = belonging(self._X, self.ids) | settings
        self._journal = Journal(journal, header)
        try:
            self._history = self._replayed(self._journal.lines)
            self._ground = ground_of(self._X, self._k, self._seed)
            self._situation = self._checked(self._history)
        except BaseException:
            self._journal.close()
            raise
        self._ask: Ask | None = None

    # The dialogue

    def next(self) -> Ask | None:
        """The next question; the same until it is answered, None when nothing is left."""
        if self._ask is None:
            question = self._strategy(self._situation)
            if question is not None:
                self._check(question)
                shown = repr((question.sample, question.beside)).encode()
                name = f"{self._history.last}-{hashlib.sha256(shown).hexdigest()[:8]}"
                self._ask = Ask(name, *question)
        return self._ask

    def answer(self, ask_id: str, *, same: int | None = None, none: bool = False) -> int:
        """Say which of those beside it the sample is the same kind as.

        Parameters
        ----------
        ask_id : str
            ``ask.id`` of the current question.
        same : int, optional
            Place in ``ask.beside``, from 0.
        none : bool
            It is none of them.

        Returns
        -------
        seq : int
            Number of the answer. It is on the disk by now. The same answer to the same question
            again changes nothing.
        """
        if (same is None) == (not none):
            raise ValueError("say either same=J, a place in ask.beside, or none=True")
        return self._answered(ask_id, {"verb": "answer", "same": same})

    def unsure(self, ask_id: str) -> int:
        """Put the question aside: no pair is stored, and the sample comes once more at the end."""
        return self._answered(ask_id, {"verb": "unsure", "same": None})

    def _answered(self, ask_id: str, line: Line) -> int:
        seq = self._history.of_ask.get(ask_id)
        if seq is not None:
            return self._answered_before(seq, line)
        ask = self.next()
        if ask is None or ask.id != ask_id:
            raise StaleAsk(f"{ask_id!r} is not the current question; call next() for that")
        if line["same"] is not None:
            line["same"] = place_in(line["same"], len(ask.beside))
        names = {"sample": self.ids[ask.sample], "beside": [self.ids[b] for b in ask.beside]}
        return self._append({**line, "ask": ask_id, **names})

    def _answered_before(self, seq: int, line: Line) -> int:
        before = self._journal.lines[seq - 1]
        if seq in self._history.out:
            raise StaleAsk("the answer to this question was withdrawn; call next() for another")
        if (before["verb"], before.get("same")) != (line["verb"], line["same"]):
            raise StaleAsk(
                f"this question was answered otherwise (answer {seq}); use change({seq}, ...)"
            )
        return seq

    def withdraw(self, seq: int) -> int:
        """Take an answer back, as if it had never been given; withdrawing again is fine."""
        if seq not in self._history.out:
            self._append({"verb": "withdraw", "of": self._said(seq, "change", "confirm")})
        return seq

    def confirm(self, seq: int) -> int:
        """Say that an answer is right; it is not doubted again."""
        if not self._in_force(seq).confirmed:
            self._append({"verb": "confirm", "of": seq})
        return seq

    def change(
        self, seq: int, *, same: int | None = None, none: bool = False, unsure: bool = False
    ) -> int:
        """Change an answer; refused with a Contradiction where others say otherwise."""
        if (same is not None) + bool(none) + bool(unsure) != 1:
            raise ValueError("say one of same=J, a place among those shown, none=True, unsure=True")
        answer = self._in_force(seq)
        if answer.verb != "answer":
            raise ValueError(f"{seq} is no answer to a question; withdraw it instead")
        same = None if same is None else place_in(same, len(answer.beside))
        if (answer.same, answer.unsure) != (same, bool(unsure)):
            self._append({"verb": "change", "of": seq, "same": same, "unsure": bool(unsure)})
        return seq

    def pure(self, rows: Iterable[int]) -> int:
        """Say that rows are one kind; only those that the person has looked at."""
        found = sorted({self._row(row) for row in rows})
        if len(found) < 2:
            raise ValueError(f"pure takes two rows or more that were shown, got {len(found)}")
        sample, *beside = (self.ids[row] for row in found)
        return self._append_once({"verb": "pure", "sample": sample, "beside": beside})

    def stray(self, row: int, group: int) -> int:
        """Say that a row does not belong to a group, by its number in ``labels``."""
        sample, cluster = self._row(row), self._cluster(group)
        others = [one for one in cluster.known or cluster.rows.tolist() if one != sample]
        if not others:
            raise ValueError(f"row {sample} is the only one that is known of group {group}")
        line = {"sample": self.ids[sample], "beside": [self.ids[others[0]]]}
        return self._append_once({"verb": "stray", **line})

    def add(self, constraints: PairConstraints) -> int:
        """Take over pairs that are known from elsewhere; the same again changes nothing."""
        if not isinstance(constraints, PairConstraints):
            raise TypeError(f"expected a PairConstraints, got a {type(constraints).__name__}")
        if constraints.n_samples != len(self.ids):
            raise ValueError(
                f"the pairs speak of {constraints.n_samples} samples, there are {len(self.ids)}"
            )
        must, cannot = (
            [[self.ids[a], self.ids[b]] for a, b in pairs.tolist()]
            for pairs in (constraints.must_link, constraints.cannot_link)
        )
        return self._append_once({"verb": "given", "must_link": must, "cannot_link": cannot})

    def name(self, group: int, name: str) -> None:
        """Give a group a name, by its number in ``labels``."""
        cluster = self._cluster(group)
        if not isinstance(name, str):
            raise TypeError(f"a name is text, got {name!r}")
        if cluster.name != name:
            anchor = self.ids[int(cluster.rows[0])]
            self._append({"verb": "name", "sample": anchor, "name": name})

    # What follows

    def answers(self) -> tuple[Answer, ...]:
        """The answers in force, in the order in which they were given."""
        return self._history.answers

    def doubts(self, n: int | None = None) -> list[Doubt]:
        """The n answers that surprise the steady graph most, the others being true."""
        count = None if n is None else whole(n, "n", 0)
        return ranked_doubts(self._situation)[:count]

    def progress(self) -> Progress:
        """How far the dialogue has come, and whether one could stop."""
        s = self._situation
        asked = [a for a in s.answers if a.verb == "answer"]
        changed = None
        if len(asked) >= LATELY:
            late = {answer.seq for answer in asked[-LATELY:]}
            before = self._after([a for a in s.answers if a.seq not in late])
            changed = 1 - clustering_accuracy(before.labels(), s.labels())
        n_unsure = sum(answer.unsure for answer in asked)
        n_placed = len(s.group_of)
        return Progress(
            len(asked),
            n_unsure,
            len(s.groups),
            s.n_clusters,
            n_placed,
            s.known.n_settled(),
            changed,
        )

    def constraints(self) -> PairConstraints:
        """The pairs that were said, without what follows from them."""
        return constraints_of(len(self.ids), self._history.answers, self.ids)

    def labels(self) -> IntArray:
        """For every row the number of its group: answers spread over the steady graph.

        A number stays with its group as answers come, so some may be missing.
        """
        return self._situation.labels()

    def clusters(self) -> list[Cluster]:
        """The groups and clusters that labels speak of, by number."""
        labels = self.labels()
        names = {int(labels[row]): name for row, name in self._history.names.items()}
        return [
            Cluster(number, names.get(number, ""), known, rows)
            for number, known, rows in self._situation.clusters()
        ]

    def result(self) -> Result:
        """The fit of SameKind with all answers, or the steady labels where it predicts worse.

        Every fifth answer is held back to find out; takes as long as two fits.
        """
        return self.deferred_result()()

    def deferred_result(self) -> Callable[[], Result]:
        """The work of ``result`` for the answers so far, to be done in another process."""
        return partial(result_of, self._X, self._situation, self._seed)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the person should know of the journal."""
        return tuple(self._journal.notes)

    # Ending

    def close(self) -> None:
        """Free the journal for others."""
        self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Inside

    def _check(self, question: Question) -> None:
        """Refuse what a strategy may not ask."""
        rows = [self._row(row) for row in (question.sample, *question.beside)]
        if len(rows) < 2 or len(set(rows)) < len(rows):
            raise ValueError(
                f"the strategy chose {question}; expected one sample beside one or more others"
            )

    def _after(self, answers: Sequence[Answer]) -> Situation:
        return Situation(self._ground, answers, self.row, grows=self._k is None)

    def _append(self, line: Line) -> int:
        """Check a line, write it, and go on from there."""
        seq = len(self._journal.lines) + 1
        history = self._replayed([*self._journal.lines, {"seq": seq, **line}])
        situation = self._checked(history, new=seq)
        self._journal.append(line)
        self._history, self._situation, self._ask = history, situation, None
        return seq

    def _append_once(self, line: Line) -> int:
        for before in self._journal.lines:
            if before["seq"] not in self._history.out and line.items() <= before.items():
                return int(before["seq"])
        return self._append(line)

    def _replayed(self, lines: Sequence[Line]) -> History:
        return replay(lines, self._row_of, self._journal.path or "journal")

    def _checked(self, history: History, new: int | None = None) -> Situation:
        """The situation after all answers, which must not contradict each other."""
        situation = self._after(history.answers)
        if situation.known.contradictory:
            constraints_of(len(self.ids), history.answers, self.ids, new)
        return situation

    def _said(self, seq: int, *more: str) -> int:
        """The number of an answer that was given, or of a line about one."""
        lines = self._journal.lines
        if not isinstance(seq, int | np.integer) or not 1 <= seq <= len(lines):
            raise ValueError(f"there is no answer {seq!r}; the last line is {len(lines)}")
        verb = lines[seq - 1]["verb"]
        if verb not in ("answer", "unsure", "pure", "stray", "given", *more):
            raise ValueError(f"line {seq} is a {verb}, not an answer")
        return int(seq)

    def _in_force(self, seq: int) -> Answer:
        answer = self._history.by_seq.get(self._said(seq))
        if answer is None:
            raise ValueError(f"answer {seq} was withdrawn")
        return answer

    def _cluster(self, group: int) -> Cluster:
        found = {cluster.number: cluster for cluster in self.clusters()}
        if group not in found:
            raise ValueError(f"there is no group {group!r}; there are {sorted(found)}")
        return found[group]

    def _row(self, row: int) -> int:
        n = len(self.ids)
        if isinstance(row, bool) or not isinstance(row, int | np.integer) or not 0 <= row < n:
            raise ValueError(f"{row!r} is no row; rows are numbered from 0 to {n - 1}")
        return int(row)


def _checked_strategy(strategy: Strategy | None) -> tuple[Strategy, str]:
    """The strategy and its name, which a journal belongs to."""
    if strategy is None:
        return hearts_and_borders, METHOD
    if not callable(strategy):
        raise TypeError(f"strategy takes a Situation and returns a Question, got {strategy!r}")
    return strategy, getattr(strategy, "__name__", type(strategy).__name__)
