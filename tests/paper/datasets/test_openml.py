"""OpenML by scikit-learn's own fetcher, which is sent to a server on this machine."""

import json
import socket
import sys
from hashlib import md5
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import numpy as np
import pytest

from samekind.paper.datasets import MissingDataset, get, load
from samekind.paper.datasets.records import Arrays, OpenML
from samekind.paper.datasets.sets.isolet import GROUP_SIZES, in_groups

openml = pytest.importorskip("sklearn.datasets._openml")


@pytest.fixture
def publish(server, monkeypatch):
    """Serve arrays as data set 7 of OpenML."""

    def redirected(request, *more, **words):
        address = server.address + urlsplit(request.full_url).path
        return urlopen(Request(address), *more, **words)

    monkeypatch.setattr(openml, "urlopen", redirected)

    def publish(X, labels):
        lines = [",".join([*map(str, row), name]) for row, name in zip(X, labels, strict=True)]
        names = [f"pixel{i}" for i in range(X.shape[1])]
        arff = ["@relation toy", *(f"@attribute {name} real" for name in names)]
        arff += ["@attribute class {" + ",".join(sorted(set(labels))) + "}", "@data", *lines]
        raw = "\n".join(arff).encode()
        info = {"id": "7", "name": "toy", "version": "1", "format": "ARFF", "status": "active"}
        info |= {"description": "", "file_id": "9", "md5_checksum": md5(raw).hexdigest()}
        info |= {"url": "https://www.openml.org/data/v1/download/9/toy.arff"}
        columns = [(name, "numeric", "false") for name in names] + [("class", "nominal", "true")]
        features = [
            {
                "index": str(i),
                "name": name,
                "data_type": kind,
                "is_target": target,
                "is_ignore": "false",
                "is_row_identifier": "false",
                "number_of_missing_values": "0",
            }
            for i, (name, kind, target) in enumerate(columns)
        ]
        qualities = [{"name": "NumberOfInstances", "value": str(len(X))}]
        api = "api/v1/json/data"
        server.put(f"{api}/7", json.dumps({"data_set_description": info}).encode())
        server.put(
            f"{api}/features/7", json.dumps({"data_features": {"feature": features}}).encode()
        )
        server.put(
            f"{api}/qualities/7", json.dumps({"data_qualities": {"quality": qualities}}).encode()
        )
        server.put("data/v1/download/9/toy.arff", raw)
        server.put("data/v1/download/9", raw)  # where older versions of scikit-learn look
        return raw

    return publish


def test_openml_comes_first_and_is_kept(publish, shelf, toy):
    publish(toy.X, [str(label + 8) for label in toy.y])  # "10" after "9", though not as text
    shelf.add("toy", toy, sources=(OpenML(7),))
    assert get("toy") == str(shelf.folder / "toy.npz")
    np.testing.assert_array_equal(load("toy").X, toy.X / 255)
    np.testing.assert_array_equal(load("toy").y, toy.y)
    assert shelf.files() == ["toy.npz"]


def test_altered_content_of_openml_is_refused(publish, shelf, toy):
    publish(toy.X[::-1], [str(label) for label in toy.y[::-1]])
    shelf.add("toy", toy, sources=(OpenML(7),))
    with pytest.raises(MissingDataset, match="its rows come in another order"):
        get("toy")
    assert shelf.files() == []


@pytest.mark.parametrize("spoil", [lambda raw: raw[:-40], lambda raw: raw.replace(b",9", b",8")])
def test_a_cut_off_or_altered_file_of_openml_is_refused(publish, server, shelf, toy, spoil):
    raw = publish(toy.X, [str(label) for label in toy.y])
    for page in [page for page in server.pages if "download" in page]:
        server.put(page[1:], spoil(raw))
    shelf.add("toy", toy, sources=(OpenML(7),))
    with pytest.raises(MissingDataset, match=r"https://www\.openml\.org/d/7: "):
        get("toy")
    assert shelf.files() == []


def test_openml_without_a_connection_is_reported(publish, server, shelf, toy, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    server.pages.clear()
    shelf.add("toy", toy, sources=(OpenML(7),))
    with pytest.raises(MissingDataset, match=r"https://www\.openml\.org/d/7: .*404"):
        get("toy")


def test_spoken_letters_are_sorted_by_group_and_letter_and_speakers_keep_their_order():
    """As published: speaker by speaker through the alphabet, the groups one after the other."""
    n = sum(GROUP_SIZES)
    letters = np.arange(n) % 26
    sorted_rows = in_groups(Arrays(np.arange(n)[:, None], (letters + 1).astype(str)))
    group = np.repeat(np.arange(1, 6), GROUP_SIZES)
    np.testing.assert_array_equal(sorted_rows.extras["group"], group)
    order = sorted_rows.X[:, 0]
    for number in range(1, 6):
        rows = order[group == number]
        np.testing.assert_array_equal(np.sort(rows), np.flatnonzero(group == number))
        assert (np.diff(letters[rows]) >= 0).all()
        assert (np.diff(rows)[np.diff(letters[rows]) == 0] > 0).all()


def test_openml_that_says_nothing_is_given_up(shelf, toy, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, answers none
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setattr(openml, "urlopen", lambda *_, **__: urlopen(address))
        monkeypatch.setattr("samekind.paper.datasets.download.PATIENCE", 0.1)
        monkeypatch.setattr("time.sleep", lambda _: None)
        shelf.add("toy", toy, sources=(OpenML(7),))
        with pytest.raises(MissingDataset, match=r"https://www\.openml\.org/d/7: timed out"):
            get("toy")
    assert socket.getdefaulttimeout() is None


@pytest.mark.skipif(sys.platform != "linux", reason="no limit to addresses")
def test_openml_that_stands_for_more_than_memory_is_refused(shelf, toy, monkeypatch):
    def bomb(**_):
        return bytes(10**9)

    monkeypatch.setattr("sklearn.datasets.fetch_openml", bomb)
    monkeypatch.setattr("samekind.paper.datasets.download.MOST_MEMORY", 10**8)
    shelf.add("toy", toy, sources=(OpenML(7),))
    with pytest.raises(MissingDataset, match=r"openml\.org/d/7: it stands for more than 100\.0 MB"):
        get("toy")
    assert len(bytes(10**9)) == 10**9  # the limit has ended
