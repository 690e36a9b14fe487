"""Every cluster with its rows: central ones, uncertain ones, and all others as far as they fit."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from samekind.app.report.clusters import Cluster, composition
from samekind.app.report.content import ReportContent
from samekind.app.report.palette import MARKERS, color_slot, marker
from samekind.app.report.rows import RowViews, group_title
from samekind.app.report.shown_columns import ShownColumns
from samekind.app.report.svg import marker_outline

MOST_CLUSTERS = 40  # in full; the smaller ones go into a list
MANY_CLUSTERS = 12  # beyond, fewer rows of each stand at the top
MOST_ROWS = 3000  # on a page, over all clusters
MOST_PICTURES = 900
N_REVIEWED = 12
N_REVIEWED_COLUMNS = 4
SURE = 0.95  # rows above need no second look


def mark(cluster: Cluster, content: ReportContent) -> dict[str, Any]:
    """Name, color and shape of a cluster."""
    title = group_title(content, cluster.label)
    return {
        "label": str(cluster.label),
        "title": title[0].upper() + title[1:],
        "position": cluster.position,
        "slot": color_slot(cluster.position),
        "outline": marker_outline(MARKERS[marker(cluster.position)]),
        "size": len(cluster.members),
    }


def cluster_views(
    content: ReportContent,
    clusters: Sequence[Cluster],
    rows: RowViews,
    table: ShownColumns | None,
) -> dict[str, list[dict[str, Any]]]:
    """The largest clusters in full, in the order of their labels; the others in short."""
    by_size = sorted(clusters, key=lambda cluster: -len(cluster.members))
    full = {cluster.position for cluster in by_size[:MOST_CLUSTERS]}
    most = MOST_ROWS if rows.gallery is None else MOST_PICTURES
    limit = fair_limit([len(cluster.members) for cluster in clusters], most)
    views: dict[str, list[dict[str, Any]]] = {"full": [], "short": []}
    shown = [[]] * len(clusters) if table is None else table.of(clusters)
    for cluster, names in zip(clusters, shown, strict=True):
        view = _cluster(content, cluster, rows, limit, len(clusters) > MANY_CLUSTERS)
        view["features"] = names
        if table is not None and names:
            listed = [*view["central"], *view["uncertain"], *view["others"]]
            every = np.arange(content.n_samples)
            view |= {
                "numeric": [table.is_number(name) for name in names],
                "in_cluster": [table.typical(name, cluster.members) for name in names],
                "in_all": [table.typical(name, every) for name in names],
                "values": {
                    row["row"]: [table.cell(name, row["row"]) for name in names] for row in listed
                },
            }
        views["full" if cluster.position in full else "short"].append(view)
    return views


def fair_limit(sizes: Sequence[int], most: int) -> int:
    """The largest number of rows that each cluster may show so that all stay within ``most``.

    Examples
    --------
    >>> fair_limit([2, 10, 30], 20), fair_limit([2, 10, 30], 100), fair_limit([5, 5], 1)
    (9, 30, 1)
    """
    left, clusters = most, len(sizes)
    for size in sorted(sizes):
        if size * clusters > left:
            return max(left // clusters, 1)
        left, clusters = left - size, clusters - 1
    return max(sizes)


def review(
    content: ReportContent,
    clusters: Sequence[Cluster],
    rows: RowViews,
    table: ShownColumns | None,
) -> dict[str, Any] | None:
    """The least certain rows of all, those to look at first; None without probabilities."""
    if content.confidence is None:
        return None
    share, _ = content.confidence
    unsure = np.flatnonzero(share < SURE)
    order = unsure[np.argsort(share[unsure], kind="stable")][:N_REVIEWED]
    marks = {str(cluster.label): mark(cluster, content) for cluster in clusters}
    names: list[str] = []
    if table is not None and len(order):
        counts = Counter(name for columns in table.of(clusters) for name in columns)
        names = [name for name, _ in counts.most_common(N_REVIEWED_COLUMNS)]
    views = [rows.of(row) for row in order]
    return {
        "rows": [row | {"mark": marks[row["cluster"]]} for row in views],
        "columns": names,
        "numeric": [table.is_number(name) for name in names] if table else [],
        "values": {int(row): [table.cell(name, row) for name in names] for row in order}
        if table
        else {},
        "n_unsure": len(unsure),
        "limit": f"{100 * SURE:.0f} %",
        "least": f"{100 * float(share.min()):.0f} %",
    }


def _cluster(
    content: ReportContent, cluster: Cluster, rows: RowViews, limit: int, many: bool
) -> dict[str, Any]:
    made_of = [] if content.truth is None else composition(content.truth, cluster.members)
    usual = made_of[0][0] if made_of else ""
    central = cluster.central[: 3 if many and rows.gallery is None else None][:limit]
    uncertain = cluster.uncertain[: limit - len(central)]
    first = np.concatenate([central, uncertain])
    others = np.setdiff1d(cluster.members, first)[: limit - len(first)]

    def views(these: Any) -> list[dict[str, Any]]:
        found = [rows.of(row, usual) for row in these]
        if content.confidence is None:
            found = [row | {"rival": str(cluster.rivals.get(row["row"], ""))} for row in found]
        return found

    return mark(cluster, content) | {
        "share": len(cluster.members) / content.n_samples,
        "made_of": made_of,
        "central": views(central),
        "uncertain": views(uncertain),
        "others": views(others),
        "n_left": len(cluster.members) - len(first) - len(others),
        "has_rivals": bool(cluster.rivals),
    }
