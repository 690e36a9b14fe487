"""Models come back from files as they were."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

from problems import blobs
from samekind import SC, SameKind, Supervision, TraceRatioLDA
from samekind.app.model import SavedModel, load_model, save_model
from samekind.estimators._base.registry import METHODS

X, Y = blobs(5, n_per_class=9, k=3, d=4, spread=1.0)
SOME = np.where(np.arange(len(Y)) % 3 == 0, Y, -1)
NEW = np.random.default_rng(0).normal(size=(60, 4)) * X.std(axis=0) + X.mean(axis=0)


def fitted(name, rows=X):
    method = METHODS[name]
    estimator = method.estimator(random_state=0)
    if not method.takes_labels:
        estimator.set_params(n_clusters=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(rows, SOME)


def kept(estimator, folder):
    save_model(estimator, folder / "model.skops")
    return load_model(folder / "model.skops").estimator


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.clusters])
def test_every_method_predicts_the_same_from_a_file(name, tmp_path):
    before = fitted(name)
    after = kept(before, tmp_path)
    assert type(after) is type(before)
    assert after.get_params() == before.get_params()
    assert after.status_ is before.status_
    assert set(vars(before)) - set(vars(after)) <= {"representation_"}
    np.testing.assert_array_equal(after.labels_, before.labels_)
    for rows in (X, NEW):
        np.testing.assert_array_equal(after.predict(rows), before.predict(rows))
    if hasattr(before, "predict_proba"):
        np.testing.assert_allclose(after.predict_proba(NEW), before.predict_proba(NEW), atol=1e-5)
        np.testing.assert_array_equal(after.predict_proba(X), before.predict_proba(X))


def test_records_and_graphs_come_back(tmp_path):
    before = SameKind(random_state=0, n_clusters=None).fit(X, SOME)
    after = kept(before, tmp_path)
    assert str(after.choice_) == str(before.choice_)
    assert repr(after.choice_.candidates) == repr(before.choice_.candidates)  # so too
    assert repr(after.history_) == repr(before.history_)  # nan is not equal to itself
    assert str(after.constraint_report_) == str(before.constraint_report_)
    assert abs(after.affinity_matrix_ - before.affinity_matrix_).max() == 0
    assert after.n_clusters_ == before.n_clusters_


def test_learned_distances_come_back(tmp_path):
    rng, y = np.random.default_rng(0), np.arange(160) % 2
    rows = rng.standard_normal((160, 9))
    rows[:, 0] = 0.6 * (2 * y - 1) + 0.1 * rng.standard_normal(160)
    before = SameKind(2, random_state=0).fit(rows, np.where(np.arange(160) < 24, y, -1))
    assert before.choice_.metric_learned
    after = kept(before, tmp_path)
    assert str(after.choice_) == str(before.choice_)
    np.testing.assert_array_equal(after.predict(rows), before.labels_)


def test_sparse_rows_and_names_of_features_come_back(tmp_path):
    pd = pytest.importorskip("pandas")
    after = kept(fitted("sc", csr_array(X)), tmp_path)
    np.testing.assert_array_equal(after.predict(csr_array(X)), after.labels_)
    frame = pd.DataFrame(X, columns=list("abcd"))
    after = kept(fitted("sc", frame), tmp_path)
    assert after.feature_names_in_.tolist() == list("abcd")
    np.testing.assert_array_equal(after.predict(frame), after.labels_)


def test_rows_are_kept_with_32_bits_where_that_changes_nothing(tmp_path):
    assert kept(fitted("sc"), tmp_path)._fit_X.dtype == np.float32
    far = 1e9 + X  # with 32 bits all rows would be one
    after = kept(fitted("sc", far), tmp_path)
    assert after._fit_X.dtype == np.float64
    np.testing.assert_array_equal(after.predict(far), fitted("sc", far).predict(far))
    huge = np.full((1, 4), 1e200)  # beyond the numbers that 32 bits hold
    assert kept(fitted("sc"), tmp_path).predict(huge)[0] in Y


def test_what_is_known_of_the_rows_comes_back(tmp_path):
    ids, names = tuple(f"row, {i}" for i in range(27)), ("cat", "dog", "ewe")
    known = Supervision.from_labels([names[label] if label >= 0 else None for label in SOME])
    words = [f"word{i}" for i in range(200)]
    given = {"encoder": {"kind": "table", "words": words, "centers": [0.5, 1.0]}, "id": None}
    model = SavedModel(fitted("sc"), known, names, ids, "blobs.csv", given)
    save_model(model, tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert (again.known, again.names, again.ids) == (known, names, ids)
    assert (again.source, again.inputs) == ("blobs.csv", given)
    assert again.row_named("row, 7") == 7
    with pytest.raises(ValueError, match="did you mean 'row, 7'"):
        again.row_named("row 7")
    pairs = Supervision.from_pairs(27, [(0, 3)], [(1, 2)])
    save_model(SavedModel(fitted("sc"), pairs), tmp_path / "m")
    again = load_model(tmp_path / "m")
    assert again.known == pairs
    for wrong in ("27", "-1", "x"):
        with pytest.raises(ValueError, match="0 to 26"):
            again.row_named(wrong)


@pytest.mark.parametrize(
    ("model", "error"),
    [
        (SC(3), ValueError),
        (TraceRatioLDA(), TypeError),
        ({"labels_": [0]}, TypeError),
    ],
)
def test_what_is_no_fitted_method_is_refused_and_nothing_is_written(model, error, tmp_path):
    with pytest.raises(error, match=r"fitted yet|cannot be kept"):
        save_model(model, tmp_path / "m")
    assert not list(tmp_path.iterdir())
