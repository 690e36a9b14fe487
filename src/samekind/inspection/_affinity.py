"""The graph of a fitted model as a picture."""

from typing import Any, Self

from numpy.typing import NDArray

from samekind._typing import FloatArray
from samekind.inspection._display import axes_for, fitted
from samekind.inspection._ordering import (
    block_edges,
    cluster_order,
    cluster_spans,
    largest_by_block,
)

MOST_CELLS = 400  # a side


class AffinityDisplay:
    """The learned graph with rows and columns ordered by cluster: clear clusters are squares.

    Each row is divided by its largest weight. Of more than 400 samples, the largest weight of
    each block is shown.

    Parameters
    ----------
    weights : ndarray of shape (n_cells, n_cells)
        Between 0 and 1.
    labels : ndarray of shape (n_samples,)
    title : str, default=""

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    image_ : matplotlib AxesImage

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from samekind import SC
    >>> from samekind.inspection import AffinityDisplay
    >>> model = SC(n_clusters=3, random_state=0).fit(load_iris().data)
    >>> AffinityDisplay.from_estimator(model).weights.shape
    (150, 150)
    """

    def __init__(self, *, weights: FloatArray, labels: NDArray[Any], title: str = "") -> None:
        self.weights = weights
        self.labels = labels
        self.title = title

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the graph of a fitted model.

        Parameters
        ----------
        estimator : a fitted model with ``affinity_matrix_``, or a pipeline or search that ends
            with one
        ax : matplotlib Axes, optional
            New ones by default.
        **kwargs
            For ``matplotlib.axes.Axes.imshow``.

        Returns
        -------
        display : AffinityDisplay
        """
        model = fitted(estimator, "affinity_matrix_")
        edges = block_edges(len(model.labels_), MOST_CELLS)
        weights = largest_by_block(model.affinity_matrix_, cluster_order(model.labels_), edges)
        title = f"{type(model).__name__}: graph, ordered by cluster"
        return cls(weights=weights, labels=model.labels_, title=title).plot(ax, **kwargs)

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the graph; parameters as in ``from_estimator``.

        Returns
        -------
        self
        """
        ax = axes_for(ax)
        # In samples, whatever the number of cells.
        n = len(self.labels)
        look = {"cmap": "Greys", "vmin": 0, "vmax": 1, "extent": (0, n, n, 0)} | kwargs
        self.image_ = ax.imshow(self.weights, **look)
        spans = list(cluster_spans(self.labels))
        for _, _, end in spans[:-1]:
            ax.axhline(n * end, color="tab:blue", linewidth=0.5)
            ax.axvline(n * end, color="tab:blue", linewidth=0.5)
        if len(spans) <= 20:
            middles = [n * (begin + end) / 2 for _, begin, end in spans]
            names = [str(cluster) for cluster, _, _ in spans]
            ax.set_xticks(middles, names)
            ax.set_yticks(middles, names)
        ax.set(title=self.title, xlabel="cluster", ylabel="cluster")
        self.ax_, self.figure_ = ax, ax.figure
        return self
