"""Content that does not fit together is refused with both sides named."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from samekind.app.report import Snapshot


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("names", ["a", "b"]),
        ("truth", ["a"] * 61),
        ("X", np.zeros((59, 2))),
        ("images", np.zeros((59, 4, 4))),
    ],
)
def test_a_wrong_number_of_rows_is_reported(make_content, field, value):
    with pytest.raises(ValueError, match=rf"{field} has {len(value)} rows but labels has 60"):
        make_content(**{field: value})


def test_flat_pictures_are_reported(make_content):
    with pytest.raises(ValueError, match=r"shape \(60, 16\), expected \(n_samples, height, width"):
        make_content(images=np.zeros((60, 16)))


def test_a_missing_feature_name_is_reported(make_content):
    with pytest.raises(ValueError, match="feature_names has 1 entries but X has 2 columns"):
        make_content(X=np.zeros((60, 2)), feature_names=["a"])


def test_nothing_to_report_is_reported(make_content):
    with pytest.raises(ValueError, match="labels are empty"):
        make_content(labels=np.array([], dtype=int))


@pytest.mark.parametrize("which", ["first", "last"])
def test_a_snapshot_of_another_run_is_reported(make_content, which):
    other = Snapshot(1, csr_array((5, 5)), np.zeros((60, 3)))
    with pytest.raises(ValueError, match=rf"{which} has Z of shape \(5, 5\).*expected \(60, 60\)"):
        make_content(**{which: other})
