"""Ways to choose the next question, one function each: situation and generator -> question.

All go on with a sample that was none of those shown until its group is known, and none asks what
follows. With rows, a sample is shown beside several groups at once.
"""

import numpy as np

from samekind.asking import strategy
from samekind.asking.strategy import Question, _beside_groups, _unfinished, _waiting


def hearts_and_borders(s, rng):
    return strategy.hearts_and_borders(s)


def random(s, rng):
    """A sample beside random others that nothing is known of."""
    part_of, differ = s.known.part_of, s.known.differ
    for x in rng.permutation(s.ground.n_samples).tolist():
        mine = part_of.get(x)
        seen, beside = {mine} if mine is not None else set(), []
        for b in rng.permutation(s.ground.n_samples).tolist():
            part = part_of.get(b)
            if b == x or (
                part is not None and (part in seen or (mine is not None and part in differ[mine]))
            ):
                continue
            beside.append(b)
            seen.add(part)
            if len(beside) == s.row:
                break
        if beside:
            return Question(x, tuple(beside), "random")
    return None


def _similar(s):
    """(n_answered, n_samples), cosine-like nearness to every sample that is in a group."""
    answered = list(s.group_of)
    root = np.sqrt(np.array([column[row] for row, column in s.ground._columns.items()]))
    return s.ground.columns(answered) / root / root[answered][:, None]


def _farthest(s):
    """The sample whose greatest nearness to any that was answered is smallest."""
    waiting = _waiting(s, 0)
    if not len(waiting):
        return None
    return int(waiting[_similar(s).max(axis=0)[waiting].argmin()])


def min_max(s, rng):
    """Mallapragada, Jin and Jain (2008): always the sample that is farthest from all answered."""
    if question := _unfinished(s):
        return question
    x = _farthest(s)
    return None if x is None else _beside_groups(s, x, "min-max")


def explore_consolidate(s, rng):
    """Basu, Banerjee and Mooney (2004): farthest first until k groups are found, then random."""
    if question := _unfinished(s):
        return question
    if len(s.groups) < s.n_clusters:
        x = _farthest(s)
    else:
        waiting = _waiting(s, 0)
        x = int(rng.choice(waiting)) if len(waiting) else None
    return None if x is None else _beside_groups(s, x, "consolidate")


def npu(s, rng):
    """Xiong, Azimi and Fern (2014): uncertainty over the expected number of questions."""
    if question := _unfinished(s):
        return question
    waiting = _waiting(s, 0)
    if not len(waiting):
        return None
    P = np.sort(s.nearness.T[waiting], axis=1)[:, ::-1]
    P /= np.maximum(P.sum(axis=1, keepdims=True), 1e-300)
    entropy = -(P * np.log(np.maximum(P, 1e-300))).sum(axis=1)
    screens = np.arange(P.shape[1]) // s.row + 1
    x = int(waiting[(entropy / (P @ screens)).argmax()])
    return _beside_groups(s, x, "npu")


STRATEGIES = {
    "random": random,
    "min-max": min_max,
    "explore-consolidate": explore_consolidate,
    "npu": npu,
    "hearts-and-borders": hearts_and_borders,
}
