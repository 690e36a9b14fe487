"""Npy and npz: arrays, stacks of pictures, and sparse matrices."""

import io
import zipfile

import numpy as np
import pytest
from scipy import sparse

from samekind import Supervision
from samekind.app.inputs import InputError, read_samples

X = np.arange(12.0).reshape(4, 3)


def save(folder, array, name="data.npy"):
    np.save(folder / name, array)
    return folder / name


def savez(folder, **arrays):
    np.savez(folder / "data.npz", **arrays)
    return folder / "data.npz"


@pytest.mark.parametrize("dtype", ["f2", "f8", ">f8", "g", "i1", "i8", "u1", ">u4", "?"])
def test_numbers_become_float64(tmp_path, dtype):
    array = (X % 2).astype(dtype)
    samples = read_samples(save(tmp_path, array))
    assert samples.X.dtype == np.float64
    np.testing.assert_array_equal(samples.X, X % 2)


@pytest.mark.parametrize("dtype", ["<f4", ">f4"])
def test_float32_stays(tmp_path, dtype):
    assert read_samples(save(tmp_path, X.astype(dtype))).X.dtype == np.float32


def test_the_order_of_the_file_does_not_matter(tmp_path):
    samples = read_samples(save(tmp_path, np.asfortranarray(X)))
    assert samples.X.flags.c_contiguous
    assert samples.ids is samples.feature_names is samples.image_shape is samples.truth is None
    np.testing.assert_array_equal(samples.X, X)


def test_a_stack_of_pictures_is_flattened(tmp_path):
    stack = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    samples = read_samples(save(tmp_path, stack))
    assert samples.image_shape == (3, 4)
    np.testing.assert_array_equal(samples.X.reshape(2, 3, 4), stack)


BAD_ARRAYS = [
    (np.array([["a", "b"], ["c", "d"]]), "holds text; save numbers"),
    (np.array([[b"a"], [b"c"]]), "holds text"),
    (X * 1j, "holds complex numbers; save their real"),
    (np.zeros(3, dtype=[("a", "f8")]), "holds records with named fields"),
    (X.astype("M8[s]"), "holds values of type datetime64"),
    (np.arange(5), r"is 1-dimensional \(5\), expected rows x columns.*reshape"),
    (np.float64(3), "is 0-dimensional .a single number."),
    (np.zeros((2, 2, 2, 2)), r"is 4-dimensional \(2 x 2 x 2 x 2\)"),
    (X[:1], "it holds only 1 row"),
    (X[:0], "it holds no rows"),
    (X[:, :0], "has rows without numbers"),
    (np.array([[1, 2], [3, np.nan]]), r"the entry \[1, 1\] of the array, .* is nan, expected"),
    (np.array([[[1, 2]], [[-np.inf, 4]]]), r"the entry \[1, 0, 0\] .* is -inf"),
    (np.full((2, 2), np.longdouble("1e4000")), r"the entry \[0, 0\] .* is inf"),
]


@pytest.mark.parametrize(("array", "reason"), BAD_ARRAYS)
def test_a_bad_array_is_refused(tmp_path, array, reason):
    with pytest.raises(InputError, match=rf"data\.npy: .*{reason}"):
        read_samples(save(tmp_path, array))


def test_objects_are_never_unpickled(tmp_path):
    array = np.array([["a", 1], ["b", 2]], dtype=object)
    reason = "holds Python objects, .* run foreign code; save plain numbers"
    with pytest.raises(InputError, match=f"data.npy: the array {reason}"):
        read_samples(save(tmp_path, array))
    with pytest.raises(InputError, match=f"data.npz: array 'X' {reason}"):
        read_samples(savez(tmp_path, X=array))


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\x93NUMPY\x07\x00rest", b"\x80\x04N."])
def test_other_bytes_are_no_npy_file(tmp_path, content):
    path = tmp_path / "data.npy"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"cannot be read as a npy file .*save or copy it again"):
        read_samples(path)


