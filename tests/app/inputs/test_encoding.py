"""TableEncoder: what becomes of columns, and of the same columns of new rows."""

import datetime
import warnings

import numpy as np
import pandas as pd
import pytest

from samekind.app.inputs import InputError
from samekind.app.inputs.encoding import TableEncoder

N = 60


@pytest.fixture(scope="module")
def customers():
    """Text cells, as a csv file has them."""
    rng = np.random.default_rng(0)
    days = zip(rng.integers(1, 28, N), rng.integers(1, 9, N), rng.integers(0, 4, N), strict=True)
    frame = pd.DataFrame(
        {
            "number": np.arange(1, N + 1).astype(str),
            "name": [f"customer {i}" for i in range(N)],
            "age": [str(age) if age % 7 else " " for age in rng.integers(20, 70, N)],
            "city": rng.choice(["Rome", "Oslo", "Bern"], N),
            "since": [f"{d:02d}.{m:02d}.202{y}" for d, m, y in days],
            "member": rng.choice(["yes", ""], N),
            "active": rng.choice(["True", "False"], N),
            "country": "EU",
            "notes": "",
        }
    )
    return frame.astype("str")


def fitted(frame, **options):
    encoder = TableEncoder(**options)
    return encoder, encoder.fit_transform(frame)


def said(encoder):
    return dict(zip([c.name for c in encoder.columns_], encoder.describe(), strict=True))


def test_every_column_counts_the_same(customers):
    encoder, X = fitted(customers)
    total = {}
    for column in encoder.columns_:
        at = [encoder.feature_names_.index(name) for name in column.features]
        total[column.name] = X[:, at].var(axis=0).sum()
    assert encoder.standardized_
    for name in ("city", "since", "member", "active"):
        assert total.pop(name) == pytest.approx(1)
    assert total.pop("age") == pytest.approx(1, abs=0.2)  # the mark of blanks in place of some
    assert set(total.values()) == {0}
    np.testing.assert_allclose(X[:, encoder.feature_names_.index("since")].mean(), 0, atol=1e-9)


def test_each_column_has_a_sentence(customers):
    encoder, _ = fitted(customers)
    sentence = said(encoder)
    assert list(sentence) == list(customers.columns)
    assert "only counts the rows" in sentence["number"]
    assert "--text 'name'" in sentence["name"]
    assert "blanks filled by the median" in sentence["age"]
    assert "read as DD.MM.YYYY" in sentence["since"]
    assert "same value" in sentence["country"]
    assert "every cell is blank" in sentence["notes"]


@pytest.mark.parametrize(
    ("name", "numbers", "left_out"),
    [
        ("number of the row", range(1, 31), True),
        ("shuffled", [(7 * i) % 30 for i in range(30)], True),
        ("customer_id", range(100, 400, 10), True),
        ("OrderNo", range(400, 100, -10), True),
        ("Kundennr.", range(100, 400, 10), True),
        ("paid", range(100, 400, 10), False),
        ("number of staff", range(100, 400, 10), False),
        ("id", [*range(100, 390, 10), 100], False),  # one twice
        ("id", [x + 0.5 for x in range(30)], False),
    ],
)
def test_numbers_that_name_the_rows_are_left_out(name, numbers, left_out):
    frame = pd.DataFrame({name: list(numbers), "x": np.sin(range(30))})
    encoder, _ = fitted(frame)
    assert (name not in encoder.feature_names_) == left_out
    assert fitted(frame, keep=[name])[0].feature_names_ == (name, "x")
    if left_out:
        assert f"--id '{name}' names rows by it" in said(encoder)[name]


def test_blanks_are_the_median_and_marked():
    frame = pd.DataFrame({"a": ["1", "NA", "3", "8"], "b": ["1", "2", "3", "5"]})
    encoder, X = fitted(frame)
    assert not encoder.standardized_  # numbers alone: the method decides
    assert X[:, 0].tolist() == [1, 3, 3, 8]
    assert X[1, 1] == pytest.approx(np.std([1, 3, 8]))
    assert np.count_nonzero(X[:, 1]) == 1
    assert encoder.feature_names_ == ("a", "a is blank", "b")


def test_plain_numbers_stay_as_they_are():
    X = np.random.default_rng(1).standard_normal((30, 3)) * 1e9
    assert (fitted(pd.DataFrame(X))[1] == X).all()
    assert (fitted(pd.DataFrame(X).map(repr))[1] == X).all()
    assert fitted(pd.DataFrame(X.astype(np.float32)))[1].dtype == np.float32
    scaled = fitted(pd.DataFrame(X), scale="standard")[1]
    np.testing.assert_allclose(scaled, (X - X.mean(axis=0)) / X.std(axis=0))


