import inspect
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.stats import ortho_group
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import cross_validate

from golden_files import golden
from samekind import DGSL, PairConstraints, Status
from samekind._kernels.shrink import unit_rows
from samekind._selection.scaling import own_order
from samekind.estimators._dgsl import DEFAULTS
from samekind.graph import local_graph


def gram(H):
    return H @ H.T


def way_of(way):
    return "neighbors" if way == "neighbors" else "all"


@pytest.mark.golden
def test_the_estimator_gives_the_authors_result(way):
    """With all pairs as candidates, the sparse solver as well."""
    if way == "neighbors":
        pytest.skip("600 neighbors of 600 samples: the responses alone take 2 GB")
    case = golden("digits600_0")
    pairs = PairConstraints.from_labels(case.labels)
    model = DGSL(case.k, **case.parameters(), random_state=0, n_candidates=len(case.X))
    model.fit(case.X, constraints=pairs)
    assert model.n_iter_ == int(case.stored["n_iter"])
    assert abs(model.representation_ - case.matrix("Z")).max() < 1e-6
    assert_allclose(gram(unit_rows(model.embedding_)), gram(case.stored["embedding"]), atol=1e-5)
    assert 2 * model.alpha1_ == pytest.approx(float(case.stored["alpha1"]))
    assert model.status_ is Status.CONVERGED


def test_every_attribute_says_what_it_promises(data, fitted):
    _, y, pairs = data
    assert adjusted_rand_score(y, fitted.labels_) > 0.85
    assert fitted.constraint_report_.violated == 0
    n_pairs = len(pairs.must_link) + len(pairs.cannot_link)
    assert fitted.constraint_report_.satisfied == n_pairs
    assert_allclose(fitted.embedding_.T @ fitted.embedding_, np.eye(3), atol=1e-10)
    assert len(fitted.history_) == fitted.n_iter_
    assert fitted.trace_ratio_ == fitted.history_[-1].rho
    A = fitted.affinity_matrix_
    assert abs(A - A.T).max() < 1e-14


def test_violated_pairs_are_reported(data):
    X, y, _ = data
    a, b = np.flatnonzero(y == 0)[:2]
    model = DGSL(3, random_state=0).fit(X, cannot_link=[(a, b)])
    report = model.constraint_report_
    split = model.labels_[a] != model.labels_[b]
    assert report.violated == (0 if split else 1)
    assert report.violated_cannot_link.tolist() == ([] if split else [[a, b]])


def test_same_seed_same_labels(data):
    X, _, pairs = data
    first, second = (DGSL(5, random_state=7).fit(X, constraints=pairs).labels_ for _ in range(2))
    assert_array_equal(first, second)


@pytest.mark.parametrize("algorithm", ["normalized", "plain"])
def test_permuting_samples_changes_nothing(data, fitted, algorithm):
    X, _, pairs = data
    order = np.random.default_rng(0).permutation(len(X))
    model = clone(fitted).set_params(algorithm=algorithm).fit(X, constraints=pairs)
    moved = clone(model).fit(X[order], constraints=pairs.subset(order))
    assert_allclose(
        local_graph(X[order]).toarray(), local_graph(X).toarray()[np.ix_(order, order)], atol=1e-8
    )
    Z = model.representation_.toarray()[np.ix_(order, order)]
    assert_allclose(moved.representation_.toarray(), Z, atol=1e-8)
    assert_allclose(gram(moved.embedding_), gram(model.embedding_[order]), atol=1e-8)
    assert moved.trace_ratio_ == pytest.approx(model.trace_ratio_, abs=1e-8, rel=1e-8)
    assert adjusted_rand_score(moved.labels_, model.labels_[order]) == 1


def test_rotating_features_changes_nothing(data, fitted):
    X, _, pairs = data
    turned = X @ ortho_group.rvs(X.shape[1], random_state=0)
    moved = clone(fitted).fit(turned, constraints=pairs)
    assert_allclose(local_graph(turned).toarray(), local_graph(X).toarray(), atol=1e-6)
    assert_allclose(moved.representation_.toarray(), fitted.representation_.toarray(), atol=1e-6)
    assert_allclose(gram(moved.embedding_), gram(fitted.embedding_), atol=1e-6)
    assert moved.trace_ratio_ == pytest.approx(fitted.trace_ratio_, abs=1e-6, rel=1e-6)
    assert adjusted_rand_score(moved.labels_, fitted.labels_) == 1


def test_pairs_as_arrays_or_as_one_value_are_the_same(data, fitted):
    X, _, pairs = data
    model = clone(fitted).fit(X, must_link=pairs.must_link, cannot_link=pairs.cannot_link)
    assert_array_equal(model.labels_, fitted.labels_)
    assert_array_equal(clone(fitted).fit_predict(X, constraints=pairs), fitted.labels_)


def test_y_is_ignored(data, fitted):
    X, y, pairs = data
    assert_array_equal(clone(fitted).fit(X, y, constraints=pairs).labels_, fitted.labels_)


