"""From the words of a command to a method, its model, and what the method is told."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from samekind.app.inputs import PartialLabels, Samples, read_labels
from samekind.constraints import PairConstraints
from samekind.estimators._base.registry import METHODS, Method


def method_named(name: str) -> Method:
    """The method of that name, in small or capital letters.

    Examples
    --------
    >>> method_named("DGSL").supervision
    'pairs'
    """
    key = name.strip().lower()
    if key not in METHODS:
        nearest = sorted(METHODS, key=lambda known: -SequenceMatcher(None, key, known).ratio())
        raise ValueError(
            f"there is no method '{name}'; the methods, the nearest name first: "
            f"{', '.join(nearest)} (samekind methods says what each does)"
        )
    if not METHODS[key].clusters:
        raise ValueError(
            f"{METHODS[key].title} gives samples other coordinates and sorts nothing; use it in "
            "Python, or name another method (samekind methods lists them)"
        )
    return METHODS[key]


def model_of(method: Method, clusters: int | None, seed: int, settings: Sequence[str] = ()) -> Any:
    """A model with the parameters given as NAME=VALUE.

    Examples
    --------
    >>> model_of(method_named("dgsl"), 3, 0, ["feedback=0.05"])
    DGSL(feedback=0.05, n_clusters=3, random_state=0)
    """
    model = method.estimator(random_state=seed)
    if not method.takes_labels:
        model.set_params(n_clusters=clusters)
    free = sorted(set(model.get_params()) - {"n_clusters", "random_state"})
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or name not in free:
            raise ValueError(
                f"--set {setting}: expected NAME=VALUE with one of the names {', '.join(free)} "
                "(the number of clusters is -k, the seed --seed)"
            )
        model.set_params(**{name: _value(text)})
    return model


def check_options(
    method: Method, clusters: int | None, pairs: Path | None, labels: Path | None
) -> None:
    """Refuse options that do not fit each other or the method, before any file is read."""
    name = method.estimator.__name__
    if pairs is not None and labels is not None:
        raise ValueError("--pairs came together with --labels; give one of the two")
    if method.takes_labels and labels is None:
        came = "--pairs came" if pairs is not None else "no --labels came"
        raise ValueError(
            f"{name} learns from labels, and {came}; give a csv with the columns row,label as "
            "--labels, or name a method that takes pairs (samekind methods lists them)"
        )
    if clusters is None and not method.takes_labels:
        raise ValueError(f"{name} has to be told the number of clusters; give it as --clusters, -k")


def known_of(
    method: Method, samples: Samples, clusters: int | None, pairs: Path | None, labels: Path | None
) -> PairConstraints | PartialLabels:
    """Pairs or labels, whichever the method takes, from the files that were named."""
    n = samples.X.shape[0]
    if pairs is not None:
        return PairConstraints.from_csv(pairs, n, ids=samples.ids)
    if labels is None:
        return PairConstraints(n)
    known = read_labels(labels, samples)
    if not method.takes_labels:
        return PairConstraints.from_labels(known.y)
    _check_classes(known.names, clusters, labels)
    return known


def _check_classes(names: Sequence[str], clusters: int | None, labels: Path) -> None:
    if len(names) == 1:
        raise ValueError(
            f"{labels}: every label is '{names[0]}'; label rows of two classes or more, or name "
            "a method that takes pairs"
        )
    if clusters is not None and clusters != len(names):
        listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        raise ValueError(
            f"-k is {clusters}, but {labels} names {len(names)} classes ({listed}); leave -k out, "
            "or label at least one row of each class"
        )


def _value(text: str) -> object:
    """A number where the text is one, else the text; the estimator checks the range."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
