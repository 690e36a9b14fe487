"""What the pairs say of a graph that was built without them.

Does diffusion over the graph bring samples that are the same kind nearer than samples that are
different? Two measures, both free of units: the share of samples whose own group, the sample itself
left out, is nearer than every group marked different; and the area under the ROC curve of the
cosine-like K_ij / sqrt(K_ii K_jj) over must-links against cannot-links. Each counts by the number
of samples it stands on: single pairs that share no sample say nothing by the first. No fit, so
nothing leaks; one linear system for each graph.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.stats import rankdata

from samekind._selection.diffusion import Diffusion
from samekind._typing import BoolArray, FloatArray, IntArray

TOL = 1e-3  # of the columns: scores are compared, not reported to many digits
MOST_SAMPLES, MOST_OF_GROUP = 600, 60  # more tell little more, and each is a column to solve


@dataclass(frozen=True)
class Evidence:
    """Pairs as they are put to the test; see ``evidence_of``."""

    samples: IntArray  # (m,), in any pair
    group: IntArray  # (m,), must-link group of each
    differ: BoolArray  # (n_groups, n_groups), marked different
    must_link: IntArray  # (a, 2), places in ``samples``
    cannot_link: IntArray  # (b, 2)
    tested: IntArray  # places of samples with a mate and a group marked different

    @cached_property
    def n_compared(self) -> int:
        """Pairs without a common sample that the area stands on, of the rarer kind."""
        return min(len(np.unique(p)) for p in (self.must_link, self.cannot_link)) // 2

    @property
    def n_tested(self) -> int:
        """How many samples the score counts as."""
        return max(len(self.tested), self.n_compared)

    def score(self, diffusion: Diffusion) -> float:
        """Between 0 and 1, about 0.5 by chance; nan where nothing can be tested."""
        if not self.n_tested:
            return float("nan")
        among, total = diffusion.among(self.samples, TOL)
        n_left_out, n_area = len(self.tested), self.n_tested
        loo = 0.0
        if n_left_out:
            loo = (self._own_is_nearest(among) + self._own_is_nearest(among / total)) / 2
        return float((n_left_out * loo + n_area * self._auc(among)) / (n_left_out + n_area))

    def kept(self, labels: IntArray) -> float:
        """Share of the pairs that clusters keep, both kinds counting the same."""
        at = labels[self.samples]
        same, other = at[self.must_link], at[self.cannot_link]
        apart = np.mean(other[:, 0] != other[:, 1])
        return float(np.mean(same[:, 0] == same[:, 1]) + apart) / 2

    def _own_is_nearest(self, K: FloatArray) -> float:
        """Share of tested samples whose own group is nearer than those marked different."""
        size = np.bincount(self.group)
        Y = np.zeros((len(K), len(size)))
        Y[np.arange(len(K)), self.group] = 1.0
        K = K.copy()
        np.fill_diagonal(K, 0.0)
        nearness = (K @ Y) / np.maximum(size - Y, 1)
        t, own = self.tested, self.group[self.tested]
        others = np.where(self.differ[own], nearness[t], -np.inf).max(axis=1)
        return float(np.mean(nearness[t, own] > others))

    def _auc(self, K: FloatArray) -> float:
        root = np.sqrt(np.diag(K))
        cosine = K / root[:, None] / root
        same, other = cosine[tuple(self.must_link.T)], cosine[tuple(self.cannot_link.T)]
        n_same, n_other = len(same), len(other)
        ranks = rankdata(np.concatenate([same, other]))[:n_same].sum()
        return float((ranks - n_same * (n_same + 1) / 2) / (n_same * n_other))


def evidence_of(must_link: IntArray, cannot_link: IntArray, group_of: IntArray) -> Evidence:
    """Evidence from pairs with all that follows from them, and the group of each sample.

    Examples
    --------
    >>> import numpy as np
    >>> evidence = evidence_of(
    ...     np.array([[0, 1]]), np.array([[0, 3], [1, 3]]), np.array([0, 0, 1, 2])
    ... )
    >>> evidence.samples, evidence.tested
    (array([0, 1, 3]), array([0, 1]))
    """
    samples = _some(np.unique(np.concatenate([must_link.ravel(), cannot_link.ravel()])), group_of)
    place = np.full(len(group_of), -1)
    place[samples] = np.arange(len(samples))
    must, cannot = (p[(p >= 0).all(axis=1)] for p in (place[must_link], place[cannot_link]))
    group = np.unique(group_of[samples], return_inverse=True)[1]
    size = np.bincount(group)
    differ = np.zeros((len(size), len(size)), dtype=bool)
    a, b = group[cannot].T
    differ[a, b] = differ[b, a] = True
    opposed = np.asarray(differ.any(axis=1))
    tested = np.flatnonzero((size[group] > 1) & opposed[group])
    return Evidence(samples, group, differ, must, cannot, tested)


def _some(samples: IntArray, group_of: IntArray) -> IntArray:
    """At most so many samples: some of every large group, then groups in random order."""
    if len(samples) > MOST_SAMPLES:
        rng = np.random.default_rng(0)
        samples = rng.permutation(samples)
        group = np.unique(group_of[samples], return_inverse=True)[1]
        order = np.argsort(group, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(group))[:-1]])
        rank = np.empty(len(samples), dtype=np.int64)  # of a sample in its group
        rank[order] = np.arange(len(samples)) - starts[group[order]]
        samples, group = samples[rank < MOST_OF_GROUP], group[rank < MOST_OF_GROUP]
        order = rng.permutation(group.max() + 1)
        kept = order[np.cumsum(np.bincount(group)[order]) <= MOST_SAMPLES]
        samples = np.sort(samples[np.isin(group, kept)])
    return samples.astype(np.int64)
