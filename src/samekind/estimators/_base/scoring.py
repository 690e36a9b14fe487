"""How many of the pairs that were held out a clustering keeps."""

from typing import Any

from sklearn.metrics.cluster import pair_confusion_matrix

from samekind._typing import IntArray
from samekind.constraints import PairConstraints, Supervision


def share_of_pairs_kept(labels: IntArray, pairs: PairConstraints, y: Any = None) -> float:
    """Kept pairs as a share of all: those given, and all among the rows that y labels.

    Examples
    --------
    >>> import numpy as np
    >>> share_of_pairs_kept(np.array([0, 0, 1, 1]), PairConstraints(4, [(0, 1)], [(2, 3)]))
    0.5
    >>> share_of_pairs_kept(np.array([0, 0, 1, 1]), PairConstraints(4), ["a", "a", "b", None])
    1.0
    """
    report = pairs.evaluate(labels)
    kept, given = report.satisfied, report.given
    if y is not None:
        known = Supervision.from_labels(y).y
        assert known is not None
        if len(known) != len(labels):
            raise ValueError(
                f"y has {len(known)} labels but X has {len(labels)} rows; give one for each row, "
                "-1 where it is unknown"
            )
        # Each pair is counted twice; counts in place of pairs, which grow with the square.
        counts = pair_confusion_matrix(known[known >= 0], labels[known >= 0]) // 2
        kept, given = kept + int(counts.trace()), given + int(counts.sum())
    if not given:
        raise ValueError(
            f"no pair has both samples among the {len(labels)} rows, so there is nothing to score; "
            "pass constraints= or y. In cross-validation: cv=PairShuffleSplit(), "
            "constraints=pairs.indexable() and sklearn.set_config(enable_metadata_routing=True), "
            "without which scikit-learn hands no constraints to score"
        )
    return kept / given
