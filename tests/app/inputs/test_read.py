"""Which reader a path gets, and what all readers have in common."""

import os
import pickle
import signal
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet
from scipy import sparse
from scipy.io import savemat

from samekind import PairConstraints, Supervision
from samekind.app.inputs import InputError, read_samples


def test_all_kinds_of_files_agree(tmp_path):
    X = np.random.default_rng(1).standard_normal((20, 3))
    rows = "".join(",".join(map(repr, row)) + "\n" for row in X.tolist())
    (tmp_path / "a.csv").write_text("a,b,c\n" + rows)
    parquet.write_table(pa.table(dict(zip("abc", X.T, strict=True))), tmp_path / "a.parquet")
    np.save(tmp_path / "a.npy", X)
    np.savez(tmp_path / "a.npz", X=X)
    savemat(tmp_path / "a.mat", {"X": X})
    sparse.save_npz(tmp_path / "sparse.npz", sparse.csr_array(X))
    for name in ("a.csv", "a.parquet", "a.npy", "a.npz", "a.mat"):
        samples = read_samples(tmp_path / name)
        np.testing.assert_array_equal(samples.X, X)
        assert samples.X.dtype == np.float64
        assert samples.X.flags.c_contiguous
        assert samples.source == name
    np.testing.assert_array_equal(read_samples(str(tmp_path / "sparse.npz")).X.toarray(), X)


@pytest.mark.parametrize("name", ["data.xls", "data", "csv", "data.csv.bak"])
def test_an_unknown_kind_lists_what_is_read(tmp_path, name):
    (tmp_path / name).write_text("a\n1\n2\n")
    with pytest.raises(InputError, match=r"are not read; use one of \.csv, .*folder of pictures"):
        read_samples(tmp_path / name)


@pytest.mark.parametrize("name", ["none.csv", "none.npy", "none", "none.xyz"])
def test_a_missing_file_is_reported(tmp_path, name):
    with pytest.raises(InputError, match=f"{name}: there is no such file or folder; check"):
        read_samples(tmp_path / name)


@pytest.fixture
def in_time():
    """What waits for a pipe fails."""

    def stop(*_):
        raise TimeoutError("waited for a pipe")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("in_time")
def test_a_pipe_among_texts_is_no_text(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text(f"some words of {name}")
    os.mkfifo(tmp_path / "c.txt")
    assert read_samples(tmp_path).ids == ("a.txt", "b.txt")


@pytest.mark.usefixtures("in_time")
def test_something_that_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="pipe, a socket or a device"):
        read_samples(tmp_path / "pipe.csv")
    Image.new("L", (4, 4)).save(tmp_path / "a.png")
    os.mkfifo(tmp_path / "b.png")
    with pytest.raises(InputError, match=r"it holds only 1 row"):
        read_samples(tmp_path)
    Image.new("L", (4, 4)).save(tmp_path / "c.png")
    assert read_samples(tmp_path).skipped[0].startswith("b.png: it is a pipe, a socket or a device")
    for read in (PairConstraints.from_csv, Supervision.from_csv):
        with pytest.raises(InputError, match=r"pipe\.csv: it is a pipe"):
            read(tmp_path / "pipe.csv", 3)


@pytest.mark.parametrize("suffix", ["csv", "npy", "npz", "mat", "parquet"])
def test_a_file_that_may_not_be_read_is_reported(tmp_path, monkeypatch, suffix):
    path = tmp_path / f"data.{suffix}"
    path.write_bytes(b"")

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("zipfile.ZipFile", refuse)
    with pytest.raises(InputError, match=rf"data\.{suffix}: .*(not permitted|denied).*permissions"):
        read_samples(path)


def test_a_reader_out_of_memory_says_so(tmp_path, monkeypatch):
    savemat(tmp_path / "data.mat", {"X": np.zeros((5_000, 2_000))}, do_compression=True)
    monkeypatch.setattr("samekind.app.inputs.mat_file.available_memory", lambda: 4 * 10**7)
    with pytest.raises(InputError, match=r"data\.mat: .*more memory than there is; check"):
        read_samples(tmp_path / "data.mat")


def test_missing_packages_name_the_extra(tmp_path, monkeypatch):
    parquet.write_table(pa.table({"a": [1, 2]}), tmp_path / "data.parquet")
    for name in "ab":
        Image.new("L", (4, 4)).save(tmp_path / f"{name}.png")
    for package in ("pyarrow", "PIL"):
        monkeypatch.setitem(sys.modules, package, None)
    remedy = r'which is not installed; .*pip install "\.\[app\]"'
    with pytest.raises(InputError, match=f"data.parquet: .*package pyarrow, {remedy}"):
        read_samples(tmp_path / "data.parquet")
    with pytest.raises(InputError, match=f"pictures needs the package pillow, {remedy}"):
        read_samples(tmp_path)


def test_an_error_survives_pickling():
    error = InputError("a.csv", "reason", "remedy", line=3)
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) == "a.csv: line 3: reason; remedy"
    assert (copy.path, copy.line, copy.row) == ("a.csv", 3, None)
    assert isinstance(copy, ValueError)
