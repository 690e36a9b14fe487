"""Pairs as given, made consistent: contradictions are raised, or dropped and recorded."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from samekind._typing import IntArray
from samekind.constraints.closure import BoolArray, contradictions, proofs

KINDS = ("cannot-link", "must-link")  # indexed by "is it a must-link"
SHOWN_AT_EACH_END = 6  # members of a long chain, in messages


class ConstraintConflict(ValueError):
    """The pairs contradict each other.

    Attributes
    ----------
    pair : tuple of two ints
        The pair that completes the first contradiction, in the order given.
    chain : tuple of ints
        Samples from one end of the contradicted cannot-link to the other; each two
        neighbors in it are a must-link as given.

    Examples
    --------
    >>> from samekind.constraints import PairConstraints
    >>> try:
    ...     PairConstraints(4, must_link=[(0, 1), (1, 2)], cannot_link=[(2, 0)])
    ... except ConstraintConflict as conflict:
    ...     print(conflict.pair, conflict.chain)
    (0, 2) (0, 1, 2)
    """

    def __init__(self, message: str, pair: tuple[int, int], chain: tuple[int, ...]) -> None:
        super().__init__(message)
        self.pair = pair
        self.chain = chain

    def __reduce__(self) -> tuple[object, ...]:
        # The default hands on the message alone, and the error would not survive the way
        # back from a worker process.
        return type(self), (str(self), self.pair, self.chain)


class DroppedPair(NamedTuple):
    """A pair that was left out because it contradicts the pairs before it.

    Examples
    --------
    >>> from samekind.constraints import PairConstraints
    >>> must_link, cannot_link = [(0, 1), (1, 2)], [(0, 2)]
    >>> dropped = PairConstraints(3, must_link, cannot_link, on_conflict="drop").dropped
    >>> dropped[0].pair, dropped[0].kind
    ((0, 2), 'cannot-link')
    """

    pair: tuple[int, int]
    kind: str  # "must-link" or "cannot-link"
    reason: str  # the sentence with the chain that proves the contradiction


class Settled(NamedTuple):
    """Pairs without repeats and contradictions."""

    must_link: IntArray
    cannot_link: IntArray
    dropped: tuple[DroppedPair, ...]


def settle(
    n_samples: int,
    pairs: IntArray,
    is_must: BoolArray,
    on_conflict: str,
    *,
    names: Sequence[str] | None = None,
    origins: Sequence[str] | None = None,
) -> Settled:
    """Merge repeats, then raise or drop what contradicts the pairs before it.

    `names` are what the messages call the samples, `origins` say where each pair came
    from; by default the messages speak of indices, and of no place.
    """
    if on_conflict not in ("raise", "drop"):
        raise ValueError(f"on_conflict is {on_conflict!r}; expected 'raise' or 'drop'")
    first = _first_mentions(n_samples, pairs, is_must)
    pairs, is_must = np.sort(pairs[first], axis=1), is_must[first]
    found = contradictions(n_samples, pairs, is_must)
    dropped: list[DroppedPair] = []
    for (row, _), chain in zip(found, proofs(pairs, is_must, found), strict=True):
        i, j = pairs[row].tolist()
        place = f"{origins[first[row]]}: " if origins is not None else ""
        reason = place + _sentence((i, j), is_must[row], chain, names)
        if on_conflict == "raise":
            raise ConstraintConflict(reason + _further(len(found) - 1), (i, j), chain)
        dropped.append(DroppedPair((i, j), KINDS[int(is_must[row])], reason))
    keep = np.ones(len(pairs), dtype=bool)
    keep[[row for row, _ in found]] = False
    return Settled(pairs[keep & is_must], pairs[keep & ~is_must], tuple(dropped))


def _first_mentions(n_samples: int, pairs: IntArray, is_must: BoolArray) -> IntArray:
    """Rows that say something new: no repeats, and no sample that is the same as itself."""
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    telling = np.flatnonzero(~is_must | (low != high))
    key = (low * n_samples + high) * 2 + is_must
    return np.sort(telling[np.unique(key[telling], return_index=True)[1]])


def _sentence(
    pair: tuple[int, int], is_must: bool, chain: tuple[int, ...], names: Sequence[str] | None
) -> str:
    def name(sample: int) -> str:
        return str(sample) if names is None else names[sample]

    if len(chain) == 1:
        return f"sample {name(chain[0])} is marked different from itself; remove this pair"
    start, goal, links = name(chain[0]), name(chain[-1]), " = ".join(_shown(chain, name))
    if not is_must:
        return (
            f"samples {start} and {goal} are marked different, yet {links} follows from the "
            "must-links; remove one of these constraints"
        )
    return (
        f"samples {name(pair[0])} and {name(pair[1])} are marked the same, yet then {links} "
        f"would follow, and {start} and {goal} are marked different; remove one of these "
        "constraints"
    )


def _shown(chain: tuple[int, ...], name: Callable[[int], str]) -> list[str]:
    """The names along a chain; the middle of a long one is only counted."""
    hidden = len(chain) - 2 * SHOWN_AT_EACH_END
    if hidden <= 0:
        return [name(sample) for sample in chain]
    first, last = chain[:SHOWN_AT_EACH_END], chain[-SHOWN_AT_EACH_END:]
    return [*map(name, first), f"... ({hidden:,} more) ...", *map(name, last)]


def _further(count: int) -> str:
    if count == 0:
        return ""
    return f" ({count} further contradiction{'s' if count > 1 else ''} found)"
