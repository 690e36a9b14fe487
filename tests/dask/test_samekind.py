"""SameKind on landmarks of dask arrays and dataframes."""

from types import SimpleNamespace

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask.base import compute
from dask.config import set as configured
from dask.delayed import delayed
from distributed import Client
from distributed.scheduler import KilledWorker

import samekind
from samekind.dask import SameKind
from samekind.metrics import clustering_accuracy


def labels_of(y, n_per_class, kinds=range(5)):
    known = np.full(len(y), -1)
    for kind in kinds:
        known[np.flatnonzero(y == kind)[:n_per_class]] = kind
    return known


@pytest.fixture(scope="module")
def fitted(groups, rows):
    """A label for each of the groups, the rare one too."""
    with configured(scheduler="synchronous"):
        known = labels_of(groups[1], 1, range(6))
        return SameKind(6, n_landmarks=300, random_state=0).fit(rows, known)


def test_labels_are_lazy_and_right(fitted, groups):
    y = groups[1]
    assert isinstance(fitted.labels_, da.Array)
    labels, probabilities = compute(fitted.labels_, fitted.probabilities_)
    assert clustering_accuracy(y, labels) > 0.98
    assert probabilities.shape == (3000, 6)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities.argmax(axis=1) == labels).all()
    assert len(fitted.landmarks_) == 300
    assert (np.diff(fitted.landmarks_) > 0).all()
    assert fitted.status_.usable


def test_a_rare_kind_with_one_label_is_found(fitted, groups):
    y, labels = groups[1], fitted.labels_.compute()
    rare = np.flatnonzero(y == 5)
    found = np.flatnonzero(labels == labels[rare[0]])
    assert np.isin(rare, found).mean() >= 0.8
    assert np.isin(found, rare).mean() >= 0.8


def test_a_rare_kind_without_a_label_is_reported_as_far(groups, rows):
    rare = np.flatnonzero(groups[1] == 5)
    model = SameKind(5, n_landmarks=300, random_state=0).fit(rows, labels_of(groups[1], 2))
    assert np.isin(rare, model.coverage_.far_rows).mean() >= 0.8
    assert model.coverage_.n_far < 60
    assert f"{model.coverage_.n_far} rows" in str(model.coverage_)


def test_far_rows_become_landmarks_in_a_second_round(groups, rows):
    rare = np.flatnonzero(groups[1] == 5)
    one, two = (SameKind(6, n_landmarks=300, n_rounds=n, random_state=0).fit(rows) for n in (1, 2))
    assert np.isin(rare, one.landmarks_).sum() < 6 <= np.isin(rare, two.landmarks_).sum()
    assert two.coverage_.n_far < two.coverage_.n_far_before == one.coverage_.n_far


def test_all_rows_are_landmarks_where_they_are_few(groups):
    X, y = groups[0][:200], groups[1][:200]
    known = labels_of(y, 1)
    whole = samekind.SameKind(5, random_state=0).fit(X, known)
    model = SameKind(5, random_state=0).fit(da.from_array(X, chunks=(100, 16)), known)
    assert (model.labels_.compute() == whole.labels_).all()
    np.testing.assert_array_equal(model.probabilities_.compute(), whole.probabilities_)
    assert model.coverage_.n_far == 0


def test_partitions_and_threads_do_not_change_labels(fitted, groups):
    X, y = groups
    again = SameKind(6, n_landmarks=300, random_state=0)
    with configured(scheduler="threads", num_workers=3):
        again.fit(da.from_array(X, chunks=(1500, 7)), labels_of(y, 1, range(6)))
        labels = again.labels_.compute()
    np.testing.assert_array_equal(again.landmarks_, fitted.landmarks_)
    np.testing.assert_array_equal(labels, fitted.labels_.compute())


def test_a_cluster_gives_the_same_labels_and_progress(fitted, groups, rows, cluster):
    seen = []
    with configured(scheduler=None), Client(cluster):
        model = SameKind(6, n_landmarks=300, random_state=0).fit(
            rows,
            da.from_array(labels_of(groups[1], 1, range(6)), chunks=900),
            on_progress=lambda what, share: seen.append((what, share)),
        )
        labels = model.labels_.compute()
    np.testing.assert_array_equal(labels, fitted.labels_.compute())
    assert ("reading", 1.0) in seen
    assert ("choosing landmarks", 1.0) in seen
    assert any(what == "fitting landmarks" and share > 0 for what, share in seen)


def test_labels_and_probabilities_share_the_work(fitted):
    apart = [set(one.__dask_graph__()) for one in (fitted.labels_, fitted.probabilities_)]
    shared = {str(key) for key in apart[0] & apart[1]}
    assert sum("_label" in key for key in shared) == fitted.labels_.numblocks[0]


