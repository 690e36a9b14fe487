"""What a ground costs is paid once for all tests."""

import pytest

from samekind.asking import questions
from samekind.asking.ground import ground_of

MADE = {}


@pytest.fixture(autouse=True)
def _ground_once(monkeypatch):
    def made(X, k, seed):
        key = X.tobytes(), k, seed
        if key not in MADE:
            MADE[key] = ground_of(X, k, seed)
        return MADE[key]

    monkeypatch.setattr(questions, "ground_of", made)
