"""A small data set, a shelf of its own for every test, and a server on this machine."""

import threading
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from samekind.paper.datasets import content
from samekind.paper.datasets.records import GRAY, Arrays, Record
from samekind.paper.datasets.table import RECORDS


@pytest.fixture
def toy():
    """Thirty pictures, 4 x 3, in three classes, gray levels from 0 to 255."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 10)
    X = rng.integers(0, 60, (30, 12)) + 60 * y[:, None]
    X[0, 0], X[1, 1] = 0, 255
    return Arrays(X.astype(np.uint8), y)


class Shelf:
    """A cache folder, and a table of data sets that a test may add to."""

    def __init__(self, monkeypatch, folder):
        self.folder, self._patch = folder / "cache", monkeypatch
        self.folder.mkdir()
        facts = folder / "facts"
        facts.mkdir()
        monkeypatch.setattr(content, "FACTS", facts)
        monkeypatch.setenv("SAMEKIND_CACHE", str(self.folder))
        monkeypatch.delenv("SAMEKIND_DATA", raising=False)

    def add(self, name, arrays, *, rows=None, **more):
        """Put a data set into the table, with what is known of its content."""
        record = Record(
            name,
            about="for a test",
            shape=arrays.X.shape,
            n_classes=len(np.unique(arrays.y)),
            scale=GRAY,
            source="made up",
        )
        record = replace(record, extras=tuple(arrays.extras), **more)
        self._patch.setitem(RECORDS, name, record)
        content.remember(name, content.describe(arrays), rows)
        return record

    def files(self):
        """Everything that lies in the cache, hidden files too."""
        return sorted(path.name for path in self.folder.rglob("*"))


@pytest.fixture
def shelf(monkeypatch, tmp_path):
    return Shelf(monkeypatch, tmp_path)


class Server:
    """Serves what a test puts into `pages`.

    Of those in `cut` only the first half comes, and those in `endless` have no end.
    """

    def __init__(self):
        self.pages, self.cut, self.endless, self.asked = {}, set(), set(), []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                owner.asked.append(self.path)
                body = owner.pages.get(self.path)
                if body is None:
                    self.send_error(404)
                    return
                self.send_response(200)
                endless = self.path in owner.endless
                if not endless:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(OSError):
                    while endless:
                        self.wfile.write(body)
                with suppress(OSError):  # the other side may have gone
                    self.wfile.write(body[: len(body) // 2] if self.path in owner.cut else body)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()

    def put(self, name, body):
        """Serve a page; returns its address."""
        self.pages[f"/{name}"] = body
        return f"{self.address}/{name}"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    one = Server()
    yield one
    one.http.shutdown()
    one.http.server_close()
