"""A fit on landmarks, with its warnings as sentences."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from samekind.app.choices import model_of as model_with
from samekind.app.partitioned.known import Known
from samekind.app.partitioned.rows import Rows
from samekind.app.run import Outcome
from samekind.dask import SameKind
from samekind.dask._running import OnProgress
from samekind.estimators._base.registry import METHODS

STANDARDIZE = {"none": False, "standard": True, "auto": "auto"}  # by --scale


def model_of(
    clusters: int | str | None, seed: int, scale: str, settings: Sequence[str]
) -> SameKind:
    """A model with the parameters given as NAME=VALUE.

    Examples
    --------
    >>> model_of(3, 0, "none", ["n_landmarks=5000"])
    SameKind(n_clusters=3, n_landmarks=5000, random_state=0, standardize=False)
    """
    method = replace(METHODS["samekind"], estimator=SameKind)
    if clusters is None:
        clusters = "auto"
    model: SameKind = model_with(method, clusters, seed, settings)
    if scale != "auto" and not any(setting.startswith("standardize=") for setting in settings):
        model.set_params(standardize=STANDARDIZE[scale])
    return model


def fit(model: SameKind, rows: Rows, known: Known, on_progress: OnProgress) -> Outcome:
    """Fit the model; what came out of its landmarks."""
    began = perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(
            rows.X,
            known.y or None,
            must_link=known.must_link,
            cannot_link=known.cannot_link,
            on_progress=on_progress,
        )
    texts = tuple(dict.fromkeys(str(warning.message) for warning in caught))
    seconds = {"fit": perf_counter() - began}
    return Outcome(model.model_, model._fit_known, None, texts, seconds)
