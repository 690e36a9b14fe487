"""Mat: variables of MATLAB files, versions 4 to 7."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.io import savemat

from samekind.app.inputs import InputError, read_samples
from samekind.app.inputs.mat_file import mat_reader

HOSTILE = Path(__file__).parent / "hostile.mat"
X = np.arange(12.0).reshape(4, 3)


@pytest.fixture(scope="module", autouse=True)
def _one_process():
    with mat_reader():
        yield


def save(folder, variables, **options):
    savemat(folder / "data.mat", variables, **options)
    return folder / "data.mat"


@pytest.mark.parametrize("name", ["X", "fea", "anything"])
@pytest.mark.parametrize(
    "options", [{}, {"do_compression": True}, {"format": "4"}], ids=["v6", "v7", "v4"]
)
def test_a_matrix_and_its_labels_are_read(tmp_path, name, options):
    path = save(tmp_path, {"gnd": [[1.0], [1.0], [2.0], [2.0]], name: X}, **options)
    samples = read_samples(path, truth_column="gnd")
    np.testing.assert_array_equal(samples.X, X)
    assert samples.X.flags.c_contiguous
    assert samples.truth.tolist() == [1, 1, 2, 2]
    assert samples.notes == (f"Array '{name}' of the file was used.",)


def test_x_goes_before_fea_and_both_before_others(tmp_path):
    path = save(tmp_path, {"A": X + 2, "fea": X + 1, "X": X, "gnd": np.ones((4, 1))})
    samples = read_samples(path)
    np.testing.assert_array_equal(samples.X, X)
    assert samples.truth is None
    assert "not used: 'A', 'fea', 'gnd'" in samples.notes[1]


@pytest.mark.parametrize(
    ("array", "dtype"),
    [(X.astype(np.float32), np.float32), (X.astype(np.uint8), np.float64), (X > 5, np.float64)],
)
def test_types_are_kept_or_widened(tmp_path, array, dtype):
    samples = read_samples(save(tmp_path, {"X": array}))
    assert samples.X.dtype == dtype
    np.testing.assert_array_equal(samples.X, array)


def test_a_sparse_matrix_becomes_csr(tmp_path):
    samples = read_samples(save(tmp_path, {"fea": sparse.csc_array(X)}))
    assert isinstance(samples.X, sparse.csr_array)
    np.testing.assert_array_equal(samples.X.toarray(), X)


def test_ids_may_be_doubles_or_text(tmp_path):
    path = save(tmp_path, {"X": X, "id": [[10.0, 11, 12, 13]], "name": ["ant", "bee", "c", "dog"]})
    assert read_samples(path, id_column="id").ids == ("10", "11", "12", "13")
    assert read_samples(path, id_column="name").ids == ("ant", "bee", "c", "dog")


CELL = np.array([["a"], ["b"], ["c"], ["d"]], dtype=object)
BAD = [
    ({"X": CELL}, {}, "variable 'X' is a cell array, expected a matrix.*; turn"),
    ({"X": X, "gnd": CELL}, {"truth_column": "gnd"}, "variable 'gnd' is a cell.*grp2idx"),
    ({"X": X * 1j}, {}, "array 'X' holds complex numbers"),
    ({"X": ["text", "rows"]}, {}, "array 'X' holds text"),
    ({"X": {"field": X}}, {}, "array 'X' holds records"),
    ({"X": np.ones((2, 3, 4))}, {}, "has 3 dimensions, .*samples is open; .*reshape"),
    ({"X": X * np.nan}, {}, r"the entry \[0, 0\] of array 'X', counted from 0, is nan"),
    ({"A": X, "B": X}, {}, r"not clear; there are 'A' \(4 x 3\), 'B' \(4 x 3\); save"),
    ({"X": X, "y": np.ones((1, 3))}, {"truth_column": "y"}, "samples seem to be columns of X"),
    ({"X": X, "s": sparse.csc_array(X)}, {"truth_column": "s"}, "neither plain numbers nor"),
    ({"X": X, "gnd": X}, {"truth_column": "gdn"}, "no array 'gdn' .*did you mean 'gnd'?"),
    ({"X": X[:1]}, {}, "only 1 row"),
]


@pytest.mark.parametrize(("variables", "options", "reason"), BAD)
def test_a_bad_variable_is_refused(tmp_path, variables, options, reason):
    with pytest.raises(InputError, match=rf"data\.mat: .*{reason}"):
        read_samples(save(tmp_path, variables), **options)


@pytest.mark.parametrize("start", [b"MATLAB 7.3 MAT-file, Platform: GLNXA64", b"\x89HDF\r\n\x1a\n"])
def test_version_7_3_is_refused_with_the_remedy(tmp_path, start):
    path = tmp_path / "data.mat"
    path.write_bytes(start.ljust(512))
    with pytest.raises(InputError, match=r"version 7\.3 .*save\(file, 'X', '-v7'\)"):
        read_samples(path)


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n3,4\n" * 20])
def test_other_bytes_are_no_matlab_file(tmp_path, content):
    path = tmp_path / "data.mat"
    path.write_bytes(content)
    with pytest.raises(InputError, match="cannot be read as a MATLAB file"):
        read_samples(path)


def test_a_file_that_crashes_scipy_is_refused_and_the_next_one_read(tmp_path):
    with mat_reader():
        for _ in range(2):
            with pytest.raises(
                InputError, match=r"hostile\.mat: .*crashed on it; it seems damaged"
            ):
                read_samples(HOSTILE)
            samples = read_samples(save(tmp_path, {"X": X}))
            np.testing.assert_array_equal(samples.X, X)
