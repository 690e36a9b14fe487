"""Data that several tests share."""

import gc
import os
from collections import Counter

import pytest
from hypothesis import settings
from threadpoolctl import threadpool_limits

from problems import random_problem

# Two cores are often busy, so no deadline; where a run decides what lands, the same examples
# every time.
settings.register_profile("samekind", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("samekind")

COVERED_CASES = 3


def pytest_configure(config):
    config.addinivalue_line("markers", "no_cover: disable coverage for this test.")


def pytest_collection_modifyitems(items):
    """Of many cases of one test the first few are enough for coverage, which doubles their time.

    Cases that are drawn are tests of what has been covered by others.
    """
    cases = Counter()
    for item in items:
        test = item.nodeid.split("[")[0]
        cases[test] += 1
        drawn = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if drawn or cases[test] > COVERED_CASES:
            item.add_marker("no_cover")


def pytest_collection_finish():
    """What is imported stays; to look for garbage in it takes longer than many a test."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    """Two workers run side by side: more threads than that only get in each other's way."""
    with threadpool_limits(limits=1):
        yield


@pytest.fixture(params=range(4))
def problem(request):
    """A small random problem with must-links and cannot-links on a connected graph."""
    return random_problem(request.param)
