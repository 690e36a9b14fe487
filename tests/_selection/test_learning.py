"""By what the chosen graph is learned further, and when it is not."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind import PairConstraints, SameKind, sample_labels, sample_pairs
from samekind._kernels.candidates import Candidates
from samekind._selection import learning as module
from samekind.estimators import _samekind
from samekind.estimators._base import plan
from samekind.metrics import clustering_accuracy

K, N = 4, 320


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    y = np.arange(N) % K
    return 3 * rng.standard_normal((K, 6))[y] + rng.standard_normal((N, 6)), y


@pytest.fixture
def problems(monkeypatch):
    """What the solver gets."""
    seen = []

    def watched(*given):
        seen.append(module.problem_of(*given))
        return seen[-1]

    monkeypatch.setattr(_samekind, "problem_of", watched)
    return seen


def fitted(X, y, n_classes):
    known = sample_labels(y, 3, n_classes, random_state=0)
    return SameKind(K, random_state=0).fit(X, constraints=PairConstraints.from_labels(known))


@pytest.mark.parametrize(("n_classes", "by_neighbors"), [(K, True), (K - 1, False)])
def test_neighbors_represent_a_sample_where_every_cluster_is_named(
    samples, problems, monkeypatch, n_classes, by_neighbors
):
    monkeypatch.setattr(module, "NEIGHBORS_FROM", N)
    monkeypatch.setattr(module, "MOSTLY_LOCAL", 0.0)
    model = fitted(*samples, n_classes)
    assert isinstance(problems[0].P, Candidates) == by_neighbors
    assert model.choice_.learned
    assert clustering_accuracy(samples[1], model.labels_) > 0.95


@pytest.mark.parametrize("but", [{"NEIGHBORS_FROM": N + 1}, {"MOSTLY_LOCAL": 1.1}])
def test_all_samples_do_where_they_are_few_or_the_graph_is_not_local(
    samples, problems, monkeypatch, but
):
    for name, value in ({"NEIGHBORS_FROM": N, "MOSTLY_LOCAL": 0.0} | but).items():
        monkeypatch.setattr(module, name, value)
    fitted(*samples, K)
    assert isinstance(problems[0].P, np.ndarray)


@pytest.mark.parametrize("n_classes", [K, K - 1])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_of_many_samples_the_graph_is_learned_if_every_cluster_is_named(
    samples, monkeypatch, n_classes, kind
):
    monkeypatch.setattr(plan, "WHOLE_UP_TO", N - 1)
    X, y = samples
    model = fitted(kind(X - X.min()), y, n_classes)
    assert model.choice_.learned == (n_classes == K) == (model.n_iter_ > 0)
    assert model.status_.converged
    assert clustering_accuracy(y, model.labels_) > 0.95


def border_of_two(rng):
    """Two groups, and pairs of which most name no group: ten of each kind at random."""
    y = np.arange(N) % 2
    X = 2.5 * np.array([[-1.0, 0, 0], [1, 0, 0]])[y] + rng.standard_normal((N, 3))
    return X, y


@pytest.mark.parametrize("told", [True, False])
def test_few_samples_that_name_all_clusters_leave_the_border_to_the_graph(problems, told):
    X, y = border_of_two(np.random.default_rng(0))
    pairs = sample_pairs(
        y if told else np.random.default_rng(1).permutation(y), 10, 10, random_state=0
    )
    SameKind(2, random_state=0).fit(X, constraints=pairs)
    assert len(pairs.distinct_groups(2)) == 2
    # If its own clusters do not keep the pairs, the graph does not know the border.
    assert (problems[0].shift > 0) == told


def test_labels_of_every_cluster_name_them_for_good(problems, samples):
    fitted(*samples, K)
    assert problems[0].shift == 0


@pytest.mark.parametrize(("apart", "seed"), [(1.5, 1), (2.0, 2), (2.5, 3)])
def test_pairs_that_join_two_clusters_do_not_leave_a_few_strays_as_the_second(apart, seed):
    """A fifth of the labels lies across the border, and a small group lies far from both."""
    rng = np.random.default_rng(seed)
    at = np.repeat([0, 1, 2], [140, 140, 20])
    X = np.array([[-apart, 0, 0], [apart, 0, 0], [0, 6, 0]])[at] + rng.standard_normal((300, 3))
    y = ((X[:, 0] > 0) ^ (rng.random(300) < 0.2)).astype(int)
    pairs = PairConstraints.from_labels(sample_labels(y, 5, 1, random_state=seed))
    alone, model = (
        SameKind(2, random_state=0).fit(X, constraints=given) for given in (None, pairs)
    )
    assert model.choice_.pairs_in_graph is False
    assert any(why in str(model.choice_) for why in ("only seed them", "clusters of the rows"))
    scores = [clustering_accuracy(y, one.labels_) for one in (alone, model)]
    assert scores[1] > scores[0] - 0.02  # before, 27 to 31 points below
    assert model.constraint_report_.violated == 0


def test_pairs_stay_in_the_graph_where_labels_fit_it(samples):
    model = fitted(*samples, K)
    assert model.choice_.pairs_in_graph
    assert SameKind(K, random_state=0).fit(samples[0]).choice_.pairs_in_graph is None


def test_labels_in_noisy_features_do_not_fall_behind_the_clusters_of_the_graph():
    """Each of 384 features says little; before, 75 % where k-means has 80."""
    rng = np.random.default_rng(1)
    y = np.arange(600) % 6
    centers = rng.normal(size=(6, 384))
    centers *= 4 / np.linalg.norm(centers, axis=1, keepdims=True)
    X = centers[y] + rng.normal(size=(600, 384))
    model = SameKind(6, random_state=0).fit(X, sample_labels(y, 10, random_state=1))
    assert clustering_accuracy(y, model.labels_) > 0.82
    assert model.choice_.chosen_by == "pairs"
