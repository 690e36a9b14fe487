"""The candidate graphs of a choice, each with its scores, as one drawing."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from samekind.app.report.figures import WIDTH
from samekind.app.report.palette import color_slot
from samekind.app.report.records import CandidateRecord, ChoiceRecord
from samekind.app.report.svg import GRID, INK, cluster_color, draw

ROW = 20.0  # height of a line
MARGINS = (148.0, 40.0, 10.0, 28.0)  # left, bottom, right, top
CHANCE = 0.5  # score by the pairs of a graph that knows nothing


def choice_figure(choice: ChoiceRecord) -> str:
    """One line for each candidate, the best first; those that were kept lie on a band.

    Examples
    --------
    >>> from types import SimpleNamespace as Record
    >>> one = Record(
    ...     n_neighbors=7, local_share=1.0, by_pairs=0.9, by_modularity=0.8, total=0.85, kept=True
    ... )
    >>> "7 neighbors alone" in choice_figure(Record(candidates=[one]))
    True
    """
    order = sorted(choice.candidates, key=lambda one: (not one.kept, -one.total))
    n_kept = sum(one.kept for one in order)

    def paint(axes: Axes) -> None:
        axes.axhspan(-0.5, n_kept - 0.5, color=GRID, linewidth=0, gid="kept")
        _dots(axes, order)
        axes.set_yticks(np.arange(len(order)), [candidate_name(one) for one in order])
        axes.set(ylim=(len(order) - 0.5, -0.5), xlabel="score")
        low, high = axes.get_xlim()
        if low < CHANCE < high and np.isfinite(order[0].by_pairs):
            axes.axvline(CHANCE, color=INK, linestyle=":", linewidth=1.2, gid="chance")
        axes.xaxis.set_major_locator(MaxNLocator(5))
        axes.grid(axis="y", visible=False)
        axes.tick_params(length=0)
        axes.spines[["left"]].set_visible(False)
        axes.legend(
            frameon=False,
            fontsize=11,
            ncols=3,
            handletextpad=0.1,
            columnspacing=1.0,
            borderpad=0.0,
            loc="lower right",
            bbox_to_anchor=(1.02, 1.0),
        )

    label = f"Scores of {len(order)} candidate graphs, of which {n_kept} were kept"
    height = ROW * len(order) + MARGINS[1] + MARGINS[3]
    return draw(paint, name="choice", label=label, size=(WIDTH, height), margins=MARGINS)


def candidate_name(one: CandidateRecord) -> str:
    """What a candidate is made of.

    Examples
    --------
    >>> from types import SimpleNamespace as Record
    >>> candidate_name(Record(n_neighbors=15, local_share=0.25))
    '15 neighbors, 25 %'
    >>> candidate_name(Record(n_neighbors=None, local_share=0.0))
    'representation alone'
    """
    if one.n_neighbors is None:
        return "representation alone"
    source = "given graph" if one.n_neighbors == "graph" else f"{one.n_neighbors} neighbors"
    return f"{source} alone" if one.local_share == 1 else f"{source}, {100 * one.local_share:.0f} %"


def _dots(axes: Axes, order: Sequence[CandidateRecord]) -> None:
    at = np.arange(len(order))
    columns = {
        "pairs": ([one.by_pairs for one in order], "o", cluster_color(color_slot(0))),
        "modularity": ([one.by_modularity for one in order], "s", cluster_color(color_slot(1))),
        "total": ([one.total for one in order], "D", INK),
    }
    # Without pairs the total is modularity.
    shown = columns if np.isfinite(columns["pairs"][0]).any() else ("modularity",)
    for name in shown:
        values, shape, color = columns[name]
        if np.isnan(values).all():
            continue
        axes.plot(values, at, shape, color=color, label=name, markersize=5.5, gid=f"by-{name}")