def test_types_of_pandas_and_texts_agree(customers):
    typed = customers.assign(
        age=pd.to_numeric(customers["age"], errors="coerce"),
        city=customers["city"].astype("category"),
        since=pd.to_datetime(customers["since"], format="%d.%m.%Y"),
        active=customers["active"].str.lower() == "true",
    )
    customers = customers.assign(active=customers["active"].str.lower())
    encoder, X = fitted(customers)
    np.testing.assert_allclose(fitted(typed)[1], X)
    np.testing.assert_allclose(encoder.transform(typed), X)


def test_a_state_of_plain_types_gives_the_encoder_back(customers):
    frame = customers.assign(note=["green tea", "black coffee", "green apples"] * 20)
    encoder, X = fitted(frame, text=["note"])
    again = TableEncoder.from_state(encoder.state())
    assert (again.transform(frame) == X).all()
    assert again.describe() == encoder.describe()

    def types(value):
        yield type(value)
        inside = value.values() if isinstance(value, dict) else value
        if isinstance(value, dict | list):
            for one in inside:
                yield from types(one)

    plain = {dict, list, str, int, float, bool, type(None), np.ndarray}
    assert set(types(encoder.state())) <= plain
    with pytest.raises(ValueError, match=r"format 0.*fit again"):
        TableEncoder.from_state(encoder.state() | {"format": 0})


def test_all_bad_columns_are_named_at_once(customers):
    frame = customers.assign(x=[1.0] * (N - 1) + [np.inf], lists=[[1]] * N)
    frame.loc[3, "age"] = "old"
    frame.loc[4, "since"] = "early"
    frame.index = pd.RangeIndex(2, N + 2, name="line")
    with pytest.raises(InputError) as caught:
        fitted(frame)
    message = str(caught.value)
    assert "4 columns cannot be used" in message
    assert "'age' holds numbers, and the text 'old' in line 5" in message
    assert "'since' holds dates, and the text 'early' in line 6" in message
    assert "'x' holds inf in line 61" in message
    assert "--drop age,since,x,lists" in message


def test_codes_are_categories_on_request():
    frame = pd.DataFrame({"zip": ["12", "12b", "7"] * 10, "a": np.arange(30.0) ** 2})
    with pytest.raises(InputError, match="--category zip"):
        fitted(frame)
    encoder, X = fitted(frame, category=["zip"])
    assert X.shape == (30, 4)
    assert "3 categories" in said(encoder)["zip"]


def test_many_categories_share_a_column():
    frame = pd.DataFrame({"c": [f"c{i * i % 97 % 50}" for i in range(2000)]})
    encoder, X = fitted(frame)
    assert X.shape[1] <= 31
    np.testing.assert_allclose((X > 0).sum(axis=1), 1)
    assert "share one" in said(encoder)["c"]


def test_nothing_left_is_refused():
    with pytest.raises(InputError, match=r"no column tells the rows apart .*--text"):
        fitted(pd.DataFrame({"a": ["x"] * 9, "b": list("abcdefghi")}))


