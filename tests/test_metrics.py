from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from samekind import PairConstraints
from samekind.metrics import clustering_accuracy, constraint_satisfaction, normalized_mutual_info

labels = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.integers(0, k - 1), min_size=8, max_size=8)
)


@given(labels, labels)
def test_accuracy_is_the_best_of_all_matchings(true, pred):
    best = max(
        np.mean([matching[p] == t for t, p in zip(true, pred, strict=True)])
        for matching in permutations(range(4))
    )
    assert clustering_accuracy(true, pred) == pytest.approx(best)


def test_accuracy_with_different_numbers_of_clusters():
    assert clustering_accuracy([0, 0, 0, 0], [0, 0, 1, 1]) == 0.5
    assert clustering_accuracy([0, 0, 1, 2], [0, 0, 0, 0]) == 0.5


def test_names_of_classes_do_not_matter():
    assert clustering_accuracy(["a", "a", "b"], [9, 9, 4]) == 1


def test_mutual_information_is_the_geometric_one():
    true, pred = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]

    def entropy(values):
        share = np.bincount(values) / len(values)
        return -(share[share > 0] * np.log(share[share > 0])).sum()

    by_hand = mutual_info_score(true, pred) / np.sqrt(entropy(true) * entropy(pred))
    assert normalized_mutual_info(true, pred) == pytest.approx(by_hand)


@pytest.mark.parametrize("metric", [clustering_accuracy, normalized_mutual_info])
def test_labels_of_different_length_are_refused(metric):
    with pytest.raises(ValueError, match=r"\(3,\).*\(2,\).*same length"):
        metric([0, 1, 2], [0, 1])
    with pytest.raises(ValueError, match="at least one"):
        metric([], [])


def test_satisfaction_counts_pairs():
    pairs = PairConstraints(4, must_link=[(0, 1), (2, 3)], cannot_link=[(0, 2), (1, 3)])
    assert constraint_satisfaction(pairs, [0, 0, 1, 0]) == 0.5
    assert constraint_satisfaction(PairConstraints(4), [0, 0, 1, 0]) == 1
