"""What the template fills in: every text, table and drawing of the page, ready to show."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from samekind.app.report.choice_figure import choice_figure
from samekind.app.report.clusters import (
    Cluster,
    composition,
    describe_clusters,
    distinctive_features,
)
from samekind.app.report.content import ChoiceRecord, ReportContent
from samekind.app.report.figures import MOST_POINTS, curve_figure, embedding_figure, size_figure
from samekind.app.report.heatmaps import MOST_CELLS, distance_map, weight_map
from samekind.app.report.palette import PAIRS, color_slot, marker
from samekind.app.report.pictures import Gallery
from samekind.app.report.projection import project
from samekind.app.report.svg import marker_outline
from samekind.app.report.tables import number, score_table, seconds

MOST_CLUSTERS = 40  # in full; the smaller ones go into a list
MOST_LISTED = 200  # violated pairs, or overruled labels
LONGEST_MARK = 3  # letters of a name inside a drawing


def page_view(content: ReportContent) -> dict[str, Any]:
    """Names and values of the template, from the content of a report."""
    gallery = None if content.images is None else Gallery(np.asarray(content.images))
    clusters = describe_clusters(content.last.H, content.labels, content.confidence)
    # Long names do not fit into a drawing: numbers stand for them, and the legend explains.
    numbered = any(len(str(cluster.label)) > LONGEST_MARK for cluster in clusters)
    total = sum(content.seconds.values())
    return {
        "content": content,
        "group": _group(content),
        "numbered": numbered,
        "palette": PAIRS[: max(len(clusters), 2)],  # curves use the first two
        "cards": _cards(content, len(clusters), total),
        "scores": score_table(content.scores) if content.scores else None,
        "legend": [_mark(cluster, len(clusters), _group(content)["one"]) for cluster in clusters],
        "figures": _figures(content, clusters, numbered),
        "choice_facts": {} if content.choice is None else _choice_facts(content.choice),
        "clusters": _cluster_views(content, clusters, gallery),
        "violated": _violated_rows(content, gallery),
        "overruled": _overruled_rows(content, gallery),
        "most_listed": MOST_LISTED,
        "n_thinned": max(content.n_samples - MOST_POINTS, 0),
        "spread": project(content.last.H, content.labels)[1],
        "most_points": MOST_POINTS,
        "cells": min(content.n_samples, MOST_CELLS),
        "pictures": gallery is not None,
        "zero_rows": int((~np.any(content.last.H, axis=1)).sum()),
        "n_infinite": sum(bool(np.isinf(record.rho)) for record in content.history),
        "total": total,
        "number": number,
        "seconds": seconds,
    }


def _group(content: ReportContent) -> dict[str, str]:
    """What the groups of samples are called."""
    names = ("class", "classes") if content.classes else ("cluster", "clusters")
    return dict(zip(("one", "many"), names, strict=True))


def _cards(content: ReportContent, n_clusters: int, total: float) -> list[dict[str, str]]:
    group, n_iter = _group(content), content.n_iter
    after = "how it ended" if n_iter is None else f"after {n_iter} {_plural(n_iter, 'iteration')}"
    ended = ("converged", "good") if content.converged else ("not converged", "fair")
    if content.usable and not content.converged:
        ended, after = ("usable", "fair"), f"not converged {after}".removesuffix(" how it ended")
    return [
        {
            "value": number(n_clusters),
            "text": group["one" if n_clusters == 1 else "many"],
            "tone": "",
        },
        {
            "value": number(content.n_samples),
            "text": _plural(content.n_samples, "sample"),
            "tone": "",
        },
        _kept(content),
        {"value": ended[0], "text": after, "tone": ended[1]},
        {"value": seconds(total), "text": "run time", "tone": ""},
    ]


def _kept(content: ReportContent) -> dict[str, str]:
    """The card of the pairs satisfied, or of the labels kept."""
    given, lost, what = content.n_pairs, len(content.violated), "pairs satisfied"
    if content.n_labels is not None:
        given, lost, what = content.n_labels, len(content.overruled), "given labels kept"
    if not given:
        return {"value": "none", "text": "pairs given", "tone": ""}
    share = (given - lost) / given
    # Rounded down: 100 % is said only where nothing is violated.
    percent = f"{np.floor(1000 * share) / 10:g} %"
    text = f"{given - lost:,} of {given:,} {what}"
    return {"value": percent, "text": text, "tone": "good" if share == 1 else "fair"}


def _choice_facts(choice: ChoiceRecord) -> dict[str, str]:
    return {
        "Features": "standardized" if choice.standardized else "as they are",
        "Samples in pairs, tested": number(choice.n_tested),
        "Local graph": f"{100 * choice.local_share:.0f} %",
        "Representation": f"{100 * (1 - choice.local_share):.0f} %",
        "Graph of the labels": "learned" if choice.learned else "as chosen",
        "Clusters named": number(choice.n_named),
        "Labels spread from": choice.start,
        "Modularity of the labels": f"{choice.modularity:.2f}",
    }


def _figures(content: ReportContent, clusters: Sequence[Cluster], numbered: bool) -> dict[str, str]:
    labels = content.labels
    if numbered:
        labels = np.empty(content.n_samples, dtype=int)
        for cluster in clusters:
            labels[cluster.members] = cluster.position
    figures = {
        "embedding": embedding_figure(content.last.H, labels),
        "sizes": size_figure(labels, _group(content)["one"]),
    }
    for when, snapshot in (("first", content.first), ("last", content.last)):
        if snapshot is not None:
            figures[f"distances_{when}"] = distance_map(snapshot, labels, name=f"distances-{when}")
            if snapshot.Z is not None:
                figures[f"weights_{when}"] = weight_map(snapshot, labels, name=f"weights-{when}")
    if content.choice is not None:
        figures["choice"] = choice_figure(content.choice)
    return figures | (_curves(content) if content.first is not None else {})


def _curves(content: ReportContent) -> dict[str, str]:
    def column(name: str) -> list[float]:
        return [float(getattr(record, name)) for record in content.history]

    tol = content.parameters.get("tol")
    line = (f"tolerance {tol:g}", float(tol)) if isinstance(tol, int | float) and tol > 0 else None
    rho = column("rho")
    positive = [value for value in rho if np.isfinite(value) and value > 0]
    steep = bool(positive) and max(positive) > 100 * min(positive)
    changes = {"A": column("change_A"), "Z": column("change_Z")}
    per_row = {"Z": column("nonzeros_per_row")}
    curves = {
        "changes": curve_figure(
            changes, name="changes", what="largest change", log=True, line=line
        ),
        "nonzeros": curve_figure(
            per_row, name="nonzeros", what="non-zeros per row of Z", from_zero=True
        ),
    }
    # Not every method has an objective, and without cannot-links there is no ratio.
    if not np.isnan(rho).all():
        curves["rho"] = curve_figure({"rho": rho}, name="rho", what="trace ratio ρ", log=steep)
    objective = column("objective")
    if not np.isnan(objective).all():
        curves["objective"] = curve_figure(
            {"objective": objective}, name="objective", what="objective"
        )
    return curves


def _title(label: str, group: str) -> str:
    """Heading of a group; one that is called by its number says already what it is.

    Examples
    --------
    >>> _title("Cat", "cluster"), _title("cluster 2", "cluster")
    ('Cluster Cat', 'Cluster 2')
    """
    return f"{group.capitalize()} {label.removeprefix(f'{group} ')}"


def _mark(cluster: Cluster, n_clusters: int, group: str) -> dict[str, Any]:
    return {
        "label": str(cluster.label),
        "title": _title(str(cluster.label), group),
        "position": cluster.position,
        "slot": color_slot(cluster.position),
        "outline": marker_outline(marker(cluster.position, n_clusters)),
        "size": len(cluster.members),
    }


def _cluster_views(
    content: ReportContent, clusters: Sequence[Cluster], gallery: Gallery | None
) -> dict[str, list[dict[str, Any]]]:
    """The largest clusters in full, in the order of their labels; the others in short."""
    by_size = sorted(clusters, key=lambda cluster: -len(cluster.members))
    full = {cluster.position for cluster in by_size[:MOST_CLUSTERS]}
    views: dict[str, list[dict[str, Any]]] = {"full": [], "short": []}
    features = _feature_tables(content, clusters) if gallery is None else {}
    for cluster in clusters:
        made_of = [] if content.truth is None else composition(content.truth, cluster.members)
        usual = made_of[0][0] if made_of else ""
        view = _mark(cluster, len(clusters), _group(content)["one"]) | {
            "share": len(cluster.members) / content.n_samples,
            "made_of": made_of,
            "central": [_row(content, gallery, row, usual) for row in cluster.central],
            "uncertain": [
                _row(content, gallery, row, usual, str(cluster.rivals.get(int(row), "")))
                for row in cluster.uncertain
            ],
            "has_rivals": bool(cluster.rivals),
        }
        view |= features.get(cluster.position, {"features": []})
        views["full" if cluster.position in full else "short"].append(view)
    return views


def _row(
    content: ReportContent, gallery: Gallery | None, row: int, usual: str, rival: str = ""
) -> dict[str, Any]:
    truth = "" if content.truth is None else content.truth[row]
    return {
        "row": int(row),
        "name": str(content.names[row]),
        "uri": None if gallery is None else gallery.uri(row),
        "truth": truth,
        "odd": bool(truth) and truth != usual,
        "rival": rival,
    }


def _feature_tables(
    content: ReportContent, clusters: Sequence[Cluster]
) -> dict[int, dict[str, Any]]:
    """Columns that set a cluster apart, with its mean, the overall mean and each row."""
    if content.X is None:
        return {}
    X = np.asarray(content.X, dtype=float)
    names = content.feature_names
    tables = {}
    for cluster, columns in zip(clusters, distinctive_features(X, clusters), strict=True):
        rows = [*cluster.central, *cluster.uncertain]
        tables[cluster.position] = {
            "features": [f"column {c}" if names is None else names[c] for c in columns],
            "cluster_mean": [number(v) for v in X[np.ix_(cluster.members, columns)].mean(axis=0)],
            "overall_mean": [number(v) for v in X[:, columns].mean(axis=0)],
            "values": {int(row): [number(v) for v in X[row, columns]] for row in rows},
        }
    return tables


def _violated_rows(content: ReportContent, gallery: Gallery | None) -> list[dict[str, Any]]:
    side = _sides(content, gallery)
    shown = content.violated[:MOST_LISTED]
    return [{"kind": kind, "a": side(a), "b": side(b)} for kind, a, b in shown]


def _overruled_rows(content: ReportContent, gallery: Gallery | None) -> list[dict[str, Any]]:
    side = _sides(content, gallery)
    shown = content.overruled[:MOST_LISTED]
    return [{"row": side(name), "given": given, "found": found} for name, given, found in shown]


def _sides(content: ReportContent, gallery: Gallery | None) -> Callable[[str], dict[str, Any]]:
    """From the name of a row to what a table shows of it."""
    rows_of: dict[str, list[int]] = {}
    for row, name in enumerate(content.names):
        rows_of.setdefault(str(name), []).append(row)

    def side(name: str) -> dict[str, Any]:
        rows = rows_of.get(str(name), [])
        if len(rows) != 1:  # a name that stands for several rows has no one picture
            return {"name": name, "cluster": None, "uri": None}
        uri = None if gallery is None else gallery.uri(rows[0])
        return {"name": name, "cluster": str(content.labels[rows[0]]), "uri": uri}

    return side


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"
