"""SavedModel: a fitted estimator with what is known of its rows, kept in a file."""

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from samekind._files import InputError, replace_file
from samekind._suggest import did_you_mean
from samekind._version import versions
from samekind.app.inputs.columns import listed
from samekind.app.inputs.errors import reading
from samekind.app.model.file import AGAIN, read_state, write_state
from samekind.app.model.precision import in_single_precision
from samekind.app.model.shapes import misfit
from samekind.app.model.state import plain, restored
from samekind.constraints import PairConstraints, Supervision
from samekind.estimators._base.parameters import check_parameters
from samekind.estimators._base.registry import METHODS

PRIVATE = ("_fit_X", "_scaling")  # what predict needs beside the attributes
LEFT_OUT = ("representation_",)  # large, and nothing asks for it later


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A fitted estimator, with what the application knows of its rows.

    Attributes
    ----------
    estimator : estimator
        Any method of this package that sorts rows, fitted.
    known : Supervision
        What was given, pairs or labels; by default what the estimator was fitted with.
    names : tuple of str, optional
        What the clusters are called, where labels were given.
    ids : tuple of str, optional
        One different name per row.
    source : str
        Name of the file or folder that it was fitted to.
    inputs : mapping, optional
        How new rows are read as these were, in plain values.

    Examples
    --------
    >>> from samekind import SC
    >>> model = SavedModel(SC(2, n_neighbors=3).fit([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]))
    >>> model.row_named("5"), model.name_of(5)
    (5, 'row 5')
    """

    estimator: Any
    known: Supervision | None = None
    names: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    source: str = ""
    inputs: Mapping[str, Any] | None = None

    @property
    def n_samples(self) -> int:
        """Rows that it was fitted to."""
        return len(self.estimator.labels_)

    def name_of(self, i: int) -> str:
        """Id of row i, or "row i" where rows have no ids."""
        return f"row {i}" if self.ids is None else self.ids[i]

    def row_named(self, text: str) -> int:
        """The number of a row from its id, or from its number where rows have no ids."""
        if self.ids is not None:
            if text in self.ids:
                return self.ids.index(text)
            remedy = did_you_mean(text, self.ids, f"the rows are {listed(self.ids, 5)}")
            raise ValueError(f"there is no row '{text}' in the model; {remedy}")
        if not text.isdecimal() or int(text) >= self.n_samples:
            raise ValueError(
                f"there is no row '{text}'; expected a number from 0 to {self.n_samples - 1}"
            )
        return int(text)

    def state(self) -> dict[str, Any]:
        """All of it as plain values, for a file."""
        check_method(self.estimator)
        known = self.known or getattr(self.estimator, "_fit_known", None)
        known = known or Supervision.from_pairs(self.n_samples)
        return {
            "versions": versions(),
            "method": type(self.estimator).__name__.lower(),
            "parameters": _parameters(self.estimator),
            "fitted": _fitted(self.estimator),
            "y": known.y,
            "classes": plain(list(known.names)),
            "must_link": known.pairs.must_link,
            "cannot_link": known.pairs.cannot_link,
            "names": plain(self.names),
            "ids": None if self.ids is None else plain(list(self.ids)),
            "source": self.source,
            "inputs": None if self.inputs is None else plain(dict(self.inputs)),
        }


def save_model(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a file that can be read without trusting it.

    The file holds arrays, text and numbers in the format of skops, never objects. X is kept with
    32 bits where predictions stay the same, and the representation Z is left out.

    Parameters
    ----------
    model : estimator or SavedModel
        Any method of this package that sorts rows, fitted.
    path : str or path
        The file, such as ``model.skops``; replaced as a whole.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from samekind import SC
    >>> fitted = SC(2, n_neighbors=3).fit([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    >>> with TemporaryDirectory() as folder:
    ...     save_model(fitted, Path(folder, "model.skops"))
    ...     again = load_model(Path(folder, "model.skops")).estimator
    >>> bool((again.predict([[0.5], [7.5]]) == fitted.labels_[[0, 3]]).all())
    True
    """
    saved = model if isinstance(model, SavedModel) else SavedModel(model)
    file = BytesIO()
    write_state(file, saved.state())
    replace_file(path, file.getvalue())


