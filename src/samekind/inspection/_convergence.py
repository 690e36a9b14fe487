"""How the learning of a fitted model converged."""

from collections.abc import Sequence
from typing import Any, Self

from samekind.inspection._display import axes_for, fitted


class ConvergenceDisplay:
    """The largest change of A and of Z in every iteration, on a logarithmic scale.

    Learning ends where both are below ``tol``, for methods that have one.

    Parameters
    ----------
    change_A, change_Z : sequence of float
        One value for each iteration.
    tol : float, optional
    title : str, default=""

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    lines_ : list of matplotlib Line2D

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from samekind import DGSL
    >>> from samekind.inspection import ConvergenceDisplay
    >>> X = load_digits(n_class=3).data[:90] / 16
    >>> model = DGSL(n_clusters=3, random_state=0).fit(X, cannot_link=[(0, 1)])
    >>> display = ConvergenceDisplay.from_estimator(model)
    >>> len(display.change_Z) == model.n_iter_
    True
    """

    def __init__(
        self,
        *,
        change_A: Sequence[float],
        change_Z: Sequence[float],
        tol: float | None = None,
        title: str = "",
    ) -> None:
        self.change_A = change_A
        self.change_Z = change_Z
        self.tol = tol
        self.title = title

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw how a fitted model converged.

        Parameters
        ----------
        estimator : a fitted SameKind or DGSL, or a pipeline or search that ends with one
        ax : matplotlib Axes, optional
            New ones by default.
        **kwargs
            For ``matplotlib.axes.Axes.plot``.

        Returns
        -------
        display : ConvergenceDisplay
        """
        model = fitted(estimator, "history_")
        if not model.history_:
            raise ValueError("history_ is empty: no graph was learned, so that nothing converged")
        return cls(
            change_A=[record.change_A for record in model.history_],
            change_Z=[record.change_Z for record in model.history_],
            tol=model.get_params().get("tol"),
            title=f"{type(model).__name__}: {model.status_.name}",
        ).plot(ax, **kwargs)

    def plot(self, ax: Any = None, **kwargs: Any) -> Self:
        """Draw the curves; parameters as in ``from_estimator``.

        Returns
        -------
        self
        """
        ax = axes_for(ax)
        self.lines_ = []
        for name, values in (("A", self.change_A), ("Z", self.change_Z)):
            look = {"marker": ".", "label": f"change of {name}"} | kwargs
            self.lines_ += ax.plot(range(1, len(values) + 1), values, **look)
        if self.tol:
            ax.axhline(self.tol, color="gray", linestyle=":", label="tol")
        ax.set(title=self.title, xlabel="iteration", ylabel="largest change", yscale="log")
        ax.legend(frameon=False)
        self.ax_, self.figure_ = ax, ax.figure
        return self
