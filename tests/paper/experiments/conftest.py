"""A tiny experiment on the digits, put beside the paper's."""

import pytest

from samekind.paper.experiments import protocol
from samekind.paper.experiments.protocol import Contender, Experiment


@pytest.fixture
def tiny(monkeypatch):
    """Two methods, two repetitions, the digits."""
    contenders = (
        Contender("SL", "sl"),
        Contender("SC", "sc"),
    )
    one = Experiment("tiny", "Tiny", ("digits",), contenders, lambda _: ({"labelled": 5},))
    monkeypatch.setitem(protocol.EXPERIMENTS, "tiny", one)
    return one
