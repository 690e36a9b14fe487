"""Where data sets are looked for, what is recognized there, and what is said if nothing is."""

import os
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from public_files import libsvm, mat, npz
from samekind.paper.datasets import (
    MissingDataset,
    RefusedDataset,
    UnknownDataset,
    available,
    find,
    get,
    load,
)
from samekind.paper.datasets.formats.libsvm import read_libsvm
from samekind.paper.datasets.formats.mat import read_one
from samekind.paper.datasets.places import cache_folder
from samekind.paper.datasets.records import Arrays, File, Files, Part


@pytest.fixture
def data(tmp_path, monkeypatch, shelf):
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("SAMEKIND_DATA", str(folder))
    return folder


def test_a_pipe_is_no_data_set(data, shelf, toy):
    shelf.add("toy", toy, sources=(Files((File("toy.mat"),), read_one),))
    os.mkfifo(data / "toy.mat")
    with pytest.raises(MissingDataset):
        load("toy")


def test_a_loaded_data_set_is_ready_and_says_what_was_done(shelf, toy):
    shelf.add("toy", toy, image_shape=(4, 3), column_major=True)
    (shelf.folder / "toy.npz").write_bytes(npz(X=toy.X, y=toy.y.astype(np.int16)))
    one = load("toy")
    np.testing.assert_array_equal(one.X, toy.X / 255)
    assert (one.X.dtype, one.y.dtype) == (np.float64, np.int64)
    assert one.scale == "gray levels from 0 to 255, divided by 255"
    assert one.pictures().shape == (30, 4, 3)
    np.testing.assert_array_equal(one.pictures()[2], one.X[2].reshape(3, 4).T)


def test_samples_that_are_no_pictures_say_so(shelf, toy):
    shelf.add("toy", toy)
    (shelf.folder / "toy.npz").write_bytes(npz(X=toy.X, y=toy.y))
    with pytest.raises(ValueError, match="samples of toy are not pictures"):
        load("toy").pictures()


def test_the_named_folder_comes_before_the_cache(data, shelf, toy):
    shelf.add("toy", toy)
    for folder in (data, shelf.folder):
        (folder / "toy.npz").write_bytes(npz(X=toy.X, y=toy.y))
    assert load("toy").path == str(data / "toy.npz")


def test_a_known_digest_is_enough(data, shelf, toy):
    """The content is another one here, and is not looked at."""
    raw = npz(X=toy.X[::-1], y=toy.y)
    shelf.add("toy", toy, sha256=sha256(raw).hexdigest())
    (data / "toy.npz").write_bytes(raw)
    assert find("toy").is_certain
    np.testing.assert_array_equal(load("toy").X, toy.X[::-1] / 255)


