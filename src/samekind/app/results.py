"""The folder of results: all of a run's files, or none."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array, save_npz

from samekind._folder import replace_together, reserved
from samekind.app.content import report_content
from samekind.app.inputs import Samples
from samekind.app.report import write_page
from samekind.app.results_table import label_columns, write_table
from samekind.app.run import Outcome

# The files that a run can leave; those with a name beside them are that attribute of the model.
RESULTS = {
    "labels.csv": None,
    "embedding.npy": "embedding_",
    "graph.npz": "affinity_matrix_",
    "report.html": None,
}


def results_of(outcome: Outcome) -> list[str]:
    """The files that an outcome is written to; not every method has a graph or an embedding."""
    model = outcome.model
    return [file for file, name in RESULTS.items() if name is None or hasattr(model, name)]


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder where the name of a result is taken, before the work is done."""
    for name in RESULTS:
        if (Path(folder) / name).is_dir():
            raise IsADirectoryError(
                f"{Path(folder) / name} is a folder, and a result; move it away"
            )


def write_results(
    folder: str | os.PathLike[str],
    samples: Samples,
    outcome: Outcome,
    scores: Sequence[Mapping[str, object]] | None = None,
) -> Path:
    """Write labels.csv, report.html, and embedding.npy and graph.npz if there are any, or nothing.

    Files of an earlier run in the same folder are replaced all at once, or removed if this run
    has none of their name; others are left alone.
    """
    folder, files = Path(folder), results_of(outcome)

    def fill(new: Path) -> None:
        write_table(new / "labels.csv", _label_columns(samples, outcome))
        if "embedding.npy" in files:
            np.save(new / "embedding.npy", outcome.model.embedding_)
        if "graph.npz" in files:
            save_npz(new / "graph.npz", csr_array(outcome.model.affinity_matrix_))
        write_page(report_content(samples, outcome, scores), new / "report.html")

    with reserved(folder):
        check_folder(folder)
        replace_together(folder, RESULTS, fill)
    return folder


def _label_columns(samples: Samples, outcome: Outcome) -> dict[str, list[object]]:
    model, names = outcome.model, outcome.names
    rows = samples.ids or range(len(model.labels_))
    return label_columns(rows, model.labels_, names, getattr(model, "probabilities_", None))
