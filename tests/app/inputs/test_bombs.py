"""Small files that stand for large tables are refused by what they say, before they are read."""

import gzip
import io
import tracemalloc
import zipfile

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet
from scipy import sparse
from scipy.io import savemat

from samekind import _csv
from samekind.app.inputs import InputError, csv_table, errors, read_samples
from samekind.paper.datasets import download

MB = 10**6


def test_the_limits_themselves_are_such_that_memory_holds_them():
    assert _csv.LONGEST_LINE <= 10**9
    assert download.LARGEST <= 10**9
    assert download.LONGEST <= 24 * 3600


@pytest.fixture
def little(monkeypatch):
    """Ten megabytes are left."""
    monkeypatch.setattr(errors, "available_memory", lambda: 10 * MB)
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * MB


def member(archive, name, dtype, shape):
    """An array of zeros, written piece by piece."""
    head = io.BytesIO()
    header = {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(head, header)
    with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
        file.write(head.getvalue())
        left = int(np.prod(shape)) * np.dtype(dtype).itemsize
        while left:
            left -= file.write(bytes(min(left, MB)))


def zeros(path, **arrays):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, (dtype, shape) in arrays.items():
            member(archive, name, dtype, shape)
    return path


def with_shape(path, shape, kind="csr"):
    with zipfile.ZipFile(path, "a") as archive:
        for name, array in {"shape": np.array(shape), "format": np.array(kind)}.items():
            content = io.BytesIO()
            np.save(content, array)
            archive.writestr(f"{name}.npy", content.getvalue())
    return path


@pytest.mark.usefixtures("little")
def test_a_dense_npz(tmp_path):
    path = zeros(tmp_path / "a.npz", X=("f8", (2000, 1000)))
    with pytest.raises(InputError, match=r"would take about 32\.0 MB of memory, and 10\.0 MB are"):
        read_samples(path)


@pytest.mark.usefixtures("little")
def test_a_sparse_npz(tmp_path):
    n = 2 * MB
    path = zeros(tmp_path / "a.npz", data=("f8", (n,)), indices=("i4", (n,)), indptr=("i4", (3,)))
    with pytest.raises(InputError, match=r"2 x 5 with 4000003 numbers .* about 64\.0 MB"):
        read_samples(with_shape(path, (2, 5)))


@pytest.mark.usefixtures("little")
@pytest.mark.parametrize("n_indices", [1, 2 * MB])
def test_parts_of_a_sparse_npz_that_do_not_fit_each_other(tmp_path, n_indices):
    parts = {"data": ("f8", (2 * MB,)), "indices": ("i4", (n_indices,)), "indptr": ("i4", (9,))}
    with pytest.raises(InputError, match=r"different sizes|indptr has the shape \(9,\) for 2 rows"):
        read_samples(with_shape(zeros(tmp_path / "a.npz", **parts), (2, 5)))


@pytest.mark.usefixtures("little")
def test_a_shape_that_is_a_bomb(tmp_path):
    path = zeros(tmp_path / "a.npz", data=("f8", (1,)), shape=("i8", (2 * MB,)), format=("S3", ()))
    with pytest.raises(InputError, match="its shape is not that of a matrix"):
        read_samples(path)


@pytest.mark.parametrize("suffix", ["npz", "mat"])
def test_too_many_columns(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    if suffix == "npz":
        sparse.save_npz(path, sparse.csr_array((2, 10**12)))
    else:
        savemat(path, {"X": sparse.csc_array((2, 2 * MB))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(errors, "available_memory", lambda: 10 * MB)
        with pytest.raises(InputError, match=r"would take about (32\.0 TB|64\.0 MB) of memory"):
            read_samples(path)


def test_a_line_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("samekind._csv.LONGEST_LINE", MB)
    with gzip.open(tmp_path / "a.csv.gz", "wb", 1) as file:
        file.write(b"a,b\n1,2\n")
        for _ in range(40):
            file.write(b"0" * MB)
    tracemalloc.start()
    with pytest.raises(InputError, match=r"a\.csv\.gz: line 3: the line is longer than 1 MB"):
        read_samples(tmp_path / "a.csv.gz")
    assert tracemalloc.get_traced_memory()[1] < 8 * MB
    tracemalloc.stop()


def test_lines_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_table, "LINES_AT_ONCE", 100)
    monkeypatch.setattr(errors, "available_memory", lambda: MB)
    with gzip.open(tmp_path / "a.csv.gz", "wb", 1) as file:
        file.write(b"a,b\n" + b"1,2\n" * 2 * MB)
    with pytest.raises(InputError, match=r"the table, up to line \d+, would take about 1\.0 MB"):
        read_samples(tmp_path / "a.csv.gz")


def test_a_parquet_file_of_equal_values(tmp_path, monkeypatch):
    parquet.write_table(
        pa.table({"a": np.zeros(2 * MB), "b": np.ones(2 * MB)}), tmp_path / "a.parquet"
    )
    monkeypatch.setattr(errors, "available_memory", lambda: 10 * MB)
    with pytest.raises(InputError, match=r"the table would take about 64\.0 MB of memory"):
        read_samples(tmp_path / "a.parquet")


@pytest.mark.usefixtures("little")
def test_a_workbook_of_much_text(tmp_path):
    with zipfile.ZipFile(
        tmp_path / "a.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1
    ) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(2 * MB))
    with pytest.raises(InputError, match=r"the workbook would take about 12\.5 MB of memory"):
        read_samples(tmp_path / "a.xlsx")


def test_pictures_that_are_made_large(tmp_path):
    for name in "ab":
        Image.new("L", (2, 2)).save(tmp_path / f"{name}.png")
    with pytest.raises(InputError, match=r"2 pictures of 1000000 x 1000000 pixels would take"):
        read_samples(tmp_path, image_size=10**6)
