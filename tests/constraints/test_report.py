"""Which pairs a labeling violates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samekind.constraints import PairConstraints


@st.composite
def labeled(draw):
    n = draw(st.integers(1, 8))
    pairs = st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=10)
    labels = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    return PairConstraints(n, draw(pairs), draw(pairs), on_conflict="drop"), labels


@settings(max_examples=60, deadline=None)
@given(labeled())
def test_violations_are_what_a_loop_counts(problem):
    value, labels = problem
    report = value.evaluate(labels)
    must = [p for p in value.must_link.tolist() if labels[p[0]] != labels[p[1]]]
    cannot = [p for p in value.cannot_link.tolist() if labels[p[0]] == labels[p[1]]]
    total = len(value.must_link) + len(value.cannot_link)
    assert report.violated_must_link.tolist() == must
    assert report.violated_cannot_link.tolist() == cannot
    assert (report.n_must_link, report.n_cannot_link) == (
        len(value.must_link),
        len(value.cannot_link),
    )
    assert report.violated == len(must) + len(cannot)
    assert report.satisfied == total - report.violated
    assert report.satisfaction == (report.satisfied / total if total else 1.0)


@settings(max_examples=60, deadline=None)
@given(labeled())
def test_groups_as_labels_satisfy_everything(problem):
    value, _ = problem
    assert value.evaluate(value.group_of).satisfaction == 1.0
    assert value.evaluate(value.group_of.astype(str)).violated == 0


def test_the_sentence_counts_both_kinds():
    report = PairConstraints(4, [(0, 1)], [(1, 2), (0, 3)]).evaluate([0, 1, 1, 1])
    assert str(report) == (
        "1 of 3 pairs satisfied; 1 of 1 must-links and 1 of 2 cannot-links violated."
    )
    assert str(PairConstraints(2).evaluate([0, 0])) == "No pairs or labels were given."


def test_a_report_cannot_be_changed():
    report = PairConstraints(2, [(0, 1)]).evaluate([0, 1])
    with pytest.raises(AttributeError):
        report.n_must_link = 3
    with pytest.raises(ValueError, match="read-only"):
        report.violated_must_link[0] = 0


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1], r"labels has shape \(2,\), but the constraints cover 3 samples; .*subset\(rows\)"),
        ([[0, 1, 2]], r"labels has shape \(1, 3\)"),
        (0, r"labels has shape \(\)"),
        (np.array([0, 1, np.nan]), "labels holds NaN"),
    ],
)
def test_labels_that_do_not_fit_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        PairConstraints(3).evaluate(labels)
