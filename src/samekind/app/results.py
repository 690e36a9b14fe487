"""The folder of results: all of a run's files, or none."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array, save_npz

from samekind._folder import replace_together, reserved
from samekind._memory import human
from samekind.app.content import report_content
from samekind.app.inputs import Samples
from samekind.app.model import SavedModel
from samekind.app.model.file import size_of, write_state
from samekind.app.next_steps import MODEL, UNKNOWN, Given, next_steps
from samekind.app.report import write_page
from samekind.app.results_sorted import copy_sorted
from samekind.app.results_table import label_columns, labeled_name, write_csv, write_labeled
from samekind.app.run import Outcome

LARGEST_MODEL = 200 * 10**6  # bytes, unless it is asked for
# The files that a run can leave; those with a name beside them are that attribute of the model.
RESULTS = {
    "labels.csv": None,
    "embedding.npy": "embedding_",
    "graph.npz": "affinity_matrix_",
    MODEL: None,
    "report.html": None,
}
# What each file is for, as the command says it.
PURPOSES = {
    "labels.csv": "the cluster of each row",
    "embedding.npy": "coordinates of the rows",
    "graph.npz": "the graph of the rows",
    MODEL: "what was learned, for new rows and for questions",
    "report.html": "all of it in pictures and words, for a browser",
}


@dataclass(frozen=True)
class Written:
    """What a run has left in its folder."""

    folder: Path
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()  # what was not written, and why
    sorted_into: Path | None = None  # folder of copies, one folder in it for each cluster


def check_folder(
    folder: str | os.PathLike[str],
    inputs: Iterable[str | os.PathLike[str] | None] = (),
    more: Collection[str] = (),
) -> None:
    """Refuse a folder where a result would replace a folder or what is read, before the work."""
    if find_spec("skops") is None:
        raise ModuleNotFoundError("No module named 'skops'", name="skops")
    for name in RESULTS:
        if (Path(folder) / name).is_dir():
            raise IsADirectoryError(
                f"{Path(folder) / name} is a folder, and a result; move it away"
            )
    for given in inputs:
        file = Path("" if given is None else given).resolve()
        own = file.parent == Path(folder).resolve() and file.name in {*RESULTS, *more}
        if own and file.is_file():
            raise FileExistsError(
                f"{given} is read, and a result of that name would replace it; name another folder "
                "by --out"
            )


def check_table(samples: Samples) -> None:
    """Refuse samples without a table that labels could stand beside."""
    if samples.table is None or samples.folder is not None:
        raise ValueError(
            f"--append needs a table, and {samples.source} is none; leave it out, as labels.csv is "
            "always written"
        )


def write_results(
    folder: str | os.PathLike[str],
    samples: Samples,
    outcome: Outcome,
    scores: Sequence[Mapping[str, object]] | None = None,
    *,
    model: bool | None = None,
    append: bool = False,
    sort: tuple[Path, Path] | None = None,
    inputs: Mapping[str, Any] | None = None,
    more: Mapping[str, Callable[[Path], object]] | None = None,
    given: Given = UNKNOWN,
) -> Written:
    """Write labels, report, model, and embedding and graph if there are any, or nothing.

    Files of an earlier run in the same folder are replaced all at once, or removed if this run
    has none of their name; others are left alone.

    Parameters
    ----------
    folder : path
        Made where it is not there.
    samples, outcome, scores
        What was read, what came out, and how well it fits the truth where that is known.
    model : bool, optional
        Whether to write model.skops; by default if it takes no more than 200 MB.
    append : bool
        Whether to write the table of the samples too, with the columns of labels.csv.
    sort : (path, path), optional
        The folder of the samples' files, and a new one for copies sorted by cluster, which
        appears together with the results.
    inputs : mapping, optional
        How the samples were read, for the model: plain values.
    more : mapping, optional
        Further files by name, each with a function that writes it to a path.
    given : Given
        How the run was asked for, for the commands that the report names.
    """
    folder, fitted, more = Path(folder), outcome.model, more or {}
    labeled = labeled_name(samples.source)
    columns = label_columns(
        samples.ids or range(len(fitted.labels_)),
        fitted.labels_,
        outcome.names,
        getattr(fitted, "probabilities_", None),
    )
    state, notes = model_state(samples, outcome, model, inputs)
    lacking = [file for file, name in RESULTS.items() if name and not hasattr(fitted, name)]
    if lacking:
        notes.append(f"Not written, as {type(fitted).__name__} has none: {', '.join(lacking)}.")
    files = [name for name in RESULTS if name not in lacking and (state or name != MODEL)]

    def fill(new: Path) -> None:
        with (new / "labels.csv").open("w", newline="", encoding="utf-8") as table:
            write_csv(table, columns)
        if append:
            write_labeled(new / labeled, samples.table, columns)
        if "embedding.npy" in files:
            np.save(new / "embedding.npy", fitted.embedding_)
        if "graph.npz" in files:
            save_npz(new / "graph.npz", csr_array(fitted.affinity_matrix_))
        if state is not None:
            with (new / MODEL).open("wb") as file:
                write_state(file, state)
        for name, write in more.items():
            write(new / name)
        steps = next_steps(outcome, samples, folder, files, given)
        write_page(report_content(samples, outcome, scores, steps), new / "report.html")

    with reserved(folder):
        check_folder(folder)
        replace = partial(replace_together, folder, {*RESULTS, labeled, *more}, fill)
        if sort is None:
            replace()
        else:
            copy_sorted(*sort, samples.ids or (), outcome.labels.tolist(), then=replace)
    files += [*([labeled] if append else []), *more]
    return Written(folder, tuple(files), tuple(notes), None if sort is None else sort[1])


def model_state(
    samples: Samples, outcome: Outcome, wanted: bool | None, inputs: Mapping[str, Any] | None
) -> tuple[dict[str, Any] | None, list[str]]:
    """The state of the model, None if it is not to be written, and what to say of that."""
    if wanted is False:
        return None, []
    saved = SavedModel(
        outcome.model, outcome.known, outcome.names, samples.ids, samples.source, inputs
    )
    state = saved.state()
    size = size_of(state)
    if wanted is None and size > LARGEST_MODEL:
        takes = f"it takes {human(size)}, more than {human(LARGEST_MODEL)}"
        return None, [f"{MODEL} was not written: {takes}; --model writes it."]
    return state, []
