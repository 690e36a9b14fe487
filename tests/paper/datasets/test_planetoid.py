"""Planetoid's eight files: their order, their gaps, their doubled links, and their dangers."""

import os
import pickle
from collections import defaultdict

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from public_files import planetoid
from samekind.app.inputs import InputError
from samekind.paper.datasets.formats.planetoid import PARTS, read_planetoid


@pytest.fixture
def graph(tmp_path):
    """Twelve nodes, eight of them before the test nodes; node 10 is linked to nothing."""
    rng = np.random.default_rng(0)
    X = (rng.random((12, 5)) < 0.5).astype(np.float32)
    X[10] = 0
    y = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, -1, 1])
    links = [(0, 1), (1, 2), (3, 4), (5, 6), (7, 8), (8, 9), (9, 11), (0, 11)]
    lists = defaultdict(list)
    for a, b in [*links, (1, 0)]:  # 0 and 1 cite each other
        lists[a].append(b)
        lists[b].append(a)
    lists[4].append(4)  # and paper 4 itself
    one_hot = np.eye(3, dtype=np.int32)
    tested = [11, 8, 9]  # in no order, and without node 10
    for name, content in planetoid(X, one_hot[y], lists, 3, 8, tested).items():
        (tmp_path / name).write_bytes(content)
    return X, y, links, [tmp_path / name for name in PARTS]


def test_test_rows_go_to_their_nodes_and_nodes_without_links_stay(graph):
    X, y, _, paths = graph
    read = read_planetoid(paths)
    np.testing.assert_array_equal(read.X, X)
    np.testing.assert_array_equal(read.y, y)
    np.testing.assert_array_equal(read.extras["train_idx"], [0, 1, 2])
    np.testing.assert_array_equal(read.extras["val_idx"], np.arange(3, 503))
    np.testing.assert_array_equal(read.extras["test_idx"], [8, 9, 11])


def test_every_link_is_there_once(graph):
    *_, links, paths = graph
    assert sorted(links) == list(map(tuple, read_planetoid(paths).extras["edges_unique"]))


@pytest.mark.parametrize("protocol", [0, 2])
def test_matrices_under_their_old_names_are_read(graph, protocol):
    X, *_, paths = graph
    text = pickle.dumps(csr_matrix(X[:8]), protocol=protocol)
    text = text.replace(b"scipy.sparse._csr\n", b"scipy.sparse.csr\n")
    text = text.replace(b"numpy._core.multiarray\n", b"numpy.core.multiarray\n")
    assert b"scipy.sparse.csr\n" in text
    paths[PARTS.index("allx")].write_bytes(text)
    np.testing.assert_array_equal(read_planetoid(paths).X, X)


def test_arrays_written_by_python_2_are_read(graph):
    """Python 2 wrote the bytes of an array as its text; the opcodes are copied from there."""
    _, y, _, paths = graph
    raw = np.eye(3, dtype="<i4")[y[:8]].tobytes()
    paths[PARTS.index("ally")].write_bytes(
        b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R"
        b"(K\x01K\x08K\x03\x86cnumpy\ndtype\nU\x02i4K\x00K\x01\x87R(K\x03U\x01<NNNJ\xff\xff\xff"
        b"\xffJ\xff\xff\xff\xffK\x00tb\x89U" + bytes([len(raw)]) + raw + b"tb."
    )
    np.testing.assert_array_equal(read_planetoid(paths).y, y)


class Trap:
    def __reduce__(self):
        return os.mkdir, ("caught",)


def test_a_pickle_that_would_run_code_is_refused_before_it_does(graph, tmp_path, monkeypatch):
    *_, paths = graph
    monkeypatch.chdir(tmp_path)
    paths[PARTS.index("graph")].write_bytes(pickle.dumps(Trap()))
    with pytest.raises(InputError, match=r"it asks for \w+\.mkdir, which is no part of data"):
        read_planetoid(paths)
    assert not (tmp_path / "caught").exists()


def test_a_matrix_whose_indices_lead_astray_is_refused(graph):
    X, *_, paths = graph
    wrong = csr_matrix(X[:8])
    wrong.indices = wrong.indices + 1000
    paths[PARTS.index("allx")].write_bytes(pickle.dumps(wrong, protocol=2))
    with pytest.raises(InputError, match="Planetoid files"):
        read_planetoid(paths)


def test_a_link_beyond_the_nodes_is_refused(graph):
    *_, paths = graph
    paths[PARTS.index("graph")].write_bytes(pickle.dumps({0: [99]}, protocol=2))
    with pytest.raises(InputError, match="a link leads beyond the 12 nodes"):
        read_planetoid(paths)


def test_a_cut_off_pickle_is_refused(graph):
    *_, paths = graph
    paths[0].write_bytes(paths[0].read_bytes()[:-20])
    with pytest.raises(InputError, match="cannot be read as a Planetoid file"):
        read_planetoid(paths)
