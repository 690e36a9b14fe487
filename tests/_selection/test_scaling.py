import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind._selection.scaling import few_features_decide, principal_components, scaling_of


@pytest.mark.parametrize("unit", [1e-200, 1e-3, 1.0, 1e200])
@pytest.mark.parametrize("standardize", [True, False])
def test_units_and_origin_are_gone(unit, standardize):
    X = np.random.default_rng(0).standard_normal((50, 4)) * [1, 2, 3, 4]
    one = scaling_of(X, standardize=standardize).apply(X)
    moved = unit * X
    other = scaling_of(moved, standardize=standardize).apply(moved)
    np.testing.assert_allclose(other, one, atol=1e-9)
    assert one.dtype == np.float64


def test_a_timestamp_loses_no_digits():
    X = np.random.default_rng(0).standard_normal((50, 4))
    shifted = scaling_of(X + 1.7e9, standardize=False).apply(X + 1.7e9)
    np.testing.assert_allclose(shifted, scaling_of(X, standardize=False).apply(X), atol=1e-6)


def test_standardized_columns_have_deviation_one_and_constants_stay_zero():
    X = np.column_stack([np.random.default_rng(0).standard_normal((50, 2)) * [1, 1e6], np.ones(50)])
    rows = scaling_of(X, standardize=True).apply(X)
    np.testing.assert_allclose(rows.std(axis=0), [1, 1, 0], atol=1e-12)


def test_single_precision_is_centered_in_double():
    X = (np.random.default_rng(0).standard_normal((50, 4)) + 1e4).astype(np.float32)
    rows = scaling_of(X, standardize=False, dtype=np.float32).apply(X)
    exact = X.astype(np.float64) - X.astype(np.float64).mean(axis=0)
    np.testing.assert_allclose(rows, exact / np.abs(exact).max(), atol=1e-6)


def test_sparse_rows_keep_their_zeros():
    X = csr_array(np.random.default_rng(0).random((20, 9)) * (np.arange(9) < 3))
    assert scaling_of(X, standardize=True).apply(X).nnz == X.nnz


def test_mixed_units_are_seen_whatever_the_common_unit():
    X = np.random.default_rng(0).standard_normal((60, 10))
    assert not few_features_decide(X)
    assert few_features_decide(1e-7 * X * np.r_[1e3, np.ones(9)])
    assert not few_features_decide(X[:, :2] * [1, 1e3])  # of two features one may decide
    assert not few_features_decide(np.ones((5, 4)))


def test_several_units_are_mixed_units_too():
    X = np.random.default_rng(0).standard_normal((60, 10))
    assert few_features_decide(X * ([30.0, 1.0, 20.0, 25.0] + [1.0] * 6))
    assert not few_features_decide(X * ([2.0, 1.0, 1.5, 1.2] + [1.0] * 6))


def test_counts_have_one_unit():
    rate = 0.02 * np.arange(1, 101) ** -1.0 * 100
    X = np.random.default_rng(0).poisson(rate, (200, 100))[:, ::-1]
    assert (X == 0).mean() > 0.5
    assert not few_features_decide(X.astype(float))
    assert few_features_decide(np.column_stack([1e3 * np.arange(200), X]).astype(float))


def test_principal_components_are_meant_to_be_unequal():
    X = np.random.default_rng(0).standard_normal((200, 12)) @ np.diag(0.5 ** np.arange(12))
    U, S, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    assert not few_features_decide(U * S)
    assert few_features_decide((U * S)[:, ::-1])  # in no such order, they are any features


@pytest.mark.parametrize("unit", [1e-200, 1e-3, 1e200])
def test_whether_few_features_decide_does_not_depend_on_the_unit(unit):
    X = np.random.default_rng(0).standard_normal((100, 12))
    mixed, components = X * ([1] * 11 + [100]), X @ np.diag(0.5 ** np.arange(12))
    U, S, _ = np.linalg.svd(components - components.mean(axis=0), full_matrices=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert few_features_decide(unit * mixed)
        assert not few_features_decide(unit * X)
        assert not few_features_decide(unit * (U * S))


@pytest.mark.parametrize("shape", [(60, 9), (20, 50)])
def test_components_keep_what_a_decomposition_keeps(shape):
    rng = np.random.default_rng(0)
    shared = rng.standard_normal((shape[0], 2)) @ rng.standard_normal((2, shape[1]))
    X = rng.standard_normal(shape) + 9 * shared
    plain = scaling_of(X, standardize=False)
    rows = plain.apply(X)
    scaling = replace(plain, components=principal_components(rows, 2))
    U, singular, V = np.linalg.svd(rows, full_matrices=False)
    reduced, kept = scaling.apply(X), (U[:, :2] * singular[:2]) @ V[:2]
    assert reduced.shape == (shape[0], 2)
    np.testing.assert_allclose(scaling.undone(reduced), plain.undone(kept), atol=1e-12)
    # To the bit, whichever rows it comes with: predict has to know a row again.
    assert (scaling.apply(X[3:4]) == scaling.apply(X)[3]).all()


def test_no_components_where_the_last_is_not_defined_or_of_noise():
    square = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    assert principal_components(square, 1) is None
    assert principal_components(np.random.default_rng(0).standard_normal((300, 40)), 3) is None
