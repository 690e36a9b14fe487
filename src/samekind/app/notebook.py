"""The report of a fitted model, for a notebook."""

import os
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from samekind._files import replace_file
from samekind.app.content import report_content
from samekind.app.inputs import Samples
from samekind.app.report import render_page
from samekind.app.run import Outcome
from samekind.constraints import Supervision


@dataclass(frozen=True, repr=False)
class Report:
    """A report; a notebook shows it in a frame.

    Attributes
    ----------
    title : str
    html : str
        The page, complete in itself.
    height : int
        Of the frame, in pixels.

    Examples
    --------
    >>> Report("Two rows", "<h1>Two rows</h1>")
    <Report: Two rows; .save(path) writes it>
    """

    title: str
    html: str
    height: int = 640

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file: the whole of it, or nothing."""
        replace_file(path, self.html)

    def __repr__(self) -> str:
        return f"<Report: {self.title}; .save(path) writes it>"

    def _repr_html_(self) -> str:
        # A sandbox without the notebook's origin: names in the data can run nothing there.
        return (
            f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" '
            f'title="{escape(self.title)}" width="100%" height="{self.height}" '
            'style="border: 1px solid #8886; border-radius: 4px"></iframe>'
        )


def report_of(
    model: Any, names: Iterable[object] | None, image_shape: tuple[int, int] | None, height: int
) -> Report:
    """The report of a fitted model, from what it keeps.

    Examples
    --------
    >>> from samekind import SC
    >>> model = SC(2, n_neighbors=3).fit([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    >>> report_of(model, None, None, 640)
    <Report: 6 rows in 2 clusters; .save(path) writes it>
    """
    X, n = _rows(model), len(model.labels_)
    columns = getattr(model, "feature_names_in_", None)
    samples = Samples(
        X,
        ids=None if names is None else _checked_names(names, n),
        feature_names=None if columns is None else tuple(map(str, columns)),
        image_shape=None if image_shape is None else _checked_shape(image_shape, X.shape[1]),
        source=f"{n} rows",
    )
    known = getattr(model, "_fit_known", None) or Supervision.from_pairs(n)
    if hasattr(model, "classes_") and hasattr(model, "label_distributions_"):
        model = copy(model)  # the page counts classes, whatever their names
        model.labels_ = np.searchsorted(model.classes_, model.labels_)
    content = report_content(samples, Outcome(model, known, None, (), {}))
    content = replace(content, all_rows="", next_steps=())
    return Report(content.title, render_page(content), height)


def _rows(model: Any) -> Any:
    """The rows that were fitted, in the units in which they came."""
    X, scaling = model._fit_X, getattr(model, "_scaling", None)
    return X if scaling is None else scaling.undone(X)


def _checked_names(names: Iterable[object], n: int) -> tuple[str, ...]:
    found = tuple(map(str, names))
    if len(found) != n or len(set(found)) != n:
        raise ValueError(
            f"names has {len(found)} entries, {len(set(found))} of them different, and the model "
            f"was fitted to {n} rows; give a different name for each row"
        )
    return found


def _checked_shape(shape: tuple[int, int], n_features: int) -> tuple[int, int]:
    height, width = shape
    if height * width != n_features:
        raise ValueError(
            f"image_shape is {shape}, but rows have {n_features} features; expected a height and "
            f"a width whose product is {n_features}"
        )
    return height, width
