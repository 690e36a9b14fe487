"""A short run of benchmarks/ask_torture.py."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def torture():
    sys.path.insert(0, str(BENCHMARKS))
    import ask_torture

    yield ask_torture
    sys.path.remove(str(BENCHMARKS))
    for name in ("ask_torture", "rows"):
        sys.modules.pop(name, None)


@pytest.mark.skipif(not hasattr(sys.modules["os"], "fork"), reason="needs fork")
def test_no_acknowledged_answer_is_lost_or_doubled_by_kills(torture):
    wrong, acknowledged, _ = torture.kills(20, n_each=8, k=3)
    assert wrong == 0
    assert acknowledged > 20


def test_a_lost_answer_would_be_noticed(torture):
    told = [["answer", 1, "0-a"], ["withdraw", 1, ""]]
    lines = [{"seq": 1, "verb": "answer", "ask": "0-a"}, {"seq": 2, "verb": "withdraw", "of": 1}]
    assert torture._lost(told, lines) == 0
    assert torture._lost(told, lines[:1]) == 1
    assert torture._lost(told, [lines[0], lines[0], lines[1]]) > 0


def test_random_dialogues_ask_nothing_twice_and_end(torture):
    torture.dialogues(200)


def test_resumed_and_undone(torture):
    assert torture.resumed(8, 4, 2) == 0
    assert torture.undo(12) == 0
