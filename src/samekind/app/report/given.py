"""What was given and what became of it: pairs and labels, those not respected first."""

from typing import Any

import numpy as np

from samekind.app.report.content import ReportContent
from samekind.app.report.rows import RowViews

MOST_LISTED = 200  # pairs, or labels


def pair_view(content: ReportContent, rows: RowViews) -> dict[str, Any]:
    """Given pairs in words, the violated ones first."""
    labels = np.asarray(content.labels)
    kinds = {"must-link": content.must_link, "cannot-link": content.cannot_link}
    listed: dict[bool, list[tuple[str, int, int]]] = {True: [], False: []}
    n_violated = 0
    for kind, pairs in kinds.items():
        together = labels[pairs[:, 0]] == labels[pairs[:, 1]]
        violated = ~together if kind == "must-link" else together
        n_violated += int(violated.sum())
        for which in (True, False):
            chosen = pairs[violated == which][:MOST_LISTED]
            listed[which] += [(kind, int(a), int(b)) for a, b in chosen]
    violated_pairs = listed[True][:MOST_LISTED]
    kept = listed[False][: MOST_LISTED - len(violated_pairs)]

    def views(pairs: list[tuple[str, int, int]]) -> list[dict[str, Any]]:
        return [{"kind": kind, "a": rows.of(a), "b": rows.of(b)} for kind, a, b in pairs]

    return {
        "n": content.n_pairs,
        "n_violated": n_violated,
        "violated": views(violated_pairs),
        "kept": views(kept),
        "n_left": content.n_pairs - len(violated_pairs) - len(kept),
    }


def label_view(content: ReportContent, rows: RowViews) -> dict[str, Any]:
    """Given labels, the overruled ones first."""
    known = content.known or ()
    overruled = [int(row) for row in content.overruled]
    kept = [row for row, label in enumerate(known) if label]
    kept = sorted(set(kept) - set(overruled))
    shown = overruled[:MOST_LISTED]
    also = kept[: MOST_LISTED - len(shown)]

    def views(these: list[int]) -> list[dict[str, Any]]:
        return [rows.of(row) | {"given": str(known[row])} for row in these]

    return {
        "n": content.n_labels,
        "n_overruled": len(overruled),
        "overruled": views(shown),
        "kept": views(also),
        "n_left": content.n_labels - len(shown) - len(also),
    }
