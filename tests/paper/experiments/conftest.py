"""A tiny experiment on some digits, put beside the paper's."""

import pytest

from samekind.paper.experiments import protocol
from samekind.paper.experiments.protocol import Contender, Experiment


@pytest.fixture
def tiny(monkeypatch):
    """Two methods on 150 of the digits."""
    contenders = (
        Contender("SL", "sl"),
        Contender("SC", "sc"),
    )
    setting = {"labelled": 5, "n": 150}
    one = Experiment("tiny", "Tiny", ("digits",), contenders, lambda _: (setting,), task="seconds")
    monkeypatch.setitem(protocol.EXPERIMENTS, "tiny", one)
    return one
