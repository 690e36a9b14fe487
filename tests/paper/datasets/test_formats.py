"""Each format from a small file to arrays, and what is said of files that are damaged."""

import bz2
import gzip
import io
import zipfile

import numpy as np
import pytest
from scipy.sparse import csr_array

from public_files import idx, libsvm, mat, npz
from samekind.app.inputs import InputError
from samekind.paper.datasets.formats.idx import read_idx, read_pictures_and_labels
from samekind.paper.datasets.formats.libsvm import read_libsvm
from samekind.paper.datasets.formats.mat import read_cells, read_rows
from samekind.paper.datasets.formats.npz import read_npz


@pytest.mark.parametrize(("x", "y"), [("fea", "gnd"), ("X", "Y"), ("X", "y")])
def test_mat_files_are_read_whatever_their_arrays_are_called(tmp_path, toy, x, y):
    (tmp_path / "a.mat").write_bytes(mat(**{x: toy.X, y: toy.y[:, None] + 1}))
    read = read_rows(tmp_path / "a.mat")
    np.testing.assert_array_equal(read.X, toy.X)
    np.testing.assert_array_equal(read.y, toy.y + 1)


def test_a_sparse_mat_file_becomes_dense(tmp_path, toy):
    (tmp_path / "a.mat").write_bytes(mat(fea=csr_array(toy.X.astype(float)), gnd=toy.y))
    np.testing.assert_array_equal(read_rows(tmp_path / "a.mat").X, toy.X)


def test_a_mat_file_without_classes_is_refused(tmp_path, toy):
    (tmp_path / "a.mat").write_bytes(mat(fea=toy.X))
    with pytest.raises(InputError, match="no classes under the names gnd, Y, y, but fea"):
        read_rows(tmp_path / "a.mat")


def test_cells_of_pictures_are_read_row_by_row(tmp_path, toy):
    pictures = toy.X.reshape(30, 4, 3)
    cells = np.empty((1, 3), dtype=object)
    for k in range(3):
        cells[0, k] = np.moveaxis(pictures[toy.y == k], 0, 2)  # MATLAB counts pictures last
    (tmp_path / "a.mat").write_bytes(mat(facedat=cells))
    read = read_cells(tmp_path / "a.mat", "facedat")
    np.testing.assert_array_equal(read.X, toy.X)
    np.testing.assert_array_equal(read.y, toy.y)


def test_a_mat_file_without_the_cells_says_what_it_has(tmp_path, toy):
    (tmp_path / "a.mat").write_bytes(mat(fea=toy.X))
    with pytest.raises(InputError, match="it has no cells under the name facedat, but fea"):
        read_cells(tmp_path / "a.mat", "facedat")


def test_npz_keeps_what_else_is_there(tmp_path, toy):
    np.savez(tmp_path / "a.npz", X=toy.X, y=toy.y, group=toy.y * 2)
    read = read_npz(tmp_path / "a.npz")
    np.testing.assert_array_equal(read.X, toy.X)
    np.testing.assert_array_equal(read.extras["group"], toy.y * 2)


def test_npz_in_two_parts_is_put_together(tmp_path, toy):
    pictures = toy.X.reshape(30, 4, 3)
    parts = {"x_train": pictures[:20], "x_test": pictures[20:]}
    np.savez(tmp_path / "a.npz", **parts, y_train=toy.y[:20], y_test=toy.y[20:])
    read = read_npz(tmp_path / "a.npz")
    np.testing.assert_array_equal(read.X, toy.X)
    np.testing.assert_array_equal(read.y, toy.y)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzipped"])
def test_idx_files_are_read_plain_or_gzipped(tmp_path, toy, pack):
    paths = [tmp_path / name for name in "abcd"]
    pictures, labels = toy.X.reshape(30, 4, 3), toy.y.astype(np.uint8)
    arrays = (pictures[:20], labels[:20], pictures[20:], labels[20:])
    for path, array in zip(paths, arrays, strict=True):
        path.write_bytes(pack(idx(array)))
    read = read_pictures_and_labels(paths)
    np.testing.assert_array_equal(read.X, toy.X)
    np.testing.assert_array_equal(read.y, toy.y)


