"""From the options of a command to a method, its model, and what is known."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from samekind._suggest import did_you_mean, nearest
from samekind.app.inputs import InputError, Samples
from samekind.app.parameters import OPTIONS
from samekind.constraints import ConstraintConflict, PairConstraints, Supervision
from samekind.estimators import SameKind
from samekind.estimators._base.registry import METHODS, Method

TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")  # files of labels


def find_method(name: str) -> Method:
    """The method of that name, in small or capital letters.

    Examples
    --------
    >>> find_method("DGSL").supervision
    'pairs'
    """
    key = name.strip().lower()
    if key not in METHODS:
        raise ValueError(
            f"there is no method '{name}'; the methods, the nearest name first: "
            f"{', '.join(nearest(key, METHODS))} (samekind methods says what each does)"
        )
    return METHODS[key]


def method_named(name: str) -> Method:
    """The method of that name, which has to find clusters.

    Examples
    --------
    >>> method_named("dgsl").title
    'DGSL'
    """
    method = find_method(name)
    if not method.clusters:
        raise ValueError(
            f"{method.title} is a transformer and finds no clusters; use it in "
            "Python, or name another method (samekind methods lists them)"
        )
    return method


AUTO = "auto"  # the number of clusters is chosen by the method


def parse_clusters(text: str | int) -> int | str:
    """The value of -k: an int or "auto".

    Examples
    --------
    >>> parse_clusters("3"), parse_clusters("auto")
    (3, 'auto')
    """
    word = str(text).strip().lower()
    if word == AUTO or (word.isdecimal() and int(word) >= 1):
        return word if word == AUTO else int(word)
    raise ValueError(f"-k {text}: expected the number of clusters, 1 or more, or auto")


def chooses_clusters(method: Method) -> bool:
    """Whether a method can choose the number of clusters."""
    return method.estimator is SameKind


def model_of(
    method: Method, clusters: int | str | None, seed: int, settings: Sequence[str] = ()
) -> Any:
    """A model with the parameters given as NAME=VALUE.

    Examples
    --------
    >>> model_of(method_named("dgsl"), 3, 0, ["feedback=0.05"])
    DGSL(feedback=0.05, n_clusters=3, random_state=0)
    """
    model = method.estimator(random_state=seed)
    if not method.takes_labels and clusters is not None:
        model.set_params(n_clusters=None if clusters == AUTO else clusters)
    free = sorted(set(model.get_params()) - set(OPTIONS))
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or name not in free:
            raise ValueError(_no_parameter(setting, name, free, method))
        model.set_params(**{name: _value(text)})
    return model


def labels_column(labels: str | None) -> str | None:
    """The column of the data that --labels names, if it names no file.

    Examples
    --------
    >>> labels_column("species"), labels_column("some.csv")
    ('species', None)
    """
    if labels is None or labels.lower().endswith(TABLES) or Path(labels).is_file():
        return None
    return labels


def check_options(
    method: Method, clusters: int | str | None, pairs: Path | None, labels: str | None
) -> None:
    """Refuse options that do not fit each other or the method, before any file is read."""
    name = method.estimator.__name__
    if method.takes_labels and (labels is None or pairs is not None):
        came = "--pairs came" if pairs is not None else "no --labels came"
        raise ValueError(
            f"{name} learns from labels, and {came}; give a csv with the columns row,label or a "
            "column of the data as --labels, or name a method that takes pairs (samekind methods "
            "lists them)"
        )
    if chooses_clusters(method) or method.takes_labels:
        return
    if clusters == AUTO or (clusters is None and labels is None):
        raise ValueError(
            f"{name} needs the number of clusters; give it as --clusters, -k, or give --labels, "
            "or take --method samekind, which can choose it"
        )


def known_of(samples: Samples, data: Path, pairs: Path | None, labels: str | None) -> Supervision:
    """What the options say is known about the samples of a file."""
    n = samples.X.shape[0]
    given = None if pairs is None else PairConstraints.from_csv(pairs, n, ids=samples.ids)
    if labels is None:
        return Supervision.from_pairs(n) if given is None else Supervision(given)
    if samples.known is not None:
        known = _of_column(samples.known, data, labels)
    else:
        known = Supervision.from_csv(labels, n, ids=samples.ids)
    if known.y is None:
        raise InputError(
            labels, "it holds pairs, expected the columns row,label", "give it as --pairs"
        )
    if given is None:
        return known
    try:
        return known.with_pairs(given, ids=samples.ids)
    except ConstraintConflict as error:
        raise ValueError(f"{pairs} contradicts {labels}: {error}") from None


def _of_column(values: Sequence[object], data: Path, column: str) -> Supervision:
    try:
        known = Supervision.from_labels(values)
    except ValueError as error:
        raise ValueError(f"{data}: column '{column}' (--labels): {error}") from None
    if not known.names:
        raise InputError(data, f"column '{column}' (--labels) is empty", "label at least one row")
    assert known.y is not None
    if (known.y >= 0).all():
        raise InputError(
            data,
            f"column '{column}' (--labels) has a label in every row, so that nothing is unknown",
            f"for scores alone give it as --truth {column}, else leave the unknown ones blank",
        )
    return known


def clusters_of(
    method: Method, known: Supervision, clusters: int | str | None, labels: str | None
) -> int | str:
    """The number of clusters: -k, or the number of names among the labels, or "auto".

    Examples
    --------
    >>> clusters_of(method_named("dgsl"), Supervision.from_labels(["a", None, "b"]), None, "kind")
    2
    """
    names = [str(name) for name in known.names]
    if chooses_clusters(method) and clusters is None and len(names) < 2:
        return AUTO
    if method.takes_labels and clusters == AUTO:
        clusters = None
    if known.y is not None and len(names) == 1 and (method.takes_labels or clusters is None):
        remedy = "label rows of two classes or more"
        if not method.takes_labels:
            remedy += ", or give the number of clusters as --clusters, -k"
        raise ValueError(f"{labels}: every label is '{names[0]}'; {remedy}")
    if method.takes_labels and clusters not in (None, len(names)):
        listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        raise ValueError(
            f"-k is {clusters}, but {labels} names {len(names)} classes ({listed}); leave -k out, "
            "or label at least one row of each class"
        )
    return len(names) if clusters is None else clusters


def _no_parameter(setting: str, name: str, free: Sequence[str], method: Method) -> str:
    """What is wrong with a setting, and what was meant by it."""
    names = f"the names are {', '.join(free)} (samekind methods {method.name} explains them)"
    if name in OPTIONS:
        return f"--set {setting}: {name} is set by {OPTIONS[name]}; {names}"
    if name in free:
        return f"--set {setting}: expected NAME=VALUE, such as {name}=1; {names}"
    meant = did_you_mean(name, free, "expected NAME=VALUE;")
    return f"--set {setting}: {method.title} has no parameter '{name}'; {meant} {names}"


def _value(text: str) -> object:
    """A number, true or false where the text is one; the estimator checks the range."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)
