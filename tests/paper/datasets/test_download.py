"""Downloads from a server on this machine: whole, missing, cut off, altered and damaged files."""

import gzip
import logging
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from hashlib import md5, sha256

import numpy as np
import pytest

from public_files import idx, libsvm, mat, npz, planetoid
from samekind.paper.datasets import DatasetError, MissingDataset, download, get, load
from samekind.paper.datasets.download import git_name
from samekind.paper.datasets.formats.idx import read_pictures_and_labels
from samekind.paper.datasets.formats.libsvm import read_libsvm
from samekind.paper.datasets.formats.mat import read_one
from samekind.paper.datasets.formats.npz import read_npz
from samekind.paper.datasets.formats.planetoid import PARTS, read_planetoid
from samekind.paper.datasets.records import Arrays, File, Files, Part


@pytest.fixture
def publish(server, shelf):
    """Serve files, and add a data set that is made from them."""

    def publish(name, arrays, contents, read, checksum=lambda raw: None, **more):
        files = tuple(
            File(title, server.put(title, raw), checksum(raw)) for title, raw in contents.items()
        )
        return shelf.add(name, arrays, sources=(Files(files, read),), **more)

    return publish


def in_mat(toy):
    return {"toy.mat": mat(fea=toy.X, gnd=toy.y + 1)}, read_one


def in_npz(toy):
    parts = {"x_train": toy.X[:20], "x_test": toy.X[20:]}
    raw = npz(**parts, y_train=toy.y[:20], y_test=toy.y[20:])
    return {"toy-public.npz": raw}, lambda paths: read_npz(paths[0])


def in_idx(toy):
    X, y = toy.X.reshape(30, 4, 3), toy.y.astype(np.uint8)
    parts = {"x": X[:20], "y": y[:20], "tx": X[20:], "ty": y[20:]}
    files = {f"{name}.gz": gzip.compress(idx(part)) for name, part in parts.items()}
    return files, read_pictures_and_labels


def in_libsvm(toy):
    halves = {"toy.bz2": slice(20), "toy.t.bz2": slice(20, None)}
    return {n: libsvm(toy.X[rows], toy.y[rows] + 1) for n, rows in halves.items()}, read_libsvm


GRAPH = defaultdict(list, {0: [1, 1, 25], 1: [0, 0], 25: [0]})
TESTED = np.array([29, *range(20, 29)])


def in_planetoid(toy):
    files = planetoid(toy.X.astype(np.float32), np.eye(3)[toy.y], GRAPH, 3, 20, TESTED)
    return {f"ind.toy.{part}": files[part] for part in PARTS}, read_planetoid


FORMATS = {
    "mat": in_mat,
    "npz": in_npz,
    "idx": in_idx,
    "libsvm": in_libsvm,
    "planetoid": in_planetoid,
}
CHECKSUMS = {
    "sha256": lambda raw: "sha256:" + sha256(raw).hexdigest(),
    "md5": lambda raw: "md5:" + md5(raw).hexdigest(),
    "git": lambda raw: "git:" + git_name(raw),
    "none": lambda raw: None,
}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_download_is_kept_and_loaded(publish, shelf, server, toy, kind):
    contents, read = FORMATS[kind](toy)
    publish("toy", toy, contents, read)
    assert get("toy") == str(shelf.folder / "toy.npz")
    np.testing.assert_array_equal(load("toy").X, toy.X / 255)
    np.testing.assert_array_equal(load("toy").y, toy.y)
    assert shelf.files() == ["toy.npz"]
    get("toy")
    assert len(server.asked) == len(contents)  # once


def test_planetoid_files_are_downloaded_with_their_links(publish, shelf, toy):
    extras = {
        "edges_unique": np.array([[0, 1], [0, 25]]),
        "train_idx": np.arange(3),
        "val_idx": np.arange(3, 503),
        "test_idx": np.arange(20, 30),
    }
    publish("toy", Arrays(toy.X, toy.y, extras), *in_planetoid(toy))
    get("toy")
    assert load("toy").extras.keys() == extras.keys()
    for name, array in extras.items():
        np.testing.assert_array_equal(load("toy").extras[name], array)


@pytest.mark.parametrize("checksum", CHECKSUMS)
def test_a_cut_off_download_leaves_nothing(publish, server, shelf, toy, checksum):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read, CHECKSUMS[checksum], by_hand="get it from a friend")
    server.cut.add("/toy.mat")
    with pytest.raises(MissingDataset, match="'toy' could not be obtained") as caught:
        get("toy")
    assert f"{server.address}/toy.mat" in str(caught.value)
    assert f"get it from a friend into {shelf.folder}" in str(caught.value)
    assert shelf.files() == []


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("LARGEST", 10**6, r"larger than 1\.0 MB"),
        ("LONGEST", 0, "not come to its end within 0 sec"),
    ],
)
def test_a_download_without_end_is_given_up(
    publish, server, shelf, toy, monkeypatch, limit, value, reason
):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read)
    server.endless.add("/toy.mat")
    monkeypatch.setattr(download, limit, value)
    with pytest.raises(MissingDataset, match=rf"toy\.mat: the file .*{reason}"):
        get("toy")
    assert shelf.files() == []


@pytest.mark.parametrize("kind", FORMATS)
def test_a_connection_that_breaks_leaves_nothing(publish, server, shelf, toy, kind):
    contents, read = FORMATS[kind](toy)
    publish("toy", toy, contents, read)
    last = list(contents)[-1]
    server.cut.add(f"/{last}")
    with pytest.raises(MissingDataset, match=last.replace(".", r"\.")):
        get("toy")
    assert shelf.files() == []