def test_new_rows_are_encoded_by_name(customers):
    encoder, X = fitted(customers)
    new = customers[:5][customers.columns[::-1]].assign(extra=1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = encoder.transform(new, source="new.csv")
    assert (found == X[:5]).all()
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == 2
    assert "new.csv: 'extra' is new and not used" in texts
    assert any("another order" in text for text in texts)


def test_new_rows_may_lack_what_was_left_out(customers):
    encoder, X = fitted(customers)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = encoder.transform(customers[:5].drop(columns=["number", "name", "notes"]))
    assert (found == X[:5]).all()
    with pytest.raises(InputError, match=r"columns 'age', 'city' of the rows before are missing"):
        encoder.transform(customers.drop(columns=["age", "city"]))


def test_new_values_count_as_average(customers):
    encoder, X = fitted(customers)
    with pytest.warns(UserWarning, match="'city' holds 'Paris' or other new values in 3 rows"):
        found = encoder.transform(customers[:3].assign(city="Paris"))
    at = [i for i, name in enumerate(encoder.feature_names_) if name.startswith("city")]
    np.testing.assert_allclose(found[:, at], np.broadcast_to(X[:, at].mean(axis=0), (3, 3)))
    with pytest.warns(UserWarning, match="'since' is blank in 3 rows"):
        encoder.transform(customers[:3].assign(since=""))
    with pytest.raises(InputError, match=r"2 columns .*'old' in row 1, expected num.*DD\.MM\.YYYY"):
        encoder.transform(customers[:3].assign(age="old", since="2024"))


def test_texts_of_two_subjects_lie_apart():
    rng = np.random.default_rng(0)
    words = (["apple", "pear", "plum", "juice"], ["engine", "wheel", "brake", "road"])
    texts = [" ".join(rng.choice(words[i % 2], 6)) for i in range(40)]
    encoder, X = fitted(pd.DataFrame({"t": texts}), text=["t"])
    centers = X[::2].mean(axis=0), X[1::2].mean(axis=0)
    right = np.linalg.norm(X - centers[0], axis=1) < np.linalg.norm(X - centers[1], axis=1)
    assert (right == (np.arange(40) % 2 == 0)).all()
    assert (encoder.transform(pd.DataFrame({"t": ["", "unseen"]}))[0] == 0).all()
    with pytest.raises(InputError, match="'t' has no words to compare"):
        fitted(pd.DataFrame({"t": ["!", "?", "."]}), text=["t"])


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pd.Series([1, 2.5, None] * 10, dtype=object), "number"),
        (pd.Series([10**30, 1, 2] * 10, dtype=object), "number"),
        (pd.to_timedelta(np.arange(30) % 5, unit="h"), "number"),
        (pd.Series([1, None, 3] * 10, dtype="Int64"), "number"),
        (pd.Series([True, None, False] * 10, dtype=object), "category"),
        (pd.Series(np.arange(30) % 3).astype("category"), "category"),
        (pd.Series(["nan", "b", "a"] * 10), "category"),
        (pd.date_range("2020-03-01", periods=30, freq="h", tz="Europe/Rome"), "date"),
        (pd.Series(["1066-10-14", "1815-06-18", "0001-01-01"] * 10), "date"),
        (pd.Series(["2020-01-01T04:00:00+02:00", "2020-01-05T04:00:00+03:00"] * 15), "date"),
        (pd.Series([b"a", b"b"] * 15), "holds values of type binary"),
        (pd.Series([(1, 2)] * 30), "holds values of type list"),
        (pd.Series(np.arange(30) * 1j), "holds complex numbers"),
    ],
)
def test_whatever_pandas_holds_is_encoded_or_refused(column, kind):
    frame = pd.DataFrame({"c": column, "z": np.arange(30) % 7})
    if " " in kind:
        with pytest.raises(InputError, match=f"column 'c' {kind}"):
            fitted(frame)
        return
    encoder, X = fitted(frame)
    assert encoder.columns_[0].kind == kind
    assert (TableEncoder.from_state(encoder.state()).transform(frame) == X).all()
    assert np.isfinite(X).all()


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(InputError, match="columns 1 and 2 are both named 'a'"):
        fitted(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]))


MESSAGES = [
    f"hello the {('printer has no paper', 'bank took my money')[i % 2]} {i}" for i in range(30)
]


def test_texts_count_by_their_words_where_there_is_nothing_else():
    frame = pd.DataFrame({"id": range(100, 160, 2), "who": [f"Ann {i}" for i in range(30)]})
    with pytest.raises(InputError, match="no column tells the rows apart"):
        TableEncoder().fit_transform(frame)
    encoder, X = fitted(frame.assign(message=MESSAGES))
    assert said(encoder)["message"].startswith("Column 'message': text, TF-IDF of ")
    assert (X[0] == X[2]).all()
    assert (X[0] != X[1]).any()
    assert encoder.texts_ == ()


def test_texts_that_are_left_out_beside_others_are_remembered():
    encoder, _ = fitted(pd.DataFrame({"x": np.sin(range(30)), "message": MESSAGES}))
    assert encoder.feature_names_ == ("x",)
    assert encoder.texts_ == ("message",)


def test_times_are_hours():
    frame = pd.DataFrame(
        {
            "opens": ["07:30", "9:00", "", "11:15"],
            "lasts": ["0:01:30", "100:00:00", "1:00:00", "2:00:00"],
            "excel": [datetime.time(7, 30), datetime.time(9), datetime.time(8), datetime.time(6)],
        }
    )
    encoder, X = fitted(frame)
    assert X[:, 0].tolist() == [7.5, 9, 9, 11.25]
    np.testing.assert_allclose(X[:, 2], [0.025, 100, 1, 2])
    assert X[:, 3].tolist() == [7.5, 9, 8, 6]
    assert said(encoder)["lasts"] == "Column 'lasts': times, as hours."
    new = encoder.transform(
        pd.DataFrame({"opens": ["8:00"], "lasts": ["1:30:00"], "excel": ["6:00"]})
    )
    assert new[0, [0, 2, 3]].tolist() == [8, 1.5, 6]
    with pytest.raises(InputError, match=r"'lasts' holds the text 'long' in row 1"):
        encoder.transform(pd.DataFrame({"opens": ["8:00"], "lasts": ["long"], "excel": ["6:00"]}))
