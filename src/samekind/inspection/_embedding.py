"""The embedding of a fitted model as points."""

from collections.abc import Sequence
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
    names : sequence of str, optional
        What cluster 0, 1, ... is called in the legend; its number by default. From a model: the
        labels that were given, where there were some.

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

    def __init__(
        self,
        *,
        points: FloatArray,
        labels: NDArray[Any],
        title: str = "",
        names: Sequence[str] | None = None,
    ) -> None:
        self.points = points
        self.labels = labels
        self.title = title
        self.names = names

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
        names = getattr(model, "cluster_names_", ())
        if all(name == f"cluster {c}" for c, name in enumerate(names)):
            names = None
        return cls(points=points, labels=model.labels_, title=title, names=names).plot(ax, **kwargs)

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
            name = str(cluster) if self.names is None else self.names[cluster]
            look = {"s": 16, "color": color, "marker": marker, "label": name} | kwargs
            ax.scatter(*self.points[position == c].T, **look)
        ax.set(title=self.title, aspect="equal", xticks=[], yticks=[])
        if len(clusters) <= 20:
            title = "cluster" if self.names is None else "label"
            ax.legend(title=title, fontsize="small", framealpha=0.6)
        self.ax_, self.figure_ = ax, ax.figure
        return self
