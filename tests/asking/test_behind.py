"""The fit behind a dialogue."""

import numpy as np
import pytest

from dialogues import answer, blobs
from samekind.asking import FitBehind, Questions

X, Y = blobs()


@pytest.fixture(scope="module")
def fitted():
    """A fit that has seen some answers, and a dialogue that went on."""
    with (
        pytest.MonkeyPatch.context() as patch,
        Questions(X, 3, row=2) as q,
        FitBehind(q) as behind,
    ):
        patch.setattr("samekind.asking.behind.NICE", 0)  # somebody is waiting
        answer(q, Y, 4)
        assert behind.start()
        assert not behind.start()  # one at a time
        answer(q, Y, 6)
        behind.wait()
        yield q, behind


def test_answers_during_a_fit_are_in_the_next(fitted):
    _, behind = fitted
    fit = behind.latest()
    assert fit.seen == {1, 2, 3, 4}
    assert len(fit.labels) == len(Y)


def test_a_fit_is_shown_only_where_it_predicts_as_well(fitted):
    _, behind = fitted
    good = behind._latest
    try:
        behind._latest = type(good)(Y, good.seen, "")
        assert behind.better() is behind._latest
        behind._latest = type(good)(np.arange(len(Y)) % 3, good.seen, "")
        assert behind.better() is None
    finally:
        behind._latest = good


def test_closing_ends_the_child(fitted):
    q, _ = fitted
    behind = FitBehind(q)
    behind.start()
    child = behind._child
    behind.close()
    assert child.poll() is not None
    assert behind.latest() is None
