"""Two directions to look along: distances shrink, clusters come apart."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist

from samekind._kernels.shrink import unit_rows
from samekind.inspection._projection import project


@pytest.fixture(params=[1, 2, 3, 4, 10, 40])
def clustered(request):
    k = request.param
    rng = np.random.default_rng(k)
    labels = rng.permutation(np.arange(10 * k) % k)
    return np.eye(k)[labels] + 0.005 * rng.standard_normal((10 * k, k)), labels, k


def test_no_distance_grows(clustered):
    H, labels, _ = clustered
    points, share = project(H, labels)
    assert (pdist(points) <= pdist(unit_rows(H)) + 1e-12).all()
    assert 0 <= share <= 1 + 1e-12


def test_clusters_are_apart_also_when_there_are_many(clustered):
    H, labels, k = clustered
    points, _ = project(H, labels)
    means = np.stack([points[labels == c].mean(axis=0) for c in range(k)])
    radius = max(np.linalg.norm(points[labels == c] - means[c], axis=1).max() for c in range(k))
    apart = cdist(means, means) + 9 * np.eye(k)
    assert k < 4 or apart.min() > 0.5 * np.sqrt(2 / k) * 2 * np.pi / k  # spread on the circle
    assert k > 10 or radius < apart.min() / 2


def test_up_to_three_clusters_the_axes_are_the_principal_ones():
    rng = np.random.default_rng(0)
    H = rng.standard_normal((50, 5)) * [5, 3, 1, 1, 1]
    centered = unit_rows(H) - unit_rows(H).mean(axis=0)
    strongest = np.sort(np.linalg.eigvalsh(centered.T @ centered))[-2:]
    points, share = project(H, np.arange(50) % 3)
    assert (points**2).sum() == pytest.approx(strongest.sum())
    assert share == pytest.approx(strongest.sum() / (centered**2).sum())


def test_rows_that_do_not_differ_are_one_point():
    points, share = project(np.ones((6, 1)), np.zeros(6, dtype=int))
    np.testing.assert_allclose(points, 0, atol=1e-15)
    assert share == 0