def test_an_idx_file_that_ends_early_is_refused(tmp_path, toy):
    (tmp_path / "a").write_bytes(idx(toy.X)[:-5])
    with pytest.raises(InputError, match="360 values are announced, and 355 follow"):
        read_idx(tmp_path / "a")


@pytest.mark.parametrize("raw", [b"", b"<html>", b"\0\0\x08\x09\0\0"])
def test_a_page_in_place_of_an_idx_file_is_refused(tmp_path, raw):
    (tmp_path / "a").write_bytes(raw)
    with pytest.raises(InputError, match="cannot be read as an idx file"):
        read_idx(tmp_path / "a")


def test_libsvm_files_are_put_one_below_the_other(tmp_path, toy):
    paths = [tmp_path / "train.bz2", tmp_path / "test.bz2"]
    for path, rows in zip(paths, (slice(20), slice(20, None)), strict=True):
        path.write_bytes(libsvm(toy.X[rows], toy.y[rows] + 1))
    read = read_libsvm(paths)
    np.testing.assert_array_equal(read.X, toy.X)
    np.testing.assert_array_equal(read.y, toy.y + 1)


def test_libsvm_files_may_differ_in_their_last_value(tmp_path, toy):
    X = toy.X.copy()
    X[20:, -1] = 0  # zeros are not written, so that the second file seems narrower
    paths = [tmp_path / "train.bz2", tmp_path / "test.bz2"]
    for path, rows in zip(paths, (slice(20), slice(20, None)), strict=True):
        path.write_bytes(libsvm(X[rows], toy.y[rows]))
    np.testing.assert_array_equal(read_libsvm(paths).X, X)


WHOLE = {
    "mat": (lambda toy: mat(fea=toy.X, gnd=toy.y), read_rows),
    "npz": (lambda toy: npz(X=toy.X, y=toy.y), read_npz),
    "idx": (lambda toy: gzip.compress(idx(toy.X)), read_idx),
    "bz2": (lambda toy: libsvm(toy.X, toy.y), lambda path: read_libsvm([path])),
}


@pytest.mark.parametrize("kind", WHOLE)
def test_cut_off_files_and_pages_in_their_place_are_refused(tmp_path, toy, kind):
    write, read = WHOLE[kind]
    path, whole = tmp_path / f"a.{kind}", write(toy)
    for damaged in (whole[: len(whole) // 2], b"<html>not here</html>", b""):
        path.write_bytes(damaged)
        with pytest.raises(InputError):
            read(path)


@pytest.fixture
def small_limit(monkeypatch):
    monkeypatch.setattr("samekind.paper.datasets.formats.bounds.LARGEST", 10_000)


def test_packed_text_that_stands_for_too_much_is_refused(tmp_path, small_limit):
    path = tmp_path / "a.bz2"
    path.write_bytes(bz2.compress(b"1 1:0.5\n" * 10_000))
    assert path.stat().st_size < 1000
    with pytest.raises(InputError, match=r"unpacks to at least 10\.0 kB"):
        read_libsvm([path])


def test_a_line_with_a_huge_index_is_refused(tmp_path):
    (tmp_path / "a").write_text("1 1:0.5\n2 2000000000:1\n")
    with pytest.raises(InputError, match=r"2 rows of 2000000000 values take 32\.0 GB"):
        read_libsvm([tmp_path / "a"])


def test_arrays_that_unpack_to_too_much_are_refused(tmp_path, small_limit):
    np.savez_compressed(tmp_path / "a.npz", X=np.zeros((100, 1000)), y=np.zeros(100))
    with pytest.raises(InputError, match=r"unpacks to 801\.\d kB"):
        read_npz(tmp_path / "a.npz")


def test_an_array_that_announces_more_than_it_has_is_refused(tmp_path):
    header = io.BytesIO()
    descr = {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    np.lib.format.write_array_header_1_0(header, descr)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        for name in ("X.npy", "y.npy"):
            archive.writestr(name, header.getvalue())
    with pytest.raises(InputError, match="should take 8000000000000 bytes"):
        read_npz(tmp_path / "a.npz")
