"""Random supervision from true labels, as in the paper's experiments.

Labels of some samples of every class or of some classes, and random pairs. Each function takes
the true labels `y` (integers from 0) and a `random_state`: an int, a `numpy.random.Generator` or
`RandomState` (which moves on), or None.
"""

import numpy as np
import numpy.typing as npt

from samekind._typing import IntArray, RandomState
from samekind.constraints.checks import check_count, check_labels
from samekind.constraints.pairs import PairConstraints


def check_generator(random_state: RandomState) -> np.random.Generator:
    """A Generator from whatever random_state may be; a RandomState moves on.

    Examples
    --------
    >>> int(check_generator(0).integers(10)) == int(np.random.default_rng(0).integers(10))
    True
    """
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)


def sample_labels(
    y: npt.ArrayLike,
    n_per_class: int,
    n_classes: int | None = None,
    *,
    random_state: RandomState = None,
) -> IntArray:
    """Reveal the labels of a number of samples of each class, or of some classes.

    Every class must have `n_per_class` samples, also those that are not chosen, so that
    success does not depend on the random state.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    n_per_class : int
        Labeled samples per class.
    n_classes : int or None, default=None
        How many classes, chosen at random, have labeled samples; None for all of them.
    random_state : int, RandomState instance, Generator or None, default=None
        Source of the randomness.

    Returns
    -------
    ndarray of shape (n_samples,)
        The labels that were sampled, -1 elsewhere; fits `PairConstraints.from_labels`.

    Examples
    --------
    >>> partial = sample_labels([0, 0, 0, 1, 1, 1], 2, random_state=0)
    >>> sorted(partial.tolist())
    [-1, -1, 0, 0, 1, 1]
    >>> partial = sample_labels([0, 0, 1, 1, 2, 2], 2, n_classes=1, random_state=0)
    >>> int((partial >= 0).sum()), len(set(partial.tolist()))
    (2, 2)
    """
    truth = check_labels(y)
    count = _check_classes(truth, n_per_class)
    classes = np.unique(truth)
    rng = check_generator(random_state)
    if n_classes is not None:
        wanted = check_count(n_classes, "n_classes", 0)
        if wanted > len(classes):
            raise ValueError(
                f"n_classes is {wanted}, but y has {len(classes)} classes; ask for fewer"
            )
        classes = rng.choice(classes, wanted, replace=False)
    return _reveal(truth, classes, count, rng)


def sample_pairs(
    y: npt.ArrayLike,
    n_must_link: int,
    n_cannot_link: int | None = None,
    *,
    random_state: RandomState = None,
) -> PairConstraints:
    """Sample random pairs, each set of distinct unordered pairs being equally likely.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    n_must_link : int
        Number of pairs from one class.
    n_cannot_link : int or None
        Number of pairs from two classes; None means three times `n_must_link`.
    random_state : int, RandomState instance, Generator or None, default=None
        Source of the randomness.

    Returns
    -------
    PairConstraints

    Examples
    --------
    >>> sample_pairs([0, 0, 0, 1, 1, 1], 2, random_state=0)
    PairConstraints(n_samples=6, must_link=2 pairs, cannot_link=6 pairs)
    """
    truth = check_labels(y)
    n_must = check_count(n_must_link, "n_must_link", 0)
    n_cannot = 3 * n_must
    if n_cannot_link is not None:
        n_cannot = check_count(n_cannot_link, "n_cannot_link", 0)
    rng = check_generator(random_state)
    # In the order of classes each sample has its own class's earlier samples right before
    # it and those of other classes before these, so a pair is a number that can be sampled.
    order = np.argsort(truth, kind="stable")
    start = np.searchsorted(truth[order], truth[order])  # where the class of each begins
    must = _sample(start, np.arange(len(truth)) - start, n_must, "must-links", rng)
    cannot = _sample(np.zeros_like(start), start, n_cannot, "cannot-links", rng)
    return PairConstraints(len(truth), order[must], order[cannot])


def _sample(
    first: IntArray, counts: IntArray, wanted: int, kind: str, rng: np.random.Generator
) -> IntArray:
    """Pairs (p, q) of positions, with q among the `counts[p]` positions from `first[p]` on."""
    ends = np.cumsum(counts)
    total = int(counts.sum())
    if wanted > total:
        raise ValueError(f"{wanted} {kind} were asked for, but y allows {total}; ask for fewer")
    numbers = rng.choice(total, wanted, replace=False) if wanted else np.empty(0, dtype=np.int64)
    p = np.searchsorted(ends, numbers, side="right")
    q = first[p] + numbers - (ends[p] - counts[p])
    return np.column_stack([p, q])


def _check_classes(truth: IntArray, n_per_class: int) -> int:
    count = check_count(n_per_class, "n_per_class", 0)
    classes, sizes = np.unique(truth, return_counts=True)
    if (sizes < count).any():
        worst = int(np.argmin(sizes))
        raise ValueError(
            f"n_per_class is {count}, but class {classes[worst]} has {sizes[worst]} samples; "
            "ask for fewer or leave that class out"
        )
    return count


def _reveal(
    truth: IntArray, classes: IntArray, n_per_class: int, rng: np.random.Generator
) -> IntArray:
    partial = np.full_like(truth, -1)
    for label in classes:
        chosen = rng.choice(np.flatnonzero(truth == label), n_per_class, replace=False)
        partial[chosen] = label
    return partial