def test_a_function_gets_every_partition_with_its_rows(fitted, groups):
    numbers = da.arange(3000, chunks=900)
    found = fitted.map_partitions(
        lambda start, labels, probabilities, far, rows, word: (start, labels, far, rows, word),
        numbers,
        "word",
    )
    assert [(start, len(labels), word) for start, labels, *_, word in found] == [
        (0, 900, "word"),
        (900, 900, "word"),
        (1800, 900, "word"),
        (2700, 300, "word"),
    ]
    labels, far, rows = (np.concatenate([one[i] for one in found]) for i in (1, 2, 3))
    np.testing.assert_array_equal(labels, fitted.labels_.compute())
    np.testing.assert_array_equal(rows, np.arange(3000))
    assert far.sum() == fitted.coverage_.n_far
    with pytest.raises(ValueError, match="3 partitions, but X has 4"):
        fitted.map_partitions(print, da.arange(3000, chunks=1000))


def test_labels_may_be_named_by_their_rows_alone(fitted, groups, rows):
    known = labels_of(groups[1], 1, range(6))
    by_row = {row: f"kind {known[row]}" for row in np.flatnonzero(known >= 0)[::-1]}
    model = SameKind(6, n_landmarks=300, random_state=0).fit(rows, {**by_row, 2999: None})
    np.testing.assert_array_equal(model.landmarks_, fitted.landmarks_)
    np.testing.assert_array_equal(model.labels_.compute(), fitted.labels_.compute())
    rare = int(np.flatnonzero(groups[1] == 5)[0])
    assert model.cluster_names_[model.labels_[rare].compute()] == "kind 5"
    with pytest.raises(ValueError, match=r"rows\[0\] is 3000; expected .* \[0, 3000\)"):
        model.fit(rows, {3000: "a"})


def test_single_precision_stays_on_disk_and_gives_the_labels_of_double(groups, tmp_path):
    X, y = groups[0].astype(np.float32), groups[1]
    da.to_npy_stack(tmp_path, da.from_array(X, chunks=(1000, 16)))
    single = da.from_npy_stack(tmp_path)
    double = da.from_array(X.astype(np.float64), chunks=(1000, 16))
    known = labels_of(y, 1)
    models = [SameKind(5, n_landmarks=300, random_state=0).fit(X, known) for X in (single, double)]
    np.testing.assert_array_equal(*(model.landmarks_ for model in models))
    np.testing.assert_array_equal(*(model.labels_.compute() for model in models))


def test_a_task_that_ends_its_workers_is_told_as_such(cluster, rows, monkeypatch):
    def deadly(*_):
        raise KilledWorker("task", SimpleNamespace(address="tcp://a:1"), 2)

    monkeypatch.setattr("samekind.dask._partitions._taken", deadly)
    monkeypatch.setattr("samekind.dask._running.RETRIES", 0)
    with (
        configured(scheduler=None),
        Client(cluster),
        pytest.raises(MemoryError, match="reading: 3 workers ended one after the other"),
    ):
        SameKind(5, n_landmarks=300, random_state=0).fit(rows)


def test_repeated_rows_make_fewer_cells():
    X = da.from_array(np.repeat(np.eye(3), 200, axis=0), chunks=(100, 3))
    model = SameKind(3, n_landmarks=120, random_state=0).fit(X)
    assert len(np.unique(model.labels_.compute().reshape(3, 200), axis=1)[0]) == 1
    assert model.coverage_.n_far == 0


def test_frames_have_names_and_predict_takes_new_ones(fitted, groups):
    X, y = groups
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(16)])
    parts = dd.from_pandas(frame, npartitions=3)
    model = SameKind(6, n_landmarks=300, random_state=0).fit(parts, labels_of(y, 1, range(6)))
    np.testing.assert_array_equal(model.landmarks_, fitted.landmarks_)
    assert model.feature_names_in_[1] == "f1"
    new = dd.from_pandas(frame[:500], npartitions=2)
    predicted, probabilities = compute(model.predict(new), model.predict_proba(new))
    assert (predicted == fitted.labels_[:500].compute()).mean() > 0.99
    assert (probabilities.argmax(axis=1) == predicted).all()
    with pytest.raises(ValueError, match=r"their order differs.*feature_names_in_"):
        model.predict(new[[*new.columns[::-1]]])
    with pytest.raises(ValueError, match="missing: f3; new: other"):
        model.predict(new.rename(columns={"f3": "other"}))


