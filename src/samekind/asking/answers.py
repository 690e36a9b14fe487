"""Answers as they were given, and what is in force of them: a replay of the journal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from samekind._files import InputError
from samekind.asking.journal import Line

Pair = tuple[int, int]
SAID = ("answer", "unsure", "pure", "stray", "given")  # verbs that say something of samples
ABOUT = ("withdraw", "confirm", "change")  # verbs about what was said


@dataclass(frozen=True)
class Answer:
    """Something that was said and is in force.

    Attributes
    ----------
    seq : int
        Number of its line.
    verb : str
        "answer", "pure" (these rows are one kind), "stray" (this row does not belong there) or
        "given" (pairs from elsewhere).
    sample : int
        The row that was asked about; the first of the rows of "pure"; -1 for "given".
    beside : tuple of int
        The rows beside it.
    same : int or None
        Place in `beside` of the one that is the same kind; None for "none of these".
    unsure : bool
        Whether the answer was "unsure"; it then stores no pair.
    confirmed : bool
        Whether it was looked at again and kept.
    at : str
        When, in UTC.
    must_link, cannot_link : tuple of pairs
        What it says.
    """

    seq: int
    verb: str
    sample: int
    beside: tuple[int, ...]
    same: int | None = None
    unsure: bool = False
    confirmed: bool = False
    at: str = ""
    given: tuple[tuple[Pair, ...], tuple[Pair, ...]] = ((), ())

    @cached_property
    def must_link(self) -> tuple[Pair, ...]:
        if self.verb == "given":
            return self.given[0]
        if self.verb == "pure":
            return tuple((self.sample, other) for other in self.beside)
        if self.unsure or self.same is None:
            return ()
        return ((self.sample, self.beside[self.same]),)

    @cached_property
    def cannot_link(self) -> tuple[Pair, ...]:
        if self.verb == "given":
            return self.given[1]
        if self.unsure or self.same is not None or self.verb == "pure":
            return ()
        return tuple((self.sample, other) for other in self.beside)

    @property
    def said(self) -> str:
        """What was said, as the words of the verbs: "same=2", "none", "unsure", "pure", ..."""
        if self.verb != "answer":
            return self.verb
        return "unsure" if self.unsure else "none" if self.same is None else f"same={self.same}"


@dataclass(frozen=True)
class History:
    """The journal as it stands.

    Attributes
    ----------
    answers : tuple of Answer
        In force, in the order of their lines; changed ones as they are now.
    of_ask : mapping of str to int
        For each id of an ask that was ever answered, the line of the answer.
    out : frozenset of int
        Lines that are not in force: withdrawn.
    names : mapping of int to str
        Names of groups, by a row that belongs to them.
    last : int
        The last line that altered what is known.
    """

    answers: tuple[Answer, ...]
    of_ask: Mapping[str, int]
    out: frozenset[int]
    names: Mapping[int, str]
    last: int

    @cached_property
    def by_seq(self) -> dict[int, Answer]:
        return {answer.seq: answer for answer in self.answers}


def replay(lines: Sequence[Line], row_of: Mapping[str, int], path: object = "journal") -> History:
    """What is in force after all lines."""
    out = frozenset(line["of"] for line in lines if line.get("verb") == "withdraw")
    said: dict[int, Answer] = {}
    of_ask: dict[str, int] = {}
    names: dict[int, str] = {}
    last = 0
    for line in lines:
        seq, verb = line["seq"], line.get("verb")
        try:
            if verb in SAID:
                said[seq] = _answer(line, row_of)
                if "ask" in line:
                    of_ask[line["ask"]] = seq
            elif verb in ("confirm", "change") and seq not in out:
                said[line["of"]] = _revised(said[line["of"]], line)
            elif verb == "name":
                names[row_of[line["sample"]]] = str(line["name"])
            elif verb not in ABOUT:
                raise KeyError(verb)
        except (KeyError, TypeError, IndexError):
            raise InputError(
                str(path),
                "the line cannot be understood",
                "open it with the samekind that wrote it",
                line=seq + 1,
            ) from None
        last = last if verb in ("name", "confirm") else seq
    answers = tuple(answer for seq, answer in said.items() if seq not in out)
    return History(answers, of_ask, out, names, last)


def _answer(line: Line, row_of: Mapping[str, int]) -> Answer:
    seq, verb, at = line["seq"], line["verb"], line.get("at", "")
    if verb == "given":
        must, cannot = (
            tuple((row_of[a], row_of[b]) for a, b in line[kind])
            for kind in ("must_link", "cannot_link")
        )
        return Answer(seq, verb, -1, (), at=at, given=(must, cannot))
    answer = Answer(
        seq,
        "answer" if verb == "unsure" else verb,
        row_of[line["sample"]],
        tuple(row_of[one] for one in line["beside"]),
        at=at,
    )
    return replace(answer, **_verdict(line, len(answer.beside)))


def _revised(answer: Answer, line: Line) -> Answer:
    if line["verb"] == "confirm":
        return replace(answer, confirmed=True)
    return replace(answer, confirmed=True, **_verdict(line, len(answer.beside)))


def _verdict(line: Line, n_beside: int) -> dict[str, Any]:
    same = line.get("same")
    if same is not None and not (isinstance(same, int) and 0 <= same < n_beside):
        raise IndexError(same)
    return {"same": same, "unsure": bool(line.get("unsure")) or line["verb"] == "unsure"}
