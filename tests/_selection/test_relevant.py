import numpy as np
import pytest

from samekind._selection.evidence import evidence_of
from samekind._selection.held_out import folds_of, told_held_out, told_of
from samekind._selection.relevant import (
    EMPHASIS,
    MOST_COMPONENTS,
    STRENGTH,
    directions,
    scatter_of,
)
from samekind._selection.views import view_of
from samekind.constraints import PairConstraints


def striped(n=120, seed=0):
    """Two kinds that differ along one direction, in which little varies; another varies widely."""
    rng, y = np.random.default_rng(seed), np.arange(n) % 2
    X = rng.standard_normal((n, 6))
    X[:, 0] = 0.6 * (2 * y - 1) + 0.1 * rng.standard_normal(n)
    return X - X.mean(axis=0), y


def evidence_from(y, some):
    known = np.full(len(y), -1)
    known[some] = y[some]
    pairs = PairConstraints.from_labels(known)
    closed = pairs.closure()
    return evidence_of(closed.must_link, closed.cannot_link, pairs.group_of)


def test_the_scatter_is_the_sum_over_groups():
    rng = np.random.default_rng(0)
    rows, group = rng.standard_normal((30, 4)), rng.integers(5, size=30)
    found = scatter_of(rows, group, ~np.eye(5, dtype=bool))
    members = [rows[group == one] for one in range(5)]
    scatter = sum((one - one.mean(axis=0)).T @ (one - one.mean(axis=0)) for one in members)
    np.testing.assert_allclose(found.within, scatter, atol=1e-12)
    assert found.freedom == 25
    # Of all samples: within, and between all groups.
    total = (rows - rows.mean(axis=0)).T @ (rows - rows.mean(axis=0))
    np.testing.assert_allclose(found.within + found.between / 30, total, atol=1e-12)


def test_only_groups_marked_different_count_as_kinds():
    rows, group = np.array([[0.0], [1.0], [9.0], [10.0], [20.0], [21.0]]), np.repeat([0, 1, 2], 2)
    differ = np.zeros((3, 3), dtype=bool)
    differ[0, 1] = differ[1, 0] = True
    assert scatter_of(rows, group, differ).between == pytest.approx(4 * 9.0**2)


def test_directions_in_which_kinds_differ_are_emphasized_and_no_others():
    rng, y = np.random.default_rng(0), np.arange(60) % 3
    rows = rng.standard_normal((60, 6)) + 3 * rng.standard_normal((3, 6))[y]
    found = scatter_of(rows, y, ~np.eye(3, dtype=bool))
    plain, emphasized = found.stretch(), found.stretch(2)
    lengths = np.linalg.svd(np.linalg.solve(plain, emphasized), compute_uv=False)
    np.testing.assert_allclose(lengths, [EMPHASIS, EMPHASIS, 1, 1, 1, 1])
    means = np.array([rows[y == c].mean(axis=0) for c in range(3)])
    apart = means - means.mean(axis=0)
    np.testing.assert_allclose(apart @ emphasized, EMPHASIS * apart @ plain)


def test_rows_are_stretched_until_the_shrunk_covariance_is_the_identity():
    rows = np.random.default_rng(0).standard_normal((40, 5)) * [1, 2, 3, 4, 5]
    found = scatter_of(rows, np.arange(40) % 4, ~np.eye(4, dtype=bool))
    typical = np.trace(found.within) / found.freedom / 5
    shrunk = (found.within / typical + STRENGTH * 5 * np.eye(5)) / (found.freedom + STRENGTH * 5)
    M = found.stretch()
    np.testing.assert_allclose(M @ shrunk @ M, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(M, M.T, atol=1e-12)


def test_where_nothing_varies_within_groups_there_are_no_units():
    rows = np.repeat(np.random.default_rng(0).standard_normal((3, 2)), 4, axis=0)
    assert scatter_of(rows, np.repeat([0, 1, 2], 4), ~np.eye(3, dtype=bool)) is None
    assert scatter_of(rows, np.arange(12), ~np.eye(12, dtype=bool)) is None


@pytest.mark.parametrize("shape", [(50, 8), (20, 60), (150, 150)])
def test_directions_are_those_of_a_decomposition(shape):
    X = np.random.default_rng(0).standard_normal(shape)
    X -= X.mean(axis=0)
    V = directions(X)
    assert V.shape[1] == min(shape[1], shape[0] - 1, MOST_COMPONENTS)
    np.testing.assert_allclose(V.T @ V, np.eye(V.shape[1]), atol=1e-9)
    kept = np.linalg.svd(X, compute_uv=False)[: V.shape[1]]
    np.testing.assert_allclose(np.linalg.svd(X @ V, compute_uv=False), kept, rtol=1e-9)


@pytest.mark.parametrize("n_known", [8, 40])
def test_every_sample_is_tested_once_and_not_learned_from_then(n_known):
    _, y = striped()
    evidence = evidence_from(y, np.arange(n_known))
    folds = folds_of(evidence, np.arange(len(y)))
    tested = np.concatenate([one.tested for _, one in folds])
    np.testing.assert_array_equal(np.sort(tested), evidence.tested)
    for learned, one in folds:
        assert not np.isin(one.tested, learned).any()
        for pairs in (one.must_link, one.cannot_link):
            assert (~np.isin(pairs, learned)).any(axis=1).all()


def test_pairs_alone_are_held_out_whole():
    pairs = PairConstraints(60, [(2 * i, 2 * i + 1) for i in range(20)], [(0, 2), (4, 6), (8, 10)])
    evidence = evidence_of(pairs.must_link, pairs.cannot_link, pairs.group_of)
    for learned, _ in folds_of(evidence, np.arange(60)):
        held_out = np.setdiff1d(np.arange(len(evidence.samples)), learned)
        assert not np.isin(evidence.group[learned], evidence.group[held_out]).any()


def plain(X, evidence):
    return max(told_of(view_of(X, None, standardized=False).graphs, evidence).values())


def test_units_that_tell_kinds_apart_are_told_from_such_that_do_not():
    X, y = striped()
    some = np.arange(30)
    place = np.arange(len(y))
    right = evidence_from(y, some)
    assert told_held_out(X, right, place) > plain(X, right) + 0.2
    chance = evidence_from(np.random.default_rng(0).permutation(y), some)
    assert told_held_out(X, chance, place) < 0.65
