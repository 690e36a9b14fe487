"""Answers that contradict each other, with the chain that proves it; answers of several people."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from samekind._files import InputError
from samekind.asking.answers import Answer, replay
from samekind.asking.checks import belonging, checked_samples
from samekind.asking.journal import read_journal, require_same
from samekind.constraints import ConstraintConflict, PairConstraints
from samekind.constraints.closure import contradictions, proofs

Said = tuple[str, Answer]  # who, "" for the only one, and what
NOW = "now"


class Contradiction(ConstraintConflict):
    """Answers contradict each other.

    Attributes
    ----------
    seqs : tuple of int
        The answers that take part: one of them has to be changed or withdrawn.
    pair, chain
        As in ConstraintConflict.
    """

    def __init__(
        self, message: str, pair: tuple[int, int], chain: tuple[int, ...], seqs: tuple[int, ...]
    ) -> None:
        super().__init__(message, pair, chain)
        self.seqs = seqs

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.pair, self.chain, self.seqs)


@dataclass(frozen=True)
class Disagreement:
    """Answers that cannot all be true.

    Attributes
    ----------
    answers : tuple of (str, int)
        Who said it, and the number of the answer in that journal.
    left_out : (str, int)
        The one that was left out: it came last.
    chain : tuple of int
        Rows from one end of what was called different to the other, each the same kind as the
        next.
    sentence : str
        All this in words.
    """

    answers: tuple[tuple[str, int], ...]
    left_out: tuple[str, int]
    pair: tuple[int, int]
    chain: tuple[int, ...]
    sentence: str


@dataclass(frozen=True)
class Merged:
    """What several people said.

    Attributes
    ----------
    constraints : PairConstraints
        Of answers that contradict each other, those of the journal named first are in it.
    disagreements : tuple of Disagreement
        What was left out, and why.
    n_answers : dict of str to int
        Answers of each.
    """

    constraints: PairConstraints
    disagreements: tuple[Disagreement, ...]
    n_answers: dict[str, int]


def merged_journals(
    samples: Any,
    journals: Mapping[str, str | os.PathLike[str]] | Iterable[str | os.PathLike[str]],
) -> Merged:
    """The answers of several people, one journal each, about the same samples.

    Journals are only read; each may be in use.

    Parameters
    ----------
    samples : array-like, or named samples
        As they were given to ``Questions``.
    journals : mapping of names to paths, or paths
        Paths alone are named by their files.

    Raises
    ------
    InputError
        If a journal is damaged, or belongs to other samples.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from samekind.asking import Questions
    >>> X = np.arange(8.0)[:, None]
    >>> journals = {name: Path(tempfile.mkdtemp(), "a.ask") for name in ("ann", "bob")}
    >>> for name, path in journals.items():
    ...     with Questions(X, 2, path) as q:
    ...         ask = q.next()
    ...         seq = q.answer(ask.id, same=0) if name == "ann" else q.answer(ask.id, none=True)
    >>> merged_journals(X, journals).disagreements[0].answers
    (('bob', 1), ('ann', 1))
    """
    X, ids = checked_samples(samples)
    if not isinstance(journals, Mapping):
        paths = [Path(path) for path in journals]
        journals = {path.stem: path for path in paths}
        if len(journals) < len(paths):
            raise ValueError("two journals have the same name; give a mapping of names to paths")
    row_of = {one: row for row, one in enumerate(ids)}
    said: list[Said] = []
    for who, path in journals.items():
        content = read_journal(path)
        if content.header is None:
            raise InputError(path, "it is empty", "leave it out")
        require_same(content.header, belonging(X, ids), path)
        said += [(str(who), answer) for answer in replay(content.lines, row_of, path).answers]
    found = list(disagreements(said, ids))
    left_out = {(one.pair, one.left_out) for one in found}
    must, cannot = (
        [
            pair
            for who, answer in said
            for pair in getattr(answer, kind)
            if (tuple(sorted(pair)), (who, answer.seq)) not in left_out
        ]
        for kind in ("must_link", "cannot_link")
    )
    names = [who for who, answer in said if answer.verb == "answer"]
    counts = {str(who): names.count(str(who)) for who in journals}
    pairs = PairConstraints(len(ids), must or None, cannot or None, on_conflict="drop")
    return Merged(pairs, tuple(found), counts)


def constraints_of(
    n: int, answers: Sequence[Answer], ids: Sequence[str], new: int | None = None
) -> PairConstraints:
    """The pairs that answers say; a contradiction is raised, of ``new`` if it is not kept yet."""
    must = [pair for answer in answers for pair in answer.must_link]
    cannot = [pair for answer in answers for pair in answer.cannot_link]
    try:
        return PairConstraints(n, must or None, cannot or None)
    except ConstraintConflict:
        said = [(NOW if answer.seq == new else "", answer) for answer in answers]
        one = next(disagreements(said, ids))
        message = f"{one.sentence}; change or withdraw one of them"
        seqs = tuple(seq for _, seq in one.answers if seq != new)
        raise Contradiction(message, one.pair, one.chain, seqs) from None


def disagreements(said: Sequence[Said], ids: Sequence[str]) -> Iterator[Disagreement]:
    """What contradicts the answers before it, in their order."""
    by: dict[tuple[int, int, bool], list[tuple[str, int]]] = {}
    for who, answer in said:
        for kind, said_pairs in ((True, answer.must_link), (False, answer.cannot_link)):
            for a, b in said_pairs:
                by.setdefault((min(a, b), max(a, b), kind), []).append((who, answer.seq))
    if not by:
        return
    pairs = np.array([key[:2] for key in by], dtype=np.int64)
    is_must = np.array([key[2] for key in by])
    found = contradictions(len(ids), pairs, is_must)
    for (row, cannot), chain in zip(found, proofs(pairs, is_must, found), strict=True):
        links = [(min(a, b), max(a, b), True) for a, b in pairwise(chain)]
        same = [by[link][0] for link in links]
        i, j = pairs[cannot].tolist()
        apart = by[i, j, False][0]
        a, b = pairs[row].tolist()
        last = by[a, b, bool(is_must[row])][0]
        sentence = (
            f"{ids[chain[0]]} and {ids[chain[-1]]} are called different ({_told([apart])}), "
            f"yet {' = '.join(ids[sample] for sample in chain)} follows ({_told(same)})"
        )
        everyone = tuple(dict.fromkeys([apart, *same]))
        yield Disagreement(everyone, last, (a, b), chain, sentence)


def _told(answers: Sequence[tuple[str, int]]) -> str:
    names = {"": "answer {seq}", NOW: NOW}
    different = dict.fromkeys(answers)
    return ", ".join(
        names.get(who, "{who}, answer {seq}").format(who=who, seq=seq) for who, seq in different
    )
