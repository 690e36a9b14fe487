"""Labels of new rows from a model, read as its rows were."""

import io
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from samekind._files import InputError, replace_file
from samekind._suggest import did_you_mean
from samekind._typing import FloatArray, IntArray
from samekind.app.inputs import Samples, encoder_from_state, read_samples
from samekind.app.inputs.columns import listed
from samekind.app.inputs.encoded_column import EncodedColumn
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.inputs.picture_file import SUFFIXES as PICTURES
from samekind.app.inputs.text_files import SUFFIXES as TEXTS
from samekind.app.model import SavedModel
from samekind.app.results_table import label_columns, write_csv


@dataclass(frozen=True)
class Prediction:
    """Clusters of new rows."""

    samples: Samples
    labels: IntArray
    names: tuple[str, ...] | None
    probabilities: FloatArray | None
    notes: tuple[str, ...]  # what to know about the rows

    @property
    def sizes(self) -> dict[str, int]:
        """New rows in each cluster, the largest first; clusters without any are left out."""
        found, counts = np.unique(self.labels, return_counts=True)
        called = found.tolist() if self.names is None else [self.names[i] for i in found]
        order = np.argsort(-counts, kind="stable")
        return {str(called[i]): int(counts[i]) for i in order}


ARRAYS = (".npy", ".npz", ".mat")
FILES = (*PICTURES, *TEXTS)  # of folders


def inputs_of(samples: Samples, path: Path, id_column: str | None = None) -> dict[str, Any]:
    """How samples were read, in plain values: what a model keeps to read new rows."""
    options: dict[str, Any] = {"id_column": id_column}
    if samples.table is not None and isinstance(samples.encoder, TableEncoder):
        used = {column.name for column in samples.encoder.columns_}
        others = [str(name) for name in samples.table.columns if name not in used]
        options["drop"] = [name for name in others if name != id_column]
    encoder = None if samples.encoder is None else samples.encoder.state()
    return {"kind": _kind(path), "encoder": encoder, "options": options}


def predict(
    model: SavedModel,
    path: Path,
    *,
    id_column: str | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Prediction:
    """Read new rows as those of the model were, and find their clusters.

    Parameters
    ----------
    model : SavedModel
    path : path
        A file or folder of the same kind as the one that the model was fitted to.
    id_column : str, optional
        Column that names the new rows; by default the one of the model, if it is there.
    on_progress : callable, optional
        As for `read_samples`.

    Raises
    ------
    InputError
        With all columns that are missing, or what else does not fit.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        samples = _read(model, path, id_column, on_progress)
        expected, found = model.estimator.n_features_in_, samples.X.shape[1]
        if found != expected:
            of = f" ({model.source})" if model.source else ""
            raise InputError(
                path,
                f"its rows have {found} features, and those of the model{of} have {expected}",
                "give rows of the same kind",
            )
        labels = model.estimator.predict(samples.X)
        proba = getattr(model.estimator, "predict_proba", None)
        probabilities = None if proba is None else proba(samples.X)
    said = (str(warning.message) for warning in caught)
    notes = tuple(dict.fromkeys((*samples.notes, *said)))
    return Prediction(samples, labels, model.names, probabilities, notes)


def write_prediction(path: Path, found: Prediction, *, overwrite: bool = False) -> None:
    """Write the columns of labels.csv for new rows, all or nothing."""
    check_new(path, overwrite=overwrite)
    rows = found.samples.ids or range(len(found.labels))
    text = io.StringIO(newline="")
    write_csv(text, label_columns(rows, found.labels, found.names, found.probabilities))
    replace_file(path, text.getvalue())


def check_new(path: Path, *, overwrite: bool) -> None:
    """Refuse to write over a file, unless asked to, and where there is no folder."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file for the labels")
    if path.exists() and not overwrite:
        raise FileExistsError(f"{path} is there already; name another file, or add --overwrite")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent}; make it, or name another one")


def _read(
    model: SavedModel,
    path: Path,
    id_column: str | None,
    on_progress: Callable[[int, int], None] | None,
) -> Samples:
    """New rows in the form that the rows of the model had."""
    encoder_of_frame = _numbers(model)
    kind = "an array" if encoder_of_frame is None else "a table"
    inputs = model.inputs or {"kind": kind, "encoder": encoder_of_frame, "options": {}}
    if path.exists() and _kind(path) != inputs["kind"]:
        reason = f"it is {_kind(path)}, and the model was fitted to {inputs['kind']}"
        of = f", {model.source}" if model.source else ""
        a_folder = inputs["kind"] == "a folder"
        remedy = "name a folder of such files" if a_folder else "give rows of the same kind"
        raise InputError(path, reason + of, remedy)
    encoder = None if inputs["encoder"] is None else encoder_from_state(inputs["encoder"])
    options = dict(inputs["options"])
    if unknown := sorted(set(options) - {"id_column", "drop"}):
        raise ValueError(f"the model names options of reading that there are not: {unknown}")
    options["id_column"] = id_column or options.get("id_column")
    samples = read_samples(path, **options, encoder=encoder, on_progress=on_progress)
    if id_column is not None and samples.ids is None:
        names = [] if samples.table is None else list(samples.table.columns)
        remedy = did_you_mean(id_column, names, f"use one of {listed(names)}")
        raise InputError(path, f"there is no column '{id_column}' (--id)", remedy)
    return samples


def _kind(path: Path) -> str:
    if path.is_dir():
        return "a folder"
    if path.suffix.lower() in FILES:
        return "a single file"
    return "an array" if path.suffix.lower() in ARRAYS else "a table"


def _numbers(model: SavedModel) -> dict[str, Any] | None:
    """How a table becomes numbers for a model that was fitted to a frame of numbers in Python."""
    names = getattr(model.estimator, "feature_names_in_", None)
    return None if names is None else encoder_of_numbers(names)


def encoder_of_numbers(names: Iterable[str]) -> dict[str, Any]:
    """The state of an encoder that takes columns of these names as the numbers they hold."""
    encoder = TableEncoder("none")
    encoder.columns_ = tuple(
        EncodedColumn(name, "number", "numbers", (name,), (0.0,), (1.0,)) for name in names
    )
    return encoder.state()