def test_a_wrong_file_is_refused_even_if_the_cache_has_the_right_one(data, shelf, toy):
    shelf.add("toy", toy, by_hand="get it from a friend")
    (shelf.folder / "toy.npz").write_bytes(npz(X=toy.X, y=toy.y))
    (data / "toy.npz").write_bytes(npz(X=toy.X // 2, y=toy.y))
    with pytest.raises(RefusedDataset, match="column means differ") as caught:
        load("toy")
    assert str(data / "toy.npz") in str(caught.value)
    assert "remove it, then get it from a friend" in str(caught.value)


@pytest.mark.parametrize("raw", [b"", b"<html>", npz(a=np.zeros(3))])
def test_a_broken_file_is_refused(shelf, toy, raw):
    shelf.add("toy", toy)
    (shelf.folder / "toy.npz").write_bytes(raw)
    with pytest.raises(RefusedDataset, match=r"cannot be read as a npz file|no arrays X and y"):
        load("toy")


def test_a_file_that_may_not_be_read_is_refused(shelf, toy, monkeypatch):
    shelf.add("toy", toy)
    path = shelf.folder / "toy.npz"
    path.write_bytes(npz(X=toy.X, y=toy.y))

    def forbidden(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(RefusedDataset, match=f"{path} is not .*: reading it is not permitted"):
        load("toy")


def test_a_folder_that_may_not_be_looked_into_is_named(shelf, toy, monkeypatch):
    shelf.add("toy", toy)

    def forbidden(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", forbidden)
    said = rf"{shelf.folder} \(cache\) cannot be looked into: Permission denied"
    with pytest.raises(RefusedDataset, match=said):
        load("toy")
    lines = {line.name: line for line in available()}
    assert "cannot be looked into" in lines["toy"].problem
    assert lines["digits"].problem is None


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"X": np.full((30, 12), "a")}, "values are of the type <U1, expected numbers"),
        ({"X": np.full((30, 12), 1j)}, "array 'X' holds complex numbers"),
        ({"y": np.int64(3)}, "30 x 12 values and 1 labels, expected 30 x 12"),
        ({"group": np.full(30, "a")}, "its arrays are not those of a data set"),
        ({"group": np.arange(30) + 0.5}, "holds fractions"),
        ({"group": np.arange(30).reshape(5, 6)}, "its array 'group' differs"),
    ],
)
def test_arrays_of_another_kind_are_refused(shelf, toy, arrays, said):
    whole = {"X": toy.X, "y": toy.y, "group": np.arange(30)}
    shelf.add("toy", Arrays(toy.X, toy.y, {"group": np.arange(30)}))
    (shelf.folder / "toy.npz").write_bytes(npz(**whole))
    assert load("toy").X.shape == (30, 12)
    (shelf.folder / "toy.npz").write_bytes(npz(**(whole | arrays)))
    with pytest.raises(RefusedDataset, match=said):
        load("toy")


def test_of_several_files_the_broken_one_is_named(shelf, toy):
    shelf.add("toy", toy, sources=(Files((File("a.bz2"), File("b.bz2")), read_libsvm),))
    (shelf.folder / "a.bz2").write_bytes(libsvm(toy.X[:20], toy.y[:20]))
    (shelf.folder / "b.bz2").write_bytes(libsvm(toy.X[20:], toy.y[20:])[:-30])
    with pytest.raises(RefusedDataset, match=r"'toy': b\.bz2: it cannot be read as a libsvm file"):
        load("toy")


def test_a_missing_data_set_is_named_with_the_places_and_the_way(data, shelf, toy):
    source = Files((File("toy.mat", "http://example.org/toy.mat"),), read_one)
    shelf.add("toy", toy, sources=(source,), by_hand="download toy.mat from http://example.org")
    data.rmdir()
    with pytest.raises(MissingDataset) as caught:
        load("toy")
    assert str(caught.value) == (
        f"the data set 'toy' is not there; looked for toy.npz in {data} (SAMEKIND_DATA, no such "
        f"folder) and in {shelf.folder} (cache); get it with: samekind datasets get toy (from "
        "http://example.org/toy.mat, untried), or download toy.mat from http://example.org "
        f"(untried) into {shelf.folder}"
    )


def test_an_unknown_name_is_met_with_the_nearest_first(shelf):
    with pytest.raises(UnknownDataset, match=r"no data set 'USPS'.*nearest first, usps, usps_1000"):
        load("USPS")
    with pytest.raises(UnknownDataset, match="nearest first, isolet1, "):
        get("isolat1")


def test_public_files_put_there_by_hand_are_recognized_and_converted(shelf, toy):
    shelf.add("toy", toy, sources=(Files((File("Toy_4x3.mat"),), read_one),))
    (shelf.folder / "toy_4x3.MAT").write_bytes(mat(fea=toy.X, gnd=toy.y + 1))
    np.testing.assert_array_equal(load("toy").X, toy.X / 255)
    assert get("toy") == str(shelf.folder / "toy.npz")
    assert load("toy").path == str(shelf.folder / "toy.npz")
    np.testing.assert_array_equal(load("toy").y, toy.y)


