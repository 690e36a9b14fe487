"""Cross-validation with pairs: each fold gets the pairs among its rows, and no others."""

import pickle

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.metrics import rand_score
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from libraries import needs_routed_scores
from problems import blobs
from samekind import HI, SC, SL, PairConstraints, SameKind, sample_labels, sample_pairs
from samekind.constraints.indexable import IndexablePairs
from samekind.model_selection import PairShuffleSplit

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(autouse=True)
def _routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def data():
    """Three blobs whose first feature is the row number, and pairs among half of the rows."""
    X, y = blobs(3, n_per_class=20, k=3, d=6, spread=0.6)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = np.column_stack([np.arange(len(y)), X[order]]), y[order]
    return X, y, sample_pairs(y, 20, 25, random_state=1)


class Recorder(SL):
    """Remembers what came, and clusters without the row numbers."""

    def fit(self, X, y=None, *, constraints=None):
        self.seen = [(X[:, 0], constraints)]
        return super().fit(X[:, 1:], y, constraints=constraints)

    def predict(self, X):
        return super().predict(X[:, 1:])

    def score(self, X, y=None, *, constraints=None, sample_weight=None):
        self.seen.append((X[:, 0], constraints))
        return super().score(X, y, constraints=constraints)


def pairs_of(rows, constraints):
    """The pairs as row numbers of the whole X."""
    assert constraints.n_samples == len(rows)
    return [
        {tuple(sorted(pair)) for pair in np.round(rows)[kind].astype(int).tolist()}
        for kind in (constraints.must_link, constraints.cannot_link)
    ]


def among(pairs, rows):
    kept = set(np.round(rows).astype(int).tolist())
    kinds = pairs.must_link.tolist(), pairs.cannot_link.tolist()
    return [{(i, j) for i, j in kind if {i, j} <= kept} for kind in kinds]


@pytest.mark.parametrize("rows", [[5, 0, 3], [True, False, True, False, True, True], slice(1, 5)])
def test_rows_of_pairs_are_the_pairs_among_these_rows(rows):
    pairs = PairConstraints(6, [(0, 5), (1, 2)], [(3, 5), (0, 1)])
    cut, numbers = pairs.indexable()[rows], np.arange(6)[rows]
    assert pairs_of(numbers, cut) == among(pairs, numbers)
    assert isinstance(cut, IndexablePairs)
    assert cut == pairs.subset(numbers) == pairs.indexable()[rows, ...]


def test_indexable_pairs_are_the_same_value():
    pairs = PairConstraints(6, [(0, 5)], [(3, 5)])
    whole = pairs.indexable()
    assert whole == pairs == pickle.loads(pickle.dumps(whole))
    assert (len(whole), whole.shape) == (6, (6,))
    assert isinstance(pickle.loads(pickle.dumps(whole)), IndexablePairs)
    for wrong, error in ((0, ValueError), ([0, 0], ValueError), ("a", (TypeError, ValueError))):
        with pytest.raises(error):
            whole[wrong]
    with pytest.raises(TypeError, match="must_link"):
        list(whole)


@pytest.mark.parametrize("kind", ["pairs", "labels"])
def test_a_split_holds_out_pairs_with_their_rows(data, kind):
    X, y, pairs = data
    given = {"constraints": pairs}
    if kind == "labels":
        given = {"y": sample_labels(y, 6, random_state=0)}
        pairs = PairConstraints.from_labels(given["y"])
    splitter = PairShuffleSplit(8, test_size=0.3, random_state=3)
    splits = list(splitter.split(X, **given))
    assert len(splits) == splitter.get_n_splits() == 8
    n_rows = len(np.unique(np.vstack([pairs.must_link, pairs.cannot_link])))
    for train, test in splits:
        assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(X)))
        held_out, left = pairs.subset(test), pairs.subset(train)
        assert len(test) == pytest.approx(0.3 * n_rows, abs=1)
        assert min(map(len, (held_out.must_link, held_out.cannot_link, left.must_link))) > 0
        assert set(np.vstack([held_out.must_link, held_out.cannot_link]).ravel()) == set(
            range(len(test))
        )
    again = list(PairShuffleSplit(8, test_size=0.3, random_state=3).split(X, **given))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(splits, again, strict=True))
    assert len({tuple(test) for _, test in splits}) == 8


@pytest.mark.parametrize(
    ("splitter", "pairs", "words"),
    [
        (PairShuffleSplit(), PairConstraints(60), "no pairs came"),
        (PairShuffleSplit(), PairConstraints(60, [(0, 1)]), "give more pairs"),
        (PairShuffleSplit(), PairConstraints(50, [(0, 1)]), "cover 50 samples"),
        (PairShuffleSplit(test_size=1.0), PairConstraints(60, [(0, 1)]), "'test_size'"),
        (PairShuffleSplit(0), PairConstraints(60, [(0, 1)]), "'n_splits'"),
    ],
)
def test_splits_that_cannot_be_made_are_refused(data, splitter, pairs, words):
    with pytest.raises(ValueError, match=words):
        list(splitter.split(data[0], constraints=pairs))


