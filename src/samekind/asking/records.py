"""What Questions gives back: a question, a cluster, the progress."""

from collections.abc import Sequence
from dataclasses import dataclass

from samekind._typing import IntArray

LATELY = 20  # answers that the stop signal looks back on


@dataclass(frozen=True)
class Ask:
    """One sample beside a few others: the same kind as which of these?

    Attributes
    ----------
    id : str
        Names the question, for ``answer`` and ``unsure``.
    sample : int
        Row number.
    beside : tuple of int
        Row numbers, of different groups each.
    why : str
        "heart" (the middle of a cluster that nobody named), "border" (between two groups),
        "groups" (two groups that were never compared) or "unsure" (once more, at the end).
    """

    id: str
    sample: int
    beside: tuple[int, ...]
    why: str

    def reply(self, kinds: Sequence[object]) -> dict[str, int | bool]:
        """What somebody says who knows the kind of every row, for ``answer``.

        Parameters
        ----------
        kinds : sequence
            For each row what it is: in place of a person, in simulations and tests.

        Returns
        -------
        said : dict
            ``{"same": J}`` or ``{"none": True}``.

        Examples
        --------
        >>> ask = Ask("1-ab", sample=2, beside=(0, 1), why="border")
        >>> ask.reply(["cat", "dog", "dog"]), ask.reply(["cat", "dog", "bird"])
        ({'same': 1}, {'none': True})
        """
        for place, row in enumerate(self.beside):
            if kinds[row] == kinds[self.sample]:
                return {"same": place}
        return {"none": True}

    def _repr_html_(self) -> str:
        """The question in a notebook, with the places to answer by."""
        places = "".join(f"<td>same={j}<br>row {row}</td>" for j, row in enumerate(self.beside))
        return (
            f"<p>Row <b>{self.sample}</b>: the same kind as which of these?</p>"
            f"<table><tr>{places}<td>none=True</td></tr></table>"
        )


@dataclass(frozen=True)
class Cluster:
    """A group, or a cluster that nobody named yet, as labels have it.

    Attributes
    ----------
    number : int
        As in ``labels``; it stays with the group as answers come.
    name : str
        As given by ``name``, "" without.
    known : tuple of int
        Rows that are known to belong to it.
    rows : ndarray of int
        All its rows, known ones first, then the nearest.
    """

    number: int
    name: str
    known: tuple[int, ...]
    rows: IntArray


@dataclass(frozen=True)
class Progress:
    """How far the dialogue has come.

    Attributes
    ----------
    n_answers, n_unsure : int
        Answers in force, and how many of them were "unsure".
    n_groups : int
        Groups found.
    n_clusters : int
        Clusters expected.
    n_placed : int
        Samples whose group is known.
    n_settled : int
        Pairs of samples that follow from the answers.
    changed : float or None
        Share of the labels that changed in the last 20 answers; None before there are 20.
    """

    n_answers: int
    n_unsure: int
    n_groups: int
    n_clusters: int
    n_placed: int
    n_settled: int
    changed: float | None

    def __str__(self) -> str:
        text = f"{self.n_answers} answers, {self.n_groups} groups"
        if self.changed is None:
            return text
        stop = "you could stop: " if self.changed < 0.01 else ""
        return f"{text}; {stop}the last {LATELY} answers changed {100 * self.changed:.1f} %"