def test_several_files_count_only_together(shelf, toy):
    files = Files((File("a.bz2"), File("b.bz2")), read_libsvm)
    shelf.add("toy", toy, sources=(files,))
    (shelf.folder / "a.bz2").write_bytes(libsvm(toy.X[:20], toy.y[:20]))
    with pytest.raises(MissingDataset):
        load("toy")
    (shelf.folder / "b.bz2").write_bytes(libsvm(toy.X[20:], toy.y[20:]))
    np.testing.assert_array_equal(load("toy").X, toy.X / 255)


def test_a_wrong_file_put_there_by_hand_is_refused(shelf, toy):
    shelf.add("toy", toy, sources=(Files((File("toy.mat"),), read_one),))
    (shelf.folder / "toy.mat").write_bytes(mat(fea=toy.X[:, ::-1], gnd=toy.y))
    with pytest.raises(RefusedDataset, match=r"toy\.mat is not the data set 'toy'"):
        get("toy")
    assert shelf.files() == ["toy.mat"]


def test_a_part_is_cut_out_of_the_whole(shelf, toy):
    rows = np.array([2, 12, 4, 25, 26])
    part = Arrays(toy.X[rows], np.array([0, 1, 0, 2, 2]))
    shelf.add("toy", toy)
    shelf.add("few", part, part=Part("toy", lambda _: rows))
    (shelf.folder / "toy.npz").write_bytes(npz(X=toy.X, y=toy.y))
    np.testing.assert_array_equal(load("few").X, part.X / 255)
    np.testing.assert_array_equal(load("few").y, part.y)
    assert load("few").path.startswith("rows of ")


def test_rows_of_a_whole_in_another_order_are_refused(shelf, toy):
    rows = np.array([2, 12, 4, 25, 26])
    shelf.add("toy", Arrays(toy.X[::-1], toy.y))
    shelf.add("few", Arrays(toy.X[rows], toy.y[rows]), part=Part("toy", lambda _: rows))
    (shelf.folder / "toy.npz").write_bytes(npz(X=toy.X[::-1], y=toy.y))
    with pytest.raises(RefusedDataset, match="not the data set 'few'"):
        load("few")


def test_the_listing_says_what_is_there_and_what_is_wrong(shelf, toy):
    shelf.add("good", toy)
    shelf.add("bad", toy)
    shelf.add("none", toy, by_hand="get it from a friend")
    (shelf.folder / "good.npz").write_bytes(npz(X=toy.X, y=toy.y))
    (shelf.folder / "bad.npz").write_bytes(npz(X=toy.X + 1, y=toy.y))
    lines = {line.name: line for line in available()}
    assert list(lines) == sorted(lines)
    good, bad, none = lines["good"], lines["bad"], lines["none"]
    assert (good.where, good.problem, good.how) == (str(shelf.folder / "good.npz"), None, "")
    assert "column means differ" in bad.problem
    assert none.where is None
    assert none.how == f"get it from a friend into {shelf.folder}"
    assert (good.n_samples, good.n_features, good.n_classes) == (30, 12, 3)
    assert lines["orl"].places
    assert not lines["orl"].tried
    assert lines["digits"].where
    assert lines["digits"].tried


def test_loading_needs_no_extra(shelf, toy, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    shelf.add("toy", toy)
    (shelf.folder / "toy.npz").write_bytes(npz(X=toy.X, y=toy.y))
    assert load("toy").X.shape == (30, 12)


@pytest.mark.parametrize(
    ("platform", "variable", "below"),
    [
        ("linux", "XDG_CACHE_HOME", ".cache"),
        ("darwin", "UNUSED", "Library/Caches"),
        ("win32", "LOCALAPPDATA", "AppData/Local"),
    ],
)
def test_the_cache_lies_where_the_platform_keeps_its_caches(
    monkeypatch, tmp_path, platform, variable, below
):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("SAMEKIND_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert cache_folder() == tmp_path / below / "samekind" / "datasets"
    monkeypatch.setenv(variable, str(tmp_path / "elsewhere"))
    moved = cache_folder() == tmp_path / "elsewhere" / "samekind" / "datasets"
    assert moved == (variable != "UNUSED")
