"""What the template fills in: every text, table and drawing of the page, ready to show."""

from typing import Any

import numpy as np

from samekind.app.report.clusters import describe_clusters
from samekind.app.report.content import ReportContent
from samekind.app.report.drawings import drawings
from samekind.app.report.given import label_view, pair_view
from samekind.app.report.heatmaps import MOST_CELLS
from samekind.app.report.members import cluster_views, mark, review
from samekind.app.report.palette import PAIRS
from samekind.app.report.records import ChoiceRecord
from samekind.app.report.rows import RowViews
from samekind.app.report.scatter import MOST_POINTS
from samekind.app.report.shown_columns import ShownColumns
from samekind.app.report.tables import number, score_table, seconds
from samekind.app.report.verdicts import verdict_of
from samekind.inspection._projection import project

LONGEST_MARK = 3  # letters of a name inside a drawing
MOST_NAMED = 12  # isolated rows by name


def page_view(content: ReportContent) -> dict[str, Any]:
    """Names and values of the template, from the content of a report."""
    rows = RowViews(content)
    clusters = describe_clusters(content.last.H, content.labels, content.confidence)
    # Long names do not fit into a drawing: numbers stand for them, and the legend explains.
    numbered = any(len(str(cluster.label)) > LONGEST_MARK for cluster in clusters)
    table = ShownColumns(content) if rows.gallery is None else None
    pairs, labels = pair_view(content, rows), label_view(content, rows)
    return {
        "content": content,
        "verdict": verdict_of(content.status, is_samekind=content.choice is not None),
        "group": _group(content),
        "numbered": numbered,
        "palette": PAIRS[: max(len(clusters), 2)],  # curves use the first two
        "cards": _cards(content, len(clusters), pairs, labels),
        "scores": score_table(content.scores) if content.scores else None,
        "legend": [mark(cluster, content) for cluster in clusters],
        "figures": drawings(content, clusters, rows, numbered),
        "choice_facts": {} if content.choice is None else _choice_facts(content.choice),
        "clusters": cluster_views(content, clusters, rows, table),
        "review": review(content, clusters, rows, table),
        "pairs": pairs,
        "labels": labels,
        "isolated": [rows.of(row) for row in content.isolated[:MOST_NAMED]],
        "n_thinned": max(content.n_samples - MOST_POINTS, 0),
        "spread": project(content.last.H, content.labels)[1],
        "most_points": MOST_POINTS,
        "cells": min(content.n_samples, MOST_CELLS),
        "pictures": rows.gallery is not None,
        "zero_rows": int((~np.any(content.last.H, axis=1)).sum()),
        "n_infinite": sum(bool(np.isinf(record.rho)) for record in content.history),
        "total": sum(content.seconds.values()),
        "number": number,
        "seconds": seconds,
    }


def _group(content: ReportContent) -> dict[str, str]:
    """What the groups of samples are called."""
    names = ("class", "classes") if content.classes else ("cluster", "clusters")
    return dict(zip(("one", "many"), names, strict=True))


def _cards(
    content: ReportContent, n_clusters: int, pairs: dict[str, Any], labels: dict[str, Any]
) -> list[dict[str, str]]:
    group, verdict = _group(content), verdict_of(content.status)
    kept = []
    if labels["n"]:
        kept.append(_kept(labels["n"], labels["n_overruled"], "given labels kept"))
    if pairs["n"] or not labels["n"]:
        kept.append(_kept(pairs["n"], pairs["n_violated"], "pairs satisfied"))
    return [
        {
            "value": number(n_clusters),
            "text": group["one" if n_clusters == 1 else "many"],
            "tone": "",
        },
        {
            "value": number(content.n_samples),
            "text": "row" if content.n_samples == 1 else "rows",
            "tone": "",
        },
        *kept,
        {"value": verdict.word, "text": "the labels", "tone": verdict.tone},
    ]


def _kept(given: int, lost: int, what: str) -> dict[str, str]:
    """The card of the pairs satisfied, or of the labels kept."""
    if not given:
        return {"value": "none", "text": "pairs or labels given", "tone": ""}
    share = (given - lost) / given
    # Rounded down: 100 % is said only where nothing is violated.
    percent = f"{np.floor(1000 * share) / 10:g} %"
    text = f"{given - lost:,} of {given:,} {what}"
    return {"value": percent, "text": text, "tone": "good" if share == 1 else "fair"}


def _choice_facts(choice: ChoiceRecord) -> dict[str, str]:
    features = "standardized" if choice.standardized else "as they are"
    if choice.n_components is not None:
        features += f", {number(choice.n_components)} principal components"
    distances = "as they are"
    if choice.metric_learned:
        distances = "what varies within a kind counts less"
        distances += ", what tells kinds apart more" if choice.n_directions else ""
    if choice.metric_by_pairs is not None:
        plain, learned = choice.metric_by_pairs
        distances += f" (held-out pairs: {plain:.2f} plain, {learned:.2f} learned)"
    labels_of = "learned" if choice.learned else "as chosen"
    facts = {
        "Features": features,
        "Distances": distances,
        "Samples in pairs, tested": number(choice.n_tested),
        "Local graph": f"{100 * choice.local_share:.0f} %",
        "Representation": f"{100 * (1 - choice.local_share):.0f} %",
        "Graph of the labels": "not used" if choice.of_rows else labels_of,
        "Pairs": "in the graph" if choice.pairs_in_graph else "seeds of the labels alone",
        "Clusters named": number(choice.n_named),
        "Labels spread from": choice.start,
        "Modularity of the labels": f"{choice.modularity:.2f}",
    }
    if choice.pairs_in_graph is None:
        del facts["Pairs"]
    return facts