@pytest.mark.parametrize("cv", [PairShuffleSplit(3, random_state=0), KFold(2)], ids=repr)
@pytest.mark.parametrize(
    "scaled",
    [
        pytest.param(False, id="alone"),
        pytest.param(True, id="in a pipeline", marks=needs_routed_scores),
    ],
)
def test_no_pair_of_a_test_set_reaches_the_training(data, cv, scaled):
    """Pairs that arrive in fit and in score, traced back to rows of the whole X."""
    X, _, pairs = data
    model = make_pipeline(StandardScaler(), Recorder(3)) if scaled else Recorder(3)
    found = cross_validate(
        model,
        X,
        cv=cv,
        params={"constraints": pairs.indexable()},
        return_estimator=True,
        return_indices=True,
        error_score="raise",
    )
    for fold, fitted in enumerate(found["estimator"]):
        scaler, recorder = fitted if scaled else (None, fitted)
        (trained, in_fit), (tested, in_score) = recorder.seen
        if scaled:
            trained, tested = (x * scaler.scale_[0] + scaler.mean_[0] for x in (trained, tested))
        assert_array_equal(np.round(trained), found["indices"]["train"][fold])
        assert_array_equal(np.round(tested), found["indices"]["test"][fold])
        assert pairs_of(trained, in_fit) == among(pairs, trained)
        assert pairs_of(tested, in_score) == among(pairs, tested)
        assert not set(np.round(trained)) & set(np.round(tested))
        kept = in_score.evaluate(fitted.predict(X[found["indices"]["test"][fold]]))
        assert found["test_score"][fold] == kept.satisfaction


def test_pairs_that_say_nothing_score_by_chance():
    """Noise with coin-tossed pairs: kept in training, by chance on pairs that were held out.

    Each sample is in one pair: of two kinds, pairs that hang together would follow from others.
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 4))
    same, other = np.split(rng.permutation(200).reshape(-1, 2), 2)
    pairs = PairConstraints(200, must_link=same, cannot_link=other)
    found = cross_validate(
        SameKind(2, random_state=0),
        X,
        cv=PairShuffleSplit(3, test_size=0.3, random_state=0),
        params={"constraints": pairs.indexable()},
        return_train_score=True,
        error_score="raise",
    )
    assert found["train_score"].mean() > 0.75
    assert 0.25 < found["test_score"].mean() < 0.65


@needs_routed_scores
def test_a_grid_search_in_a_pipeline_finds_the_number_of_clusters(data):
    X, y, pairs = data
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SL(random_state=0)),
        {"sl__n_clusters": [2, 3, 6], "sl__n_neighbors": [7]},
        cv=PairShuffleSplit(4, test_size=0.4, random_state=0),
        error_score="raise",
    )
    search.fit(X[:, 1:], constraints=pairs.indexable())
    assert search.best_params_["sl__n_clusters"] == 3
    assert search.best_score_ > 0.9
    report = search.best_estimator_[-1].constraint_report_
    assert (report.n_must_link, report.n_cannot_link) == (20, 25)  # refitted on all pairs
    assert search.score(X[:, 1:], y) == rand_score(y, search.predict(X[:, 1:]))


def test_requests_can_be_withdrawn(data):
    X, _, pairs = data
    fit = {"params": {"constraints": pairs.indexable()}, "cv": 2, "error_score": "raise"}
    deaf = SL(3, random_state=0).set_fit_request(constraints=False)
    told = cross_validate(deaf, X[:, 1:], return_estimator=True, **fit)
    assert all(model.constraint_report_.given == 0 for model in told["estimator"])


@pytest.mark.filterwarnings("ignore:.*all marked different")
def test_labels_with_unknowns_need_no_routing(data):
    X, y, _ = data
    known = sample_labels(y, 8, random_state=0)
    with sklearn.config_context(enable_metadata_routing=False):
        search = GridSearchCV(
            SL(random_state=0), {"n_clusters": [2, 3]}, cv=ShuffleSplit(2, random_state=0)
        )
        search.fit(X[:, 1:], known)
        assert search.best_params_ == {"n_clusters": 3}
        assert search.best_estimator_.constraint_report_.given == 24 * 23 // 2


def test_what_is_missing_in_cross_validation_is_named(data):
    X, _, pairs = data
    for given, words in ((pairs, "indexable"), (None, "enable_metadata_routing")):
        params = None if given is None else {"constraints": given}
        with pytest.raises(ValueError, match=words):
            cross_validate(SL(3), X[:, 1:], cv=2, params=params, error_score="raise")


def test_the_score_counts_pairs(data):
    X, y, pairs = data
    model = SC(3, random_state=0).fit(X[:, 1:])
    wrong = PairConstraints(3, [(0, 1)], [(0, 2), (1, 2)])
    rows = np.array([np.flatnonzero(y == k)[0] for k in (0, 1, 2)])
    assert model.score(X[rows, 1:], constraints=wrong) == pytest.approx(2 / 3)
    assert model.score(X[rows, 1:], must_link=[(0, 1)]) == 0
    assert model.score(X[rows, 1:], [0, 1, -1], constraints=wrong) == pytest.approx(3 / 4)
    assert model.score(X[:, 1:], y.astype(str)) == 1
    assert model.score(X[:, 1:], constraints=pairs) == pairs.evaluate(model.labels_).satisfaction
    with pytest.raises(ValueError, match="nothing to score"):
        model.score(X[:, 1:])
    with pytest.raises(ValueError, match="no weights"):
        model.score(X[:, 1:], y, sample_weight=np.ones(len(y)))
    with pytest.raises(ValueError, match="59 labels but X has 60 rows"):
        model.score(X[:, 1:], y[:-1])


def test_unknown_labels_do_not_count_in_the_score_of_a_label_method(data):
    X, y, _ = data
    known = sample_labels(y, 8, random_state=0)
    model = HI().fit(X[:, 1:], known)
    assert model.score(X[:, 1:], known) == model.score(X[:, 1:], y) == 1
    assert model.score(X[:2, 1:], [y[0], (y[1] + 1) % 3], sample_weight=[3, 1]) == 0.75
    found = cross_validate(HI(), X[:, 1:], known, cv=StratifiedKFold(3), error_score="raise")
    assert (found["test_score"] == 1).all()
    with pytest.raises(ValueError, match="nothing to score"):
        model.score(X[:2, 1:], [-1, -1])
