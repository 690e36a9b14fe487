"""Parquet: the rules of csv, with rows in place of lines."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from samekind.app.inputs import InputError, read_samples


def write(folder, columns, name="data.parquet"):
    path = folder / name
    parquet.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), path)
    return path


def test_a_table_with_ids_and_labels_is_read(tmp_path):
    columns = {"name": ["ant", "bee"], "a": [1, 2], "kind": [7, 8], "b": [0.5, 1.5]}
    samples = read_samples(write(tmp_path, columns), id_column="name", truth_column="kind")
    np.testing.assert_array_equal(samples.X, [[1, 0.5], [2, 1.5]])
    assert samples.X.dtype == np.float64
    assert samples.X.flags.c_contiguous
    assert samples.ids == ("ant", "bee")
    assert samples.feature_names == ("a", "b")
    assert samples.truth.tolist() == [7, 8]
    assert samples.notes == ()


NUMBERS = [
    (pa.array([1.5, 2], pa.float16()), np.float64),
    (pa.array([1.5, 2], pa.float32()), np.float32),
    (pa.array([1.5, 2], pa.float64()), np.float64),
    (pa.array([1, 2], pa.uint8()), np.float64),
    (pa.array([1, 2], pa.int64()), np.float64),
    (pa.array([decimal.Decimal("1.5"), decimal.Decimal(2)]), np.float64),
]


@pytest.mark.parametrize(("column", "dtype"), NUMBERS)
def test_numbers_of_every_type_are_read(tmp_path, column, dtype):
    X = read_samples(write(tmp_path, {"a": column})).X
    assert X.dtype == dtype
    assert X.ravel().tolist() == [float(value) for value in column.to_pylist()]


def test_other_types_are_encoded(tmp_path):
    days = [datetime.date(2020, 1, day) for day in (1, 1, 9, 9)]
    columns = {
        "date": days,
        "time": [datetime.datetime(2020, 1, day) for day in (1, 1, 9, 9)],
        "flag": [True, True, False, False],
        "packed": pa.array(["ant", "bee", "ant", "bee"]).dictionary_encode(),
        "blank": [1.0, None, 3.0, float("nan")],
    }
    samples = read_samples(write(tmp_path, columns))
    np.testing.assert_allclose(samples.X[:, :2], np.repeat([[-1, -1], [1, 1]], 2, axis=0))
    assert samples.feature_names[2:] == ("flag: true", "packed: bee", "blank", "blank is blank")
    assert samples.X[:, 5].tolist() == [0, 1, 0, 1]


def test_one_wide_column_makes_all_wide(tmp_path):
    columns = {"a": pa.array([1, 2], pa.float32()), "b": [0.1, 0.2]}
    X = read_samples(write(tmp_path, columns)).X
    assert X.dtype == np.float64
    assert X[0, 1] == 0.1


def test_the_index_of_pandas_is_left_out_with_a_note(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0]}, index=pd.Index([30, 40]))
    frame.to_parquet(tmp_path / "plain.parquet")
    samples = read_samples(tmp_path / "plain.parquet")
    assert samples.feature_names == ("a",)
    assert samples.notes == ("Left out as a row index of pandas: '__index_level_0__'.",)

    frame.rename_axis("key").to_parquet(tmp_path / "named.parquet")
    samples = read_samples(tmp_path / "named.parquet")
    assert samples.feature_names == ("a",)
    assert "'key'" in samples.notes[0]
    samples = read_samples(tmp_path / "named.parquet", id_column="key")
    assert samples.ids == ("30", "40")
    assert samples.notes == ()


DAMAGED = [b"\xff\xfe{}", b"{", b"[1]", b'{"index_columns": null}', b'{"index_columns": 3}']


@pytest.mark.parametrize("noted", DAMAGED)
def test_damaged_notes_of_pandas_name_the_file(tmp_path, noted):
    table = pa.table({"a": [1.0, 2.0]}).replace_schema_metadata({b"pandas": noted})
    with pytest.raises(InputError, match=r"data\.parquet: it cannot be read .*by pandas .*; it"):
        read_samples(write(tmp_path, table))


@pytest.mark.parametrize("options", [{}, {"id_column": "name"}, {"truth_column": "name"}])
def test_damaged_text_names_file_and_column(tmp_path, options):
    offsets = np.array([0, 1, 2], np.int32).tobytes()
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"\xff\xfe")]
    names = pa.Array.from_buffers(pa.string(), 2, buffers)
    path = write(tmp_path, {"name": names, "a": [1.0, 2.0]})
    with pytest.raises(InputError, match=r"data\.parquet: it cannot .* in column 'name' .*UTF8"):
        read_samples(path, **options)


def test_a_folder_named_like_a_partition_adds_no_column(tmp_path):
    (tmp_path / "k=3").mkdir()
    assert read_samples(write(tmp_path / "k=3", {"a": [1, 2]})).feature_names == ("a",)


BAD = [
    ({"b": [[1], [2]]}, "column 'b' holds values of type list"),
    ({"a": [1, 2, 3], "b": ["1", "2", "x"]}, "column 'b' holds numbers, and the text 'x' in row 3"),
    ({"b": [float("-inf"), 2.0]}, "column 'b' holds -inf in row 1"),
    ({"b": [None, None]}, r"no column tells the rows apart .*every cell is blank"),
    ({"b": [1.0]}, "it holds only 1 row"),
    ({"b": pa.array([], pa.float64())}, "it holds no rows"),
    (pa.table([[1, 2], [3, 4]], names=["a", "a"]), "columns 1 and 2 are both named 'a'"),
    (pa.table([[1, 2], [3, 4]], names=["a", ""]), "column 2 has no name"),
    (pa.table({}), "no column is left"),
]


@pytest.mark.parametrize(("columns", "reason"), BAD)
def test_a_bad_table_names_file_row_and_reason(tmp_path, columns, reason):
    with pytest.raises(InputError, match=rf"data\.parquet: {reason}") as caught:
        read_samples(write(tmp_path, columns))
    assert caught.value.line is None


BAD_COLUMNS = [
    ({"id_column": "nmae"}, "no column 'nmae' .--id.; there are 'a', 'name', 'kind'; .*'name'?"),
    ({"id_column": "name"}, "row 3: the id 'ant' .* was used before, in row 1"),
    ({"id_column": "kind"}, "row 2: column 'kind' is empty"),
    ({"truth_column": "kind"}, "row 2: column 'kind' is empty"),
    ({"truth_column": "a"}, "row 3: column 'a' is empty"),
]


@pytest.mark.parametrize(("options", "reason"), BAD_COLUMNS)
def test_bad_ids_and_labels_are_refused(tmp_path, options, reason):
    columns = {"a": [1.0, 2.0, float("nan")], "name": ["ant", "bee", "ant"]}
    columns |= {"kind": ["x", None, "y"]}
    keep = {"a", "name", "kind"} if "nmae" in options.values() else set(options.values())
    table = pa.table({k: v for k, v in columns.items() if k in keep} | {"zz": [1, 2, 3]})
    reason = reason.replace("'kind'; ", "'kind', 'zz'; ")
    with pytest.raises(InputError, match=reason):
        read_samples(write(tmp_path, table), **options)


def test_a_file_that_is_no_parquet_is_refused(tmp_path):
    path = tmp_path / "data.parquet"
    path.write_bytes(b"a,b\n1,2\n3,4\n")
    with pytest.raises(InputError, match=r"cannot be read as a parquet file .*save or copy"):
        read_samples(path)
