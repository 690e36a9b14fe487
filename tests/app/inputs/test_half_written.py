"""Half-written files: cut off at any byte, a file is reported and never read in part."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet
from scipy import sparse
from scipy.io import savemat

from samekind.app.inputs import InputError, read_samples
from samekind.app.inputs.mat_file import mat_reader

X = np.random.default_rng(2).standard_normal((6, 4))
TEXT = "a,b,c,d\n" + "".join(",".join(map(repr, row)) + "\n" for row in X.tolist())


def content(write, *args, **options):
    """What a function writes into an open file, as bytes."""
    file = io.BytesIO()
    write(file, *args, **options)
    return file.getvalue()


TABLE = pa.table(dict(zip("abcd", X.T, strict=True)))
FILES = {
    "a.csv.gz": gzip.compress(TEXT.encode(), mtime=0),
    "a.parquet": content(lambda file: parquet.write_table(TABLE, file)),
    "a.npy": content(np.save, X),
    "a.npz": content(np.savez, X=X, y=np.arange(6)),
    "packed.npz": content(np.savez_compressed, X=X, y=np.arange(6)),
    "sparse.npz": content(sparse.save_npz, sparse.csr_array(X)),
    "a.mat": content(savemat, {"X": X, "y": np.arange(6)}),
    "packed.mat": content(savemat, {"X": X, "y": np.arange(6)}, do_compression=True),
    "y_first.mat": content(savemat, {"y": np.arange(6), "X": X}),
    "old.mat": content(savemat, {"X": X}, format="4"),
    "sparse.mat": content(savemat, {"X": sparse.csc_array(X)}),
}


def attempt(path):
    """Samples, or the error that says why not; no other error is caught."""
    try:
        return read_samples(path)
    except InputError as error:
        return error


def cuts(size, most=150):
    """Every position of a small file; of a larger one its ends and a sample between."""
    if size <= most:
        return range(size)
    third = most // 3
    between = np.linspace(third, size - third, third).astype(int).tolist()
    return sorted({*range(third), *between, *range(size - third, size)})


@pytest.fixture(scope="module", autouse=True)
def _one_process():
    with mat_reader():
        yield


@pytest.mark.parametrize("name", FILES)
def test_a_cut_file_is_refused_or_complete(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(FILES[name])
    whole = read_samples(path).X
    refused = 0
    for cut in cuts(len(FILES[name])):
        path.write_bytes(FILES[name][:cut])
        got = attempt(path)
        if isinstance(got, InputError):
            assert str(got).startswith(str(path))
            refused += 1
        else:  # what was cut off came after X
            assert name.endswith(".mat")
            assert got.X.shape == whole.shape
            assert abs(got.X - whole).max() == 0
    assert refused > 0


def test_a_cut_csv_is_refused_or_noted(tmp_path):
    """A cut between two lines leaves a csv that nothing tells from a complete one."""
    path = tmp_path / "a.csv"
    data = TEXT.encode()
    for cut in range(len(data)):
        path.write_bytes(data[:cut])
        got = attempt(path)
        if isinstance(got, InputError):
            assert str(got).startswith(str(path))
        elif data[cut - 1 : cut] == b"\n":
            np.testing.assert_array_equal(got.X, X[: len(got.X)])
        else:
            if got.feature_names == tuple("abcd"):  # else the last cell is blank
                np.testing.assert_array_equal(got.X[:-1], X[: len(got.X) - 1])
            assert "does not end with a line break" in got.notes[0]


PICTURE = Image.fromarray(np.random.default_rng(3).integers(0, 256, (13, 17, 3), dtype=np.uint8))


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@pytest.mark.parametrize("suffix", ["png", "jpg", "bmp", "gif", "tif", "webp", "pgm"])
def test_a_cut_picture_is_refused_or_complete(tmp_path, suffix):
    image = PICTURE.convert("L") if suffix == "pgm" else PICTURE
    for name in "abc":
        image.save(tmp_path / f"{name}.{suffix}")
    path = tmp_path / f"b.{suffix}"
    data, whole = path.read_bytes(), read_samples(tmp_path).X
    complete = 0
    for cut in cuts(len(data)):
        path.write_bytes(data[:cut])
        got = read_samples(tmp_path)
        if got.skipped:
            assert got.skipped[0].startswith(f"b.{suffix}: ")
            assert got.ids == (f"a.{suffix}", f"c.{suffix}")
        else:
            np.testing.assert_array_equal(got.X, whole)
            complete += 1
    # Some formats end with a few bytes that say nothing about the picture.
    assert complete <= 4
