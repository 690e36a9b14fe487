"""The numbers of clusters that were tried, each with its score."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from samekind.app.report.figures import MARGINS, WIDTH
from samekind.app.report.palette import color_slot
from samekind.app.report.records import KChoice
from samekind.app.report.svg import INK, cluster_color, draw


def k_figure(choice: KChoice) -> str:
    """A curve over the numbers of clusters; the chosen one and the next ones are marked.

    Examples
    --------
    >>> "3 was chosen" in k_figure(KChoice([2, 3, 4], [0.4, 0.9, 0.8], 3))
    True
    """
    ks = np.asarray(choice.ks)
    scores = np.asarray(choice.scores, dtype=float)
    others = [k for k, _ in choice.alternatives if k in ks]

    def paint(axes: Axes) -> None:
        color = cluster_color(color_slot(0))
        axes.plot(ks, scores, color=color, marker="o", markersize=3.5, zorder=1)
        _mark(axes, choice.chosen, float(scores[ks == choice.chosen][0]), "chosen")
        for k in others:
            _mark(axes, k, float(scores[ks == k][0]), "next")
        axes.margins(x=0.08, y=0.25)  # space for the numbers
        axes.set(xlabel="number of clusters", title="score")
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.tick_params(length=0)

    label = f"Curve: scores of {len(ks)} numbers of clusters; {choice.chosen} was chosen"
    if others:
        label += f", next come {' and '.join(map(str, others))}"
    return draw(paint, name="k", label=label, size=(WIDTH, 250), margins=MARGINS)


def _mark(axes: Axes, k: int, height: float, what: str) -> None:
    """The chosen number above its point, the others below: they may be neighbors."""
    first = what == "chosen"
    axes.plot([k], [height], "D" if first else "s", color=INK, markersize=8, gid=f"{what}-{k}")
    axes.annotate(
        f"{k}",
        (k, height),
        xytext=(0, 9 if first else -20),
        textcoords="offset points",
        ha="center",
        fontweight="bold" if first else "normal",
    )