@pytest.mark.parametrize("kind", ["float32", "sparse", "pandas", "polars", "lists"])
def test_every_container_of_samples_gives_the_same(data, fitted, kind):
    X, _, pairs = data
    names = [f"f{i}" for i in range(X.shape[1])]
    made = {
        "float32": lambda: X.astype(np.float32),
        "sparse": lambda: csr_array(X),
        "pandas": lambda: pd.DataFrame(X, columns=names),
        "polars": lambda: pl.DataFrame(X, schema=names),
        "lists": lambda: X.tolist(),
    }[kind]()
    model = clone(fitted).fit(made, constraints=pairs)
    assert adjusted_rand_score(model.labels_, fitted.labels_) == 1
    assert_allclose(model.representation_.toarray(), fitted.representation_.toarray(), atol=1e-5)
    assert model.n_features_in_ == X.shape[1]
    if kind in ("pandas", "polars"):
        assert model.feature_names_in_.tolist() == names
    assert_array_equal(model.predict(made), model.labels_)


def test_without_pairs_or_with_must_links_only(separated, way):
    X, y, _ = separated
    alone = DGSL(3, random_state=0).fit(X)
    assert np.isnan(alone.trace_ratio_)
    assert alone.alpha1_ == pytest.approx(DEFAULTS[way_of(way)]["feedback"] * alone.coupling)
    same = np.flatnonzero(y == 0)[:5]
    model = DGSL(3, random_state=0).fit(X, must_link=[(same[0], j) for j in same[1:]])
    assert model.constraint_report_.violated == 0
    assert adjusted_rand_score(y, model.labels_) == 1


def test_seeded_assignment_equals_k_means_without_pairs_and_uses_seeds_with_them(data):
    X, _, pairs = data
    labels = [
        DGSL(3, assign_labels=how, random_state=1).fit(X).labels_ for how in ("kmeans", "seeded")
    ]
    assert_array_equal(*labels)
    seeded = DGSL(3, assign_labels="seeded", random_state=0).fit(X, constraints=pairs)
    # The clusters are numbered by the seeds: largest group first, then by smallest member.
    for label, group in enumerate(pairs.seed_groups(3)):
        assert (seeded.labels_[group] == label).all()


def test_labels_can_spread_from_seeds_over_the_learned_graph(data):
    X, y, pairs = data
    spread = DGSL(3, assign_labels="spread", random_state=0).fit(X, constraints=pairs)
    assert adjusted_rand_score(y, spread.labels_) > 0.85
    for label, group in enumerate(pairs.seed_groups(3)):
        assert (spread.labels_[group] == label).all()
    two = PairConstraints(len(X), cannot_link=pairs.cannot_link[:1])  # no seed for the third
    how = [DGSL(3, assign_labels=one, random_state=0) for one in ("spread", "seeded")]
    assert_array_equal(*(model.fit(X, constraints=two).labels_ for model in how))


def test_spread_weight_is_automatic_where_pairs_name_some_of_the_clusters(data, way):
    X, _, pairs = data
    two_of_three = PairConstraints(len(X), cannot_link=pairs.cannot_link[:1])
    fits = {
        weight: DGSL(3, n_neighbors=20, spread_weight=weight, random_state=0)
        for weight in (0.0, None, 50.0)
    }
    for model in fits.values():
        model.fit(X, constraints=two_of_three)
    automatic, by_hand = fits[None], fits[50.0]  # 100 (3 / 2 - 1)
    assert_allclose(gram(automatic.embedding_), gram(by_hand.embedding_), atol=1e-12)
    assert automatic.alpha1_ == by_hand.alpha1_
    # One pair: Tr(L_C) = 1, so that the shift adds g / n to each of the 3 directions of H.
    coupling, n = by_hand.coupling, len(X)
    added = by_hand.alpha1_ / (DEFAULTS[way_of(way)]["feedback"] * coupling) - 3 * 50.0 / n
    assert 0 < added < 1
    assert fits[0.0].alpha1_ < 0.9 * by_hand.alpha1_  # the paper's numerator is smaller


@pytest.mark.parametrize("cannot", [True, False])
def test_spread_weight_is_zero_where_pairs_name_all_clusters_or_none(data, cannot):
    X, _, pairs = data
    told = pairs if cannot else PairConstraints(len(X), must_link=pairs.must_link)
    automatic, paper = (
        DGSL(3, spread_weight=weight, random_state=0).fit(X, constraints=told)
        for weight in (None, 0.0)
    )
    assert_array_equal(automatic.embedding_, paper.embedding_)


def test_groups_that_move_as_one_keep_must_links_that_the_rows_contradict(data):
    X, y, labels = data
    apart = [np.flatnonzero(y == c)[0] for c in range(2)]
    pairs = PairConstraints(len(X), must_link=[apart], cannot_link=labels.cannot_link)
    plain, moved = (
        DGSL(3, assign_labels=how, must_link_weight=0.0, random_state=0).fit(X, constraints=pairs)
        for how in ("kmeans", "group")
    )
    assert len(plain.constraint_report_.violated_must_link) == 1
    assert len(moved.constraint_report_.violated_must_link) == 0


