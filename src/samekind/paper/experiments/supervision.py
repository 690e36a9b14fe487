"""From the setting of a run to its supervision."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from samekind._typing import IntArray
from samekind.constraints import Supervision, sample_labels, sample_pairs


def sample_supervision(setting: Mapping[str, Any], y: IntArray, seed: int) -> Supervision:
    """Sample what a setting asks for.

    ``labelled``: samples per class, of all classes or of a ``class_share`` of them;
    ``must_links_per_sample``: random pairs, three cannot-links for each must-link.

    Examples
    --------
    >>> import numpy as np
    >>> sample_supervision({"labelled": 1}, np.array([0, 0, 1, 1]), seed=0).constraints
    PairConstraints(n_samples=4, must_link=0 pairs, cannot_link=1 pair)
    """
    if "must_links_per_sample" in setting:
        n_must = round(setting["must_links_per_sample"] * len(y))
        return Supervision(sample_pairs(y, n_must, random_state=seed))
    if "class_share" in setting:
        n_classes = round(setting["class_share"] * len(np.unique(y)))
        known = sample_labels(y, setting["labelled"], n_classes, random_state=seed)
    else:
        known = sample_labels(y, setting["labelled"], random_state=seed)
    return Supervision.from_labels(known)
