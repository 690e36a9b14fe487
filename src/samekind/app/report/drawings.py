"""Every drawing of a page, by name."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samekind.app.report.choice_figure import choice_figure
from samekind.app.report.clusters import Cluster
from samekind.app.report.content import ReportContent
from samekind.app.report.figures import curve_figure, size_figure
from samekind.app.report.heatmaps import distance_map, weight_map
from samekind.app.report.k_figure import k_figure
from samekind.app.report.records import CandidateRecord
from samekind.app.report.rows import RowViews
from samekind.app.report.scatter import embedding_figure


def drawings(
    content: ReportContent, clusters: Sequence[Cluster], rows: RowViews, numbered: bool
) -> dict[str, str]:
    """Inline SVG by name; ``numbered`` clusters go by their position in place of their name."""
    labels: NDArray[Any] = np.asarray(content.labels)
    if numbered:
        labels = np.empty(content.n_samples, dtype=int)
        for cluster in clusters:
            labels[cluster.members] = cluster.position
    found = {
        "embedding": embedding_figure(content.last.H, labels, rows.title),
        "sizes": size_figure(labels, "class" if content.classes else "cluster"),
    }
    for when, snapshot in (("first", content.first), ("last", content.last)):
        if snapshot is not None:
            found[f"distances_{when}"] = distance_map(snapshot, labels, name=f"distances-{when}")
            if snapshot.Z is not None:
                found[f"weights_{when}"] = weight_map(snapshot, labels, name=f"weights-{when}")
    if content.choice is not None and any(map(_has_score, content.choice.candidates)):
        found["choice"] = choice_figure(content.choice)
    if content.k_choice is not None:
        found["k"] = k_figure(content.k_choice)
    return found | (_curves(content) if content.first is not None else {})


def _has_score(one: CandidateRecord) -> bool:
    return bool(np.isfinite([one.by_pairs, one.by_modularity]).any())


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
