"""How data sets and methods are called, and the order in which they are shown."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from samekind.paper.experiments.published import PUBLISHED_NAMES, published_scores

# The paper's methods first, then ours; whatever else there is follows by the alphabet.
METHODS = (
    *("SL", "CSP", "CSCAP", "LSGR", "NNLRS", "S2LRR", "S3R", "NNLRR", "DCSSC", "HI", "HGNN"),
    *("DGSL", "LSGR-adj", "LSGR-lap", "LSGR-nlap", "SC", "E2CP", "DGSL-seeded"),
    *("DGSL-spread", "DGSL weight 10", "DGSL-spread weight 10"),
    *("DGSL sparsity 1", "DGSL-spread sparsity 1", "DGSL-chosen", "SameKind", "SSCTLRR"),
)
DATASETS = tuple(dict.fromkeys(one.dataset for one in published_scores()))


def in_order(names: Iterable[str], known: Collection[str] = METHODS) -> list[str]:
    """Each name once: those that are known in their order, then the others.

    Examples
    --------
    >>> in_order(["DGSL", "mine", "SL", "DGSL"])
    ['SL', 'DGSL', 'mine']
    """
    found = set(names)
    return [name for name in known if name in found] + sorted(found - set(known))


def dataset_title(name: str) -> str:
    """The paper's name, with ours where the two differ.

    Examples
    --------
    >>> dataset_title("orl"), dataset_title("mnist_1000"), dataset_title("digits")
    ('ORL', 'MNIST (mnist_1000)', 'digits')
    """
    published = PUBLISHED_NAMES.get(name, name)
    return published if published.lower() == name.lower() else f"{published} ({name})"


def in_words(values: Mapping[str, Any]) -> str:
    """Parameters as text.

    Examples
    --------
    >>> in_words({"sparsity": 0.5, "assign_labels": "seeded"}), in_words({})
    ('assign_labels=seeded, sparsity=0.5', 'none')
    """
    words = (f"{name}={plain(values[name])}" for name in sorted(values))
    return ", ".join(words) or "none"


def merged(points: Iterable[Mapping[str, Any]]) -> dict[str, tuple[Any, ...]]:
    """All values of each name, each once and by size.

    Examples
    --------
    >>> merged([{"tau": 0.1, "lam": 1.0}, {"tau": 0.05, "lam": 1.0}])
    {'tau': (0.05, 0.1), 'lam': (1.0,)}
    """
    values: dict[str, list[Any]] = defaultdict(list)
    for point in points:
        for name, value in point.items():
            if value not in values[name]:
                values[name].append(value)
    return {name: tuple(_by_size(found)) for name, found in values.items()}


def _by_size(values: Iterable[Any]) -> list[Any]:
    """Numbers in their order, then whatever is none."""
    values = list(values)
    numbers = sorted(value for value in values if isinstance(value, int | float))
    return numbers + sorted((v for v in values if not isinstance(v, int | float)), key=str)


def plain(value: Any) -> str:
    """A value as short as it can be told, several as a set.

    Examples
    --------
    >>> plain(0.5), plain(("exact",)), plain((0.5, 1.0))
    ('0.5', 'exact', '{0.5, 1}')
    """
    if isinstance(value, tuple):
        words = [plain(each) for each in value]
        return words[0] if len(words) == 1 else f"{{{', '.join(words)}}}"
    return f"{value:g}" if isinstance(value, float) else str(value)
