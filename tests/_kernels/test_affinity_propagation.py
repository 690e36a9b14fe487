import numpy as np
import pytest
from scipy.sparse import csr_array

from problems import pair_matrices
from samekind._kernels.affinity_propagation import (
    correlation,
    covariance,
    posterior,
    precision,
    weakened_between,
)
from samekind._kernels.status import Status

PAIR, NONE = csr_array([[0.0, 1.0], [1.0, 0.0]]), csr_array((2, 2))


@pytest.fixture
def process(problem):
    """A covariance, M and C, the latter between the first two classes alone."""
    A = covariance(csr_array(problem.W), 1e-2)[0]
    labeled = [i for i in np.flatnonzero(problem.M.any(axis=1)) if problem.y[i] < 2]
    return A, *map(csr_array, pair_matrices(problem.y, labeled))


def by_pairs(A, M, C, noise):
    """A - AB (S + B'AB)^-1 B'A with one column of B for each pair."""
    must, cannot = (np.argwhere(np.triu(part.toarray())) for part in (M, C))
    B = np.zeros((len(A), len(must) + len(cannot)))
    for column, (i, j) in enumerate(must):
        B[i, column], B[j, column] = 1, -1
    for column, (i, j) in enumerate(cannot, start=len(must)):
        B[i, column], B[j, column] = 1, 1
    AB = A @ B
    return A - AB @ np.linalg.solve(noise * np.eye(B.shape[1]) + B.T @ AB, AB.T)


def test_the_covariance_is_as_far_from_singular_as_asked(problem):
    A, status = covariance(csr_array(problem.W), 0.3)
    off = ~np.eye(len(A), dtype=bool)
    delta = problem.W[off].max() / A[off].max()
    np.testing.assert_allclose(A[off] * delta, problem.W[off], atol=1e-12)
    np.testing.assert_array_equal(np.diag(A), 1.0)
    assert delta * np.linalg.eigvalsh(A)[0] == pytest.approx(0.3)
    assert status is Status.CONVERGED


@pytest.mark.parametrize(("M", "C", "sign"), [(PAIR, NONE, 1), (NONE, PAIR, -1)])
def test_two_points_become_the_same_or_opposite(M, C, sign):
    A = posterior(np.eye(2), precision(M, C, 1e-10))
    assert A[0, 1] / np.sqrt(A[0, 0] * A[1, 1]) == pytest.approx(sign, abs=1e-9)


@pytest.mark.parametrize("noise", [1e-4, 1e-1])
def test_the_forms_by_samples_by_pairs_and_by_inverses_agree(process, noise):
    A, M, C = process
    P = precision(M, C, noise)
    ours = posterior(A, P)
    np.testing.assert_allclose(ours, by_pairs(A, M, C, noise), atol=1e-8)
    np.testing.assert_allclose(ours, np.linalg.inv(np.linalg.inv(A) + P), atol=1e-8)


def test_to_know_more_never_adds_variance(process):
    A, M, C = process
    after = posterior(A, precision(M, C, 1e-4))
    np.testing.assert_array_equal(after, after.T)
    assert np.linalg.eigvalsh(after)[0] > 0
    assert np.linalg.eigvalsh(A - after)[0] > -1e-12


def test_must_links_make_rows_equal_as_noise_vanishes(process):
    A, M, _ = process
    i, j = M.nonzero()
    after = [posterior(A, precision(M, 0 * M, noise)) for noise in (1e-2, 1e-4, 1e-6, 1e-12)]
    apart = [np.abs(rows[i] - rows[j]).max() for rows in after]
    assert (np.diff(apart) < 0).all()
    assert apart[-1] < 1e-10


def test_pairs_that_say_nothing_leave_the_covariance_alone():
    A = np.eye(2)
    assert posterior(A, precision(NONE, NONE, 1e-4)) is A


def test_correlations_are_kept_and_negative_ones_dropped(process):
    A, M, C = process
    after = posterior(A, precision(M, C, 1e-4))
    R = correlation(after)
    root = np.sqrt(np.diag(after))
    assert (after < 0).any()
    np.testing.assert_allclose(R, np.maximum(after / np.outer(root, root), 0), atol=1e-12)
    assert R.max() == 1.0


def one_by_one(R, group_of, linked):
    """The product written out: every pair of groups, all entries."""
    groups = [R[group_of == g].max(axis=0) for g in range(group_of.max() + 1)]
    product = R.copy()
    for a, b in linked:
        u, v = groups[a], groups[b]
        product = product * (1 - np.outer(u, v)) * (1 - np.outer(v, u))
    return product


@pytest.mark.parametrize("seed", range(3))
def test_entries_without_effect_are_left_out_at_no_loss(seed):
    """Values over twenty orders of magnitude, and zeros; several blocks of rows."""
    rng = np.random.default_rng(seed)
    n = 300
    R = 10.0 ** rng.uniform(-20, 0, (n, n)) * (rng.random((n, n)) < 0.7)
    R = correlation(np.maximum(R, R.T) + np.eye(n))
    group_of = np.sort(np.append(np.arange(40), rng.integers(0, 40, n - 40)))
    linked = np.argwhere(np.triu(rng.random((40, 40)) < 0.1, 1))
    found = weakened_between(R, group_of, linked)
    np.testing.assert_allclose(found, one_by_one(R, group_of, linked), rtol=1e-10)
    np.testing.assert_array_equal(found, found.T)


def test_samples_marked_different_have_no_affinity(problem):
    A = covariance(csr_array(problem.W), 1e-2)[0]
    R = correlation(posterior(A, precision(csr_array(problem.M), csr_array(A.shape), 1e-4)))
    group_of = np.where(problem.M.any(axis=1), problem.y, 3 + np.arange(len(A)))
    group_of = np.unique(group_of, return_inverse=True)[1]
    found = weakened_between(R, group_of, np.array([[0, 1], [0, 2], [1, 2]]))
    assert (found[problem.C > 0] == 0).all()
    assert (found[problem.M > 0] > 0).all()


def test_two_samples_that_differ_from_a_third_are_not_the_same():
    """They would be with the form for two classes: the reason for another."""
    R = np.full((3, 3), 0.2) + 0.8 * np.eye(3)
    linked = np.array([[0, 1], [0, 2]])
    C = np.zeros((3, 3))
    C[0, 1:] = C[1:, 0] = 1
    two_class = correlation(posterior(R, precision(csr_array((3, 3)), csr_array(C), 1e-4)))
    assert two_class[1, 2] > 0.99
    found = weakened_between(R, np.arange(3), linked)
    assert (found <= R).all()
    assert found[1, 2] < R[1, 2]
