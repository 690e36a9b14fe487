"""A callback that raises StopIteration ends any method that iterates, with what it has."""

import numpy as np
import pytest
from contract import CLUSTERING, fit, made

from problems import blobs
from samekind import Status, sample_labels
from samekind.estimators._base.registry import METHODS


@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.filterwarnings("ignore")
def test_the_last_iteration_is_kept(name):
    X, y = blobs(3, n_per_class=12, k=3, d=6, spread=2.0)
    known = sample_labels(y, 3, random_state=0)
    seen = []

    def enough(record):
        seen.append(record.iteration)
        if len(seen) == 2:
            raise StopIteration

    model = made(name)
    if "tol" in model.get_params():
        model.set_params(tol=1e-9)
    fit(model, X, known, callback=enough)
    assert METHODS[name].interruptible == bool(seen)
    assert len(model.labels_) == len(X)
    assert np.isin(model.labels_, [0, 1, 2]).all()
    if seen:
        assert seen == [1, 2]
        assert model.status_ is Status.INTERRUPTED
