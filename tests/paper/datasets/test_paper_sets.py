"""The data sets of the paper themselves, where the folder SAMEKIND_DATA has them."""

import os
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from public_files import mat, npz, planetoid
from samekind.paper.datasets import RefusedDataset, available, find, load
from samekind.paper.datasets.content import describe, differences, remembered
from samekind.paper.datasets.records import Arrays
from samekind.paper.datasets.table import RECORDS

DATA = os.environ.get("SAMEKIND_DATA")
pytestmark = pytest.mark.skipif(
    not DATA, reason="set SAMEKIND_DATA to the folder with the paper's data sets"
)
NAMES = [name for name, record in RECORDS.items() if record.embedded is None]
SMALL = [name for name in NAMES if name != "mnist"]


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A folder of its own, into which a test puts what is to be found."""
    monkeypatch.setenv("SAMEKIND_DATA", str(tmp_path))
    monkeypatch.setenv("SAMEKIND_CACHE", str(tmp_path / "cache"))
    return tmp_path


def put(folder, name, source=None):
    (folder / name).symlink_to(Path(DATA, source or name).resolve())


def original(name):
    """X in the units of its file, y, and all else, as they are in the folder."""
    with np.load(Path(DATA, f"{name}.npz")) as file:
        return {key: file[key] for key in file.files}


@pytest.mark.parametrize("name", SMALL)
def test_each_is_loaded_in_the_units_of_the_paper(name):
    one, record, raw = load(name), RECORDS[name], original(name)
    assert find(name).is_certain
    assert one.X.shape == record.shape
    assert one.X.dtype == np.float64
    assert one.X.flags.c_contiguous
    expected = raw["X"] / 255 if raw["X"].max() > 1 else raw["X"]
    np.testing.assert_allclose(one.X, expected, atol=1e-7)
    np.testing.assert_array_equal(one.y, raw["y"])
    assert len(np.unique(one.y)) == record.n_classes


@pytest.mark.parametrize("name", SMALL)
def test_what_the_package_keeps_is_their_content(name):
    raw = original(name)
    extras = {key: raw[key] for key in RECORDS[name].extras}
    assert differences(describe(Arrays(raw["X"], raw["y"], extras)), remembered(name)) == []


def test_the_published_numbers_come_back_from_single_precision():
    """Exact multiples: the float64 nearest to the decimal, not to the float32 in the file."""
    for name, steps in (("isolet1", 1e4), ("coil20", 4080), ("usps_1000", 1e6)):
        X = load(name).X
        np.testing.assert_array_equal(X, np.rint(X * steps) / steps)


def test_cora_has_every_link_once():
    extras = load("cora").extras
    a, b = extras["edges_unique"].T
    assert len(a) == len(set(zip(a.tolist(), b.tolist(), strict=True))) == 5278
    assert (a < b).all()
    assert [len(extras[f"{part}_idx"]) for part in ("train", "val", "test")] == [140, 500, 1000]


def test_the_listing_finds_all_of_them():
    assert all(line.where and not line.problem for line in available())


@pytest.mark.parametrize(
    ("name", "whole", "atol"),
    [
        ("mnist_1000", "mnist", 0),
        ("usps_1000", "usps", 1.1e-6),
        ("isolet1", "isolet", 0),
        ("isolet2", "isolet", 0),
        ("yaleb18", "yaleb", 0),
    ],
)
def test_a_part_equals_its_own_file(alone, name, whole, atol):
    put(alone, f"{whole}.npz")
    cut = load(name)
    assert cut.path == f"rows of {alone / whole}.npz"
    put(alone, f"{name}.npz")
    np.testing.assert_allclose(cut.X, load(name).X, atol=atol, rtol=0)
    np.testing.assert_array_equal(cut.y, load(name).y)


def test_the_other_usps_is_refused_by_name(alone):
    put(alone, "usps.npz", "usps_esl.npz")
    with pytest.raises(RefusedDataset, match="The Elements of Statistical Learning"):
        load("usps")


@pytest.mark.parametrize("name", ["orl", "coil20", "isolet1", "cora"])
def test_one_altered_row_is_refused(alone, name):
    raw = original(name)
    raw["X"][7] = raw["X"][8]
    (alone / f"{name}.npz").write_bytes(npz(**raw))
    with pytest.raises(RefusedDataset, match="column means differ"):
        load(name)


def orl(raw):
    return {"ORL_32x32.mat": mat(fea=raw["X"], gnd=raw["y"][:, None] + 1)}


def umist(raw):
    pictures, cells = raw["X"].reshape(-1, 112, 92), np.empty((1, 20), dtype=object)
    for k in range(20):
        cells[0, k] = np.moveaxis(pictures[raw["y"] == k], 0, 2)
    return {"umist_cropped.mat": mat(facedat=cells)}


def mnist_1000(raw):
    """As the authors have it: divided by 255, column by column, 10 for 0."""
    X = raw["X"].reshape(-1, 28, 28).transpose(0, 2, 1).reshape(len(raw["X"]), -1) / 255
    return {"MNIST_1000.mat": mat(X=X, Y=np.where(raw["y"] == 0, 10, raw["y"]))}


def cora(raw):
    """With the links as published, mutual ones twice, and the test nodes in no order."""
    graph = defaultdict(list)
    for a, b in raw["edges"].tolist():
        graph[a].append(b)
        graph[b].append(a)
    tested = np.random.default_rng(0).permutation(raw["test_idx"])
    one_hot = np.eye(7, dtype=np.int32)[raw["y"]]
    files = planetoid(raw["X"].astype(np.float32), one_hot, graph, 140, 1708, tested)
    return {f"ind.cora.{part}": content for part, content in files.items()}


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("orl", orl),
        ("umist", umist),
        ("mnist_1000", mnist_1000),
        ("cora", cora),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_public_files_become_the_same_data_set(alone, name, public):
    for title, content in public(original(name)).items():
        (alone / title).write_bytes(content)
    made = load(name)
    assert "npz" not in made.path
    put(alone, f"{name}.npz")
    same = load(name)
    np.testing.assert_array_equal(made.X, same.X)
    np.testing.assert_array_equal(made.y, same.y)
    assert made.extras.keys() == same.extras.keys()
    for key, array in made.extras.items():
        np.testing.assert_array_equal(array, same.extras[key])
