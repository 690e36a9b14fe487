"""Content for pages, and a reader of pages that notices broken structure."""

from functools import cache
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from samekind._kernels.status import Status
from samekind.app.report import ReportContent, Snapshot, render_page

VOID = {"meta", "link", "img", "wbr", "br", "hr", "input"}


def record(**changes):
    values = {"objective": 3.0, "rho": 2.0, "change_A": 0.1, "change_Z": 0.05}
    return SimpleNamespace(**values | {"nonzeros_per_row": 6.0, "seconds": 0.1} | changes)


@pytest.fixture(scope="session")
def make_content():
    """A factory: rows around k unit vectors, with whatever is to be different."""

    def make(n=60, k=3, seed=0, **changes):
        rng = np.random.default_rng(seed)
        labels = rng.permutation(np.arange(n) % k)
        H = np.eye(k)[labels] + 0.2 * rng.standard_normal((n, k))
        Z = csr_array(random_array((n, n), density=min(1.0, 5 / n), rng=rng))
        values = {
            "title": "A title",
            "summary": "A summary.",
            "facts": {"samples": str(n)},
            "labels": labels,
            "names": [f"row {i}" for i in range(n)],
            "first": Snapshot(1, Z, H),
            "last": Snapshot(4, Z, H),
            "history": [record(objective=3.0 - i) for i in range(4)],
            "n_iter": 4,
            "status": Status.CONVERGED,
            "parameters": {"n_clusters": k, "tol": 0.01},
            "versions": {"numpy": "2"},
            "seconds": {"graph": 0.25, "solver": 1.5},
        }
        return ReportContent(**values | changes)

    return make


@pytest.fixture(scope="session")
def make_plain(make_content):
    """A factory of content without learning: fewer drawings, less time."""

    def make(**changes):
        values = {"first": None, "history": (), "n_iter": None} | changes
        made = make_content(**values)
        last = changes.get("last", Snapshot(None, None, made.last.H))
        return make_content(**values | {"last": last})

    return make


@pytest.fixture(scope="session")
def make_record():
    return record


class Choice(SimpleNamespace):
    """What a method chose, with a sentence."""

    def __str__(self):
        return "The best graphs & no others were kept."


@pytest.fixture(scope="session")
def make_choice():
    """A factory: candidates (number of neighbors, share, score by the pairs, kept)."""

    def make(*candidates, **changes):
        graphs = [
            SimpleNamespace(
                n_neighbors=m,
                local_share=share,
                by_pairs=score,
                by_modularity=0.7,
                total=0.7 if np.isnan(score) else (score + 0.7) / 2,
                kept=kept,
            )
            for m, share, score, kept in candidates
        ]
        values = {"candidates": graphs, "n_tested": 12, "local_share": 0.5, "standardized": True}
        values |= {"pairs_in_graph": True, "n_components": None}
        values |= {
            "metric_learned": False,
            "metric_by_pairs": None,
            "n_directions": 0,
            "of_rows": False,
        }
        values |= {"n_named": 2, "learned": True, "start": "named groups", "modularity": 0.8}
        return Choice(**values | changes)

    return make


class Page(HTMLParser):
    """Elements of a page in order, with complaints about what does not close."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.complaints, self.text, self._open = [], [], [], []
        self.feed(text)
        self.close()
        self.complaints += [f"<{tag}> stays open" for tag in self._open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), tuple(self._open)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), tuple(self._open)))

    def handle_endtag(self, tag):
        if not self._open or self._open.pop() != tag:
            self.complaints.append(f"</{tag}> closes something else")

    def handle_data(self, data):
        if not {"style", "script"} & set(self._open):
            self.text.append(data)

    def tags(self, *names):
        return [(tag, attrs) for tag, attrs, _ in self.elements if tag in names]

    def plain(self):
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="session")
def parse():
    return Page


@pytest.fixture(scope="session")
def rendered(make_content, make_record):
    """The page of a case, drawn once for all tests that look at it."""
    return cache(lambda case: render_page(case(make_content, make_record)))
