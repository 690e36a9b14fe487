"""The embedding on a sheet of paper: two orthogonal directions to look along.

Up to three clusters these are the principal axes. Beyond, a clear embedding has one
direction per cluster and all of them are about equally strong: the two principal ones
would show two clusters and all others as one heap. Of all pairs of orthogonal directions
that pair is taken which brings the cluster means nearest to points on a circle, similar
clusters beside each other. No distance grows by it: what is apart in the drawing is
apart in the embedding.
"""

import numpy as np

from samekind._kernels.shrink import unit_rows
from samekind._typing import FloatArray, IntArray


def project(H: FloatArray, labels: IntArray) -> tuple[FloatArray, float]:
    """Unit rows of H seen along two orthogonal directions, and the share of spread in them.

    Examples
    --------
    >>> points, share = project(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), np.array([0, 0, 1]))
    >>> points.shape, round(share, 3)
    ((3, 2), 1.0)
    """
    rows = unit_rows(np.pad(H, ((0, 0), (0, max(0, 2 - H.shape[1])))))
    clusters, position = np.unique(labels, return_inverse=True)
    means = np.stack([rows[position == c].mean(axis=0) for c in range(len(clusters))])
    centered = rows - rows.mean(axis=0)
    axes = _principal_axes(centered) if len(clusters) <= 3 else _circle_axes(means)
    points = centered @ axes
    spread = float((centered**2).sum())
    return points, float((points**2).sum()) / spread if spread > 0 else 0.0


def _principal_axes(centered: FloatArray) -> FloatArray:
    axes: FloatArray = np.linalg.svd(centered.T @ centered)[0][:, :2]
    # Free up to sign: let the largest entry be positive, so that pages repeat.
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), [0, 1]])
    return axes


def _circle_axes(means: FloatArray) -> FloatArray:
    """Orthonormal columns P that make ``means @ P`` most alike to points on a circle."""
    centered = means - means.mean(axis=0)
    angle = np.empty(len(means))
    angle[_chain(means)] = 2 * np.pi * np.arange(len(means)) / len(means)
    left, _, right = np.linalg.svd(
        centered.T @ np.column_stack([np.cos(angle), np.sin(angle)]), full_matrices=False
    )
    axes: FloatArray = left @ right  # orthogonal Procrustes
    return axes


def _chain(means: FloatArray) -> list[int]:
    """Clusters in an order in which each is followed by the nearest one still left."""
    chain, left = [0], set(range(1, len(means)))
    while left:
        here = means[chain[-1]]
        chain.append(min(sorted(left), key=lambda c: float(((means[c] - here) ** 2).sum())))
        left.remove(chain[-1])
    return chain
