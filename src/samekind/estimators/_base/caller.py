"""Warnings that name the line of the caller's code, however deep in the package they arise."""

import inspect
import warnings

# fit_predict, pipelines and grid searches put frames of others between the caller and us.
INSIDE = ("samekind", "sklearn", "joblib")


def warn_caller(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Warn with the file and line of the first frame outside samekind and scikit-learn.

    Python 3.12 has ``skip_file_prefixes`` for this.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as seen:
    ...     warnings.simplefilter("always")
    ...     warn_caller("did not converge")
    >>> seen[0].filename != __file__
    True
    """
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
