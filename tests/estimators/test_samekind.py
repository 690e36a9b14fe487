"""SameKind: right without parameters, in any units, with anything known."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from samekind import PairConstraints, SameKind, Status, sample_labels, sample_pairs
from samekind.estimators._base import plan
from samekind.metrics import clustering_accuracy


def six_groups(d, n=240, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 6
    centers = rng.normal(size=(6, d))
    centers *= 8 / np.linalg.norm(centers, axis=1, keepdims=True)
    return centers[y] + rng.normal(size=(n, d)), y


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:300], y[:300]


@pytest.fixture(scope="module")
def few_digits(digits):
    return digits[0][:120], digits[1][:120]


@pytest.mark.parametrize("d", [5, 30, 384])
@pytest.mark.parametrize("unit", [1e-3, 1e3])
def test_six_clean_groups_do_not_collapse(d, unit):
    X, y = six_groups(d)
    known = sample_labels(y, 2, random_state=0)
    for constraints in (None, PairConstraints.from_labels(known)):
        model = SameKind(6, random_state=0).fit(unit * X, constraints=constraints)
        assert clustering_accuracy(y, model.labels_) > 0.98
        assert model.status_.usable


@pytest.mark.parametrize("n_labels", [0, 1])
def test_two_groups_in_the_plane(n_labels):
    """Both lie on one line through the mean, which the representation graph joins."""
    rng, y = np.random.default_rng(6), np.arange(100) % 2
    X = rng.standard_normal((100, 2)) + np.outer(6 * y - 3, [np.cos(6), np.sin(6)])
    known = np.where(np.arange(100) < 2 * n_labels, y, -1)
    model = SameKind(2, random_state=0).fit(X, constraints=PairConstraints.from_labels(known))
    assert clustering_accuracy(y, model.labels_) == 1


@pytest.mark.parametrize("n_labels", [0, 1])
def test_groups_in_many_noisy_features_are_found_by_components(n_labels):
    """Of the rows themselves no graph finds them."""
    rng, y = np.random.default_rng(8), np.arange(300) % 6
    centers = rng.normal(size=(6, 500))
    centers *= 5 / np.linalg.norm(centers, axis=1, keepdims=True)
    X = centers[y] + rng.normal(size=(300, 500))
    known = sample_labels(y, n_labels, random_state=0) if n_labels else np.full(300, -1)
    model = SameKind(6, random_state=0).fit(X, constraints=PairConstraints.from_labels(known))
    assert clustering_accuracy(y, model.labels_) > 0.9
    assert model.status_.usable
    assert model.status_ is not Status.UNDECIDED
    assert model.choice_.n_components == 6
    assert "6 principal components" in str(model.choice_)
    assert (model.predict(X) == model.labels_).all()
    new = centers[y] + rng.normal(size=(300, 500))
    assert clustering_accuracy(y, model.predict(new)) > 0.8


def test_groups_that_neighbors_hardly_show_are_found_by_components():
    """Labels of the rows themselves would be wrong, 23 %, and called converged."""
    rng, y = np.random.default_rng(1), np.arange(600) % 6
    centers = rng.normal(size=(6, 384))
    centers *= 3.6 / np.linalg.norm(centers, axis=1, keepdims=True)
    X = centers[y] + rng.normal(size=(600, 384))
    model = SameKind(6, random_state=0).fit(X, constraints=sample_pairs(y, 10, 10, random_state=0))
    assert clustering_accuracy(y, model.labels_) > 0.85
    assert model.choice_.n_components == 6


@pytest.mark.parametrize("n_labels", [0, 5])
@pytest.mark.parametrize(("sizes", "d"), [((475, 25), 2), ((475, 25), 20), ((400, 60, 40), 2)])
def test_plain_groups_of_unequal_size(sizes, d, n_labels):
    """Modularity rather cuts the largest in two: 56 to 84 %, and called converged."""
    rng, k = np.random.default_rng(1), len(sizes)
    y = np.repeat(np.arange(k), sizes)
    around = np.arange(k) * 2 * np.pi / k
    centers = np.zeros((k, d))
    centers[:, 0], centers[:, 1] = np.cos(around), np.sin(around)
    X = centers[y] * 4 / np.sin(np.pi / k) + rng.standard_normal((len(y), d))
    known = sample_labels(y, n_labels, random_state=0) if n_labels else np.full(len(y), -1)
    model = SameKind(k, random_state=0).fit(X, constraints=PairConstraints.from_labels(known))
    assert clustering_accuracy(y, model.labels_) > 0.97
    assert model.status_.converged
    np.testing.assert_array_equal(model.probabilities_.argmax(axis=1), model.labels_)
    assert (model.predict(X) == model.labels_).all()


@pytest.mark.parametrize("n_pairs", [0, 20])
def test_subspaces_that_neighbors_hardly_show_are_not_reduced(n_pairs):
    """All have one mean; the directions of most variance are those of none of them."""
    rng, y = np.random.default_rng(0), np.arange(600) % 5
    X = 0.3 * rng.standard_normal((600, 20))
    for of in range(5):
        directions = np.linalg.qr(rng.standard_normal((20, 8)))[0]
        X[y == of] += rng.standard_normal((120, 8)) @ directions.T
    pairs = sample_pairs(y, n_pairs // 2, n_pairs // 2, random_state=0)
    model = SameKind(5, random_state=0).fit(X, constraints=pairs)
    assert model.choice_.by_modularity(1) < 0.5
    assert model.choice_.n_components is None
    assert clustering_accuracy(y, model.labels_) > 0.6


@pytest.mark.parametrize("n_known", [5, 10])
def test_a_large_kind_of_which_labels_are_known_is_not_cut(n_known):
    """700 beside 15; modularity would rather have two halves."""
    X = np.random.default_rng(1).normal(size=(715, 5))
    X[700:] += 3
    y = np.repeat([0, 1], [700, 15])
    model = SameKind(2, random_state=0).fit(X, sample_labels(y, n_known, random_state=1))
    assert clustering_accuracy(y, model.labels_) > 0.98
    assert model.status_.usable


def test_many_labels_are_not_overruled_by_modularity():
    y = np.repeat([0, 1], (950, 50))
    rng = np.random.default_rng(2)
    X = rng.normal(size=(1000, 4)) + rng.normal(size=(2, 4))[y] * 2.2
    known = np.where(rng.random(1000) < 0.1, y, -1)
    model = SameKind(2, random_state=0).fit(X, known)
    assert clustering_accuracy(y, model.labels_) > 0.95


@pytest.fixture(scope="module")
def striped():
    """Two kinds that differ in one direction of nine, in which little varies."""
    rng, y = np.random.default_rng(0), np.arange(260) % 2
    X = rng.standard_normal((260, 9))
    X[:, 0] = 0.6 * (2 * y - 1) + 0.1 * rng.standard_normal(260)
    return X @ np.linalg.qr(rng.standard_normal((9, 9)))[0], y


def of_stripes(y, form):
    if form == "pairs":
        return sample_pairs(y, 40, 40, random_state=0)
    return PairConstraints.from_labels(sample_labels(y, 12, random_state=0))


@pytest.mark.parametrize("form", ["labels", "pairs"])
def test_what_varies_within_a_kind_counts_less(striped, form):
    """Without that, half of the labels are wrong."""
    (X, y), new = (part[:160] for part in striped), striped[0][160:]
    model = SameKind(2, random_state=0).fit(X, constraints=of_stripes(y, form))
    assert clustering_accuracy(y, model.labels_) > 0.95
    assert model.choice_.metric_learned
    before, after = model.choice_.metric_by_pairs
    assert after > before
    assert "what varies among samples of the same kind counts less" in str(model.choice_)
    assert_array_equal(model.predict(X), model.labels_)
    assert clustering_accuracy(striped[1][160:], model.predict(new)) > 0.95


def test_such_distances_do_not_depend_on_units_origin_or_order(striped):
    X, y = (part[:160] for part in striped)
    pairs = of_stripes(y, "labels")
    model = SameKind(2, random_state=0).fit(X, constraints=pairs)
    for changed in (1e-6 * X, 1e6 * X + 1e6):
        other = SameKind(2, random_state=0).fit(changed, constraints=pairs)
        assert other.choice_.metric_learned
        assert adjusted_rand_score(other.labels_, model.labels_) == 1
    order = np.random.default_rng(0).permutation(160)
    other = SameKind(2, random_state=0).fit(X[order], constraints=pairs.subset(order))
    assert adjusted_rand_score(other.labels_, model.labels_[order]) == 1


def test_what_tells_kinds_apart_counts_more_where_all_are_known_by_labels():
    """Features that say nothing and vary more; without that, 38 % are wrong."""
    rng, y = np.random.default_rng(0), np.arange(400) % 2
    X = rng.standard_normal((400, 20))
    X[:, 0] += 1.5 * (2 * y - 1)
    X[:, 1:] *= rng.uniform(1, 3, 19)
    X = X @ np.linalg.qr(rng.standard_normal((20, 20)))[0]
    model = SameKind(2, random_state=0).fit(X, sample_labels(y, 25, random_state=0))
    assert model.choice_.n_directions == 1
    assert "what tells kinds apart more" in str(model.choice_)
    assert clustering_accuracy(y, model.labels_) > 0.8
    assert_array_equal(model.predict(X), model.labels_)
    other = SameKind(2, random_state=0).fit(1e6 * X - 1e6, sample_labels(y, 25, random_state=0))
    assert adjusted_rand_score(other.labels_, model.labels_) == 1


def test_distances_stay_as_they_are_where_labels_tell_nothing(striped):
    X, y = (part[:160] for part in striped)
    wrong = np.random.default_rng(2).permutation(y)
    model = SameKind(2, random_state=0).fit(X, constraints=of_stripes(wrong, "labels"))
    assert not model.choice_.metric_learned


def test_noise_is_not_called_converged():
    X = np.random.default_rng(250).standard_normal((200, 50))
    with pytest.warns(ConvergenceWarning, match="nothing decides between the graphs"):
        model = SameKind(6, random_state=0).fit(X)
    assert model.status_ is Status.UNDECIDED
    assert model.choice_.n_components is None


def test_wine_in_its_own_units():
    """k-means finds 70 % there, as one column decides alone."""
    X, y = load_wine(return_X_y=True)
    model = SameKind(3, random_state=0).fit(X)
    assert clustering_accuracy(y, KMeans(3, n_init=10, random_state=0).fit(X).labels_) < 0.75
    assert clustering_accuracy(y, model.labels_) > 0.9
    assert model.choice_.standardized
    assert model.choice_.standardized_by == "units"


@pytest.mark.parametrize("setting", ["none", "pairs", "labels"])
def test_units_origin_and_order_do_not_matter(digits, setting):
    X, y = (of[:150] for of in digits)
    pairs = {
        "none": PairConstraints(150),
        "pairs": sample_pairs(y, 15, 15, random_state=0),
        "labels": PairConstraints.from_labels(sample_labels(y, 3, random_state=0)),
    }[setting]
    model = SameKind(10, random_state=0)
    labels = model.fit(X, constraints=pairs).labels_
    for changed in (1e-6 * X, 1e6 * X + 1e6 * X.std()):
        other = model.fit(changed, constraints=pairs).labels_
        assert np.mean(other == labels) > 0.99 or adjusted_rand_score(other, labels) > 0.98
    order = np.random.default_rng(0).permutation(150)
    other = model.fit(X[order], constraints=pairs.subset(order)).labels_
    assert adjusted_rand_score(other, labels[order]) > 0.97


@pytest.mark.parametrize("n_labels", [0, 3])
def test_units_origin_and_order_do_not_matter_to_clusters_of_the_rows(n_labels):
    rng, y = np.random.default_rng(4), np.repeat([0, 1], [190, 10])
    X = np.column_stack([8.0 * y, 0 * y]) + rng.standard_normal((200, 2))
    known = sample_labels(y, n_labels, random_state=0) if n_labels else np.full(200, -1)
    pairs = PairConstraints.from_labels(known)
    model = SameKind(2, random_state=0).fit(X, constraints=pairs)
    assert clustering_accuracy(y, model.labels_) > 0.98
    assert n_labels or model.choice_.start == "k-means on the rows"
    labels = model.labels_
    for changed in (1e-6 * X, 1e6 * X + 1e6 * X.std()):
        other = model.fit(changed, constraints=pairs).labels_
        assert adjusted_rand_score(other, labels) == 1
    order = np.random.default_rng(0).permutation(200)
    other = model.fit(X[order], constraints=pairs.subset(order)).labels_
    assert adjusted_rand_score(other, labels[order]) == 1


@pytest.mark.parametrize("divisor", [16, 255, 3e5])
def test_neighbors_at_one_distance_stay_in_order(few_digits, divisor):
    """Whole numbers have many ties, which rounding would break in other units."""
    X, y = few_digits
    pairs = sample_pairs(y, 10, 10, random_state=0)
    labels = SameKind(10, random_state=0).fit(X, constraints=pairs).labels_
    other = SameKind(10, random_state=0).fit(X / divisor, constraints=pairs).labels_
    assert adjusted_rand_score(labels, other) > 0.98


def test_the_same_seed_gives_the_same_labels(few_digits):
    X, y = few_digits
    pairs = sample_pairs(y, 10, 10, random_state=0)
    fits = [SameKind(10, random_state=3).fit(X, constraints=pairs) for _ in range(2)]
    assert_array_equal(fits[0].labels_, fits[1].labels_)
    assert_array_equal(fits[0].probabilities_, fits[1].probabilities_)


def test_more_is_known_more_is_right(digits):
    X, y = digits
    found = [
        clustering_accuracy(y, SameKind(10, random_state=0).fit(X, constraints=pairs).labels_)
        for pairs in (None, PairConstraints.from_labels(sample_labels(y, 8, random_state=0)))
    ]
    assert found[1] >= found[0]
    assert found[1] > 0.9


def test_must_links_always_hold(few_digits):
    X, y = few_digits
    wrong = sample_pairs(np.random.default_rng(1).permutation(y), 30, 30, random_state=1)
    with pytest.warns(ConvergenceWarning):
        model = SameKind(10, random_state=0).fit(X, constraints=wrong)
    assert len(model.constraint_report_.violated_must_link) == 0
    assert model.status_ in (Status.UNDECIDED, Status.FIRST_GRAPH)
    assert model.status_.usable


def test_partial_labels_of_any_kind_and_complete_ones_ignored(few_digits):
    X, y = few_digits
    known = sample_labels(y, 3, random_state=0)
    names = np.array([None if one == -1 else f"digit {one}" for one in known], dtype=object)
    floats = np.where(known == -1, np.nan, known)
    expected = SameKind(10, random_state=0).fit(X, constraints=PairConstraints.from_labels(known))
    for given in (known, names, floats):
        assert_array_equal(SameKind(10, random_state=0).fit(X, given).labels_, expected.labels_)
    alone = SameKind(10, random_state=0).fit(X)
    assert_array_equal(SameKind(10, random_state=0).fit(X, y).labels_, alone.labels_)


def test_labels_and_pairs_together(few_digits):
    X, y = few_digits
    known = sample_labels(y, 2, random_state=0)
    pairs = sample_pairs(y, 5, 5, random_state=1)
    model = SameKind(10, random_state=0).fit(X, known, constraints=pairs)
    report = model.constraint_report_
    assert report.n_must_link >= 10 + 5 - 2  # one from each class, and what was given


def test_more_names_than_clusters_is_a_warning(few_digits):
    X, y = few_digits
    with pytest.warns(UserWarning, match="marked different"):
        model = SameKind(5, random_state=0).fit(X, sample_labels(y, 2, random_state=0))
    assert set(model.labels_) <= set(range(5))
    assert model.choice_.n_named == 5


def test_probabilities_and_prediction_agree_with_the_labels(digits):
    X, y = digits
    known = sample_labels(y, 3, random_state=0)
    model = SameKind(10, random_state=0).fit(X[:220], known[:220])
    assert_array_equal(model.probabilities_.argmax(axis=1), model.labels_)
    np.testing.assert_allclose(model.probabilities_.sum(axis=1), 1)
    given = known[:220] >= 0
    assert (model.probabilities_[given].max(axis=1) == 1).all()
    assert_array_equal(model.predict(X[:220]), model.labels_)
    np.testing.assert_allclose(model.predict_proba(X[:220]), model.probabilities_)
    new = model.predict_proba(X[220:])
    assert new.shape == (80, 10)
    np.testing.assert_allclose(new.sum(axis=1), 1)
    assert clustering_accuracy(y[220:], model.predict(X[220:])) > 0.8
    wrong = model.labels_ != model.predict(X[:220] + 1e-9)
    assert not wrong.any()


def test_the_choice_is_told_in_numbers_and_words(few_digits):
    X, y = few_digits
    model = SameKind(10, random_state=0).fit(X, constraints=sample_pairs(y, 30, 30, random_state=0))
    choice = model.choice_
    assert len(choice.candidates) == 17
    assert sum(one.kept for one in choice.candidates) >= 1
    assert all(0 <= one.by_pairs <= 1 for one in choice.candidates)
    assert "graphs kept" in str(choice)


def test_a_graph_of_the_user_takes_the_place_of_the_local_graphs():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    W = (y[:, None] == y) & (rng.random((60, 60)) < 0.3)
    W = csr_array((W | W.T).astype(float))
    model = SameKind(2, random_state=0).fit(rng.standard_normal((60, 20)), graph=W)
    assert {one.n_neighbors for one in model.choice_.candidates} == {None, "graph"}
    assert clustering_accuracy(y, model.labels_) > 0.95


@pytest.mark.parametrize(
    "X",
    [
        np.ones((20, 3)),
        np.repeat(np.eye(4), 5, axis=0),
        np.arange(20.0)[:, None],
        np.column_stack([np.arange(20.0), np.ones(20)]),
        np.array([[0.0], [1.0], [5.0]]),
        np.eye(20),
    ],
    ids=["equal", "repeated", "one column", "constant column", "three rows", "one-hot"],
)
@pytest.mark.filterwarnings("ignore")
def test_degenerate_rows_have_a_defined_result(X):
    model = SameKind(3, random_state=0).fit(X)
    assert model.labels_.shape == (len(X),)
    assert isinstance(model.status_, Status)
    assert np.isfinite(model.probabilities_).all()


def test_standardize_as_asked():
    X, _ = load_wine(return_X_y=True)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    asked = SameKind(3, standardize=True, random_state=0).fit(X)
    assert asked.choice_.standardized_by == "parameter"
    plain = SameKind(3, standardize=False, random_state=0).fit(scaled)
    assert adjusted_rand_score(asked.labels_, plain.labels_) > 0.97
    with pytest.raises(ValueError, match="'standardize' parameter of SameKind must be a bool or"):
        SameKind(3, standardize="yes").fit(X)


def test_many_samples_are_represented_by_their_neighbors(monkeypatch, digits):
    X, y = digits
    monkeypatch.setattr(plan, "WHOLE_UP_TO", 100)
    model = SameKind(10, random_state=0).fit(X, sample_labels(y, 5, random_state=0))
    assert clustering_accuracy(y, model.labels_) > 0.9
    assert all(one.local_share == 1 for one in model.choice_.candidates)
    moved = SameKind(10, random_state=0).fit(1e4 * X - 3, sample_labels(y, 5, random_state=0))
    assert adjusted_rand_score(moved.labels_, model.labels_) > 0.98


def test_verbose_writes_and_silence_does_not(capsys):
    X, _ = six_groups(4, n=60)
    SameKind(6, random_state=0).fit(X)
    assert capsys.readouterr().out == ""
    SameKind(6, random_state=0, verbose=1).fit(X)
    assert "[SameKind] chose a graph" in capsys.readouterr().out


def test_unequal_groups_are_found_without_pairs():
    rng = np.random.default_rng(0)
    sizes = [200, 60, 18]
    y = np.repeat([0, 1, 2], sizes)
    centers = rng.normal(size=(3, 4))
    centers *= 6 / np.linalg.norm(centers, axis=1, keepdims=True)
    X = centers[y] + rng.normal(size=(len(y), 4)) * rng.uniform(0.6, 1.4, 3)[y][:, None]
    assert clustering_accuracy(y, SameKind(3, random_state=0).fit(X).labels_) > 0.95


@pytest.mark.parametrize("n_features", [2, 12, 20])
def test_a_small_group_apart_is_found_without_pairs(n_features):
    """Modularity would rather cut the large one, and two directions in it look like two groups."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [150, 20])
    X = rng.normal(size=(170, n_features)) + 8 * y[:, None] / np.sqrt(n_features)
    assert clustering_accuracy(y, SameKind(2, random_state=0).fit(X).labels_) > 0.95