def test_bytes_beyond_the_array_are_reported(tmp_path):
    path = save(tmp_path, X)
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(InputError, match="should take 96 bytes, and 320 are there"):
        read_samples(path)


def test_an_array_larger_than_its_file_asks_for_no_memory(tmp_path):
    path = save(tmp_path, X)
    huge = path.read_bytes().replace(b"(4, 3), }" + b" " * 14, b"(4000000000000, 3), }  ")
    assert b"4000000000000" in huge
    path.write_bytes(huge)
    with pytest.raises(InputError, match="should take 96000000000000 bytes, and 96 are there"):
        read_samples(path)


@pytest.mark.parametrize("option", ["id_column", "truth_column"])
def test_a_npy_file_has_no_columns(tmp_path, option):
    with pytest.raises(InputError, match=r"--(id|truth) came with the name of a column.*np.savez"):
        read_samples(save(tmp_path, X), **{option: "y"})


def test_x_is_preferred_and_others_are_noted(tmp_path):
    samples = read_samples(savez(tmp_path, A=X + 1, X=X, y=np.arange(4)))
    np.testing.assert_array_equal(samples.X, X)
    assert samples.truth is None
    assert samples.notes == (
        "Array 'X' of the file was used.",
        "Arrays of the file that were not used: 'A', 'y'.",
    )


def test_the_only_table_is_taken(tmp_path):
    samples = read_samples(savez(tmp_path, pictures=X.reshape(2, 3, 2), y=np.arange(2)))
    assert samples.image_shape == (3, 2)
    assert samples.notes[0] == "Array 'pictures' of the file was used."


def test_ids_and_labels_are_arrays_of_the_file(tmp_path):
    names, y = np.array(["a", "b", "c", "d"]), np.array([[1], [1], [2], [2]])
    path = savez(tmp_path, data=X, names=names, y=y)
    samples = read_samples(path, id_column="names", truth_column="y")
    assert samples.ids == ("a", "b", "c", "d")
    assert samples.truth.tolist() == [1, 1, 2, 2]
    assert samples.notes == ("Array 'data' of the file was used.",)


UNCLEAR = [
    ({"A": X, "B": X, "y": X[0]}, r"not clear; there are 'A' \(4 x 3\), 'B' \(4 x 3\), 'y' \(3\)"),
    ({"y": np.arange(3), "k": np.int64(3)}, r"'y' \(3\), 'k' \(single value\); save .* name X"),
    ({}, "not clear; there are none"),
]


@pytest.mark.parametrize(("arrays", "reason"), UNCLEAR)
def test_an_unclear_choice_lists_names_and_shapes(tmp_path, arrays, reason):
    with pytest.raises(InputError, match=rf"data\.npz: .*{reason}"):
        read_samples(savez(tmp_path, **arrays))


BAD_VECTORS = [
    (np.arange(5), r"array 'y' has shape \(5,\), expected one entry for each of 4 rows; save"),
    (np.arange(3), "samples seem to be columns of X, which has shape"),
    (np.eye(2), r"array 'y' has shape \(2, 2\)"),
    (np.array([1, np.nan, 2, 3]), "row 2: column 'y' is empty"),
    (np.array(["a", "b", " ", "c"]), "row 3: column 'y' is empty"),
    (np.array([b"a", b"b", b"a", b"b"]), "neither plain numbers nor text .*S1"),
]


@pytest.mark.parametrize(("y", "reason"), BAD_VECTORS)
@pytest.mark.parametrize("option", ["id_column", "truth_column"])
def test_a_bad_vector_is_refused(tmp_path, y, reason, option):
    with pytest.raises(InputError, match=rf"data\.npz: .*{reason}"):
        read_samples(savez(tmp_path, X=X, y=y), **{option: "y"})


def test_an_array_of_labels_may_have_gaps(tmp_path):
    path = savez(tmp_path, X=X, y=np.array([1.0, np.nan, 2.0, -1.0]))
    known = Supervision.from_labels(read_samples(path, labels_column="y").known)
    assert known.y.tolist() == [0, -1, 1, -1]
    assert known.names == (1, 2)