def test_pairs_hold_and_are_reported_by_their_rows(groups, rows):
    a, b = np.flatnonzero(groups[1] == 0)[-2:]
    c = np.flatnonzero(groups[1] == 1)[-1]
    model = SameKind(5, n_landmarks=300, random_state=0)
    model.fit(rows, must_link=[(a, b), (b, c)])
    assert {a, b, c} <= set(model.landmarks_)
    labels = model.labels_.compute()
    assert labels[a] == labels[b] == labels[c]
    with pytest.warns(UserWarning, match="marked different"):
        model.set_params(n_clusters=1).fit(rows, cannot_link=[(a, c)])
    assert model.constraint_report_.violated_cannot_link.tolist() == [sorted([a, c])]


def test_units_do_not_matter_where_one_feature_would_decide(groups):
    X, y = groups
    wide = np.column_stack([1000 * np.random.default_rng(1).standard_normal(len(X)), X])
    model = SameKind(5, n_landmarks=300, random_state=0)
    model.fit(da.from_array(wide, chunks=(1000, 17)), labels_of(y, 5))
    assert clustering_accuracy(y, model.labels_.compute()) > 0.9


def with_nan(X):
    X = X.copy()
    X[1234, 3] = np.nan
    return da.from_array(X, chunks=(1000, 16))


def with_a_blank(X):
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"]).convert_dtypes()
    frame.iloc[1234, 0] = pd.NA
    return dd.from_pandas(frame, npartitions=3)


def with_a_narrow_part(X):
    narrow = da.from_array(X[1000:2000], chunks=(1000, 16)).map_blocks(
        lambda block: block[:, :15], chunks=((1000,), (16,))
    )
    return da.concatenate([da.from_array(X[:1000], chunks=(1000, 16)), narrow])


def with_a_mask(X):
    X = X.copy()
    X[1234, 5] = 2 * X.max()
    rows = da.from_array(X, chunks=(1000, 16))
    return da.ma.masked_greater(rows, np.delete(X, 1234, axis=0).max())


def with_unknown_sizes(X):
    rows = da.from_array(X, chunks=(1000, 16))
    return rows[rows[:, 0] > 0]


def with_other_columns(X):
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"])
    parts = [delayed(frame[:1000]), delayed(frame[1000:][["b", "a"]])]
    return dd.from_delayed(parts, meta=frame[:0], verify_meta=False)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda X: X, "X is a ndarray; expected a dask array or dataframe"),
        (with_nan, r"row 1234 of X \(partition 1\) holds NaN"),
        (with_a_blank, r"row 1234 of X \(partition 1\) holds NaN"),
        (with_a_mask, r"row 1234 of X \(partition 1\) holds NaN"),
        (with_unknown_sizes, "unknown size.*compute_chunk_sizes"),
        (with_a_narrow_part, r"partition 1 of X has the shape \(1000, 15\).* 16 features"),
        (with_other_columns, "partition 1 of X has the columns b, a"),
        (lambda X: da.from_array(X[:, 0], chunks=1000), "two dimensions"),
        (
            lambda X: dd.from_pandas(pd.DataFrame({"a": [1.0], "kind": ["x"]}), npartitions=1),
            "no numbers: kind",
        ),
    ],
)
def test_rows_that_cannot_be_used_are_refused(groups, make, message):
    model = SameKind(5, n_landmarks=300, random_state=0)
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(make(groups[0]))
    assert not hasattr(model, "model_")


@pytest.mark.parametrize(
    ("parameters", "given", "message"),
    [
        ({"n_clusters": 500}, {}, "n_landmarks=300 should be >= n_clusters=500"),
        ({}, {"must_link": [(0, 3000)]}, r"must_link\[0\] is \(0, 3000\).*\[0, 3000\)"),
        ({}, {"y": [0, -1]}, "y has 2 labels but X has 3000 rows"),
        ({}, {"y": np.arange(3000) % 3 - 1}, "more than 300 rows .*n_landmarks is 300"),
        (
            {},
            {"must_link": [(7, 2000)], "cannot_link": [(2000, 7)]},
            "7 and 2000 are marked different",
        ),
        ({"n_landmarks": 1}, {}, "'n_landmarks' parameter"),
    ],
)
def test_what_does_not_fit_is_refused(rows, parameters, given, message):
    model = SameKind(**({"n_clusters": 5, "n_landmarks": 300} | parameters))
    with pytest.raises(ValueError, match=message):
        model.fit(rows, **given)


def test_a_complete_y_is_ignored(groups, rows):
    model = SameKind(5, n_landmarks=100, random_state=0).fit(rows, groups[1])
    assert model.constraint_report_.given == 0


def test_new_rows_need_the_same_features(fitted):
    with pytest.raises(ValueError, match="X has 3 features, but the model was fitted with 16"):
        fitted.predict(da.ones((10, 3)))
