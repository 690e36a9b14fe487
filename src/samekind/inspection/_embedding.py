"""The embedding of a fitted model as points."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from samekind._typing import FloatArray
from samekind.inspection._display import axes_for, fitted
from samekind.inspection._projection import project

MARKERS = "osD^vPX<>d"


class EmbeddingDisplay:
    """The embedding in two dimensions, one color and shape for each cluster.

    Of the k dimensions two directions are shown, chosen to keep the clusters apart; what is
    apart in the drawing is apart in the embedding.

    Parameters
    ----------
    points : ndarray of shape (n_samples, 2)
    labels : ndarray of shape (n_samples,)
    title : str, default=""

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from samekind import SC
    >>> from samekind.inspection import EmbeddingDisplay
    >>> model = SC(n_clusters=3, random_state=0).fit(load_iris().data)
    >>> display = EmbeddingDisplay.from_estimator(model)
    >>> len(display.ax_.collections)
    3
    """

    def __init__(self, *, points: FloatArray, labels: NDArray[Any], title: str = "") -> None:
        self.points = points
        self.labels = labels
        self.title = title

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the embedding of a fitted model.

        Parameters
        ----------
        estimator : a fitted model with ``embedding_``, or a pipeline or search that ends with one
        ax : matplotlib Axes, optional
            New ones by default.
        **kwargs
            For ``matplotlib.axes.Axes.scatter``.

        Returns
        -------
        display : EmbeddingDisplay
        """
        model = fitted(estimator, "embedding_")
        points, share = project(model.embedding_, model.labels_)
        title = f"{type(model).__name__}: {100 * share:.0f} % of the spread of the embedding"
        return cls(points=points, labels=model.labels_, title=title).plot(ax, **kwargs)

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the points; parameters as in ``from_estimator``.

        Returns
        -------
        self
        """
        ax = axes_for(ax)
        from matplotlib import colormaps

        clusters, position = np.unique(self.labels, return_inverse=True)
        colors = colormaps["tab10" if len(clusters) <= 10 else "turbo"]
        for c, cluster in enumerate(clusters):
            color = colors(c if len(clusters) <= 10 else c / (len(clusters) - 1))
            marker = MARKERS[c % len(MARKERS)]
            look = {"s": 16, "color": color, "marker": marker, "label": str(cluster)} | kwargs
            ax.scatter(*self.points[position == c].T, **look)
        ax.set(title=self.title, aspect="equal", xticks=[], yticks=[])
        if len(clusters) <= 20:
            ax.legend(title="cluster", fontsize="small", framealpha=0.6)
        self.ax_, self.figure_ = ax, ax.figure
        return self
