"""What makes fits quick of which no test looks at how good they are."""

import pytest

from samekind._kernels import assign
from samekind._selection import learning


@pytest.fixture
def few_starts(monkeypatch):
    """k-means from few starts."""
    monkeypatch.setattr(assign, "RESTARTS", 2)
    monkeypatch.setattr(learning, "N_STARTS", 5)
