"""What the displays share: the model to look at, and the axes to draw on."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

OTHERWISE = "; SameKind and DGSL have it, as have most methods for pairs"


def fitted(estimator: Any, attribute: str) -> Any:
    """The model inside a pipeline or a search, which has to be fitted and have the attribute.

    Examples
    --------
    >>> from samekind import HI
    >>> fitted(HI().fit([[0.0], [1.0]], [0, 1]), "embedding_")
    Traceback (most recent call last):
        ...
    AttributeError: HI has no embedding_; SameKind and DGSL have it, as have most methods for pairs
    """
    check_is_fitted(estimator)
    model = getattr(estimator, "best_estimator_", estimator)
    model = model[-1] if hasattr(model, "steps") else model
    if not hasattr(model, attribute):
        raise AttributeError(f"{type(model).__name__} has no {attribute}{OTHERWISE}")
    return model


def axes_for(ax: Any) -> Any:
    """The axes given, or new ones."""
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError:
        raise ImportError(
            "drawing needs the package matplotlib, which is not installed; run: "
            'pip install ".[app]" in the source folder'
        ) from None
    return pyplot.subplots()[1] if ax is None else ax
