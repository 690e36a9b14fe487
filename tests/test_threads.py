"""Blocks of rows on threads: the same bits for any number of them."""

import threading

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from samekind import DGSL, PairConstraints, SameKind, sample_labels
from samekind import _threads as threads
from samekind._kernels.pencil import FewRows, Pencil, single
from samekind._threads import each, on_threads, row_blocks
from samekind.graph import find_neighbors
from samekind.graph._by_rows import ByRows, inner, squares, turned

K, N = 4, 5200  # samples: more than the solver for few takes


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(threads, "BLOCK_ROWS", 700)


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    y = np.arange(N) % K
    centers = 3 * rng.standard_normal((K, 8))
    X = centers[y] + rng.standard_normal((N, 8)) * [3, 3, 1, 1, 1, 1, 1, 1]
    return X, y, PairConstraints.from_labels(sample_labels(y, 4, random_state=0))


def test_results_come_in_order_and_blocks_cover_all_rows():
    with on_threads(3) as count:
        assert count == 3
        assert each(lambda i: i * i, range(50)) == [i * i for i in range(50)]
    blocks = row_blocks(2000)
    assert np.array_equal(np.concatenate([np.arange(2000)[b] for b in blocks]), np.arange(2000))


def test_work_is_done_by_threads_and_work_inside_of_it_where_it_is():
    both = threading.Barrier(2, timeout=20)  # broken unless two threads meet

    def work(_):
        both.wait()
        return set(each(lambda _: threading.get_ident(), range(4))) == {threading.get_ident()}

    with on_threads(2):
        assert each(work, range(2)) == [True, True]


def test_an_error_of_a_block_is_raised_and_the_threads_end():
    before = threading.active_count()
    with pytest.raises(ZeroDivisionError), on_threads(2):
        each(lambda i: 1 / i, range(3))
    assert threading.active_count() == before


def test_none_is_one_thread_inside_more():
    with on_threads(3), on_threads(None):
        assert threads.n_threads() == 1


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_products_by_rows(n_jobs):
    rng = np.random.default_rng(0)
    S = csr_array(random_array((3000, 3000), density=0.01, rng=rng))
    V = rng.standard_normal((3000, 5))
    with on_threads(n_jobs):
        assert np.array_equal(ByRows(S) @ V, S @ V)
        assert np.array_equal(ByRows(S) @ V[:, 0], S @ V[:, 0])
        np.testing.assert_allclose(inner(V, V), V.T @ V, rtol=1e-12)
        np.testing.assert_allclose(squares(V), (V**2).sum(axis=0), rtol=1e-12)
        np.testing.assert_allclose(turned(V, V[:5]), V @ V[:5], rtol=1e-12)


def test_a_pencil_by_rows_is_b_minus_rho_e():
    rng = np.random.default_rng(0)
    E = csr_array(random_array((3000, 3000), density=0.01, rng=rng))
    rows = [3, 699, 700, 2999]  # both sides of a block's end
    B = np.zeros((3000, 3000))
    B[np.ix_(rows, rows)] = 4 * np.eye(4) - 1
    pencil, V = Pencil(FewRows(csr_array(B)), E, 0.7), rng.standard_normal((3000, 4))
    wanted = B @ V - 0.7 * (E @ V)
    np.testing.assert_allclose(pencil @ V, wanted, atol=1e-12)
    found = single(pencil, 2.0) @ V.astype(np.float32)
    np.testing.assert_allclose(found, 2 * wanted, atol=1e-4)


def test_neighbors_are_the_same_for_any_number_of_threads(samples):
    for cells_from in (100, N + 1):
        one = find_neighbors(samples[0], 9, cells_from=cells_from)
        with on_threads(3):
            more = find_neighbors(samples[0], 9, cells_from=cells_from)
        assert np.array_equal(one.nearest, more.nearest)
        assert np.array_equal(one.distance, more.distance)
        assert one.recall == more.recall


@pytest.mark.parametrize(("make", "known"), [(SameKind, True), (SameKind, False), (DGSL, True)])
def test_a_fit_is_the_same_to_the_bit_for_any_number_of_threads(make, known, samples):
    X, _, pairs = samples
    one, more = (
        make(K, random_state=0, max_iter=5, n_jobs=n_jobs).fit(
            X, constraints=pairs if known else None
        )
        for n_jobs in (None, 3)
    )
    assert np.array_equal(one.labels_, more.labels_)
    assert np.array_equal(one.embedding_, more.embedding_)
    assert (one.representation_ != more.representation_).nnz == 0
    assert np.array_equal(one.predict(X[:2500] + 0.1), more.predict(X[:2500] + 0.1))


@pytest.mark.parametrize("n_jobs", [0, 1.5, True, "all"])
def test_a_number_of_threads_that_is_none_is_refused(n_jobs, samples):
    with pytest.raises(ValueError, match="'n_jobs' parameter of SameKind must be an int other"):
        SameKind(K, n_jobs=n_jobs).fit(samples[0][:50])
