"""The number of clusters: right where it is clear, never below what the pairs say."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import make_blobs

from samekind import PairConstraints, SameKind, sample_pairs
from samekind._selection.n_clusters import bounds, choose_n_clusters, cuts, difference
from samekind.graph import local_graph


def found_for(W, pairs):
    closed, n_named = pairs.closure(), len(pairs.distinct_groups(W.shape[0]))
    M = pairs.must_link_matrix()
    return choose_n_clusters(W, closed.must_link, closed.cannot_link, M, n_named)


@pytest.fixture(scope="module")
def groups():
    X, y = make_blobs(180, 6, centers=6, cluster_std=0.6, random_state=3)
    return X, y, csr_array(local_graph(X))


def test_clear_groups_are_counted_without_pairs(groups):
    X, _, W = groups
    found = found_for(W, PairConstraints(len(X)))
    assert found.chosen == 6
    assert not found.by_pairs
    assert found.plain
    assert "plainly apart" in str(found)
    assert np.isnan(found.satisfied).all()


@pytest.mark.parametrize(("n", "k", "d"), [(80, 3, 20), (400, 2, 2), (300, 2, 5), (400, 3, 2)])
def test_few_large_groups_are_not_cut_where_nothing_separates_their_parts(n, k, d):
    """Modularity alone would find four to nine of two groups."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % k
    angle = 2 * np.pi * y / k
    across = np.linalg.qr(rng.standard_normal((d, 2)))[0]  # a plane, so that no feature stands out
    X = 6 * np.column_stack([np.cos(angle), np.sin(angle)]) @ across.T
    model = SameKind(None, random_state=0).fit(X + rng.standard_normal((n, d)))
    assert model.n_clusters_ == k
    assert len(set(zip(y, model.labels_, strict=True))) == k


def test_a_number_that_is_not_plain_is_called_a_guess():
    X = np.random.default_rng(0).standard_normal((150, 2))
    found = found_for(csr_array(local_graph(X)), PairConstraints(len(X)))
    assert not found.plain
    assert "guess" in str(found)


def test_strays_are_no_cluster():
    """Two rows far from all others would be one of two clusters that lie plainly apart."""
    X = np.random.default_rng(0).standard_normal((200, 3))
    X[:2] += 100
    found = found_for(csr_array(local_graph(X, 3, 2)), PairConstraints(len(X)))
    assert not (found.plain and found.chosen == 2)


def test_cuts_of_separate_groups_are_these_groups(groups):
    _, y, W = groups
    labels = cuts(W, 6)[6]
    assert len(set(zip(labels, y, strict=True))) == 6


def test_pairs_that_join_groups_lower_the_number(groups):
    _, y, W = groups
    coarse = y // 2
    found = found_for(W, sample_pairs(coarse, 100, 100, random_state=0))
    assert found.by_pairs
    assert found.chosen < 6


def test_number_is_never_below_the_groups_marked_different(groups):
    X, _, W = groups
    rows = np.arange(9)
    pairs = PairConstraints(len(X), cannot_link=[(i, j) for i in rows for j in rows if i < j])
    assert bounds(len(X), 9)[0] == 9
    found = found_for(W, pairs)
    assert found.chosen >= found.at_least == 9


def test_alternatives_are_other_numbers_with_what_changes(groups):
    X, _, W = groups
    found = found_for(W, PairConstraints(len(X)))
    assert len(found.alternatives) == 2
    assert all(one.n_clusters != found.chosen for one in found.alternatives)
    assert all("split" in one.sentence or "merge" in one.sentence for one in found.alternatives)


def test_difference_names_split_and_merge():
    a = np.repeat([0, 1, 2], [10, 10, 20])
    b = np.repeat([0, 0, 1, 2], [10, 10, 12, 8])
    text = difference(a, b)
    assert "a cluster of 20 rows splits into 12 and 8" in text
    assert "clusters of 10 and 10 rows merge" in text


def test_samekind_chooses_the_number(groups):
    X, _, _ = groups
    model = SameKind(None, random_state=0).fit(X)
    assert model.n_clusters_ == 6
    assert model.probabilities_.shape == (len(X), 6)
    assert model.choice_.n_clusters.chosen == 6
    assert "6 clusters" in str(model.choice_)
    mixed = np.random.default_rng(0).permutation(len(X))
    again = SameKind(None, random_state=0).fit(1e4 * X[mixed] + 7)
    assert again.n_clusters_ == 6
    assert SameKind(4, random_state=0).fit(X).choice_.n_clusters is None


@pytest.mark.filterwarnings("ignore:SameKind")
@pytest.mark.parametrize("n", [2, 3, 5])
def test_very_few_rows(n):
    X = np.arange(n, dtype=float)[:, None] ** 2
    assert 2 <= SameKind(None, random_state=0).fit(X).n_clusters_ <= n


@pytest.mark.parametrize("k", [2, 3])
def test_a_few_pairs_do_not_cut_groups_that_lie_apart(k):
    """Before, five of each kind found four or more of two groups in two features."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % k
    angle = 2 * np.pi * y / k
    X = 6 * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.standard_normal((400, 2))
    pairs = sample_pairs(y, 5, 5, random_state=0)
    model = SameKind(None, random_state=0).fit(X, constraints=pairs)
    assert model.n_clusters_ == k
    assert model.choice_.n_clusters.by_pairs
    assert model.choice_.n_clusters.plain


def test_pairs_inside_groups_that_lie_apart_ask_for_more(groups):
    """Each group falls into two kinds, by the side of its middle."""
    X, y, W = groups
    must, cannot = [], []
    for c in range(6):
        rows = np.flatnonzero(y == c)
        rows = rows[np.argsort(X[rows, 0])]
        must += [(rows[0], rows[1]), (rows[-1], rows[-2])]
        cannot += [(rows[0], rows[-1]), (rows[1], rows[-2])]
    alone = found_for(W, PairConstraints(len(X)))
    assert alone.plain
    assert alone.chosen == 6
    found = found_for(W, PairConstraints(len(X), must, cannot))
    assert not found.plain
    assert found.chosen > 6