def test_wrong_names_of_arrays_are_refused(tmp_path):
    path = savez(tmp_path, X=X, labels=np.zeros(4))
    with pytest.raises(InputError, match=r"no array 'label' .--truth.; .*did you mean 'labels'?"):
        read_samples(path, truth_column="label")
    with pytest.raises(InputError, match="--id and --truth both name 'labels'; name two"):
        read_samples(path, truth_column="labels", id_column="labels")
    with pytest.raises(InputError, match=r"row 2: the id '0' .* used before, in row 1"):
        read_samples(path, id_column="labels")


def test_a_member_shorter_than_its_header_is_refused(tmp_path):
    content = io.BytesIO()
    np.save(content, X)
    with zipfile.ZipFile(tmp_path / "data.npz", "w") as archive:
        archive.writestr("X.npy", content.getvalue()[:-8])
    with pytest.raises(InputError, match="array 'X' should take 96 bytes, and 88 are there"):
        read_samples(tmp_path / "data.npz")


def test_a_flipped_bit_is_noticed(tmp_path):
    path = savez(tmp_path, X=X)
    content = bytearray(path.read_bytes())
    content[content.index(X.tobytes()[-8:])] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"cannot be read as a npz file .*CRC"):
        read_samples(path)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, bool])
def test_a_sparse_matrix_becomes_csr(tmp_path, kind, dtype):
    dense = (X % 3 == 0).astype(dtype)
    sparse.save_npz(tmp_path / "data.npz", sparse.coo_array(dense).asformat(kind))
    samples = read_samples(tmp_path / "data.npz")
    assert isinstance(samples.X, sparse.csr_array)
    assert samples.X.dtype == (np.float32 if dtype == np.float32 else np.float64)
    assert samples.X.has_canonical_format
    np.testing.assert_array_equal(samples.X.toarray(), dense)


BAD_SPARSE = [
    (sparse.csr_array([[0, 1.0], [np.inf, 0]]), r"entry \[1, 0\] of array .* is inf"),
    (sparse.csr_array([[0, 1j], [0, 0]]), "complex"),
    (sparse.csr_array((1, 3)), "it holds only 1 row"),
    (sparse.csr_array((3, 0)), "rows without numbers"),
    (sparse.coo_array(np.ones(3)), "its shape is not that of a matrix"),
]


@pytest.mark.parametrize(("matrix", "reason"), BAD_SPARSE)
def test_a_bad_sparse_matrix_is_refused(tmp_path, matrix, reason):
    sparse.save_npz(tmp_path / "data.npz", matrix)
    with pytest.raises(InputError, match=reason):
        read_samples(tmp_path / "data.npz")


def test_sparse_indices_outside_the_matrix_are_refused(tmp_path):
    matrix = sparse.csr_array(np.eye(3))
    matrix.indices[1] = 1_000_000
    sparse.save_npz(tmp_path / "data.npz", matrix)
    with pytest.raises(InputError, match="cannot be read as a sparse matrix"):
        read_samples(tmp_path / "data.npz")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", [(6, 4), (6, 2, 2)])
def test_floats_stay_on_the_disk(tmp_path, dtype, shape, monkeypatch):
    X = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    np.save(tmp_path / "a.npy", X)
    monkeypatch.setattr("samekind.app.inputs.errors.available_memory", lambda: 1)
    samples = read_samples(tmp_path / "a.npy")
    assert isinstance(samples.X if isinstance(samples.X, np.memmap) else samples.X.base, np.memmap)
    assert (samples.X == X.reshape(6, 4)).all()
    X[4, 1] = np.nan
    np.save(tmp_path / "a.npy", X)
    monkeypatch.setattr("samekind.app.inputs.matrices.AT_ONCE", 8)
    with pytest.raises(InputError, match=r"the entry \[4, 1.*is nan"):
        read_samples(tmp_path / "a.npy")
