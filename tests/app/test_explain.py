"""What is said of a row is what the graph and the labels say."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind import SC, PairConstraints, SameKind, Supervision
from samekind.app.explain import explain
from samekind.app.model import SavedModel

# Two chains of four; the last of the first is near the first of the second.
X = np.array([[0.0], [1.0], [2.0], [3.0], [6.0], [7.0], [8.0], [9.0]])
CHAIN = csr_array(np.diag([1.0, 1.0, 1.0, 0.1, 1.0, 1.0, 1.0], 1))
CHAIN = csr_array(CHAIN + CHAIN.T)


@pytest.fixture(scope="module")
def fitted():
    return SC(2, n_neighbors=3, random_state=0).fit(X, graph=CHAIN)


def test_the_way_leads_over_the_graph_to_the_nearest_label(fitted):
    known = Supervision.from_labels(["cat", *[None] * 6, "dog"])
    names = known.cluster_names(fitted.labels_, 2)
    found = explain(SavedModel(fitted, known, names), 2)
    assert [one["row"] for one in found.path] == ["row 2", "row 1", "row 0"]
    assert {one["cluster"] for one in found.path} == {"cat"}
    assert (found.cluster, found.label, found.given) == ("cat", "cat", None)
    assert found.pairs == []
    assert any("row 2 (cat) - row 1 (cat) - row 0 (cat)" in one for one in found.sentences)
    own = explain(SavedModel(fitted, known, names), 7)
    assert (own.given, own.label, len(own.path)) == ("dog", "dog", 1)
    assert "Its label was given: dog." in own.sentences


def test_shares_of_the_weight_sum_to_one_with_the_largest_first(fitted):
    found = explain(SavedModel(fitted), 3)
    a, b = fitted.labels_[[0, 7]].tolist()
    assert found.shares == pytest.approx({a: 1 / 1.1, b: 0.1 / 1.1})
    assert list(found.shares) == [a, b]
    assert [one["row"] for one in found.neighbors] == ["row 2", "row 4"]
    assert (found.path, found.label, found.confidence) == ([], None, None)


def test_the_nearest_pairs_come_first_with_whether_they_hold(fitted):
    pairs = PairConstraints(8, must_link=[(0, 1), (3, 4)], cannot_link=[(5, 6), (1, 7)])
    found = explain(SavedModel(fitted, Supervision(pairs), ids=tuple("abcdefgh")), 0).pairs
    assert [(one["a"], one["b"], one["steps"]) for one in found[:2]] == [
        ("a", "b", 0),
        ("b", "h", 1),
    ]
    assert [one["satisfied"] for one in found] == [True, True, False, False]
    assert [one["kind"] for one in found] == [
        "must-link",
        "cannot-link",
        "must-link",
        "cannot-link",
    ]


def test_parts_that_cannot_be_reached_are_not_invented():
    graph = csr_array(np.kron(np.eye(2), np.ones((4, 4)) - np.eye(4)))
    model = SC(2, random_state=0).fit(X, graph=graph)
    known = Supervision.from_labels(["cat", *[None] * 7])
    found = explain(SavedModel(model, known, ("cat", "rest")), 6)
    assert (found.path, found.label) == ([], None)


def test_the_probabilities_of_samekind_are_those_of_the_model():
    model = SameKind(n_clusters=2, random_state=0).fit(X)
    found = explain(SavedModel(model), 3)
    assert found.confidence == pytest.approx(model.probabilities_[3, model.labels_[3]])
    assert found.runner_up in {None, 1 - int(model.labels_[3])}


def test_a_model_without_a_graph_is_explained_by_its_nearest_rows(fitted):
    bare = SC(2, n_neighbors=3, random_state=0).fit(X)
    del bare.affinity_matrix_
    assert [one["row"] for one in explain(SavedModel(bare), 0).neighbors] == ["row 1", "row 2"]
