"""Warnings of fit name the file of whoever called it."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from problems import blobs
from samekind import CSP, DGSL, S3R, SC, sample_labels
from samekind.estimators._base.validation import CliqueWarning, warn_of_merged


@pytest.fixture(scope="module")
def data():
    X, y = blobs(3, n_per_class=20, k=3, d=20, spread=3.0)
    return X / 2, sample_labels(y, 4, random_state=0)


TRIANGLE = {"cannot_link": [(0, 1), (0, 2), (1, 2)]}
ONE_STEP = {"max_iter": 1, "tol": 1e-12}
# A call that warns, and the category.
CALLS = {
    "pair method": (lambda X, y: DGSL(3, **ONE_STEP).fit(X), ConvergenceWarning),
    "fit_predict": (lambda X, y: DGSL(3, **ONE_STEP).fit_predict(X), ConvergenceWarning),
    "label method": (lambda X, y: S3R(**ONE_STEP).fit(X, y), ConvergenceWarning),
    "few cuts": (lambda X, y: CSP(3).fit(X, must_link=[(0, 1)]), UserWarning),
    "few cuts, fit_predict": (lambda X, y: CSP(3).fit_predict(X, must_link=[(0, 1)]), UserWarning),
    "clique": (lambda X, y: DGSL(2).fit(X, **TRIANGLE), CliqueWarning),
    "clique, fit_predict": (lambda X, y: CSP(2).fit_predict(X, **TRIANGLE), CliqueWarning),
    "ignored": (lambda X, y: SC(3).fit(X, **TRIANGLE), UserWarning),
    "pipeline": (
        lambda X, y: make_pipeline(StandardScaler(), DGSL(3, **ONE_STEP)).fit(X),
        ConvergenceWarning,
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_warning_names_the_file_of_the_caller(data, call):
    run, category = CALLS[call]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        run(*data)
    ours = [one for one in seen if issubclass(one.category, category)]
    assert ours
    assert {one.filename for one in ours} == {__file__}


@pytest.mark.parametrize("labels", [[0, 1, 1], [1, 0, 0], [0, 1, 0]])
def test_rows_that_differ_by_rounding_are_told_whatever_lies_between_them(labels):
    """A row equal to the first, with the label of the last, stands between the two."""
    X, compared = np.array([[1.0], [1.0], [1.0 + 4e-16]]), np.full((3, 1), 0.5)
    with pytest.warns(UserWarning, match="differ by rounding alone"):
        warn_of_merged(X, compared, np.array(labels), "SameKind")
