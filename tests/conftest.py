"""Data that several tests share."""

import pytest
from threadpoolctl import threadpool_limits

from problems import random_problem


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    """Two workers run side by side: more threads than that only get in each other's way."""
    with threadpool_limits(limits=1):
        yield


@pytest.fixture(params=range(4))
def problem(request):
    """A small random problem with must-links and cannot-links on a connected graph."""
    return random_problem(request.param)
