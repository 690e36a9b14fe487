import numpy as np
import pytest

from samekind import PairConstraints, SameKind
from samekind._selection.keep_apart import keep_apart


def drawn(seed):
    """Shares of groups, and cannot-links between groups."""
    rng = np.random.default_rng(seed)
    n_groups, k = int(rng.integers(4, 12)), int(rng.integers(2, 6))
    group_of = np.concatenate([np.arange(n_groups), rng.integers(n_groups, size=10)])
    shares = rng.dirichlet(np.ones(k), size=n_groups)[group_of]
    pairs = rng.integers(len(group_of), size=(15, 2))
    return shares, group_of, pairs[group_of[pairs[:, 0]] != group_of[pairs[:, 1]]]


def violated(shares, cannot_link):
    a, b = shares.argmax(axis=1)[cannot_link].T
    return set(np.flatnonzero(a == b))


@pytest.mark.parametrize("seed", range(30))
def test_violations_become_fewer_and_what_stays_has_nowhere_to_go(seed):
    shares, group_of, cannot_link = drawn(seed)
    order = np.random.default_rng(seed).permutation(len(shares))
    mended = keep_apart(shares, group_of, cannot_link, order)
    np.testing.assert_allclose(mended.sum(axis=1), 1)
    assert violated(mended, cannot_link) <= violated(shares, cannot_link)
    labels = mended.argmax(axis=1)
    for at in violated(mended, cannot_link):
        for sample in cannot_link[at]:
            group = group_of[sample]
            others = [
                labels[j]
                for i, j in np.vstack([cannot_link, cannot_link[:, ::-1]])
                if group_of[i] == group
            ]
            assert len(set(others)) == shares.shape[1]
    for group in np.unique(group_of):
        assert len(np.unique(mended[group_of == group], axis=0)) == 1


def test_nothing_changes_where_nothing_is_violated():
    shares = np.array([[0.9, 0.1], [0.4, 0.6]])
    assert keep_apart(shares, np.arange(2), np.array([[0, 1]]), np.arange(2)) is shares


def test_the_order_of_rows_does_not_matter():
    shares, group_of, cannot_link = drawn(3)
    n = len(shares)
    mixed = np.random.default_rng(0).permutation(n)
    where = np.argsort(mixed)
    once = keep_apart(shares, group_of, cannot_link, np.arange(n))
    again = keep_apart(shares[mixed], group_of[mixed], where[cannot_link], mixed)
    np.testing.assert_array_equal(once[mixed], again)


def test_a_sample_on_the_wrong_side_does_not_take_a_cluster_with_it():
    """A single sample marked different from its own neighbors, as the only seed, moved all."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [100, 40])
    X = rng.standard_normal((140, 4)) + 5 * y[:, None]
    X[139] = X[0] + 0.1  # belongs to the second kind, lies in the first
    pairs = PairConstraints(140, must_link=[(1, 2), (2, 3)], cannot_link=[(1, 139), (100, 4)])
    model = SameKind(2, random_state=0).fit(X, constraints=pairs)
    assert model.constraint_report_.violated == 0
    assert np.mean(model.labels_ == model.labels_[100]) == pytest.approx(40 / 140, abs=0.03)
