"""Drawings of a fitted model, in the manner of scikit-learn's displays.

As in `sklearn.inspection`: ``Display.from_estimator(model)`` computes and draws, ``plot`` draws
again, ``ax_`` and ``figure_`` are what was drawn on. matplotlib is imported when something is
drawn.
"""

from samekind.inspection._affinity import AffinityDisplay
from samekind.inspection._convergence import ConvergenceDisplay
from samekind.inspection._embedding import EmbeddingDisplay
from samekind.inspection._n_clusters import NClustersDisplay

__all__ = ["AffinityDisplay", "ConvergenceDisplay", "EmbeddingDisplay", "NClustersDisplay"]
