"""What follows from answers: parts of one kind, and which of them are different."""

from collections import Counter
from collections.abc import Iterable, Sequence

from samekind.asking.answers import Answer


class Known:
    """The samples that answers speak of, in parts that are one kind each.

    Parameters
    ----------
    answers : sequence of Answer
        In force and without contradictions.
    first : int
        A sample that is a part from the beginning.

    Attributes
    ----------
    parts : list of list of int
        In the order in which they were first spoken of, as are the samples of each.
    part_of : dict
        The part of each sample that is in one.
    differ : list of set of int
        For each part those that are marked different.
    aside : Counter
        How often the answer for a sample was "unsure".
    """

    def __init__(self, answers: Sequence[Answer], first: int) -> None:
        self._parent: dict[int, int] = {first: first}
        self.aside: Counter[int] = Counter()
        for answer in answers:
            if answer.unsure:
                self.aside[answer.sample] += 1
            for a, b in answer.must_link:
                self._join(self._root(b), self._root(a))
            for a, b in answer.cannot_link:
                self._root(b), self._root(a)
        self.parts, self.part_of = self._parts()
        self.differ: list[set[int]] = [set() for _ in self.parts]
        for answer in answers:
            for a, b in answer.cannot_link:
                p, q = self.part_of[a], self.part_of[b]
                self.differ[p].add(q)
                self.differ[q].add(p)

    def _root(self, sample: int) -> int:
        parent = self._parent
        parent.setdefault(sample, sample)
        while parent[sample] != sample:
            parent[sample] = parent[parent[sample]]
            sample = parent[sample]
        return sample

    def _join(self, a: int, b: int) -> None:
        self._parent[b] = a

    def _parts(self) -> tuple[list[list[int]], dict[int, int]]:
        members: dict[int, list[int]] = {}
        for sample in self._parent:  # dictionaries keep the order of first mention
            members.setdefault(self._root(sample), []).append(sample)
        parts = list(members.values())
        return parts, {sample: p for p, part in enumerate(parts) for sample in part}

    @property
    def contradictory(self) -> bool:
        """Whether some part is marked different from itself."""
        return any(p in others for p, others in enumerate(self.differ))

    def n_settled(self) -> int:
        """How many pairs of samples follow from the answers."""
        sizes = [len(part) for part in self.parts]
        inside = sum(size * (size - 1) // 2 for size in sizes)
        between = sum(sizes[p] * sizes[q] for p, others in enumerate(self.differ) for q in others)
        return inside + between // 2

    def counted(self, pairs: Iterable[tuple[int, int]]) -> Counter[tuple[int, int]]:
        """How often pairs of samples fall on each pair of parts, smaller number first."""
        found: Counter[tuple[int, int]] = Counter()
        for a, b in pairs:
            if a in self.part_of and b in self.part_of:
                p, q = self.part_of[a], self.part_of[b]
                found[min(p, q), max(p, q)] += 1
        return found
