"""What the report shows of an outcome."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.sparse import coo_array, issparse

from samekind._typing import FloatArray, IntArray
from samekind._version import versions
from samekind.app.inputs import Samples
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.report import KChoice, ReportContent, Snapshot
from samekind.app.run import Outcome

LARGEST_TABLE = 1e7  # entries of a sparse X that the report still looks into


def report_content(
    samples: Samples,
    outcome: Outcome,
    scores: Sequence[Mapping[str, object]] | None = None,
    next_steps: Sequence[tuple[str, str]] = (),
) -> ReportContent:
    """What the report shows of an outcome."""
    model = outcome.model
    names = [samples.name_of(i) for i in range(samples.X.shape[0])]
    X = _dense(samples.X)
    # Learning that did not settle leaves the labels to the graph that was chosen.
    choice = getattr(model, "choice_", None)
    learned = outcome.first is not None and (choice is None or choice.learned)
    return ReportContent(
        title=f"{samples.source} in {len(outcome.clusters)} {_groups(outcome)}",
        summary=_summary(samples, outcome),
        facts=_facts(samples, outcome),
        notes=_notes(samples, outcome),
        scores=scores,
        next_steps=next_steps,
        labels=outcome.labels,
        classes=outcome.method.takes_labels,
        names=names,
        columns=() if samples.encoder is None else samples.encoder.summary(),
        skipped=samples.skipped,
        images=_images(samples, X),
        links=_links(samples),
        X=X,
        feature_names=samples.feature_names,
        **_table(samples),
        truth=None if samples.truth is None else [str(label) for label in samples.truth],
        first=outcome.first if learned else None,
        last=_last(model, learned),
        history=model.history_ if learned else (),
        n_iter=getattr(model, "n_iter_", None),
        status=model.status_,
        isolated=_isolated(model),
        all_rows="labels.csv",
        confidence=outcome.confidence,
        choice=choice,
        k_choice=_k_choice(getattr(choice, "n_clusters", None)),
        parameters=model.get_params(),
        versions=versions(),
        seconds=outcome.seconds,
        **_given(outcome),
    )


def _dense(X: Any) -> FloatArray | None:
    """X for the tables of the report; None where a sparse X would take too much memory."""
    if not issparse(X):
        return np.asarray(X)
    return np.asarray(X.toarray()) if np.prod(X.shape, dtype=float) <= LARGEST_TABLE else None


def _images(samples: Samples, X: FloatArray | None) -> Any:
    if samples.thumbnails is not None:
        return samples.thumbnails
    if samples.image_shape is None or X is None:
        return None
    return X.reshape(-1, *samples.image_shape)


def _links(samples: Samples) -> list[str] | None:
    """Addresses of the files of a folder."""
    if samples.folder is None or samples.ids is None:
        return None
    return [(samples.folder / name).as_uri() for name in samples.ids]


def _table(samples: Samples) -> dict[str, Any]:
    """The user's own columns, and which of them each feature was made of."""
    if samples.table is None or not isinstance(samples.encoder, TableEncoder):
        return {}
    made_of = [column.name for column in samples.encoder.columns_ for _ in column.features]
    return {
        "table": samples.encoder.cells(samples.X, samples.table),
        "feature_columns": made_of,
    }


def _last(model: Any, learned: bool) -> Snapshot:
    """The learned Z with its H; else the graph as it was, with coordinates or shares of classes."""
    if learned:
        return Snapshot(model.n_iter_, model.representation_, model.embedding_)
    H = model.embedding_ if hasattr(model, "embedding_") else model.label_distributions_
    return Snapshot(None, getattr(model, "affinity_matrix_", None), H)


def _k_choice(number: Any) -> KChoice | None:
    """How the number of clusters was chosen; None where it was given."""
    if number is None:
        return None
    how = "Without pairs, it is a guess."
    if number.plain:
        how = "So many clusters lie plainly apart, and no more do, whatever the curve says."
    elif number.by_pairs:
        how = "The pairs and the graph suggest it."
    if number.at_least > 2:
        how += f" What was given names {number.at_least} groups that are all different."
    return KChoice(
        number.candidates.tolist(),
        number.total.tolist(),
        number.chosen,
        [(one.n_clusters, one.sentence) for one in number.alternatives],
        how,
    )


def _isolated(model: Any) -> IntArray:
    """Rows that the graph joins to no other, of a model that has a graph."""
    W = getattr(model, "affinity_matrix_", None)
    if W is None:
        return np.empty(0, dtype=np.int64)
    W = coo_array(W)
    edge = (W.row != W.col) & (W.data != 0)
    alone = np.ones(W.shape[0], dtype=bool)
    alone[W.row[edge]] = alone[W.col[edge]] = False
    return np.flatnonzero(alone)


def _given(outcome: Outcome) -> dict[str, Any]:
    """Pairs or labels that went in, and the labels that were not respected."""
    known, pairs = outcome.known, outcome.known.pairs
    given = {"must_link": pairs.must_link, "cannot_link": pairs.cannot_link}
    if known.y is None:
        return given
    labels = [str(known.names[y]) if y >= 0 else "" for y in known.y]
    return given | {"known": labels, "overruled": outcome.report.overruled}


def _notes(samples: Samples, outcome: Outcome) -> tuple[str, ...]:
    status = str(outcome.model.status_)  # the page says it elsewhere
    columns = () if samples.encoder is None else samples.encoder.summary()  # said elsewhere too
    notes = [note for note in samples.notes if note not in columns]
    notes += [note for note in outcome.notes if status not in note]
    notes += [dropped.reason for dropped in outcome.known.pairs.dropped]
    return tuple(notes)


def _summary(samples: Samples, outcome: Outcome) -> str:
    n, sizes = samples.X.shape[0], outcome.sizes
    return (
        f"{outcome.method.title} put {n} samples into {len(sizes)} {_groups(outcome)} of "
        f"{min(sizes)} to {max(sizes)}. {outcome.report} {outcome.method.summary}"
    )


def _groups(outcome: Outcome) -> str:
    return "classes" if outcome.method.takes_labels else "clusters"


def _facts(samples: Samples, outcome: Outcome) -> dict[str, str]:
    (n, d), known = samples.X.shape, outcome.known
    facts = {
        "Source": samples.source,
        "Method": outcome.method.title,
        "Samples": f"{n}",
        "Features": f"{d}",
    }
    if not outcome.method.takes_labels:
        facts["Clusters"] = f"{outcome.n_clusters}"
    if known.y is not None:
        facts["Labels given"] = f"{outcome.report.n_labels}"
        facts["Classes among them"] = f"{len(known.names)}"
    if known.y is None or len(known.pairs.must_link) or len(known.pairs.cannot_link):
        facts["Must-links"] = f"{len(known.pairs.must_link)}"
        facts["Cannot-links"] = f"{len(known.pairs.cannot_link)}"
        facts["Groups joined by must-links"] = f"{len(known.constraints.groups)}"
    if samples.image_shape is not None:
        height, width = samples.image_shape
        facts["Pictures"] = f"{height} x {width} pixels, gray"
    return facts
