"""Rows in partitions; the scheduler that runs in this thread, and a cluster in this process."""

import dask.array as da
import numpy as np
import pytest
from dask.config import set as configured
from distributed import LocalCluster


@pytest.fixture(autouse=True)
def _synchronous():
    with configured(scheduler="synchronous"):
        yield


@pytest.fixture(scope="session")
def cluster():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
    ) as local:
        yield local


@pytest.fixture(scope="session")
def groups():
    """Six groups in 16 features; the last has 20 of 3,000 rows."""
    rng = np.random.default_rng(0)
    y = rng.integers(5, size=3000)
    y[rng.permutation(3000)[:20]] = 5
    X = 3 * rng.standard_normal((6, 16))[y] + rng.standard_normal((3000, 16))
    return X, y


@pytest.fixture(scope="session")
def rows(groups):
    return da.from_array(groups[0], chunks=(900, 16))