def load_model(path: str | os.PathLike[str]) -> SavedModel:
    """Read a model that `save_model` or ``samekind cluster`` has written.

    Warns where it was made by other versions of the libraries.

    Parameters
    ----------
    path : str or path

    Raises
    ------
    InputError
        If the file is of another format, damaged, or holds anything but plain values.
    """
    state = read_state(path)
    with reading(path, "a model"):
        saved = _from_state(state)
        others = _other_versions(state["versions"])
        problem = misfit(saved.estimator, saved.names, saved.ids, saved.known)
        if problem is None:
            _try(saved.estimator)
    if problem is not None:
        raise InputError(path, problem, AGAIN)
    if others:
        warnings.warn(f"{path} was made with {others}; predictions may differ", stacklevel=2)
    return saved


def _other_versions(made: Mapping[str, Any]) -> str:
    here = versions()
    differ = [name for name in here if str(made.get(name)) != here[name]]
    return ", ".join(f"{name} {made.get(name)} (here {here[name]})" for name in differ)


def _try(estimator: Any) -> None:
    """Predict one row: a forged file fails here, not in the middle of some work."""
    row = np.zeros((1, estimator.n_features_in_))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a row without names
        label = estimator.predict(row)
        if hasattr(estimator, "predict_proba"):
            estimator.predict_proba(row)[0, label]


def check_method(estimator: Any) -> None:
    """Refuse what is no fitted method of this package."""
    name = type(estimator).__name__
    method = METHODS.get(name.lower())
    if method is None or method.estimator is not type(estimator) or not method.clusters:
        raise TypeError(f"a {name} cannot be kept in a file; expected a method that sorts rows")
    if not hasattr(estimator, "labels_"):
        raise ValueError(f"this {name} is not fitted yet; call fit first")


def _parameters(estimator: Any) -> dict[str, Any]:
    """Parameters of a model; a generator of random numbers, which only fit needs, is left out."""
    values = estimator.get_params(deep=False)
    return {name: plain(value) for name, value in values.items() if _has_plain_form(value)}


def _fitted(estimator: Any) -> dict[str, Any]:
    """Attributes that fit has set and that have a plain form."""
    kept = {
        name: plain(value)
        for name, value in vars(estimator).items()
        if (name in PRIVATE or name.endswith("_"))
        and name not in LEFT_OUT
        and _has_plain_form(value)
    }
    return kept | {"_fit_X": plain(in_single_precision(estimator))}


def _has_plain_form(value: Any) -> bool:
    try:
        plain(value)
    except TypeError:
        return False
    return True


def _from_state(state: Mapping[str, Any]) -> SavedModel:
    parameters = {name: restored(value) for name, value in state["parameters"].items()}
    estimator = METHODS[state["method"]].estimator(**parameters)
    check_parameters(estimator)
    for name, value in state["fitted"].items():
        setattr(estimator, name, restored(value))
    known = estimator._fit_known = _known(state, len(estimator.labels_))
    ids, names = restored(state["ids"]), restored(state["names"])
    return SavedModel(
        estimator=estimator,
        known=known,
        names=None if names is None else tuple(map(str, names)),
        ids=None if ids is None else tuple(map(str, ids)),
        source=str(state["source"]),
        inputs=restored(state["inputs"]),
    )


def _known(state: Mapping[str, Any], n: int) -> Supervision:
    n = n if state["y"] is None else len(state["y"])
    pairs = PairConstraints(n, state["must_link"], state["cannot_link"])
    if state["y"] is None:
        return Supervision(pairs)
    names = [*restored(state["classes"]), None]  # -1 is the last
    return Supervision.from_labels([names[label] for label in state["y"]]).with_pairs(pairs)
