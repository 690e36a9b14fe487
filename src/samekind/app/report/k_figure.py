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
    >>> "chosen: 3" in k_figure(KChoice([2, 3, 4], [0.4, 0.9, 0.8], 3))
    True
    """
    ks = np.asarray(choice.ks)
    scores = np.asarray(choice.scores, dtype=float)
    marked = {choice.chosen: "chosen", **{k: "next" for k, _ in choice.alternatives}}

    def paint(axes: Axes) -> None:
        axes.plot(ks, scores, color=cluster_color(color_slot(0)), marker="o", markersize=3.5)
        for k, what in marked.items():
            if k not in ks:
                continue
            height = float(scores[ks == k][0])
            first = what == "chosen"
            axes.plot(
                [k], [height], "D" if first else "s", color=INK, markersize=8, gid=f"{what}-{k}"
            )
            axes.annotate(
                f"chosen: {k}" if first else str(k),
                (k, height),
                xytext=(0, 10),
                textcoords="offset points",
                ha="center",
                fontweight="bold" if first else "normal",
            )
        # Space for the words above the highest point and beside the outermost ones.
        axes.margins(x=0.12, y=0.2)
        axes.set(xlabel="number of clusters", title="score")
        axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.tick_params(length=0)

    label = f"Curve: scores of {len(ks)} numbers of clusters; {choice.chosen} was chosen"
    return draw(paint, name="k", label=label, size=(WIDTH, 250), margins=MARGINS)
