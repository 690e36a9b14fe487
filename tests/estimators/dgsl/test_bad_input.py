"""Every line of the table of bad input, and what was found by trying to break it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import block_diag
from scipy.sparse import csr_array
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from problems import blobs
from samekind import DGSL, ConstraintConflict, PairConstraints, Status, sample_labels


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[0.0, np.nan], [1.0, 2.0]], "NaN"),
        ([[0.0, np.inf], [1.0, 2.0]], "infinity"),
        ([["a", "b"], ["c", "d"]], "could not convert|dtype"),
        ([1.0, 2.0, 3.0], "1D array"),
        ([[1.0, 2.0]], "1 sample"),
        (np.empty((0, 2)), "0 sample"),
    ],
)
def test_samples_that_cannot_be_used_are_refused(X, message):
    with pytest.raises(ValueError, match=message):
        DGSL(1).fit(X)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, r"'n_clusters'.*an int in the range \[1, inf\). Got 0"),
        ({"n_clusters": 2.5}, "'n_clusters'.*Got 2.5"),
        ({"n_clusters": True}, "'n_clusters'"),
        ({"n_clusters": 121}, "n_samples=120 should be >= n_clusters=121"),
        ({"n_neighbors": 0}, "'n_neighbors'"),
        ({"feedback": 0}, r"'feedback'.*a float in the range \(0.0, inf\) or None. Got 0"),
        ({"feedback": "high"}, "'feedback'"),
        ({"sparsity": -1}, r"'sparsity'.*a float in the range \[0.0, inf\)"),
        ({"coupling": np.inf}, "'coupling'.*Got inf"),
        ({"algorithm": "normal"}, "a str among {'normalized', 'plain'}. Got 'normal'"),
        ({"assign_labels": "k-means"}, "a str among {'kmeans', 'seeded', 'group', 'spread'}"),
        ({"memory_limit": -1}, "'memory_limit'.*or None"),
    ],
)
def test_parameters_out_of_range_are_refused(data, parameters, message):
    with pytest.raises(ValueError, match=message):
        DGSL(**({"n_clusters": 3} | parameters)).fit(data[0])


def test_one_cluster_and_as_many_clusters_as_samples(data):
    X = data[0]
    assert set(DGSL(1).fit(X, cannot_link=[(0, 1)]).labels_) == {0}
    assert len(set(DGSL(12).fit(X[:12]).labels_)) == 12


def test_more_neighbors_than_samples_are_cut(data):
    X = data[0][:12]
    assert_allclose(
        DGSL(2, n_neighbors=99).fit(X).embedding_, DGSL(2, n_neighbors=12).fit(X).embedding_
    )


def test_contradictory_pairs_are_refused_with_the_chain(data):
    with pytest.raises(ConstraintConflict, match="0 = 5 = 9"):
        DGSL(3).fit(data[0], must_link=[(0, 5), (5, 9)], cannot_link=[(0, 9)])


def test_pairs_for_another_number_of_samples_are_refused(data):
    with pytest.raises(ValueError, match=r"cover 50 samples but X has 120 rows.*subset\(rows\)"):
        DGSL(3).fit(data[0], constraints=PairConstraints(50))
    with pytest.raises(ValueError, match="120"):
        DGSL(3).fit(data[0], must_link=[(0, 120)])


def test_constraints_beside_pairs_are_refused(data):
    with pytest.raises(ValueError, match="one or the other"):
        DGSL(3).fit(data[0], constraints=PairConstraints(120), must_link=[(0, 1)])
    with pytest.raises(TypeError, match="must_link= and cannot_link="):
        DGSL(3).fit(data[0], constraints=[(0, 1)])


def test_more_groups_marked_different_than_clusters_are_reported(data):
    pairs = [(0, 1), (0, 2), (1, 2)]
    with pytest.warns(UserWarning, match="samples 0, 1, 2 are all marked different.*3 clusters"):
        model = DGSL(2).fit(data[0], cannot_link=pairs)
    assert model.constraint_report_.violated >= 1


def test_a_graph_in_as_many_pieces_as_clusters_is_the_best_of_ends(separated, recwarn):
    X, y, pairs = separated
    model = DGSL(3, random_state=0).fit(X, constraints=pairs)
    assert model.status_ is Status.UNBOUNDED
    assert model.trace_ratio_ == np.inf
    assert adjusted_rand_score(y, model.labels_) == 1
    assert not recwarn


def test_a_graph_in_more_components_than_clusters_is_reported():
    y = np.repeat(np.arange(3), 20)
    X = np.zeros((60, 15))  # each component has features of its own: nothing joins them
    for row, label in zip(X, y, strict=True):
        row[5 * label : 5 * label + 5] = 1 + np.random.default_rng(label).random(5)
    X[X > 0] += 0.1 * np.random.default_rng(0).random(300)
    with pytest.warns(UserWarning, match=r"3 components.*more components than.*raise n_neighbors"):
        model = DGSL(2, random_state=0).fit(X, cannot_link=[(0, 59)])
    assert model.status_ is Status.UNBOUNDED
    assert model.constraint_report_.violated == 0
    assert all(len(set(model.labels_[y == label])) == 1 for label in range(3))


def test_repeated_samples_and_constant_features_are_no_trouble(data):
    X = data[0]
    X = np.column_stack([np.repeat(X[:40], 3, axis=0), np.full(120, 7.0)])
    model = DGSL(3, random_state=0).fit(X, cannot_link=[(0, 119)])
    assert np.isfinite(model.embedding_).all()
    assert model.labels_.shape == (120,)
    assert_array_equal(
        model.predict(X),
        model.labels_[np.unique(X, axis=0, return_index=True)[1]][
            np.unique(X, axis=0, return_inverse=True)[1].ravel()
        ],
    )


def test_rows_of_zeros_in_z_and_a_vanished_z_are_reported():
    X, _ = blobs(0, n_per_class=20)
    with pytest.warns(ConvergenceWarning, match=r"vanished.*multiply X by a constant"):
        model = DGSL(3).fit(X / 255, cannot_link=[(0, 1)])
    assert model.status_ is Status.VANISHED
    assert not model.status_.converged
    X[:5] = 0.0  # a sample at the origin is represented by nothing, and represents nothing
    model = DGSL(3).fit(X, cannot_link=[(10, 11)])
    assert model.representation_[:5].nnz == 0
    assert np.isfinite(model.embedding_).all()


def test_digits_in_small_units_are_never_called_converged():
    X, y = load_digits(n_class=4, return_X_y=True)
    pairs = PairConstraints.from_labels(sample_labels(y, 3, random_state=0))
    with pytest.warns(ConvergenceWarning, match="multiply X by a constant"):
        model = DGSL(4).fit(X / 255, constraints=pairs)
    assert model.status_ in (Status.VANISHED, Status.COLLAPSED)  # one in three is misplaced


def test_too_many_samples_for_memory_are_refused_before_anything_is_made(data, way):
    need = {"exact": "2.0 MB", "sparse": "12.4 MB", "neighbors": "1.0 MB"}[way]
    with pytest.raises(MemoryError, match=rf"120 samples needs about {need}.*limit is 100.0 kB"):
        DGSL(3, memory_limit=1e5).fit(data[0])
    many = csr_array((1_000_000, 1))
    need = "112.0 TB" if way == "exact" else "6.0 GB"
    with pytest.raises(MemoryError, match=rf"1000000 samples needs about {need}.*memory_limit"):
        DGSL(3, memory_limit=2e9).fit(many)


def test_what_is_too_much_for_the_exact_solver_names_the_sparse_one():
    with pytest.raises(MemoryError, match=r"try again with solver='sparse', use fewer samples"):
        DGSL(3, solver="exact").fit(csr_array((1_000_000, 1)))


def test_stopping_early_warns(data):
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        DGSL(3, max_iter=1, tol=0.0).fit(data[0], cannot_link=[(0, 1)])


def test_a_z_with_many_non_zeros_is_refused_when_it_does_not_fit(data, way):
    if way != "exact":
        pytest.skip("Z has no more non-zeros than candidates, which are counted beforehand")
    limit = 2.2e6  # enough for the dense matrices of 120 samples and a thin Z
    with pytest.raises(MemoryError, match=r"120 samples with 119 non-zeros per row needs about"):
        DGSL(3, sparsity=0.0, feedback=1e-9, memory_limit=limit).fit(data[0])
    DGSL(3, memory_limit=limit, sparsity=3.0).fit(data[0])


@pytest.mark.parametrize(
    "fit",
    [
        lambda: DGSL(3).fit(np.zeros((114, 3))),
        lambda: DGSL(2).fit(np.zeros((86, 3)), cannot_link=[(4, 26)]),
        lambda: DGSL(3).fit(np.ones((30, 3)), cannot_link=[(0, 20)]),
        lambda: DGSL(3, algorithm="plain").fit(np.ones((30, 3)), cannot_link=[(0, 20)]),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_samples_that_are_all_the_same_still_get_a_whole_embedding(fit):
    model = fit()
    k = model.n_clusters
    np.testing.assert_allclose(model.embedding_.T @ model.embedding_, np.eye(k), atol=1e-8)
    assert set(model.labels_) <= set(range(k))


def test_values_far_from_the_origin_are_no_trouble():
    X, y = blobs(0, n_per_class=20)
    model = DGSL(3, random_state=0).fit(X + 1e8, cannot_link=[(0, int(np.argmax(y != y[0])))])
    assert np.isfinite(model.embedding_).all()


def test_a_z_below_tol_is_never_called_converged():
    """All entries are smaller than tol: the loop stops at once, and nothing was learned."""
    X, y = load_digits(return_X_y=True)
    pairs = PairConstraints.from_labels(sample_labels(y[:300], 3, random_state=0))
    with pytest.warns(ConvergenceWarning, match="none above tol"):
        model = DGSL(10, sparsity=0.0).fit(X[:300] / 255, constraints=pairs)
    assert model.n_iter_ == 1
    assert model.status_ is Status.VANISHED


@pytest.mark.parametrize("gap", [1.5, 1.8])
@pytest.mark.parametrize("local_ratio", [0.2, 1e-6])
@pytest.mark.parametrize("algorithm", ["normalized", "plain"])
def test_a_graph_nearly_disconnected_is_separated(gap, local_ratio, algorithm):
    rng = np.random.default_rng(0)
    X = block_diag(*(gap + rng.random((6, 4)) for _ in range(3)))
    model = DGSL(3, local_ratio=local_ratio, algorithm=algorithm, random_state=0)
    model.fit(X, cannot_link=[(0, 6), (6, 12), (0, 12)])
    assert model.status_.converged
    assert adjusted_rand_score(np.repeat(range(3), 6), model.labels_) == 1


@pytest.mark.parametrize("algorithm", ["normalized", "plain"])
def test_a_cannot_link_inside_a_piece_leaves_the_pieces_whole(algorithm):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.random((15, 4)) + 8 * np.eye(4)[i] for i in (0, 1)])
    model = DGSL(2, algorithm=algorithm, random_state=0).fit(X, cannot_link=[(0, 1)])
    assert model.status_ is Status.UNBOUNDED
    assert adjusted_rand_score(np.repeat(range(2), 15), model.labels_) == 1
    assert model.constraint_report_.violated == 1
    assert np.isfinite([record.objective for record in model.history_]).all()


@pytest.mark.parametrize(
    "graph", ["nearest_neighbors", object(), np.ones(120), 1j * np.ones((120, 120))]
)
def test_a_graph_that_is_none_is_refused(data, graph):
    with pytest.raises(ValueError, match="expected a sparse or dense matrix of real weights"):
        DGSL(3).fit(data[0], graph=graph)


def test_a_bad_seed_is_refused_at_the_door(data):
    seen = []
    with pytest.raises(ValueError, match="cannot be used to seed"):
        DGSL(3, random_state="seven").fit(data[0], callback=seen.append)
    assert not seen
