"""Numbers as people read them."""

import numpy as np
import pytest

from samekind.app.report.tables import number, score_table, seconds


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (np.bool_(False), "no"),
        (np.int64(12345), "12,345"),
        (123456.7, "123,457"),
        (-np.inf, "minus infinite"),
        (float("nan"), "nan"),
        ("kmeans", "kmeans"),
    ],
)
def test_values_become_text(value, text):
    assert number(value) == text


def test_long_durations_have_thousands():
    assert seconds(3600.4) == "3,600 s"


def test_scores_keep_their_columns_and_mark_the_best():
    columns, rows = score_table(
        [
            {"method": "a", "ACC": 0.5, "NMI": 1.0, "seconds": 0.2, "note": "plain"},
            {"method": "b", "ACC": 0.9, "ACC std": 0.01, "seconds": 70, "loss": 0.25},
            {"method": "c", "ACC": np.float64(0.1), "loss": 4, "loss std": 1, "live": True},
        ]
    )
    assert columns == ["method", "ACC, %", "NMI, %", "seconds", "note", "loss", "live"]
    texts = [[cell.text for cell in row] for row in rows]
    assert texts == [
        ["a", "50.0", "100.0", "0.20 s", "plain", "–", "–"],
        ["b", "90.0 ± 1.0", "–", "70 s", "–", "0.25", "–"],
        ["c", "10.0", "–", "–", "–", "4 ± 1", "True"],
    ]
    assert [row[1].best for row in rows] == [False, True, False]
    assert not rows[0][2].best  # alone in its column
    assert [row[1].share for row in rows] == [0.5, 0.9, 0.1]
