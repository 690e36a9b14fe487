"""Digits: 1797 handwritten digits, 8 x 8, which come with scikit-learn."""

from sklearn.datasets import load_digits

from samekind.paper.datasets.records import Arrays, Record, Scale


def _digits() -> Arrays:
    X, y = load_digits(return_X_y=True)
    return Arrays(X, y)


RECORDS = (
    Record(
        "digits",
        about="handwritten digits, small",
        shape=(1797, 64),
        n_classes=10,
        scale=Scale("gray levels from 0 to 16, as they are", "float64"),
        source="scikit-learn's load_digits",
        image_shape=(8, 8),
        embedded=_digits,
    ),
)