@pytest.mark.parametrize("checksum", ["sha256", "md5", "git"])
def test_a_file_with_another_digest_is_refused(publish, server, shelf, toy, checksum):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read, CHECKSUMS[checksum])
    server.put("toy.mat", mat(fea=toy.X, gnd=toy.y + 1, more=1))  # content as good as before
    with pytest.raises(MissingDataset, match=r"does not match|not the one that is known"):
        get("toy")
    assert shelf.files() == []


@pytest.mark.parametrize("kind", FORMATS)
def test_altered_content_is_refused_with_what_differs(publish, shelf, toy, kind):
    altered = Arrays(np.where(np.arange(12) == 5, 7, toy.X).astype(np.uint8), toy.y)
    contents, read = FORMATS[kind](altered)
    publish("toy", toy, contents, read)
    with pytest.raises(MissingDataset, match="column means differ, most that of column 5: 7, exp"):
        get("toy")
    assert shelf.files() == []


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("spoil", [lambda raw: raw[:-30], lambda raw: b"<html>Moved</html>"])
def test_damaged_files_are_refused(publish, shelf, toy, kind, spoil):
    contents, read = FORMATS[kind](toy)
    publish("toy", toy, {name: spoil(raw) for name, raw in contents.items()}, read)
    with pytest.raises(MissingDataset, match="is not the data set 'toy'"):
        get("toy")
    assert shelf.files() == []


def test_a_file_that_is_not_there_is_reported(publish, server, shelf, toy):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read)
    server.pages.clear()
    with pytest.raises(MissingDataset, match="404"):
        get("toy")
    assert shelf.files() == []


def test_a_server_that_is_gone_is_reported(publish, server, shelf, toy):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read)
    server.http.shutdown()
    server.http.server_close()
    with pytest.raises(MissingDataset, match=r"toy\.mat: .*refused"):
        get("toy")


def test_the_next_place_is_tried_and_the_first_good_one_kept(server, shelf, toy):
    places = {"a.mat": toy.X[:, ::-1], "b.mat": toy.X, "c.mat": toy.X}
    sources = tuple(
        Files((File(name, server.put(name, mat(fea=X, gnd=toy.y))),), read_one)
        for name, X in places.items()
    )
    shelf.add("toy", toy, sources=sources)
    get("toy")
    assert server.asked == ["/a.mat", "/b.mat"]


def labels_for_pictures(toy):
    contents, read = in_idx(toy)
    return contents | {"tx.gz": contents["ty.gz"]}, read


def other_widths(toy):
    parts = {"x_train": toy.X[:20], "x_test": toy.X[20:, :5]}
    raw = npz(**parts, y_train=toy.y[:20], y_test=toy.y[20:])
    return {"toy-public.npz": raw}, lambda paths: read_npz(paths[0])


@pytest.mark.parametrize("wrong", [labels_for_pictures, other_widths])
def test_whole_files_that_do_not_fit_together_send_on_to_the_next_place(server, shelf, toy, wrong):
    contents, read = wrong(toy)
    first = tuple(File(name, server.put(name, raw)) for name, raw in contents.items())
    good = File("good.mat", server.put("good.mat", mat(fea=toy.X, gnd=toy.y)))
    shelf.add("toy", toy, sources=(Files(first, read), Files((good,), read_one)))
    get("toy")
    assert server.asked[-1] == "/good.mat"


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_downloaded(
    publish, server, shelf, toy, monkeypatch
):
    publish("toy", toy, *in_mat(toy))
    (shelf.folder / "file").touch()
    monkeypatch.setenv("SAMEKIND_CACHE", str(shelf.folder / "file" / "below"))
    with pytest.raises(DatasetError, match=r"cannot be written: .*name another one in SAMEKIND"):
        get("toy")
    assert server.asked == []


def test_two_that_get_it_at_once_both_have_it(publish, shelf, toy):
    publish("toy", toy, *in_mat(toy))
    with ThreadPoolExecutor(4) as threads:
        kept = set(threads.map(lambda _: get("toy"), range(12)))
    assert kept == {str(shelf.folder / "toy.npz")}
    assert shelf.files() == ["toy.npz"]


def test_a_part_without_a_place_of_its_own_comes_with_the_whole(publish, shelf, toy):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read)
    few = Arrays(toy.X[toy.y < 2], toy.y[toy.y < 2])
    shelf.add("few", few, part=Part("toy", lambda arrays: np.flatnonzero(arrays.y < 2)))
    assert get("few") == str(shelf.folder / "few.npz")
    assert shelf.files() == ["few.npz", "toy.npz"]
    np.testing.assert_array_equal(load("few").X, few.X / 255)


def test_a_failed_write_leaves_nothing(publish, shelf, toy, monkeypatch):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read)

    def broken(_):
        raise OSError("disk full")

    monkeypatch.setattr("samekind._files.os.fsync", broken)
    with pytest.raises(OSError, match="disk full"):
        get("toy")
    assert shelf.files() == []


def test_without_pooch_the_way_to_install_it_is_named(publish, toy, monkeypatch):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read)
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MissingDataset, match=r'pooch.*pip install "\.\[paper\]"'):
        get("toy")


def test_nothing_is_logged_on_the_way(publish, toy, caplog):
    contents, read = in_mat(toy)
    publish("toy", toy, contents, read)
    with caplog.at_level(logging.INFO):
        get("toy")
    assert not [record for record in caplog.records if record.name == "pooch"]
