"""How the number of clusters of a fitted model was chosen."""

from typing import Any, Self

from samekind._typing import FloatArray, IntArray
from samekind.inspection._display import axes_for, fitted


class NClustersDisplay:
    """The score of every number of clusters that SameKind looked at, and the one it took.

    Parameters
    ----------
    n_clusters : ndarray of shape (n_candidates,)
        The numbers.
    score : ndarray of shape (n_candidates,)
        Modularity, plus the mean share of pairs that hold where there are both kinds.
    chosen : int
    by_pairs : bool
        Whether pairs had a say.
    title : str, default=""

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    line_ : matplotlib Line2D

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from samekind import SameKind
    >>> from samekind.inspection import NClustersDisplay
    >>> model = SameKind(n_clusters=None, random_state=0).fit(load_iris().data[::2])
    >>> display = NClustersDisplay.from_estimator(model)
    >>> display.chosen == model.n_clusters_
    True
    """

    def __init__(
        self,
        *,
        n_clusters: IntArray,
        score: FloatArray,
        chosen: int,
        by_pairs: bool,
        title: str = "",
    ) -> None:
        self.n_clusters = n_clusters
        self.score = score
        self.chosen = chosen
        self.by_pairs = by_pairs
        self.title = title

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw how a fitted model chose its number of clusters.

        Parameters
        ----------
        estimator : a SameKind that was fitted with ``n_clusters=None``, or a pipeline or search
            that ends with one
        ax : matplotlib Axes, optional
            New ones by default.
        **kwargs
            For ``matplotlib.axes.Axes.plot``.

        Returns
        -------
        display : NClustersDisplay
        """
        number = fitted(estimator, "choice_").choice_.n_clusters
        if number is None:
            raise ValueError(
                "the number of clusters was given, so that nothing was chosen; fit "
                "SameKind(n_clusters=None)"
            )
        how = "by pairs and graph" if number.by_pairs else "by graph alone, a guess"
        how = "plainly apart" if number.plain else how
        return cls(
            n_clusters=number.candidates,
            score=number.total,
            chosen=number.chosen,
            by_pairs=number.by_pairs,
            title=f"SameKind: {number.chosen} clusters, {how}",
        ).plot(ax, **kwargs)

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the curve; parameters as in ``from_estimator``.

        Returns
        -------
        self
        """
        ax = axes_for(ax)
        from matplotlib.ticker import MaxNLocator

        (self.line_,) = ax.plot(self.n_clusters, self.score, **{"marker": "."} | kwargs)
        ax.axvline(self.chosen, color=self.line_.get_color(), linestyle=":")
        score = "modularity + share of pairs kept" if self.by_pairs else "modularity"
        ax.set(title=self.title, xlabel="number of clusters", ylabel=score)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        self.ax_, self.figure_ = ax, ax.figure
        return self