def test_labels_are_k_means_on_unit_rows(data, fitted):
    order = own_order(data[0])
    rows = unit_rows(fitted.embedding_)[order]
    again = KMeans(3, n_init=20, random_state=3).fit_predict(rows)
    assert adjusted_rand_score(again, fitted.labels_[order]) == 1


def test_a_ready_graph_takes_the_place_of_the_neighbor_graph(data, fitted):
    X, _, pairs = data
    own = clone(fitted).fit(X, constraints=pairs, graph=local_graph(X, 15))
    assert_allclose(gram(own.embedding_), gram(fitted.embedding_), atol=1e-10)
    dense = clone(fitted).fit(
        X, constraints=pairs, graph=local_graph(X, 15).toarray() + np.eye(len(X))
    )
    assert_allclose(gram(dense.embedding_), gram(fitted.embedding_), atol=1e-8)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (np.ones((3, 3)), "shape \\(3, 3\\) but X has 120 rows"),
        (-np.ones((120, 120)), "negative"),
        (np.full((120, 120), np.nan), "non-finite"),
        (np.triu(np.ones((120, 120))), "not symmetric.*graph.T"),
    ],
)
def test_a_graph_that_cannot_be_used_is_refused(data, graph, message):
    with pytest.raises(ValueError, match=message):
        DGSL(3).fit(data[0], graph=graph)


def test_predict_gives_training_rows_their_labels(data, fitted):
    assert_array_equal(fitted.predict(data[0]), fitted.labels_)


def test_predict_gives_new_rows_the_labels_of_their_neighbors(separated):
    X, _, pairs = separated
    fitted = DGSL(3, random_state=0).fit(X, constraints=pairs)
    near = X + 0.05 * np.random.default_rng(1).standard_normal(X.shape)
    assert_array_equal(fitted.predict(near), fitted.labels_)
    one_by_one = np.concatenate([fitted.predict(row[None]) for row in near[:20]])
    assert_array_equal(one_by_one, fitted.predict(near)[:20])


def test_predict_is_the_weighted_vote_of_the_local_graph(data):
    X, _, pairs = data
    model = DGSL(3, n_neighbors=6, scale_neighbor=4, random_state=0).fit(X, constraints=pairs)
    model.labels_ = np.random.default_rng(0).integers(0, 3, len(X))  # a vote that is contested
    new = np.random.default_rng(1).standard_normal((30, X.shape[1])) * 3
    for row, label in zip(new, model.predict(new), strict=True):
        distance = np.linalg.norm(X - row, axis=1)
        nearest = np.argsort(distance)[:5]
        weight = np.exp(-((distance[nearest] / max(distance[nearest[2]], 1e-2)) ** 2))
        votes = np.bincount(model.labels_[nearest], weights=weight, minlength=3)
        assert label == votes.argmax()


def test_predict_takes_sparse_rows_after_dense_ones_and_the_other_way(data, fitted):
    X, _, pairs = data
    assert_array_equal(fitted.predict(csr_array(X)), fitted.labels_)
    sparse = clone(fitted).fit(csr_array(X), constraints=pairs)
    assert_array_equal(sparse.predict(X), sparse.labels_)


def test_predict_does_not_look_at_parameters_that_were_changed(data, fitted):
    changed = clone(fitted).fit(data[0], constraints=data[2]).set_params(n_clusters=2)
    assert_array_equal(changed.predict(data[0]), fitted.labels_)


def test_predict_before_fit_is_refused():
    with pytest.raises(NotFittedError):
        DGSL().predict(np.ones((2, 2)))


def test_cross_validation_cannot_slice_pairs(data):
    """Pairs for all rows reach fit whole and are refused for a part of them, loudly."""
    X, y, pairs = data
    with pytest.raises(ValueError, match="constraints cover 120 samples but X has 80 rows"):
        cross_validate(
            DGSL(3),
            X,
            y,
            cv=3,
            params={"constraints": pairs},
            scoring="adjusted_rand_score",
            error_score="raise",
        )


def test_progress_is_a_callback(data):
    X, _, pairs = data
    seen = []
    model = DGSL(3).fit(X, constraints=pairs, callback=lambda state: seen.append(state.iteration))
    assert seen == list(range(1, model.n_iter_ + 1))


def test_every_parameter_is_in_the_docstring():
    names = list(inspect.signature(DGSL).parameters)
    manual = inspect.getdoc(DGSL)
    documented = re.findall(r"^(\w+) : ", manual.split("Attributes")[0], re.M)
    assert documented == names
    attributes = re.findall(r"^(\w+_) : ", manual, re.M)
    model = DGSL(2).fit(pd.DataFrame({"a": [0.0, 1.0, 3.0]}))
    public = {name for name in dir(model) if name.endswith("_") and name[0] != "_"}
    assert set(attributes) == public
