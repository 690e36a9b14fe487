import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from problems import blobs
from samekind import DGSL, PairConstraints, sample_labels
from samekind.estimators._base import plan as _plan
from samekind.estimators._base.plan import plan
from samekind.graph import find_neighbors


def test_auto_is_exact_while_all_pairs_fit_and_says_what_it_was(data, monkeypatch):
    X, _, pairs = data
    monkeypatch.setattr(_plan, "WHOLE_UP_TO", 5000)
    assert DGSL(3, solver="auto").fit(X, constraints=pairs).solver_ == "exact"
    monkeypatch.setattr(_plan, "MATRICES", 10**9)
    assert DGSL(3, solver="auto", memory_limit=1e9).fit(X, constraints=pairs).solver_ == "sparse"
    monkeypatch.setattr(_plan, "WHOLE_UP_TO", 100)
    model = DGSL(3, solver="auto", n_candidates=9).fit(X, constraints=pairs)
    assert model.solver_ == "sparse"
    assert model.history_[0].nonzeros_per_row <= 9


def test_memory_of_the_sparse_solver_grows_with_the_number_of_samples():
    need = [plan(n, "sparse", None, 1e15).n_bytes for n in (10**5, 10**6, 10**7)]
    assert need[1] / need[0] == pytest.approx(10, rel=0.1)
    assert need[2] / need[1] == pytest.approx(10, rel=0.1)


@pytest.mark.parametrize("sparsity", [0.0, 0.2])
def test_the_plan_of_dense_matrices_is_not_below_the_peak(sparsity):
    X, y = blobs(3, n_per_class=200, k=3, d=20, spread=2.0)
    pairs = PairConstraints.from_labels(sample_labels(y, 4, random_state=0))
    model = DGSL(3, solver="exact", sparsity=sparsity, max_iter=2, random_state=0)
    model.fit(X, constraints=pairs)  # what is imported or kept for later counts once
    tracemalloc.start()
    try:
        model.fit(X, constraints=pairs)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= plan(len(X), "exact", None, None, n_clusters=3).n_bytes


@pytest.fixture
def mapped(tmp_path, monkeypatch):
    """Samples in a file that must not be written to, with the ways of large ones."""
    monkeypatch.setattr(_plan, "WHOLE_UP_TO", 0)
    monkeypatch.setattr(find_neighbors, "__kwdefaults__", {"cells_from": 200})
    X, y = blobs(3, n_per_class=200, k=3, d=20, spread=2.0)
    np.save(tmp_path / "X.npy", (X / 2).astype(np.float32))
    return tmp_path / "X.npy", y


def test_a_memory_mapped_x_is_read_and_not_written_to(mapped):
    path, y = mapped
    before = path.read_bytes()
    pairs = PairConstraints.from_labels(sample_labels(y, 4, random_state=0))
    model = DGSL(3, solver="sparse", random_state=0)
    from_file = model.fit(np.load(path, mmap_mode="r"), constraints=pairs)
    assert 0.9 < from_file.neighbor_recall_ <= 1
    labels = from_file.labels_
    assert_array_equal(from_file.predict(np.load(path, mmap_mode="r")[:50]), labels[:50])
    assert_array_equal(model.fit(np.load(path), constraints=pairs).labels_, labels)
    assert path.read_bytes() == before
