"""Rows that several tests read."""

from pathlib import Path

import pytest

from samekind.paper.experiments import read_rows

RESULTS = Path(__file__).parents[2] / "results"


@pytest.fixture(scope="session")
def stored_rows():
    """The rows in the repository."""
    if not RESULTS.is_dir():
        pytest.skip("the results are not beside the tests")
    return read_rows(RESULTS).rows
