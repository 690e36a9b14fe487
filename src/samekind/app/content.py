"""What the report shows of an outcome."""

import platform
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy
import sklearn
from scipy.sparse import issparse

from samekind._typing import FloatArray
from samekind._version import __version__
from samekind.app.inputs import PartialLabels, Samples
from samekind.app.report import ReportContent, Snapshot
from samekind.app.run import Outcome

LARGEST_TABLE = 1e7  # entries of a sparse X that the report still looks into


def report_content(
    samples: Samples, outcome: Outcome, scores: Sequence[Mapping[str, object]] | None = None
) -> ReportContent:
    """What the report shows of an outcome."""
    model = outcome.model
    names = [samples.name_of(i) for i in range(samples.X.shape[0])]
    X = _dense(samples.X)
    learned = outcome.first is not None
    return ReportContent(
        title=f"{samples.source} in {len(outcome.clusters)} {_groups(outcome)}",
        summary=_summary(samples, outcome),
        facts=_facts(samples, outcome),
        notes=_notes(samples, outcome),
        scores=scores,
        labels=outcome.labels,
        names=names,
        images=None
        if samples.image_shape is None or X is None
        else X.reshape(-1, *samples.image_shape),
        X=X,
        feature_names=samples.feature_names,
        truth=None if samples.labels is None else [str(label) for label in samples.labels],
        first=outcome.first,
        last=_last(model, learned),
        history=model.history_ if learned else (),
        n_iter=getattr(model, "n_iter_", None),
        status=str(model.status_),
        converged=model.status_.converged,
        parameters=model.get_params(),
        versions=versions(),
        seconds=outcome.seconds,
        **_given(outcome, names),
    )


def versions() -> dict[str, str]:
    """Versions of what computed the result."""
    return {
        "samekind": __version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "SciPy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def _dense(X: Any) -> FloatArray | None:
    """X for the tables of the report; None where a sparse X would take too much room."""
    if not issparse(X):
        return np.asarray(X)
    return np.asarray(X.toarray()) if np.prod(X.shape, dtype=float) <= LARGEST_TABLE else None


def _last(model: Any, learned: bool) -> Snapshot:
    """The learned Z with its H; else the graph as it was, with coordinates or shares of classes."""
    if learned:
        return Snapshot(model.n_iter_, model.representation_, model.embedding_)
    H = model.embedding_ if hasattr(model, "embedding_") else model.label_distributions_
    return Snapshot(None, getattr(model, "affinity_matrix_", None), H)


def _given(outcome: Outcome, names: Sequence[str]) -> dict[str, Any]:
    """Pairs or labels that went in, and those that were not respected."""
    report, known = outcome.model.constraint_report_, outcome.known
    if isinstance(known, PartialLabels):
        overruled = [
            (names[row], known.names[known.y[row]], str(outcome.labels[row]))
            for row in report.overruled
        ]
        return {"n_labels": report.n_labeled, "overruled": overruled}
    kinds = {"must-link": report.violated_must_link, "cannot-link": report.violated_cannot_link}
    return {
        "violated": [(kind, names[a], names[b]) for kind, these in kinds.items() for a, b in these],
        "n_pairs": len(known.must_link) + len(known.cannot_link),
        "n_must_link": len(known.must_link),
        "n_cannot_link": len(known.cannot_link),
    }


def _notes(samples: Samples, outcome: Outcome) -> tuple[str, ...]:
    notes = [*samples.notes, *outcome.notes]
    if not isinstance(outcome.known, PartialLabels):
        notes += [dropped.reason for dropped in outcome.known.dropped]
    return tuple(notes)


def _summary(samples: Samples, outcome: Outcome) -> str:
    n, sizes, report = samples.X.shape[0], outcome.sizes, outcome.model.constraint_report_
    total = report.satisfied + report.violated
    if isinstance(outcome.known, PartialLabels):
        kept = f"{report.satisfied} of {total} given labels are kept"
    else:
        kept = f"{report.satisfied} of {total} pairs hold" if total else "no pairs were given"
    return (
        f"{outcome.method.title} sorted {n} samples into {len(sizes)} {_groups(outcome)} of "
        f"{min(sizes)} to {max(sizes)}; {kept}. {outcome.method.summary}"
    )


def _groups(outcome: Outcome) -> str:
    return "classes" if isinstance(outcome.known, PartialLabels) else "clusters"


def _facts(samples: Samples, outcome: Outcome) -> dict[str, str]:
    n, d = samples.X.shape
    facts = {
        "Source": samples.source,
        "Method": outcome.method.title,
        "Samples": f"{n}",
        "Features": f"{d}",
    }
    if isinstance(outcome.known, PartialLabels):
        facts["Classes"] = f"{len(outcome.known.names)}"
        facts["Labels given"] = f"{outcome.model.constraint_report_.n_labeled}"
    else:
        facts["Clusters asked for"] = f"{outcome.model.n_clusters}"
        facts["Must-links"] = f"{len(outcome.known.must_link)}"
        facts["Cannot-links"] = f"{len(outcome.known.cannot_link)}"
        facts["Groups joined by must-links"] = f"{len(outcome.known.groups)}"
    if samples.image_shape is not None:
        height, width = samples.image_shape
        facts["Pictures"] = f"{height} x {width} pixels, gray"
    return facts
